//! Passages that were labelled by hand: the labels are part of this crate, the texts are read from the data.
//!
//! An item is found by the hash of its address, in whatever file of news it stands.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, anyhow};
use model::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};
use text::clean::{Arrival, clean};

use crate::data::{self, Data};
use crate::news;

/// People, organisations and places of 5,836 passages.
pub(crate) const NAMES: &str = include_str!("../labels/names.tsv");

/// How the line begins that parts the halves of a file, and how it ends.
const HALVES: [&str; 2] = ["# the last ", ": count only\n"];

/// Of a file in halves what is developed with, and what is only counted.
pub(crate) fn halves(file: &'static str) -> (&'static str, &'static str) {
    let [begins, ends] = HALVES;
    file.split_once(begins)
        .and_then(|(first, rest)| Some((first, rest.split_once(ends)?.1)))
        .unwrap_or((file, ""))
}

/// One labelled passage.
pub(crate) struct Passage {
    /// Its words.
    pub(crate) text: String,
    /// Whether it is a headline.
    pub(crate) headline: bool,
    /// What is labelled where, in bytes of the text.
    pub(crate) labels: Vec<(Range<usize>, String)>,
    /// Digits that distinguish the passages of one item from those of others.
    pub(crate) item: String,
}

impl Passage {
    /// Whether the item is one of the fifth that nothing is fitted on.
    pub(crate) fn kept_back(&self) -> bool {
        is_of_the_fifth(&self.item)
    }
}

/// Whether an item, by its digits, is one of the fifth that nothing is fitted on.
pub(crate) fn is_of_the_fifth(item: &str) -> bool {
    u8::from_str_radix(&item[..2], 16).is_ok_and(|digits| digits % 5 == 0)
}

/// The stream that nothing is fitted on; its figures were seen while settings were chosen.
pub(crate) const STREAM_HELD_OUT: &str = "2022";

/// The items of all news by the digits of their addresses, and posts, sentences and headlines of other sets by those of their texts.
pub(crate) struct Items {
    by_digits: BTreeMap<String, Vec<Value>>,
}

impl Items {
    pub(crate) fn of(data: &Data) -> anyhow::Result<Self> {
        let mut by_digits: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for kind in [&data::STREAMS, &data::FULL_TEXTS, &data::STORIES] {
            for set in data.find(kind) {
                for row in set.rows::<Value>()? {
                    if let Some(url) = row["url"].as_str() {
                        by_digits.entry(digits(url)).or_default().push(row);
                    }
                }
            }
        }
        for (kind, field) in [
            (&data::SENTENCE_SENTIMENTS, "text"),
            (&data::NAME_SENTIMENTS, "title"),
        ] {
            for set in data.find(kind) {
                for row in set.rows::<Value>()? {
                    if let Some(text) = row[field].as_str() {
                        by_digits.entry(digits(text)).or_default().push(row);
                    }
                }
            }
        }
        Ok(Self { by_digits })
    }

    /// Headline and teaser of an item as they are after cleaning.
    pub(crate) fn headline_and_teaser(&self, item: &str) -> Option<[String; 2]> {
        let row = self.by_digits.get(item)?.first()?;
        let article = clean(&news::raw(row), Timestamp::END, Arrival::Backfill).ok()?;
        Some([article.title, article.description])
    }

    /// An item.
    pub(crate) fn record(&self, item: &str) -> Option<&Value> {
        self.by_digits.get(item)?.first()
    }

    /// The passage of a row of labels, where an item of the data still has it.
    pub(crate) fn passage(&self, row: &[&str; 6]) -> Option<&str> {
        let [_, item, field, bytes, digest, _] = row;
        let bytes = range(bytes).ok()?;
        self.by_digits.get(*item)?.iter().find_map(|item| {
            let passage = item[*field].as_str()?.get(bytes.clone())?;
            (digits(passage) == *digest).then_some(passage)
        })
    }
}

/// The rows of a list of labels.
pub(crate) fn rows(list: &str) -> anyhow::Result<Vec<[&str; 6]>> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let count = columns.len();
            <[&str; 6]>::try_from(columns)
                .map_err(|_| anyhow!("a row of labels has {count} columns"))
        })
        .collect()
}

/// The passages of a list of labels whose texts are in the data, and how many are not.
pub(crate) fn passages(data: &Data, list: &str) -> anyhow::Result<(Vec<Passage>, usize)> {
    let items = Items::of(data)?;
    let (mut passages, mut absent) = (Vec::new(), 0);
    for row in rows(list)? {
        let Some(text) = items.passage(&row) else {
            absent += 1;
            continue;
        };
        passages.push(Passage {
            text: text.to_owned(),
            headline: row[2] == "title",
            labels: row[5]
                .split_whitespace()
                .map(|label| {
                    let (bytes, class) = label.split_once(':').context("a label has no class")?;
                    Ok((range(bytes)?, class.to_owned()))
                })
                .collect::<anyhow::Result<_>>()?,
            item: row[1].to_owned(),
        });
    }
    if passages.is_empty() {
        data.note_absent(&format!("any of our {absent} labelled passages"));
    }
    Ok((passages, absent))
}

fn digits(text: &str) -> String {
    let mut digits = hex::encode(Sha256::digest(text.as_bytes()));
    digits.truncate(16);
    digits
}

pub(crate) fn range(bytes: &str) -> anyhow::Result<Range<usize>> {
    let (start, end) = bytes.split_once('-').context("no range of bytes")?;
    Ok(start.parse()?..end.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_found_by_their_hashes_in_any_file() {
        let (address, text) = ("https://paper.example/1", "Acme buys Bellhop");
        let folder = tempfile::tempdir().unwrap();
        let row = serde_json::json!({"url": address, "title": text, "first_seen": "2031-05-01T00:00:00Z"});
        std::fs::create_dir(folder.path().join("news")).unwrap();
        std::fs::write(
            folder.path().join("news/other_sample.jsonl"),
            row.to_string(),
        )
        .unwrap();
        let data = Data::open(folder.path().to_owned()).unwrap();
        let row = |bytes: &str, passage: &str| {
            let columns = [
                "elsewhere",
                &digits(address),
                "title",
                bytes,
                &digits(passage),
                "0-4:O",
            ];
            columns.join("\t")
        };
        let list = [
            row("0-4", "Acme"),
            row("0-4", "Bell"),
            row("10-99", "Bellhop"),
        ]
        .join("\n");
        let (found, absent) = passages(&data, &list).unwrap();
        assert_eq!((found.len(), absent), (1, 2));
        assert_eq!(found[0].text, "Acme");
        assert_eq!(found[0].labels, [(0..4, "O".to_owned())]);
    }

    #[test]
    fn no_labelled_passage_is_missing_in_the_data_folder() {
        let Some(data) = data::of_tests() else {
            return;
        };
        let items = Items::of(&data).unwrap();
        let rows = rows(NAMES).unwrap();
        assert_eq!(rows.len(), 5_836);
        assert!(rows.iter().all(|row| items.passage(row).is_some()));
    }
}
