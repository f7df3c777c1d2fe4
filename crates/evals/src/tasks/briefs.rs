//! What the briefs of the real streams are like inside: counted, not judged.

use std::collections::{BTreeMap, BTreeSet};

use model::EntityKind;
use serde_json::Value;
use text::compose::Composition;
use text::token;

use crate::data::{self, Data};
use crate::news::{self, shipped_outlets};
use crate::score::ratio;
use crate::seen;
use crate::table::{Table, figure};

/// A sentence with this share of its words in the headline says nothing that it does not say.
const REPEATS: f64 = 0.8;

#[derive(Default)]
struct Counts {
    briefs: f64,
    repeats: f64,
    two_companies: f64,
    differing: f64,
    certain: f64,
    counters: BTreeMap<String, f64>,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let outlets = shipped_outlets();
    let mut table = Table::new(
        "Inside the briefs of several sources",
        &[
            "stream",
            "seen",
            "briefs",
            "summary repeats the headline",
            "summary with figures of two organisations",
            "commonest counter-argument",
            "figures differ",
            "of these at agreement 1",
        ],
    );
    for set in data.find(&data::STREAMS) {
        let rows: Vec<Value> = set.rows()?;
        let mut counts = Counts::default();
        for brief in news::briefs(&rows, &outlets) {
            if brief.source_count > 1 {
                counts.note(&brief);
            }
        }
        let share = |part: f64| format!("{part} ({})", figure(ratio(part, counts.briefs)));
        let commonest = counts.counters.values().copied().fold(0.0, f64::max);
        table.row([
            set.name.clone(),
            seen::mark("briefs", seen::items(&rows)).to_owned(),
            counts.briefs.to_string(),
            share(counts.repeats),
            share(counts.two_companies),
            share(commonest),
            share(counts.differing),
            counts.certain.to_string(),
        ]);
    }
    if table.is_empty() {
        data.note_absent("any stream of news (`news/stream_*.jsonl`)");
        return Ok(Vec::new());
    }
    table.note(
        "A summary repeats the headline where four fifths of the words of each of its sentences stand there. Counter-arguments are \
         alike where they differ in names, numbers and quotations only. Figures differ where two have one kind, unit, measure and entity.",
    );
    Ok(vec![table])
}

impl Counts {
    fn note(&mut self, brief: &Composition) {
        self.briefs += 1.0;
        let headline = words(&brief.headline);
        let sentences: Vec<&str> = brief
            .sentences
            .iter()
            .filter(|sentence| sentence.section == model::Section::Summary)
            .map(|sentence| sentence.text.as_str())
            .collect();
        let repeats = |sentence: &&str| {
            // `Outlet reports: …`
            let own = sentence
                .split_once(": ")
                .map_or(*sentence, |(_, said)| said);
            let own = words(own);
            let held = own.intersection(&headline).count();
            held as f64 >= REPEATS * own.len() as f64
        };
        self.repeats += f64::from(u8::from(sentences.iter().all(repeats)));
        self.two_companies += f64::from(u8::from(is_of_two(brief, &sentences)));
        *self
            .counters
            .entry(masked(&brief.counter_argument))
            .or_default() += 1.0;
        let differs = brief.data_points.iter().enumerate().any(|(at, left)| {
            brief.data_points[..at].iter().any(|right| {
                left.measure.is_some()
                    && (left.kind, &left.unit, &left.measure, &left.entity)
                        == (right.kind, &right.unit, &right.measure, &right.entity)
                    && (left.value - right.value).abs() > 1e-9
            })
        });
        self.differing += f64::from(u8::from(differs));
        let is_certain = brief.confidence.agreement.get() >= 1.0;
        self.certain += f64::from(u8::from(differs && is_certain));
    }
}

/// Whether two sentences give figures, each of an organisation that the other does not name.
fn is_of_two(brief: &Composition, sentences: &[&str]) -> bool {
    let named: Vec<BTreeSet<&str>> = sentences
        .iter()
        .filter(|sentence| sentence.contains(|sign: char| sign.is_ascii_digit()))
        .map(|sentence| {
            brief
                .entities
                .iter()
                .filter(|entity| entity.kind == EntityKind::Organization)
                .map(|entity| entity.name.as_str())
                .filter(|name| sentence.contains(name))
                .collect()
        })
        .filter(|names: &BTreeSet<&str>| !names.is_empty())
        .collect();
    named
        .iter()
        .enumerate()
        .any(|(at, left)| named[..at].iter().any(|right| left.is_disjoint(right)))
}

fn words(text: &str) -> BTreeSet<String> {
    token::words(text)
        .map(str::to_lowercase)
        .filter(|word| !token::is_stop_word(word))
        .collect()
}

/// Without what is in quotation marks, capitalised words and numbers.
fn masked(text: &str) -> String {
    let mut quoted = false;
    let plain: String = text
        .chars()
        .filter(|sign| {
            match sign {
                '“' => quoted = true,
                '”' => quoted = false,
                _ => {}
            }
            !quoted
        })
        .collect();
    plain
        .split_whitespace()
        .filter(|word| {
            !word.starts_with(|sign: char| sign.is_uppercase() || sign.is_ascii_digit())
                && !word.contains('.')
        })
        .collect::<Vec<_>>()
        .join(" ")
}
