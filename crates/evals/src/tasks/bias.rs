//! Sentences that colour what they tell.
//!
//! BABE: sentences of politically leaning outlets that experts found biased or not. Nothing was fitted or chosen on it.
//! The border between coloured and plain was chosen on sentences of real articles that we labelled ourselves; they are
//! reported beside it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::data::Data;
use crate::score::Confusion;
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    text: String,
    label_bias: String,
}

const LABELS: &str = include_str!("../../labels/coloured.tsv");

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Biased sentences",
        &[
            "set",
            "method",
            "sentences",
            "accuracy",
            "macro-F1",
            "F1 of biased",
        ],
    );
    if let Some(rows) = data.rows::<Row>("news/sentence_bias_babe")? {
        let sentences = rows
            .into_iter()
            .filter_map(|row| match row.label_bias.as_str() {
                "Biased" => Some((row.text, true)),
                "Non-biased" => Some((row.text, false)),
                _ => None,
            });
        measure("BABE, evaluation only", sentences, &mut table);
    }
    let own = own_labels(data)?;
    if !own.is_empty() {
        measure(
            "own labels, border chosen here",
            own.into_iter(),
            &mut table,
        );
    }
    Ok(vec![table])
}

fn measure(set: &str, sentences: impl Iterator<Item = (String, bool)>, table: &mut Table) {
    let mut counts = Confusion::<2>::new();
    let mut lexicon = Confusion::<2>::new();
    for (text, biased) in sentences {
        let expected = usize::from(biased);
        let coloured = text::bias::sentence(&text).get() >= text::bias::COLOURED;
        counts.note(expected, usize::from(coloured));
        let loaded = !text::bias::read(&text, "").loaded_terms.is_empty();
        lexicon.note(expected, usize::from(loaded));
    }
    let majority = counts.majority();
    for (name, counts) in [
        ("Assay", &counts),
        ("one loaded word or more", &lexicon),
        ("majority class", &majority),
    ] {
        table.row([
            set.to_owned(),
            name.to_owned(),
            counts.total().to_string(),
            figure(counts.accuracy()),
            figure(counts.macro_f1()),
            figure(counts.f1(1)),
        ]);
    }
}

/// The sentences that we labelled, as far as their texts are there.
fn own_labels(data: &Data) -> anyhow::Result<Vec<(String, bool)>> {
    let mut files: BTreeMap<&str, Vec<[&str; 6]>> = BTreeMap::new();
    for line in LABELS.lines().filter(|line| !line.starts_with('#')) {
        if let Ok(columns) = <[&str; 6]>::try_from(line.split('\t').collect::<Vec<_>>()) {
            files.entry(columns[0]).or_default().push(columns);
        }
    }
    let mut sentences = Vec::new();
    for (file, labels) in files {
        let Some(rows) = data.rows::<Value>(&format!("news/{file}"))? else {
            continue;
        };
        let items: FxHashMap<String, &Value> = rows
            .iter()
            .filter_map(|row| Some((digits(row["url"].as_str()?), row)))
            .collect();
        for [_, item, field, bytes, digest, label] in labels {
            let passage = || {
                let (start, end) = bytes.split_once('-')?;
                let text = items.get(item)?[field].as_str()?;
                text.get(start.parse().ok()?..end.parse().ok()?)
            };
            sentences.extend(
                passage()
                    .filter(|passage| digits(passage) == digest)
                    .map(|passage| (passage.to_owned(), label == "C")),
            );
        }
    }
    Ok(sentences)
}

/// The first 16 hexadecimal digits of the SHA-256 of a text.
fn digits(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..8])
}
