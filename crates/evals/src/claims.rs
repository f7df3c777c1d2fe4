//! Claims with evidence and what people judged of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use model::{Timestamp, table};
use serde::Deserialize;
use serde_json::Value;
use sim::statements::Relation;
use text::sentence;
use verify::stance::{FEATURES, Features, Reading, Stance};

use crate::data::{self, Data};
use crate::labels::Items;

/// What a passage does to a claim, in the order of the model's classes.
pub(crate) const CLASSES: [&str; 3] = ["supports", "contradicts", "neutral"];

/// A claim with one passage.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) claim: String,
    /// Sentences, in their order.
    pub(crate) passage: Vec<String>,
    /// When the passage was published, where that is known.
    pub(crate) published: Option<Timestamp>,
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
        let claim = Reading::of_claim(&self.claim);
        let passage =
            Reading::of_sentences(self.passage.iter().map(String::as_str), self.published);
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
                published: None,
                class,
                group: format!("{}/{group}", set.name),
                source: row.source,
            });
        }
    }
    pairs.extend(written_pairs(data)?);
    pairs.extend(twin_pairs());
    pairs.extend(simulated_pairs());
    Ok(pairs)
}

/// Claims that were written from reading items of the streams: each item with one that it supports in other words, one that it
/// contradicts and one that it leaves open.
const WRITTEN: [&str; 2] = [
    include_str!("../labels/stance_pairs.tsv"),
    include_str!("../labels/stance_changed.tsv"),
];
/// Invented passages about the same, of which each decides other claims than the item does.
const INVENTED: &str = include_str!("../labels/stance_passages.tsv");

/// The written claims whose items are in the data: with headline and teaser as the passage, and with the invented passages, so that
/// each claim stands beside passages for and against it.
fn written_pairs(data: &Data) -> anyhow::Result<Vec<Pair>> {
    let items = Items::of(data)?;
    let mut invented: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for [item, kind, text] in table::rows(INVENTED) {
        invented.entry(item).or_default().push((kind, text));
    }
    let mut pairs = Vec::new();
    for [_, item, label, claim] in WRITTEN.into_iter().flat_map(table::rows::<4>) {
        let (Some(of_item), Some([title, teaser])) =
            (class(label), items.headline_and_teaser(item))
        else {
            continue;
        };
        let mut add = |texts: &[&str], class| {
            pairs.push(Pair {
                claim: claim.to_owned(),
                passage: passage(None, texts.iter().copied()),
                published: None,
                class,
                source: "stance_pairs".to_owned(),
                group: format!("stance_pairs/{item}"),
            });
        };
        add(&[title.as_str(), teaser.as_str()], of_item);
        for (kind, text) in invented.get(item).into_iter().flatten() {
            add(&[text], class_of_invented(kind, of_item)?);
        }
    }
    Ok(pairs)
}

/// What an invented passage does to a claim to which its item does that.
fn class_of_invented(kind: &str, of_item: usize) -> anyhow::Result<usize> {
    let [supports, contradicts, neutral] = [0, 1, 2];
    Ok(match (kind, of_item) {
        ("contrary", 0) | ("other-refutes", 2) => contradicts,
        ("contrary", 1) | ("other-supports", 2) => supports,
        ("contrary" | "other-supports" | "other-refutes", _) => neutral,
        _ => anyhow::bail!("no kind of passage: {kind}"),
    })
}

/// Claims in twos of which only one can be true, with passages for the one, for the other and for neither.
const TWINS: &str = include_str!("../labels/stance_twins.tsv");

/// Each twin beside each of the passages.
fn twin_pairs() -> impl Iterator<Item = Pair> {
    let [supports, contradicts, neutral] = [0, 1, 2];
    table::rows(TWINS).flat_map(
        move |[_, one, other, for_one, for_other, open]: [&str; 6]| {
            let group = format!("stance_twins/{one}");
            [(one, for_one, for_other), (other, for_other, for_one)]
                .into_iter()
                .flat_map(move |(claim, for_it, against_it)| {
                    [
                        (for_it, supports),
                        (against_it, contradicts),
                        (open, neutral),
                    ]
                    .map(|(passage, class)| (claim, passage, class))
                })
                .map(move |(claim, text, class)| Pair {
                    claim: claim.to_owned(),
                    passage: passage(None, [text].into_iter()),
                    published: None,
                    class,
                    source: "stance_twins".to_owned(),
                    group: group.clone(),
                })
        },
    )
}

/// Stories of each kind that pairs are made of, and the seed of their chance.
const STORIES: u64 = 14;
const SEED: u64 = 7;

/// Pairs of the simulated newswire: what a passage does to a statement is known from how both are made.
fn simulated_pairs() -> impl Iterator<Item = Pair> {
    sim::statements::statement_pairs(SEED, STORIES)
        .into_iter()
        .map(|pair| Pair {
            claim: pair.statement,
            passage: pair.passage,
            published: Some(pair.published),
            class: match pair.relation {
                Relation::Supports => 0,
                Relation::Contradicts => 1,
                Relation::Open => 2,
            },
            source: "simulated_newswire".to_owned(),
            group: format!("simulated_newswire/{}", pair.kind),
        })
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

/// Writes every training pair and what is measured of it: class, source, group, claim, passage, the shares that the shipped table makes of the
/// features, and the features, apart by tabs.
pub(crate) fn write_features(data: &Data, file: &Path) -> anyhow::Result<()> {
    let pairs = training_pairs(data)?;
    let created = File::create(file).with_context(|| file.display().to_string())?;
    let mut out = BufWriter::new(created);
    let columns = FEATURES.join("\t");
    let shares = "supports\tcontradicts\tneutral";
    writeln!(
        out,
        "class\tsource\tgroup\tclaim\tpassage\t{shares}\t{columns}"
    )?;
    let cell = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for pair in &pairs {
        let texts = [&pair.group, &pair.claim, &pair.passage.join(" ")].map(|text| cell(text));
        write!(out, "{}\t{}\t{}", pair.class, pair.source, texts.join("\t"))?;
        let features = pair.features();
        let Stance {
            supports,
            contradicts,
            neutral,
        } = Stance::from_features(&features);
        write!(out, "\t{supports}\t{contradicts}\t{neutral}")?;
        for value in features.values() {
            write!(out, "\t{value}")?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    println!("{} pairs", pairs.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the script reads it.
    const RELATIONS: &str = include_str!("../labels/stance_relations.tsv");

    #[test]
    fn each_way_of_saying_a_relation_names_both_parties_once() {
        assert_eq!(table::fault(RELATIONS, 2, 2), None);
        for [_, forms] in table::rows(RELATIONS) {
            let forms: Vec<&str> = forms.split(" / ").collect();
            assert!(forms.len() > 2, "{forms:?}");
            for form in forms {
                for party in ["{A}", "{B}"] {
                    assert_eq!(form.matches(party).count(), 1, "{form}");
                }
            }
        }
    }

    #[test]
    fn a_written_claim_stands_as_often_beside_passages_for_it_as_against_it() {
        for file in WRITTEN {
            assert_eq!(table::fault(file, 4, 3), None);
        }
        assert_eq!(table::fault(INVENTED, 3, 2), None);
        assert_eq!(table::fault(TWINS, 6, 2), None);
        let mut claims: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for [_, item, label, _] in WRITTEN.into_iter().flat_map(table::rows::<4>) {
            claims.entry(item).or_default().push(class(label).unwrap());
        }
        assert!(claims.values().all(|classes| classes.len() == 3));
        // How often the claims that an item supports, contradicts and leaves open are supported and contradicted by all passages.
        let mut counts = [[0_usize; 2]; 3];
        let mut note = |of_item: usize, class: usize| {
            if let Some(count) = counts[of_item].get_mut(class) {
                *count += 1;
            }
        };
        for [item, kind, _] in table::rows(INVENTED) {
            for of_item in &claims[item] {
                note(*of_item, class_of_invented(kind, *of_item).unwrap());
                if kind == "contrary" {
                    note(*of_item, *of_item);
                }
            }
        }
        for [supported, contradicted] in counts {
            let most = supported.max(contradicted);
            assert!(supported.abs_diff(contradicted) * 50 < most, "{counts:?}");
        }
        assert!(class_of_invented("of no kind", 0).is_err());
    }
}
