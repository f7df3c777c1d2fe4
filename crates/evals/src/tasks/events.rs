//! Events of headlines against labels, and predicted events of other articles judged by reading them.

use std::collections::{BTreeMap, BTreeSet};

use model::{Event, EventKind};
use serde_json::Value;

use crate::data::{self, Data};
use crate::events::{self, LATER, ROLES};
use crate::judged::Judged;
use crate::labels;
use crate::news;
use crate::random::Random;
use crate::score::{Hits, interval};
use crate::seen;
use crate::table::{Table, figure};

/// Labels of 300 headlines; the columns are described in the file.
const LABELS: &str = include_str!("../../data/events_headlines.tsv");
/// Judgements of predicted events: hash, `right` or `wrong`.
const JUDGED: &str = include_str!("../../data/events_judged.tsv");
/// How many predicted events of other articles are drawn, and the seed.
const DRAWN: usize = 80;
const SEED: u64 = 20_261_124;

/// What a labelled headline reports.
struct Label<'l> {
    drawn: &'l str,
    kinds: &'l str,
    stated: bool,
    subject: Option<(usize, usize)>,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut labels: BTreeMap<&str, Vec<Label<'_>>> = BTreeMap::new();
    for line in LABELS.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [hash, drawn, kinds, stance, subject, _] = columns.as_slice() else {
            continue;
        };
        labels.entry(hash).or_default().push(Label {
            drawn,
            kinds,
            stated: *stance == "stated",
            subject: subject
                .split_once('-')
                .and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?))),
        });
    }
    let mut rows: Vec<Value> = Vec::new();
    for set in data.sets(&data::STREAMS) {
        rows.extend(set.rows::<Value>()?);
    }
    let mut tables = Vec::new();
    tables.extend(headlines(&rows, &labels));
    let (read, counted) = labels::halves(LATER);
    let samples = [
        ("first", ROLES),
        ("later", read),
        ("later, only counted", counted),
    ];
    tables.extend(roles_table(
        samples.map(|(sample, list)| (sample, roles(&rows, list, list != counted))),
    ));
    tables.extend(kept_back(data)?);
    if tables.is_empty() {
        data.note_absent(&format!("any of our {} labelled headlines", labels.len()));
    }
    for set in data.find(&data::FULL_TEXTS) {
        rows.extend(set.rows::<Value>()?);
    }
    if !rows.is_empty() {
        tables.push(drawn(&rows, &labels));
    }
    Ok(tables)
}

/// Right and wrong for each kind of event, for all, and by kind of measure.
fn headlines(rows: &[Value], labels: &BTreeMap<&str, Vec<Label<'_>>>) -> Option<Table> {
    let mut both = BTreeMap::<String, Hits>::new();
    let (mut kind_only, mut stance, mut seen) = (Hits::default(), (0.0, 0.0), BTreeSet::new());
    for row in rows {
        let raw = news::raw(row);
        let hash = news::hash(&raw.url);
        let Some(labels) = labels.get(hash.as_str()) else {
            continue;
        };
        if !seen.insert(hash) {
            continue;
        }
        let Some((title, read)) = headline_alone(raw) else {
            continue;
        };
        let mut left: Vec<&Label<'_>> = labels.iter().filter(|label| is_event(label)).collect();
        let unclear = labels.iter().any(|label| label.kinds == "unclear");
        let drawn = labels.first().map_or("", |label| label.drawn);
        for event in &read.annotations.events {
            let kind = event.kind.as_str();
            let of_kind = |label: &&&Label<'_>| label.kinds.split('/').any(|known| known == kind);
            let Some(at) = left.iter().position(|label| of_kind(&label)) else {
                if !unclear {
                    note(&mut both, [kind, drawn], |hits| hits.wrong += 1.0);
                    kind_only.wrong += 1.0;
                    println!("wrong: {kind} {} | {title}", event.subject);
                }
                continue;
            };
            let label = left.remove(at);
            kind_only.right += 1.0;
            let subject = label
                .subject
                .and_then(|(start, end)| title.get(start..end))
                .unwrap_or("");
            if names_same(&event.subject, subject) {
                note(&mut both, [kind, drawn], |hits| hits.right += 1.0);
                stance.1 += 1.0;
                if label.stated == (event.confidence.get() >= 0.5) {
                    stance.0 += 1.0;
                }
            } else {
                println!(
                    "wrong subject: {kind} {} for {subject} | {title}",
                    event.subject
                );
                note(&mut both, [kind, drawn], |hits| {
                    hits.wrong += 1.0;
                    hits.missed += 1.0;
                });
            }
        }
        for label in left {
            let kind = label.kinds.split('/').next().unwrap_or("");
            println!("missed: {kind} | {title}");
            note(&mut both, [kind, drawn], |hits| hits.missed += 1.0);
            kind_only.missed += 1.0;
        }
    }
    if seen.is_empty() {
        return None;
    }
    let mut table = Table::new(
        &format!(
            "Events of {} labelled headlines, headline alone",
            seen.len()
        ),
        &[
            "what",
            "seen",
            "labelled",
            "predicted",
            "right",
            "precision",
            "95 %",
            "recall",
            "95 %",
        ],
    );
    let all = both.remove("all").unwrap_or_default();
    let mut line = |name: &str, hits: Hits| {
        let (predicted, labelled) = (hits.right + hits.wrong, hits.right + hits.missed);
        let (precision, recall) = (
            interval(hits.right, predicted),
            interval(hits.right, labelled),
        );
        let shown = |share: f64, (low, high): (f64, f64), whole: f64| {
            if whole > 0.0 {
                [
                    figure(share),
                    format!("{} to {}", figure(low), figure(high)),
                ]
            } else {
                ["–", "–"].map(str::to_owned)
            }
        };
        let [precision, precision_interval] = shown(hits.precision(), precision, predicted);
        let [recall, recall_interval] = shown(hits.recall(), recall, labelled);
        table.row([
            name.to_owned(),
            // Their misses and errors were read and rules widened.
            seen::YES.to_owned(),
            labelled.to_string(),
            predicted.to_string(),
            hits.right.to_string(),
            precision,
            precision_interval,
            recall,
            recall_interval,
        ]);
    };
    line("kind and subject", all);
    line("kind only", kind_only);
    for (kind, hits) in both {
        line(&kind, hits);
    }
    table.note(format!(
        "Of the correct ones, {} of {} are stated or expected as the label says. `random` and `chosen` are the two halves of the sample: drawn from all headlines, and from those with a word of business or law.",
        stance.0, stance.1
    ));
    Some(table)
}

fn is_event(label: &Label<'_>) -> bool {
    !matches!(label.kinds, "none" | "unclear")
}

fn note(table: &mut BTreeMap<String, Hits>, keys: [&str; 2], change: impl Fn(&mut Hits)) {
    for key in keys.into_iter().chain(["all"]) {
        change(table.entry(key.to_owned()).or_default());
    }
}

/// Whether a predicted subject names the labelled one, by their words alone: one holds all words of the other, or one is
/// the initials of the other. No table of the product is asked, because what it knows is what is measured.
fn names_same(predicted: &str, labelled: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .filter(|word| {
                !matches!(
                    word.as_str(),
                    "the" | "and" | "of" | "inc" | "ltd" | "plc" | "s"
                )
            })
            .collect()
    };
    let holds = |whole: &[String], part: &[String]| part.iter().all(|word| whole.contains(word));
    let initials = |short: &[String], long: &[String]| {
        long.len() > 1
            && matches!(short, [word] if long.iter().filter_map(|word| word.chars().next()).eq(word.chars()))
    };
    let (left, right) = (words(predicted), words(labelled));
    !left.is_empty()
        && !right.is_empty()
        && (holds(&left, &right)
            || holds(&right, &left)
            || initials(&left, &right)
            || initials(&right, &left))
}

/// A headline and what is read of it alone, for only that was labelled.
fn headline_alone(mut raw: model::RawArticle) -> Option<(String, news::Read)> {
    (raw.description, raw.body) = (None, None);
    let read = news::annotate(&raw)?;
    Some((raw.title, read))
}

/// Whether predicted acquisitions, lawsuits and partnerships are some, and the right way round, and how many headlines were read.
fn roles(rows: &[Value], list: &str, is_told: bool) -> Sample {
    let labels: BTreeMap<&str, [&str; 5]> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| <[&str; 7]>::try_from(line.split('\t').collect::<Vec<_>>()).ok())
        .map(|[_, item, rest @ ..]: [&str; 7]| (item, rest))
        .collect();
    let mut tallies: BTreeMap<&'static str, Roles> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    // What is only counted is not read.
    let say = |line: &str| {
        if is_told {
            println!("{line}");
        }
    };
    for row in rows {
        let raw = news::raw(row);
        let hash = news::hash(&raw.url);
        let Some([kind, state, actor, object, seller]) = labels.get(&hash[..16]).copied() else {
            continue;
        };
        if !seen.insert(hash) {
            continue;
        }
        let Some((title, read)) = headline_alone(raw) else {
            continue;
        };
        let span = |bytes: &str| {
            let (start, end) = bytes.split_once('-')?;
            title.get(start.parse().ok()?..end.parse().ok()?)
        };
        let labelled = KINDS.into_iter().find(|known| *known == kind);
        if let Some(labelled) = labelled.filter(|_| state != "denied") {
            tallies.entry(labelled).or_default().labelled += 1;
            let is_found = read
                .annotations
                .events
                .iter()
                .any(|event| event.kind.as_str() == kind);
            if !is_found {
                say(&format!("missed {kind}: {state} | {title}"));
            }
        }
        for event in &read.annotations.events {
            let predicted = event.kind.as_str();
            let Some(known) = KINDS.iter().find(|known| **known == predicted) else {
                continue;
            };
            let tally = tallies.entry(known).or_default();
            tally.predicted += 1;
            if kind != predicted || state == "denied" {
                say(&format!(
                    "no {predicted}: {} -> {:?} | {state} {kind} | {title}",
                    event.subject, event.object
                ));
                continue;
            }
            tally.of_kind += 1;
            let is_stated = event.confidence.get() >= 0.5;
            if (state == "stated") == is_stated {
                tally.state += 1;
            } else {
                say(&format!(
                    "{} for {state} {predicted} | {title}",
                    event.confidence.get()
                ));
            }
            let is_right = is_right(event, [span(actor), span(object), span(seller)]);
            if is_right {
                tally.right += 1;
            } else {
                say(&format!(
                    "wrong {predicted}: {} -> {:?} for {:?} -> {:?} | {title}",
                    event.subject,
                    event.object,
                    span(actor),
                    span(object)
                ));
            }
        }
    }
    (tallies, seen.len())
}

/// Whether an event has those who take part the right way round, by what the headline names: who acts, what it concerns, who sells.
/// The direction is what counts, so an entity's own name stands for the one in the headline.
fn is_right(event: &Event, [actor, object, seller]: [Option<&str>; 3]) -> bool {
    let named = |predicted: &str, labelled: Option<&str>| {
        labelled.is_some_and(|labelled| {
            let listed = labelled
                .split([',', '&'])
                .flat_map(|part| part.split(" and "));
            let mut parts = listed.chain([labelled]);
            parts.any(|part| {
                let part = part.trim().trim_start_matches("and ");
                let entity = |name: &str| text::entities::listed(name);
                let symbol = |name: &str| entity(name)?.1;
                names_same(predicted, part)
                    || symbol(part).is_some() && symbol(part) == symbol(predicted)
            })
        })
    };
    let other = event.object.as_deref().unwrap_or("");
    let among = |name: &str| named(name, actor) || named(name, object);
    match (event.kind, actor) {
        (EventKind::Partnership, _) => among(&event.subject) && (other.is_empty() || among(other)),
        // Who acts is not said: whom it concerns may stand in its place, and who judges may act; never who sells.
        (_, None) => {
            named(&event.subject, object) || named(other, object) && !named(&event.subject, seller)
        }
        (EventKind::Funding | EventKind::Ipo | EventKind::Bankruptcy, Some(_)) => {
            named(&event.subject, actor)
        }
        (_, Some(_)) => {
            named(&event.subject, actor)
                && (other.is_empty() || object.is_none() || named(other, object))
        }
    }
}

/// What became of the events of the headlines and sentences on which nothing is fitted.
fn kept_back(data: &Data) -> anyhow::Result<Option<Table>> {
    let mut tallies: BTreeMap<(bool, &'static str), Roles> = BTreeMap::new();
    let mut count = 0;
    for one in events::labelled(data)? {
        if one.part != events::Part::KeptBack || one.source == events::OF_ROLES {
            continue;
        }
        let mut raw = one.raw.clone();
        if one.is_headline {
            raw.title.clone_from(&one.text);
            raw.description = None;
        }
        let Some(read) = news::annotate(&raw) else {
            continue;
        };
        count += 1;
        let of_sentence = |event: &&Event| {
            one.is_headline || one.text.contains(event.sentence.trim_end_matches('.'))
        };
        let kind = one.event();
        for name in kind
            .iter()
            .map(|kind| kind.as_str())
            .chain(kind.map(|_| ALL))
        {
            tallies
                .entry((!one.is_headline, name))
                .or_default()
                .labelled += 1;
        }
        let mut seen = BTreeSet::new();
        for event in read.annotations.events.iter().filter(of_sentence) {
            if !seen.insert(event.kind.as_str()) {
                continue;
            }
            let is_right = is_right(event, [0, 1, 2].map(|role| one.role(role)));
            for name in [event.kind.as_str(), ALL] {
                let tally = tallies.entry((!one.is_headline, name)).or_default();
                tally.predicted += 1;
                if kind == Some(event.kind) {
                    tally.of_kind += 1;
                    tally.right += usize::from(is_right);
                    let is_stated = event.confidence.get() >= 0.5;
                    tally.state += usize::from((one.state == "stated") == is_stated);
                }
            }
        }
    }
    let mut table = Table::new(
        "Headlines and sentences of which nothing is fitted on, labelled by reading",
        &[
            "of",
            "kind",
            "seen",
            "labelled",
            "predicted",
            "are one",
            "precision",
            "recall",
            "those who take part as labelled",
            "share of those that are one",
            "stated or expected as labelled",
            "share of those that are one",
        ],
    );
    for ((is_sentence, kind), tally) in tallies {
        let share = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            whole => figure(part as f64 / whole as f64),
        };
        table.row([
            if is_sentence {
                "sentences"
            } else {
                "headlines"
            }
            .to_owned(),
            kind.to_owned(),
            seen::NO.to_owned(),
            tally.labelled.to_string(),
            tally.predicted.to_string(),
            tally.of_kind.to_string(),
            share(tally.of_kind, tally.predicted),
            share(tally.of_kind, tally.labelled),
            tally.right.to_string(),
            share(tally.right, tally.of_kind),
            tally.state.to_string(),
            share(tally.state, tally.of_kind),
        ]);
    }
    table.note(format!(
        "{count} headlines, posts and sentences of the stream of 2022 and of a fifth of the other items. What is denied or called off does not count.",
    ));
    Ok((count > 0).then_some(table))
}

/// What all kinds together are called.
const ALL: &str = "all";

/// A table of what became of predicted events in each sample; none where no headline was found.
fn roles_table<const SAMPLES: usize>(samples: [(&str, Sample); SAMPLES]) -> Option<Table> {
    let mut table = Table::new(
        "Who acquires, who sues, who acts together: headlines labelled by reading",
        &[
            "sample",
            "kind",
            "seen",
            "labelled",
            "predicted",
            "are one",
            "right way round",
            "95 %",
            "stated or expected as labelled",
        ],
    );
    let mut headlines = 0;
    for (sample, (tallies, count)) in samples {
        headlines += count;
        for (kind, tally) in tallies {
            let (right, of_kind) = (tally.right as f64, tally.of_kind as f64);
            let (low, high) = interval(right, of_kind);
            table.row([
                sample.to_owned(),
                kind.to_owned(),
                // Who sells was mended after the first ones were read.
                seen::PARTLY.to_owned(),
                tally.labelled.to_string(),
                tally.predicted.to_string(),
                tally.of_kind.to_string(),
                tally.right.to_string(),
                format!("{} to {}", figure(low), figure(high)),
                tally.state.to_string(),
            ]);
        }
    }
    table.note(format!(
        "{headlines} headlines with a word of such events. What is denied or called off does not count.",
    ));
    (headlines > 0).then_some(table)
}

/// The kinds that [`ROLES`] labels.
const KINDS: [&str; 3] = ["acquisition", "lawsuit", "partnership"];

/// What became of the predicted events of each kind, and of how many headlines.
type Sample = (BTreeMap<&'static str, Roles>, usize);

/// What became of the predicted events of a kind.
#[derive(Default)]
struct Roles {
    labelled: usize,
    predicted: usize,
    of_kind: usize,
    right: usize,
    state: usize,
}

/// Predicted events of articles that are not labelled.
fn drawn(rows: &[Value], labels: &BTreeMap<&str, Vec<Label<'_>>>) -> Table {
    let mut judged = Judged::parse(JUDGED);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    Random::seeded(SEED).shuffle(&mut order);
    let mut found = 0;
    for at in order {
        let raw = news::raw(&rows[at]);
        if found >= DRAWN || labels.contains_key(news::hash(&raw.url).as_str()) {
            continue;
        }
        let Some(read) = news::annotate(&raw) else {
            continue;
        };
        for event in &read.annotations.events {
            found += 1;
            let hash = key(&raw.url, event);
            if !judged.note(event.kind.as_str(), &hash) {
                println!(
                    "unjudged {hash} {} of {} to {:?}, {:?}, {}, {:.2}: {}",
                    event.kind,
                    event.subject,
                    event.object,
                    event.value.as_ref().map(|value| &value.printed),
                    event.date.date(),
                    event.confidence.get(),
                    event.sentence
                );
            }
        }
    }
    let mut table = judged.table(
        "Predicted events of other articles, headline, teaser and body, judged by reading each",
        seen::mark("events", seen::items(rows)),
    );
    table.note(format!("Articles in the order of seed {SEED} until {DRAWN} events are found. Right means that the kind, the subject and, where one is given, the object are what the sentence says, and that it is not given as more certain than it is."));
    table
}

/// What names a predicted event.
fn key(url: &str, event: &Event) -> String {
    news::hash(&format!(
        "{url}\n{}\n{}\n{}",
        event.kind,
        event.subject,
        event.object.as_deref().unwrap_or("")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_words() {
        for (predicted, labelled, expected) in [
            ("Acme Holdings", "Acme", true),
            ("Acme", "Acme Inc", true),
            ("SEC", "Securities and Exchange Commission", true),
            ("European Union", "EU", true),
            ("Bellhop", "Acme", false),
            // What a table of names knows does not count.
            ("Alphabet", "Google", false),
            ("Federal Reserve", "Fed", false),
            ("", "Acme", false),
        ] {
            assert_eq!(
                names_same(predicted, labelled),
                expected,
                "{predicted} {labelled}"
            );
        }
    }
}
