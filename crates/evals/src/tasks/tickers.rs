//! Which listed company or coin a mention means.
//!
//! Headlines and sentences of the streams, labelled before anything was measured on them, with names that are also fruit,
//! rivers, verbs and surnames. A symbol that is found counts as right where it overlaps a label that allows it. Labels
//! marked `~` (brands, products, outlets of listed groups) count neither way.

use crate::data::Data;
use crate::labels::{Passage, passages};
use crate::score::{Hits, interval};
use crate::seen;
use crate::table::{Table, figure};

const LABELS: &str = include_str!("../../labels/tickers.tsv");
/// Names that are often something else; only the labelled mention of a passage counts.
const AMBIGUOUS: &str = include_str!("../../labels/ambiguous_names.tsv");
/// More of them, labelled and measured after rules were mended on the first ones; then its misses were looked at, too.
const MORE: &str = include_str!("../../labels/ambiguous_names_more.tsv");

const COLUMNS: [&str; 7] = [
    "method",
    "seen",
    "right",
    "wrong",
    "missed",
    "precision (95 %)",
    "recall (95 %)",
];

/// Our own labels.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let (passages, absent) = passages(data, LABELS)?;
    if passages.is_empty() {
        return Ok(Vec::new());
    }
    let mut table = Table::new("Symbols of companies and coins, our own labels", &COLUMNS);
    let (mut read, mut named) = (Hits::default(), Hits::default());
    for passage in &passages {
        count(passage, &symbols(passage), &mut read);
        count(passage, &listed(&passage.text), &mut named);
    }
    // The errors on these passages were read twice and rules mended.
    for (name, seen, hits) in [
        ("Assay", seen::YES, read),
        ("any capitalised name of the table", seen::NO_RULES, named),
    ] {
        table.row(line(name, seen, &hits));
    }
    let labels = passages.iter().flat_map(|passage| &passage.labels);
    let (mut positive, mut negative) = (0, 0);
    for (_, label) in labels {
        match label.as_str() {
            "-" => negative += 1,
            "~" => {}
            _ => positive += 1,
        }
    }
    table.note(format!(
        "{} passages: {positive} mentions with a symbol, {negative} look-alikes without; {absent} passages are not in this \
         sample.",
        passages.len()
    ));
    Ok(vec![table, ambiguous(data)?])
}

/// The symbols that a passage names, with their bytes.
fn symbols(passage: &Passage) -> Vec<(usize, usize, String)> {
    let (title, body) = if passage.headline {
        (passage.text.as_str(), "")
    } else {
        ("", passage.text.as_str())
    };
    text::entities::spans(title, body)
        .into_iter()
        .filter_map(|span| Some((span.bytes.start, span.bytes.end, span.ticker?)))
        .collect()
}

/// Mentions of names that are often something else, one of each passage.
fn ambiguous(data: &Data) -> anyhow::Result<Table> {
    let mut table = Table::new(
        "Names that are often something else, our own labels",
        &COLUMNS,
    );
    let mut count_all = [0, 0];
    for (name, seen, list) in [
        ("Assay", seen::PARTLY, AMBIGUOUS),
        ("Assay, second sample", seen::PARTLY, MORE),
    ] {
        let (passages, absent) = passages(data, list)?;
        count_all[0] += passages.len();
        count_all[1] += absent;
        let mut hits = Hits::default();
        for passage in &passages {
            let found = symbols(passage);
            let labelled = found.iter().filter(|(start, end, _)| {
                let mut labels = passage.labels.iter();
                labels.any(|(label, _)| overlaps(*start, *end, label))
            });
            let labelled: Vec<_> = labelled.cloned().collect();
            let before = hits.wrong;
            count(passage, &labelled, &mut hits);
            if hits.wrong > before {
                println!(
                    "wrong: {labelled:?} for {:?} | {}",
                    passage.labels, passage.text
                );
            }
        }
        table.row(line(name, seen, &hits));
    }
    table.note(format!(
        "{} mentions, one of each passage; {} passages are not in this sample.",
        count_all[0], count_all[1]
    ));
    Ok(table)
}

fn line(name: &str, seen: &str, hits: &Hits) -> [String; 7] {
    let share = |part: f64, whole: f64| {
        let (low, high) = interval(part, whole);
        format!(
            "{} ({}–{})",
            figure(if whole > 0.0 { part / whole } else { 0.0 }),
            figure(low),
            figure(high)
        )
    };
    [
        name.to_owned(),
        seen.to_owned(),
        hits.right.to_string(),
        hits.wrong.to_string(),
        hits.missed.to_string(),
        share(hits.right, hits.right + hits.wrong),
        share(hits.right, hits.right + hits.missed),
    ]
}

fn overlaps(start: usize, end: usize, label: &std::ops::Range<usize>) -> bool {
    start < label.end && label.start < end
}

fn allows(label: &str, symbol: &str) -> bool {
    label.split('/').any(|allowed| allowed == symbol)
}

fn count(passage: &Passage, found: &[(usize, usize, String)], hits: &mut Hits) {
    for (start, end, symbol) in found {
        let mut over = passage
            .labels
            .iter()
            .filter(|(label, _)| overlaps(*start, *end, label))
            .peekable();
        let none = over.peek().is_none();
        let (mut right, mut open) = (false, false);
        for (_, label) in over {
            right |= allows(label, symbol);
            open |= allows(label, "~");
        }
        if !right && (none || !open) {
            hits.wrong += 1.0;
        }
    }
    for (label, symbol) in &passage.labels {
        if allows(symbol, "-") || allows(symbol, "~") {
            continue;
        }
        let hit = found
            .iter()
            .any(|(start, end, found)| overlaps(*start, *end, label) && allows(symbol, found));
        if hit {
            hits.right += 1.0;
        } else {
            hits.missed += 1.0;
        }
    }
}

/// Every capitalised word or phrase that is a name of the table, whatever it means there.
fn listed(text: &str) -> Vec<(usize, usize, String)> {
    let words: Vec<(usize, usize)> = text
        .split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            (start, start + word.len())
        })
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (at + 1..=(at + 4).min(words.len())).rev().find_map(|to| {
            let (start, end) = (words[at].0, words[to - 1].1);
            let name = text[start..end].trim_matches(|c: char| c.is_ascii_punctuation());
            let symbol = text::entities::listed(name)?.1?;
            Some((to, (start, end, symbol.to_owned())))
        });
        if let Some((to, span)) = longest {
            found.push(span);
            at = to;
        } else {
            at += 1;
        }
    }
    found
}
