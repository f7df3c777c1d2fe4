//! Spans of people, organisations and places in financial news.
//!
//! FiNER-ORD gives words with labels, not text. Its sentences are written out again the way a newspaper would, read as
//! one article for each document, and every span that is found is carried back to the words that it touches. Spans count
//! where borders and class agree exactly.

use std::collections::BTreeMap;

use model::EntityKind;
use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::data::{self, Data};
use crate::labels;
use crate::score::Hits;
use crate::seen;
use crate::table::{Table, figure};

const COLUMNS: [&str; 9] = [
    "set",
    "method",
    "seen",
    "person",
    "location",
    "organization",
    "micro",
    "precision",
    "recall",
];

#[derive(Deserialize)]
struct Row {
    gold_label: u8,
    gold_token: String,
    doc_idx: u32,
    sent_idx: u32,
}

/// First word, index after the last word, class.
type Span = (usize, usize, usize);

/// How spans are found.
type Method = fn(&Document) -> Vec<Span>;

#[derive(Default)]
struct Document {
    text: String,
    /// Where each word stands in the text.
    words: Vec<(usize, usize)>,
    /// Index of each sentence's first word.
    sentences: Vec<usize>,
    gold: Vec<Span>,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut tables = Vec::new();
    let sets = data.sets(&data::NAME_TOKENS);
    if !sets.is_empty() {
        let mut table = Table::new("Names in financial news, exact span F1", &COLUMNS);
        for set in sets {
            measure(&set.name, &documents(&set.rows()?), &mut table);
        }
        tables.push(table);
    }
    tables.extend(own(data)?);
    Ok(tables)
}

fn measure(set: &str, documents: &[Document], table: &mut Table) {
    let methods: [(&str, Method); 3] = [
        ("Assay", read),
        ("every run of capitals is an organisation", runs),
        ("names of the tables alone, whole words", listed),
    ];
    for (name, method) in methods {
        let mut hits = [Hits::default(); 3];
        for document in documents {
            count(&document.gold, &method(document), &mut hits);
        }
        let seen = match name {
            "Assay" => seen::mark("entities", documents.iter().map(|document| &document.text)),
            _ => seen::NO_RULES,
        };
        table.row(figures(set, name, seen, &hits));
    }
    let spans: usize = documents.iter().map(|document| document.gold.len()).sum();
    table.note(format!(
        "{set}: {} documents, {spans} spans.",
        documents.len()
    ));
}

/// Our own labels, the part that nothing was fitted on.
fn own(data: &Data) -> anyhow::Result<Option<Table>> {
    let (passages, _) = labels::passages(data, labels::NAMES)?;
    let mut hits = [Hits::default(); 3];
    let mut count_of = 0;
    for passage in passages.iter().filter(|passage| passage.kept_back()) {
        let gold: Vec<Span> = passage
            .labels
            .iter()
            .filter_map(|(bytes, class)| {
                let class = ["P", "L", "O"].iter().position(|known| known == class)?;
                Some((bytes.start, bytes.end, class))
            })
            .collect();
        // Whether the full stop or the possessive of a name belongs to it is a matter of taste.
        let trim = |(start, end, class): Span| {
            let name = passage.text[start..end].trim_end_matches(['.', '\'', '’']);
            let name = name
                .strip_suffix("'s")
                .or(name.strip_suffix("’s"))
                .unwrap_or(name);
            (start, start + name.len(), class)
        };
        let found: Vec<Span> = text::entities::spans("", &passage.text)
            .iter()
            .filter_map(|span| Some((span.bytes.start, span.bytes.end, class(span.kind)?)))
            .map(trim)
            .collect();
        let gold: Vec<Span> = gold.into_iter().map(trim).collect();
        count(&gold, &found, &mut hits);
        count_of += 1;
    }
    if count_of == 0 {
        return Ok(None);
    }
    let mut table = Table::new(
        "Names in the streams, our own labels, the fifth that the weights are not fitted on",
        &COLUMNS,
    );
    // The weights have not seen these passages, but the tables were mended while the streams were read.
    table.row(figures("own labels", "Assay", seen::PARTLY, &hits));
    table.note(format!("{count_of} passages."));
    Ok(Some(table))
}

fn class(kind: EntityKind) -> Option<usize> {
    match kind {
        EntityKind::Person => Some(0),
        EntityKind::Location => Some(1),
        EntityKind::Organization => Some(2),
        EntityKind::Product | EntityKind::Event => None,
    }
}

fn figures(set: &str, name: &str, seen: &str, hits: &[Hits; 3]) -> [String; 9] {
    let all = hits.iter().fold(Hits::default(), |sum, part| Hits {
        right: sum.right + part.right,
        wrong: sum.wrong + part.wrong,
        missed: sum.missed + part.missed,
    });
    [
        set.to_owned(),
        name.to_owned(),
        seen.to_owned(),
        figure(hits[0].f1()),
        figure(hits[1].f1()),
        figure(hits[2].f1()),
        figure(all.f1()),
        figure(all.precision()),
        figure(all.recall()),
    ]
}

fn documents(rows: &[Row]) -> Vec<Document> {
    let mut sentences: BTreeMap<(u32, u32), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        sentences
            .entry((row.doc_idx, row.sent_idx))
            .or_default()
            .push(row);
    }
    let mut documents: BTreeMap<u32, Document> = BTreeMap::new();
    for ((number, _), words) in sentences {
        let document = documents.entry(number).or_default();
        if !document.text.is_empty() {
            document.text.push_str("\n\n");
        }
        document.sentences.push(document.words.len());
        let mut open = true;
        for row in words {
            if !open && !joins(&row.gold_token) {
                document.text.push(' ');
            }
            open = matches!(row.gold_token.as_str(), "(" | "[" | "$" | "“" | "£" | "€");
            let start = document.text.len();
            document.text.push_str(&row.gold_token);
            let at = document.words.len();
            document.words.push((start, document.text.len()));
            // 1 and 2 begin and continue a person, 3 and 4 a place, 5 and 6 an organisation.
            if row.gold_label == 0 {
                continue;
            }
            let class = usize::from(row.gold_label - 1) / 2;
            let begins = row.gold_label % 2 == 1;
            match document.gold.last_mut() {
                Some(last) if !begins && last.1 == at && last.2 == class => last.1 = at + 1,
                _ => document.gold.push((at, at + 1, class)),
            }
        }
    }
    documents.into_values().collect()
}

/// Marks and endings that stand at the word before them.
fn joins(word: &str) -> bool {
    word.starts_with(['\'', '’', ',', '.', ';', ':', '!', '?', ')', ']', '%', '”']) || word == "n't"
}

fn count(gold: &[Span], found: &[Span], hits: &mut [Hits; 3]) {
    let gold: FxHashSet<&Span> = gold.iter().collect();
    let found: FxHashSet<&Span> = found.iter().collect();
    for span in &gold {
        if found.contains(*span) {
            hits[span.2].right += 1.0;
        } else {
            hits[span.2].missed += 1.0;
        }
    }
    for span in found.difference(&gold) {
        hits[span.2].wrong += 1.0;
    }
}

fn read(document: &Document) -> Vec<Span> {
    let spans = text::entities::spans("", &document.text);
    spans
        .iter()
        .filter_map(|span| {
            let class = class(span.kind)?;
            let from = document
                .words
                .partition_point(|word| word.1 <= span.bytes.start);
            let to = document
                .words
                .partition_point(|word| word.0 < span.bytes.end);
            Some((from, to, class))
        })
        .collect()
}

fn runs(document: &Document) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, &(start, end)) in document.words.iter().enumerate() {
        let capital = document.text[start..end].starts_with(char::is_uppercase);
        if !capital || document.sentences.binary_search(&at).is_ok() {
            continue;
        }
        match spans.last_mut() {
            Some(last) if last.1 == at => last.1 = at + 1,
            _ => spans.push((at, at + 1, 2)),
        }
    }
    spans
}

fn listed(document: &Document) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < document.words.len() {
        let longest = (at + 1..=(at + 5).min(document.words.len()))
            .rev()
            .find_map(|to| {
                let words = &document.text[document.words[at].0..document.words[to - 1].1];
                let class = class(text::entities::listed(words)?.0)?;
                Some((at, to, class))
            });
        if let Some(span) = longest {
            at = span.1;
            spans.push(span);
        } else {
            at += 1;
        }
    }
    spans
}
