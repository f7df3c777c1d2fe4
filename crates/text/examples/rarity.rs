//! Makes `data/features/rarity.bin` from line-delimited JSON and column files: hashed stems and how rare they are,
//! no text.
//!
//! `cargo run -p text --example rarity -- OUT FILE.jsonl.gz...`, run in the folder of the crate.
#![expect(clippy::print_stdout, reason = "a command-line tool")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use text::{features, token};

/// Steps per unit of rarity, as the reader of the table expects.
const STEPS: f64 = 24.0;
/// The rarity of words outside the table; rarer ones need no row.
const UNKNOWN: f64 = 8.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments
        .next()
        .ok_or("first argument: the file to write")?;
    // The share of a word is that in the set where it is most common: a word of every tweet about stocks says
    // little, however rare it is elsewhere.
    let mut shares: BTreeMap<u32, f64> = BTreeMap::new();
    for path in arguments {
        let mut text = String::new();
        GzDecoder::new(File::open(&path)?).read_to_string(&mut text)?;
        let documents = if path.contains(".conll") {
            conll(&text)
        } else {
            json(&text)?
        };
        let mut frequencies: BTreeMap<u32, u32> = BTreeMap::new();
        for document in &documents {
            let stems: BTreeSet<u32> = token::words(document)
                .filter_map(features::stem_hash)
                .collect();
            for stem in stems {
                *frequencies.entry(stem).or_default() += 1;
            }
        }
        println!(
            "{path}: {} documents, {} stems",
            documents.len(),
            frequencies.len()
        );
        for (stem, frequency) in frequencies {
            if frequency >= 2 {
                let share = f64::from(frequency) / documents.len() as f64;
                let slot = shares.entry(stem).or_default();
                *slot = slot.max(share);
            }
        }
    }
    let mut rarities: BTreeMap<u32, f64> = shares
        .into_iter()
        .map(|(stem, share)| (stem, (-share.ln()).clamp(0.5, UNKNOWN)))
        .collect();
    let mut most = UNKNOWN;
    for line in include_str!("../data/features/common_words.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        if let Ok(number) = line.trim().parse() {
            most = number;
            continue;
        }
        for stem in line.split_whitespace().filter_map(features::stem_hash) {
            let rarity = rarities.entry(stem).or_insert(most);
            *rarity = rarity.min(most);
        }
    }
    let mut table = Vec::new();
    for (stem, rarity) in &rarities {
        if *rarity < UNKNOWN {
            table.extend_from_slice(&stem.to_le_bytes());
            table.push((rarity * STEPS).round() as u8);
        }
    }
    println!("{} stems, {} bytes", table.len() / 5, table.len());
    std::fs::write(out, table)?;
    Ok(())
}

/// Every sentence-like string of every record: a short text is a document.
fn json(text: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut documents = Vec::new();
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let mut found = Vec::new();
        collect(&record, &mut found);
        documents.extend(found.into_iter().flat_map(|text| {
            text.split_inclusive(". ")
                .filter(|sentence| sentence.contains(' '))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        }));
    }
    Ok(documents)
}

fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) if text.split_whitespace().count() >= 4 => {
            found.push(text.clone());
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        serde_json::Value::Object(fields) => {
            fields.values().for_each(|value| collect(value, found));
        }
        _ => {}
    }
}

fn conll(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines
        .split(|line| line.is_empty())
        .map(|sentence| {
            sentence
                .iter()
                .filter_map(|line| line.split_whitespace().next())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|sentence| !sentence.is_empty())
        .collect()
}
