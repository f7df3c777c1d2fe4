//! Claims with evidence and what people judged of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;
use text::sentence;
use text::statement::proposition::Proposition;
use verify::stance::{FEATURES, Features};

use crate::data::{self, Data};

/// What a passage does to a claim, in the order of the model's classes.
pub(crate) const CLASSES: [&str; 3] = ["supports", "contradicts", "neutral"];

/// A claim with one passage.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) claim: String,
    /// Sentences, in their order.
    pub(crate) passage: Vec<String>,
    /// The place in [`CLASSES`].
    pub(crate) class: usize,
    /// Where it comes from.
    pub(crate) source: String,
    /// Pairs of one group share evidence.
    pub(crate) group: String,
}

impl Pair {
    /// What is measured of it.
    pub(crate) fn features(&self) -> Features {
        let claim = Proposition::parse(&self.claim);
        let passage: Vec<Proposition<'_>> = self
            .passage
            .iter()
            .map(|text| Proposition::parse(text))
            .collect();
        Features::of(&claim, &passage)
    }
}

#[derive(Deserialize)]
struct TrainingRow {
    id: Option<Value>,
    claim: String,
    evidence: Vec<String>,
    label: String,
    source: String,
    title: Option<String>,
    group: Option<Value>,
}

/// The pairs that a model may be fitted on, in the order of their files.
pub(crate) fn training_pairs(data: &Data) -> anyhow::Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for set in data.sets(&data::CLAIM_PAIRS) {
        for row in set.rows::<TrainingRow>()? {
            let Some(class) = class(&row.label) else {
                continue;
            };
            let group = row
                .group
                .map_or_else(|| format!("{:?}", row.id), |group| group.to_string());
            pairs.push(Pair {
                passage: passage(
                    row.title.as_deref(),
                    row.evidence.iter().map(String::as_str),
                ),
                claim: row.claim,
                class,
                group: format!("{}/{group}", set.name),
                source: row.source,
            });
        }
    }
    Ok(pairs)
}

/// The place in [`CLASSES`] of a label of any of the sets.
pub(crate) fn class(label: &str) -> Option<usize> {
    match label.to_ascii_lowercase().as_str() {
        "supports" | "supported" => Some(0),
        "refutes" | "refuted" | "contradicted" => Some(1),
        "not_enough_info" | "neutral" | "unverifiable" => Some(2),
        _ => None,
    }
}

/// Evidence as sentences; the title of its page stands in front of each first sentence that begins without a name.
pub(crate) fn passage<'a>(
    title: Option<&str>,
    evidence: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for text in evidence {
        sentences.extend(sentence::split(text).into_iter().map(str::to_owned));
    }
    if let (Some(title), Some(first)) = (title, sentences.first_mut()) {
        *first = format!("{title}: {first}");
    }
    sentences
}

/// Writes what is measured of every training pair: class, source, group and the features, apart by tabs.
pub(crate) fn write_features(data: &Data, file: &Path) -> anyhow::Result<()> {
    let pairs = training_pairs(data)?;
    let created = File::create(file).with_context(|| file.display().to_string())?;
    let mut out = BufWriter::new(created);
    writeln!(out, "class\tsource\tgroup\t{}", FEATURES.join("\t"))?;
    for pair in &pairs {
        write!(
            out,
            "{}\t{}\t{}",
            pair.class,
            pair.source,
            pair.group.replace('\t', " ")
        )?;
        for value in pair.features().values() {
            write!(out, "\t{value}")?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    println!("{} pairs", pairs.len());
    Ok(())
}
