//! Which statements from the sources are tested, and with which result.
//!
//! A statement is a sentence as a source printed it, taken from the brief that contains it. That its own outlet says it
//! proves nothing: what counts is who else says it, or whether the stored figures support it.

use model::Day;
use query::{Intent, Reading};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use text::language::is_mostly_latin;

use super::Tested;
use super::relevance::Words;
use crate::attribution;
use crate::figures::{count, money, plain};
use crate::runs::{Verified, mean};
use crate::view::View;

/// Shortest and longest statement in characters: a shorter one says little, a longer one says several things.
const LENGTH: std::ops::RangeInclusive<usize> = 40..=320;
/// The shortest claim that the verifier takes, in characters.
const SHORTEST_CLAIM: usize = 10;
/// How many statements are considered, whatever was found.
const MOST: usize = 24;
/// Statements are tested if they are at least this much about the question, relative to the one that is most about it.
const ENOUGH: f64 = 0.6;
/// The age in days from which a statement is ranked behind newer ones: what it says about the present refers to that
/// time.
const OLD: i32 = 365;
/// The value of a claim with no evidence for or against it.
const OPEN: f64 = 0.35;

/// A statement that may be tested.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The sentence.
    pub(crate) claim: String,
    /// Who printed it.
    pub(crate) outlet: Option<String>,
    /// The brief it comes from.
    pub(crate) brief_id: Option<String>,
    /// When it was printed; what a source says refers to that day.
    pub(crate) printed: Option<Day>,
    /// Whether the answer relies on it.
    pub(crate) is_key: bool,
}

/// The statements in the results, those with figures first; at most one per brief.
pub(crate) fn of(data: &Map<String, Value>, reading: &Reading) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    if reading.wants(Intent::Verification)
        && let Some(claim) = reading.claim.as_deref().filter(|claim| is_statement(claim))
    {
        found.push(Candidate {
            claim: claim.to_owned(),
            outlet: None,
            brief_id: None,
            printed: None,
            is_key: true,
        });
    }
    found.extend(of_series(
        data,
        reading.when.to.filter(|_| !reading.when.is_ahead),
    ));
    found.extend(of_closes(data, reading));
    let words = Words::of(reading);
    let mut stated = Vec::new();
    for (key, value) in data {
        match key.as_str() {
            "news" | "search" | "topic" | "again" | "context" | "portfolio" | "trending"
            | "vertical_news" | "vertical_rules" => collect(value, &words, &mut stated, 0),
            "events" | "vertical_events" | "vertical_lawsuits" => {
                collect_events(value, &mut stated, 0);
            }
            _ => {}
        }
        if stated.len() >= MOST {
            break;
        }
    }
    // A citation says which brief it comes from; the course of events says when that was.
    for one in stated.iter_mut().filter(|one| one.printed.is_none()) {
        one.printed = one
            .brief_id
            .as_deref()
            .and_then(|id| day_in_course(data, id));
    }
    stated.retain(|one| is_mostly_latin(&one.claim) == is_mostly_latin(&reading.question));
    choose(&mut stated, &words);
    for (place, one) in stated.into_iter().enumerate() {
        let is_known = found.iter().any(|other| {
            other.claim == one.claim || (other.brief_id.is_some() && other.brief_id == one.brief_id)
        });
        if !is_known {
            found.push(Candidate {
                is_key: place < 2,
                ..one
            });
        }
    }
    found
}

/// The day of a brief, from the courses of events among the results.
fn day_in_course(data: &Map<String, Value>, brief_id: &str) -> Option<Day> {
    data.values()
        .flat_map(|value| View(value).list("timeline"))
        .find(|one| one.text("brief_id") == Some(brief_id))
        .and_then(|one| day_of(one.text("date")?))
}

/// Leaves out what is not about the question if there is enough that is, and puts the others in the order in which they
/// are tested: recent ones before those that are years old, and ones with figures before ones without, since those can
/// be tested best. Otherwise the sort keeps the order of the sources.
fn choose(stated: &mut Vec<Candidate>, words: &Words) {
    let best = stated
        .iter()
        .map(|one| words.share_of_matter(&one.claim))
        .fold(0.0, f64::max);
    if best > 0.0 {
        stated.retain(|one| words.share_of_matter(&one.claim) >= ENOUGH * best);
    }
    let newest = stated.iter().filter_map(|one| one.printed).max();
    stated.sort_by_key(|one| {
        let is_old = one
            .printed
            .zip(newest)
            .is_some_and(|(printed, newest)| newest.since(printed) > OLD);
        (is_old, !one.claim.chars().any(|mark| mark.is_ascii_digit()))
    });
}

/// The query itself, if it makes a statement.
pub(crate) fn of_query(query: &str) -> Option<Candidate> {
    let claim = query.trim();
    let is_long_enough = claim.chars().count() >= SHORTEST_CLAIM;
    (is_long_enough && !claim.ends_with('?')).then(|| figure(claim.to_owned()))
}

/// Economic figures in the results, for the verifier to look up again: for a past period, the last ones in it.
fn of_series(data: &Map<String, Value>, until: Option<Day>) -> Vec<Candidate> {
    let series = data.get("economy").and_then(Value::as_object);
    let stated = series.into_iter().flatten().filter_map(|(_, one)| {
        let view = View(one);
        let unit = view.text("unit")?;
        let known = view.list("observations").into_iter().filter_map(|row| {
            let day = day_of(row.text("date")?)?;
            Some((day, row.number("value")?))
        });
        let latest = || {
            Some((
                day_of(view.text("latest/date")?)?,
                view.number("latest/value")?,
            ))
        };
        let (day, value) = known
            .filter(|(day, _)| until.is_none_or(|until| *day <= until))
            .max_by_key(|(day, _)| *day)
            .or_else(|| latest().filter(|(day, _)| until.is_none_or(|until| *day <= until)))?;
        let claim = of_observation(
            view.text("name")?,
            unit,
            view.text("frequency").unwrap_or_default(),
            day,
            value,
        )?;
        Some(figure(claim))
    });
    stated.take(2).collect()
}

/// An observation of a series as a statement; nothing if its unit is not a percentage, because then its scale is not
/// stated.
pub(crate) fn of_observation(
    name: &str,
    unit: &str,
    frequency: &str,
    day: Day,
    value: f64,
) -> Option<String> {
    let is_percent = unit.to_lowercase().contains("percent") || unit == "%";
    let date = day.date();
    let when = match frequency {
        "daily" | "weekly" => format!("on {} {} {}", date.day(), day.month_name(), date.year()),
        _ => format!("in {} {}", day.month_name(), date.year()),
    };
    is_percent.then(|| format!("{name} was {}% {when}.", plain(value)))
}

/// The closes that the technicals are based on.
fn of_closes(data: &Map<String, Value>, reading: &Reading) -> Vec<Candidate> {
    let mut stated = Vec::new();
    for instrument in reading.instruments.iter().take(2) {
        let symbol = instrument.symbol.as_str();
        let Some(technicals) = data.get("technicals") else {
            continue;
        };
        let view = View(technicals.get(symbol).unwrap_or(technicals));
        let is_own = view.text("ticker") == Some(symbol);
        let (Some(date), Some(price)) = (view.text("date"), view.number("latest/price")) else {
            continue;
        };
        if is_own && let Some(day) = day_of(date) {
            let date = day.date();
            stated.push(figure(format!(
                "{symbol} closed at {} on {} {} {}.",
                money(price, &instrument.currency),
                date.day(),
                day.month_name(),
                date.year()
            )));
        }
    }
    stated
}

fn figure(claim: String) -> Candidate {
    Candidate {
        claim,
        outlet: None,
        brief_id: None,
        printed: None,
        is_key: true,
    }
}

/// Sentences of briefs and citations, wherever they are below a result.
fn collect(value: &Value, words: &Words, stated: &mut Vec<Candidate>, depth: usize) {
    if stated.len() >= MOST || depth > 3 {
        return;
    }
    match value {
        Value::Object(fields) => {
            if let Some(candidate) =
                of_brief(View(value), words).or_else(|| of_citation(View(value)))
            {
                stated.push(candidate);
                return;
            }
            for name in ["briefs", "citations"] {
                if let Some(list) = fields.get(name) {
                    collect(list, words, stated, depth + 1);
                }
            }
            // Results for several instruments are grouped by symbol.
            if depth == 0 && !fields.contains_key("briefs") {
                for one in fields.values().filter(|one| one.is_object()) {
                    collect(one, words, stated, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(item, words, stated, depth + 1);
            }
        }
        _ => {}
    }
}

fn collect_events(value: &Value, stated: &mut Vec<Candidate>, depth: usize) {
    if let Some(events) = value.get("events").and_then(Value::as_array) {
        for event in events.iter().map(View) {
            let Some(sentence) = event.text("sentence").filter(|text| is_statement(text)) else {
                continue;
            };
            stated.push(Candidate {
                claim: headline_said(sentence, event).to_owned(),
                outlet: None,
                brief_id: event.text("brief_id").map(str::to_owned),
                printed: event.text("date").and_then(day_of),
                is_key: false,
            });
        }
    } else if depth == 0
        && let Value::Object(fields) = value
    {
        for one in fields.values() {
            collect_events(one, stated, depth + 1);
        }
    }
}

/// The content of a sentence that only introduces the headline of its report: `Livemint writes: HEADLINE.`
fn headline_said<'a>(sentence: &'a str, event: View<'_>) -> &'a str {
    let same =
        |said: &str, headline: &str| said.trim_end_matches('.') == headline.trim_end_matches('.');
    match (sentence.split_once(": "), event.text("headline")) {
        (Some((_, said)), Some(headline)) if same(said, headline) => said,
        _ => sentence,
    }
}

/// The first sentence of a brief that is about the question, otherwise its first sentence.
fn of_brief(brief: View<'_>, words: &Words) -> Option<Candidate> {
    let (id, summary) = (brief.text("id")?, brief.text("summary")?);
    brief.text("headline")?;
    let sources = brief.list("sources");
    let sentences: Vec<&str> = text::statement::sentence::split(summary)
        .into_iter()
        .filter(|one| is_statement(one))
        .collect();
    let chosen = sentences
        .iter()
        .find(|one| words.are_said(one))
        .or_else(|| sentences.first())?;
    // That an outlet runs a headline is not a statement to test: what the headline says is.
    let attributed = attribution::read(chosen, &sources);
    let claim = attributed.as_ref().map_or(*chosen, |one| one.said);
    let outlet = attributed.map(|one| one.outlet).or_else(|| {
        let first = sources.first().and_then(|source| source.text("name"));
        first.map(str::to_owned)
    });
    // A brief may continue for days: what an outlet says about a day goes by the date of its own article.
    let own = sources
        .iter()
        .find(|source| outlet.is_some() && source.text("name") == outlet.as_deref())
        .and_then(|source| source.text("published_at"));
    Some(Candidate {
        claim: claim.to_owned(),
        printed: own.or_else(|| brief.text("published_at")).and_then(day_of),
        outlet,
        brief_id: Some(id.to_owned()),
        is_key: false,
    })
}

fn of_citation(citation: View<'_>) -> Option<Candidate> {
    let claim = citation
        .text("sentence")
        .filter(|text| is_statement(text))?;
    Some(Candidate {
        claim: claim.to_owned(),
        outlet: citation.text("source").map(str::to_owned),
        brief_id: citation.text("brief_id").map(str::to_owned),
        printed: citation
            .text("published_at")
            .or_else(|| citation.text("date"))
            .and_then(day_of),
        is_key: false,
    })
}

/// A complete sentence that states something.
fn is_statement(text: &str) -> bool {
    let text = text.trim();
    LENGTH.contains(&text.chars().count())
        && text.ends_with(['.', '”'])
        && !text.starts_with(['“', '"', '‘'])
        && text
            .chars()
            .next()
            .is_some_and(|first| !first.is_lowercase())
}

/// Sources that say the same, other than the one that the statement was taken from.
pub(crate) fn confirming(verified: &Verified, outlet: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in View(&verified.body).list("evidence_chain") {
        let is_support = item.text("position") == Some("supports");
        let Some(name) = item.text("source").filter(|_| is_support) else {
            continue;
        };
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    let Some(outlet) = outlet else { return names };
    // One of them printed it: if the brief names another first, the clearest one.
    match names.iter().position(|name| name == outlet) {
        Some(place) => drop(names.remove(place)),
        None if !names.is_empty() => drop(names.remove(0)),
        None => {}
    }
    names
}

/// Whether only the report that a statement was taken from, or its outlet, seems to contradict it: that is a misread
/// sentence, not a test.
pub(crate) fn is_against_itself(tested: &Tested) -> bool {
    let candidate = &tested.candidate;
    let contradicting: Vec<View<'_>> = View(&tested.verified.body)
        .list("evidence_chain")
        .into_iter()
        .filter(|item| item.text("position") == Some("contradicts"))
        .collect();
    tested.verified.verdict == "contradicted"
        && !contradicting.is_empty()
        && contradicting.iter().all(|item| {
            let of = |field: &str, own: Option<&str>| own.is_some() && item.text(field) == own;
            of("brief_id", candidate.brief_id.as_deref())
                || of("source", candidate.outlet.as_deref())
        })
}

/// The overall result of the tests.
pub(crate) fn confidence(tested: &[Tested]) -> Option<f64> {
    if tested.is_empty() {
        return Some(OPEN);
    }
    mean(tested.iter().map(|one| {
        let sure = one.verified.confidence;
        match one.verified.verdict.as_str() {
            // A statement that nobody else repeats is its outlet's alone.
            "supported" if one.confirmed_by.is_empty() && one.candidate.outlet.is_some() => {
                0.8 * sure
            }
            "supported" => sure,
            "partially_supported" => 0.7 * sure,
            "contradicted" => 0.1,
            _ => OPEN,
        }
    }))
}

/// The result of the tests, in a sentence.
pub(crate) fn told(tested: &[Tested], left_out: usize) -> String {
    let of = |verdict: &str| {
        tested
            .iter()
            .filter(|one| one.verified.verdict == verdict)
            .count()
    };
    if tested.is_empty() {
        return "The sources state nothing that could be tested.".to_owned();
    }
    let parts: Vec<String> = [
        (of("supported"), "supported"),
        (of("partially_supported"), "supported in part"),
        (of("contradicted"), "contradicted"),
        (of("unverifiable"), "left open"),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, word)| format!("{number} {word}"))
    .collect();
    let mut text = format!(
        "{} tested: {}.",
        count(tested.len() as u64, "statement", "statements"),
        parts.join(", ")
    );
    let alone = tested
        .iter()
        .filter(|one| {
            one.verified.verdict == "supported"
                && one.confirmed_by.is_empty()
                && one.candidate.outlet.is_some()
        })
        .count();
    if alone > 0 {
        let _ = write!(
            text,
            " {} by no outlet other than the one that printed {}.",
            if alone == 1 {
                "One is confirmed".to_owned()
            } else {
                format!("{alone} are confirmed")
            },
            if alone == 1 { "it" } else { "them" }
        );
    }
    if left_out > 0 {
        let _ = write!(
            text,
            " {} not tested within the budget.",
            if left_out == 1 {
                "One further was".to_owned()
            } else {
                format!("{left_out} further were")
            }
        );
    }
    text
}

/// A claim as the verifier's step shows it.
pub(crate) fn shown(tested: &Tested) -> Value {
    let verified = &tested.verified;
    // Its outlet, if it is among those that support it; nobody confirms their own statement.
    let outlet = tested.candidate.outlet.as_deref();
    let is_borne_by_it = View(&verified.body)
        .list("evidence_chain")
        .iter()
        .any(|item| outlet.is_some() && item.text("source") == outlet);
    let found = verified.source.as_deref().filter(|_| !is_borne_by_it);
    let source = found.or(outlet).or(verified.source.as_deref());
    let confirmed_by: Vec<&String> = tested
        .confirmed_by
        .iter()
        .filter(|name| Some(name.as_str()) != source)
        .collect();
    json!({
        "claim": verified.claim,
        "verified": verified.verdict == "supported",
        "source": source,
        "verdict": verified.verdict,
        "reason": View(&verified.body).text("reason"),
        "confidence": verified.confidence,
        "receipt_id": verified.receipt_id,
        "confirmed_by": confirmed_by,
        "brief_id": tested.candidate.brief_id,
        "printed": tested.candidate.printed.map(|day| day.to_string()),
    })
}

/// The day that a result says it refers to.
pub(crate) fn day_of(text: &str) -> Option<Day> {
    text.get(..10).and_then(Day::parse)
}

#[cfg(test)]
mod tests;
