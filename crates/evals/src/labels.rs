//! Passages that were labelled by hand: the labels are part of this crate, the texts are read from the data.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::data::Data;

/// People, organisations and places of 1,115 passages.
pub(crate) const NAMES: &str = include_str!("../labels/names.tsv");

/// One labelled passage.
pub(crate) struct Passage {
    /// Its words.
    pub(crate) text: String,
    /// Whether it is a headline.
    pub(crate) headline: bool,
    /// What is labelled where, in bytes of the text.
    pub(crate) labels: Vec<(Range<usize>, String)>,
    /// Digits that tell passages of one item from those of others.
    pub(crate) item: String,
}

impl Passage {
    /// Whether the item is one of the fifth that nothing is fitted on.
    pub(crate) fn kept_back(&self) -> bool {
        u8::from_str_radix(&self.item[..2], 16).is_ok_and(|digits| digits % 5 == 0)
    }
}

/// The passages of a list of labels whose texts are in the data, and how many are not.
pub(crate) fn passages(data: &Data, list: &str) -> anyhow::Result<(Vec<Passage>, usize)> {
    let mut files: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() != 6 {
            bail!("a row of labels has {} columns", columns.len());
        }
        files.entry(columns[0]).or_default().push(columns);
    }
    let (mut passages, mut absent) = (Vec::new(), 0);
    for (file, rows) in files {
        let items: Vec<Value> = data.rows(&format!("news/{file}"))?.unwrap_or_default();
        let by_digits: BTreeMap<String, &Value> = items
            .iter()
            .filter_map(|item| Some((digits(item.get("url")?.as_str()?), item)))
            .collect();
        for row in rows {
            let field = by_digits.get(row[1]).and_then(|item| item.get(row[2]));
            let text = field
                .and_then(Value::as_str)
                .and_then(|text| text.get(range(row[3]).ok()?));
            let Some(text) = text.filter(|text| digits(text) == row[4]) else {
                absent += 1;
                continue;
            };
            passages.push(Passage {
                text: text.to_owned(),
                headline: row[2] == "title",
                labels: row[5]
                    .split_whitespace()
                    .map(|label| {
                        let (bytes, class) =
                            label.split_once(':').context("a label has no class")?;
                        Ok((range(bytes)?, class.to_owned()))
                    })
                    .collect::<anyhow::Result<_>>()?,
                item: row[1].to_owned(),
            });
        }
    }
    Ok((passages, absent))
}

fn digits(text: &str) -> String {
    let mut digits = hex::encode(Sha256::digest(text.as_bytes()));
    digits.truncate(16);
    digits
}

fn range(bytes: &str) -> anyhow::Result<Range<usize>> {
    let (start, end) = bytes.split_once('-').context("no range of bytes")?;
    Ok(start.parse()?..end.parse()?)
}
