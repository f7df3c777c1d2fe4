//! Which statements of the sources are tested, and what came of it.
//!
//! A statement is a sentence as a source printed it, taken from the brief in which it stands. That its own outlet says it proves
//! nothing: what counts is who else does, or that the stored figures bear it.

use model::Day;
use query::{Intent, Reading};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

use super::Tested;
use crate::figures::{count, money, plain};
use crate::runs::{Verified, mean};
use crate::view::View;

/// Bounds of a statement in characters: below it says little, above it says several things.
const LENGTH: std::ops::RangeInclusive<usize> = 40..=320;
/// What the verifier takes at least, in characters.
const SHORTEST_CLAIM: usize = 10;
/// Statements that are looked at, whatever was found.
const MOST: usize = 24;
/// What a claim is worth that nothing speaks for and nothing against.
const OPEN: f64 = 0.35;

/// A statement that may be tested.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The sentence.
    pub(crate) claim: String,
    /// Who printed it.
    pub(crate) outlet: Option<String>,
    /// Where.
    pub(crate) brief_id: Option<String>,
    /// Whether the answer leans on it.
    pub(crate) is_key: bool,
}

/// The statements of the results, those with figures first; of one brief at most one.
pub(crate) fn of(data: &Map<String, Value>, reading: &Reading) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    if reading.wants(Intent::Verification)
        && let Some(claim) = reading.claim.as_deref().filter(|claim| is_statement(claim))
    {
        found.push(Candidate {
            claim: claim.to_owned(),
            outlet: None,
            brief_id: None,
            is_key: true,
        });
    }
    found.extend(of_series(data));
    found.extend(of_closes(data, reading));
    let mut stated = Vec::new();
    for (key, value) in data {
        match key.as_str() {
            "news" | "search" | "topic" | "again" | "context" | "portfolio" | "trending"
            | "vertical_news" | "vertical_rules" => collect(value, &mut stated, 0),
            "events" | "vertical_events" | "vertical_lawsuits" => {
                collect_events(value, &mut stated, 0);
            }
            _ => {}
        }
        if stated.len() >= MOST {
            break;
        }
    }
    // Those with figures can be tested best. The sort keeps the order of the sources otherwise.
    stated.sort_by_key(|one| !one.claim.chars().any(|mark| mark.is_ascii_digit()));
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

/// The query itself, where it states something.
pub(crate) fn of_query(query: &str) -> Option<Candidate> {
    let claim = query.trim();
    let is_long_enough = claim.chars().count() >= SHORTEST_CLAIM;
    (is_long_enough && !claim.ends_with('?')).then(|| figure(claim.to_owned()))
}

/// Economic figures of the results, to be looked up again by the verifier.
fn of_series(data: &Map<String, Value>) -> Vec<Candidate> {
    let series = data.get("economy").and_then(Value::as_object);
    let stated = series.into_iter().flatten().filter_map(|(_, one)| {
        let view = View(one);
        let unit = view.text("unit")?;
        let (date, value) = (view.text("latest/date")?, view.number("latest/value")?);
        let month = model::Day::parse(date.get(..10)?)?.date();
        let is_percent = unit.to_lowercase().contains("percent") || unit == "%";
        let name = view.text("name")?;
        is_percent.then(|| {
            figure(format!(
                "{name} was {}% in {} {}.",
                plain(value),
                month_name(month.month()),
                month.year()
            ))
        })
    });
    stated.take(2).collect()
}

/// Closes on which technicals rest.
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
                month_name(date.month()),
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
        is_key: true,
    }
}

fn month_name(month: i8) -> &'static str {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    usize::try_from(month - 1)
        .ok()
        .and_then(|place| NAMES.get(place).copied())
        .unwrap_or_default()
}

/// Sentences of briefs and citations, wherever they stand below a result.
fn collect(value: &Value, stated: &mut Vec<Candidate>, depth: usize) {
    if stated.len() >= MOST || depth > 3 {
        return;
    }
    match value {
        Value::Object(fields) => {
            if let Some(candidate) = of_brief(View(value)).or_else(|| of_citation(View(value))) {
                stated.push(candidate);
                return;
            }
            for name in ["briefs", "citations"] {
                if let Some(list) = fields.get(name) {
                    collect(list, stated, depth + 1);
                }
            }
            // Results of several instruments stand below their symbols.
            if depth == 0 && !fields.contains_key("briefs") {
                for one in fields.values().filter(|one| one.is_object()) {
                    collect(one, stated, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(item, stated, depth + 1);
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
                claim: sentence.to_owned(),
                outlet: None,
                brief_id: event.text("brief_id").map(str::to_owned),
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

fn of_brief(brief: View<'_>) -> Option<Candidate> {
    let (id, summary) = (brief.text("id")?, brief.text("summary")?);
    brief.text("headline")?;
    let sentences = text::statement::sentence::split(summary);
    let claim = sentences.into_iter().find(|one| is_statement(one))?;
    let sources = brief.list("sources");
    Some(Candidate {
        claim: claim.to_owned(),
        outlet: sources
            .first()
            .and_then(|source| source.text("name"))
            .map(str::to_owned),
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
        is_key: false,
    })
}

/// A whole sentence that states something.
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
    // One of them printed it: where the brief names another first, the clearest.
    match names.iter().position(|name| name == outlet) {
        Some(place) => drop(names.remove(place)),
        None if !names.is_empty() => drop(names.remove(0)),
        None => {}
    }
    names
}

/// Whether only the report that a statement was taken from, or its outlet, seems to contradict it: that is a sentence misread,
/// and no test.
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

/// What the tests come to together.
pub(crate) fn confidence(tested: &[Tested]) -> Option<f64> {
    if tested.is_empty() {
        return Some(OPEN);
    }
    mean(tested.iter().map(|one| {
        let sure = one.verified.confidence;
        match one.verified.verdict.as_str() {
            // Repeated by nobody, a statement is its outlet's alone.
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

/// What came of the tests, in a sentence.
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
    json!({
        "claim": verified.claim,
        "verified": verified.verdict == "supported",
        "source": verified.source.as_deref().or(tested.candidate.outlet.as_deref()),
        "verdict": verified.verdict,
        "reason": View(&verified.body).text("reason"),
        "confidence": verified.confidence,
        "receipt_id": verified.receipt_id,
        "confirmed_by": tested.confirmed_by,
        "brief_id": tested.candidate.brief_id,
    })
}

/// The day that a result says it is of.
pub(crate) fn day_of(text: &str) -> Option<Day> {
    text.get(..10).and_then(Day::parse)
}
