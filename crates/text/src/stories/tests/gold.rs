//! How well stories are found in labelled sets; reads them where `ASSAY_TEST_DATA` names their folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use model::{Features, Timestamp};
use serde_json::Value;

use super::super::{StoryIndex, Tuning};
use crate::features::features;

struct Labelled {
    story: String,
    features: Features,
    time: Option<Timestamp>,
    title: String,
}

fn records(folder: &str, name: &str) -> Vec<Value> {
    let mut text = String::new();
    let file = File::open(Path::new(folder).join("news").join(name)).unwrap();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap_or_default()
}

fn labelled(story: &str, title: &str, body: &str, time: Option<Timestamp>) -> Labelled {
    let entities = crate::entities::find(title, body);
    Labelled {
        story: story.to_owned(),
        features: features(title, "", body, &entities),
        time,
        title: title.to_owned(),
    }
}

fn wikinews(folder: &str) -> Vec<Labelled> {
    let read = |record: &Value| {
        let time = text(record, "published").replace(' ', "T");
        let time = format!("{time}Z").parse().ok();
        labelled(
            text(record, "event_id"),
            text(record, "title"),
            text(record, "text"),
            time,
        )
    };
    records(folder, "clusters_gold_wikinews.jsonl.gz")
        .iter()
        .map(read)
        .collect()
}

fn basil(folder: &str) -> Vec<Labelled> {
    let read = |record: &Value| {
        let body: Vec<&str> = record["paragraphs"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let time = text(record, "date").parse().ok();
        labelled(
            text(record, "event_id"),
            text(record, "title"),
            &body.join("\n\n"),
            time,
        )
    };
    records(folder, "clusters_gold_basil_triplets.jsonl.gz")
        .iter()
        .map(read)
        .collect()
}

fn uci(folder: &str) -> Vec<Labelled> {
    let read = |record: &Value| {
        let time = record["published_ms"].as_i64().map(Timestamp::from_ms);
        labelled(text(record, "story_id"), text(record, "title"), "", time)
    };
    let mut found: Vec<Labelled> = records(folder, "clusters_gold_uci_headlines.jsonl.gz")
        .iter()
        .map(read)
        .collect();
    found.sort_by_key(|article| article.time);
    found
}

/// The stories that one pass finds.
fn assign(articles: &[&Labelled], tuning: &Tuning) -> Vec<u64> {
    let mut index = StoryIndex {
        tuning: tuning.clone(),
        ..StoryIndex::default()
    };
    let mut found = Vec::new();
    for (number, article) in articles.iter().enumerate() {
        let story = index
            .place(&article.features, article.time)
            .story
            .unwrap_or(number as u64);
        index.insert(number as u64, story, &article.features, article.time);
        found.push(story);
    }
    found
}

/// `BCubed` precision and recall.
fn bcubed(articles: &[&Labelled], found: &[u64]) -> (f64, f64) {
    let mut labels: BTreeMap<&str, f64> = BTreeMap::new();
    let mut stories: BTreeMap<u64, f64> = BTreeMap::new();
    let mut both: BTreeMap<(&str, u64), f64> = BTreeMap::new();
    for (article, story) in articles.iter().zip(found) {
        *labels.entry(&article.story).or_default() += 1.0;
        *stories.entry(*story).or_default() += 1.0;
        *both.entry((&article.story, *story)).or_default() += 1.0;
    }
    let (mut precision, mut recall) = (0.0, 0.0);
    for (article, story) in articles.iter().zip(found) {
        let common = both[&(article.story.as_str(), *story)];
        precision += common / stories[story];
        recall += common / labels[article.story.as_str()];
    }
    (precision / found.len() as f64, recall / found.len() as f64)
}

fn f1((precision, recall): (f64, f64)) -> f64 {
    2.0 * precision * recall / (precision + recall)
}

fn shuffled(articles: &[Labelled], seed: u64) -> Vec<&Labelled> {
    let mut order: Vec<&Labelled> = articles.iter().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, (state % (last as u64 + 1)) as usize);
    }
    order
}

struct Sets {
    wikinews: Vec<Labelled>,
    basil: Vec<Labelled>,
    uci: Vec<Labelled>,
}

impl Sets {
    fn load() -> Option<Self> {
        let folder = std::env::var("ASSAY_TEST_DATA").ok()?;
        Some(Self {
            wikinews: wikinews(&folder),
            basil: basil(&folder),
            uci: uci(&folder),
        })
    }

    /// Mean precision and recall on the three sets.
    fn measure(&self, tuning: &Tuning, seeds: u64) -> [(f64, f64); 3] {
        let mean = |articles: &[Labelled]| {
            let runs: Vec<(f64, f64)> = (1..=seeds)
                .map(|seed| {
                    let order = shuffled(articles, seed);
                    bcubed(&order, &assign(&order, tuning))
                })
                .collect();
            let count = runs.len() as f64;
            (
                runs.iter().map(|run| run.0).sum::<f64>() / count,
                runs.iter().map(|run| run.1).sum::<f64>() / count,
            )
        };
        let order: Vec<&Labelled> = self.uci.iter().collect();
        [
            mean(&self.wikinews),
            mean(&self.basil),
            bcubed(&order, &assign(&order, tuning)),
        ]
    }
}

fn show(measured: [(f64, f64); 3]) -> String {
    let names = ["wikinews", "basil", "uci"];
    let parts = names
        .iter()
        .zip(measured)
        .map(|(name, run)| format!("{name} {:.3} (p {:.3} r {:.3})", f1(run), run.0, run.1));
    parts.collect::<Vec<_>>().join("  ")
}

#[test]
fn stories_are_found_in_labelled_sets() {
    let Some(sets) = Sets::load() else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return;
    };
    let measured = sets.measure(&Tuning::default(), 5);
    println!("{}", show(measured));
    let [wikinews, basil, uci] = measured.map(f1);
    assert!(
        wikinews >= 0.85 && basil >= 0.94 && uci >= 0.78,
        "{}",
        show(measured)
    );
}

type Change = fn(&mut Tuning, f64);

/// Tries one field after another; run by hand.
#[test]
#[ignore = "a search over settings, minutes long"]
fn search() {
    let Some(sets) = Sets::load() else { return };
    let value = |measured: [(f64, f64); 3]| {
        let [wikinews, basil, uci] = measured.map(f1);
        2.0 * wikinews + basil.min(0.98) + 0.5 * uci.min(0.8) + 0.02 * uci
    };
    let changes: &[(&str, &[f64], Change)] = &[
        (
            "threshold",
            &[0.15, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.24, 0.26],
            |tuning, value| tuning.threshold = value,
        ),
        (
            "evidence",
            &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0],
            |tuning, value| tuning.evidence = value,
        ),
        ("floor", &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0], |tuning, value| {
            tuning.floor = value;
        }),
        ("fading", &[0.2, 0.3, 0.4, 0.5, 0.6], |tuning, value| {
            tuning.fading = value;
        }),
        ("later", &[1.5, 2.0, 3.0, 4.0, 5.0], |tuning, value| {
            tuning.evidence_later = value;
        }),
        (
            "unknown",
            &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0],
            |tuning, value| tuning.evidence_unknown = value,
        ),
        ("pair", &[0.0, 0.4, 0.8, 1.0], |tuning, value| {
            tuning.pair = value;
        }),
        ("founding", &[0.0, 0.02, 0.04, 0.06], |tuning, value| {
            tuning.founding = value;
        }),
        ("common", &[0.003, 0.005, 0.01], |tuning, value| {
            tuning.common = value;
        }),
        ("best", &[0.3, 0.4, 0.5, 0.6, 0.8, 1.0], |tuning, value| {
            tuning.ranks = [value, (1.0 - value) * 0.6, (1.0 - value) * 0.4];
        }),
    ];
    let mut tuning = Tuning::default();
    let mut best = sets.measure(&tuning, 2);
    println!("{}", show(best));
    for _ in 0..2 {
        for (name, values, change) in changes {
            for candidate in *values {
                let mut tried = tuning.clone();
                change(&mut tried, *candidate);
                let measured = sets.measure(&tried, 2);
                if value(measured) > value(best) + 1e-6 {
                    best = measured;
                    tuning = tried;
                    println!("{name} {candidate}: {}", show(best));
                }
            }
        }
    }
    println!("{tuning:?}");
}

/// Measures single changes; run by hand.
#[test]
#[ignore = "for reading"]
fn variants() {
    let Some(sets) = Sets::load() else { return };
    let base = Tuning::default();
    let tried = [
        ("base", base.clone()),
        (
            "no drift",
            Tuning {
                drift: 0.0,
                ..base.clone()
            },
        ),
        (
            "drift 0.2",
            Tuning {
                drift: 0.2,
                ..base.clone()
            },
        ),
        (
            "drift 0.7",
            Tuning {
                drift: 0.7,
                ..base.clone()
            },
        ),
        (
            "core 0.35",
            Tuning {
                core: 0.35,
                ..base.clone()
            },
        ),
        (
            "later 7",
            Tuning {
                evidence_later: 7.0,
                ..base.clone()
            },
        ),
        (
            "fading 0.5",
            Tuning {
                fading: 0.5,
                ..base.clone()
            },
        ),
        (
            "founding 0.04",
            Tuning {
                founding: 0.04,
                ..base.clone()
            },
        ),
        (
            "threshold 0.17",
            Tuning {
                threshold: 0.17,
                ..base.clone()
            },
        ),
        (
            "threshold 0.19",
            Tuning {
                threshold: 0.19,
                ..base.clone()
            },
        ),
        (
            "threshold 0.2",
            Tuning {
                threshold: 0.2,
                ..base.clone()
            },
        ),
    ];
    for (name, tuning) in tried {
        println!("{name}: {}", show(sets.measure(&tuning, 4)));
    }
}

/// Prints what went wrong; run by hand.
#[test]
#[ignore = "for reading"]
fn mistakes() {
    let Some(sets) = Sets::load() else { return };
    for (name, articles) in [
        ("wikinews", &sets.wikinews),
        ("basil", &sets.basil),
        ("uci", &sets.uci),
    ] {
        let order = if name == "uci" {
            articles.iter().collect()
        } else {
            shuffled(articles, 1)
        };
        let found = assign(&order, &Tuning::default());
        let mut stories: BTreeMap<u64, Vec<&Labelled>> = BTreeMap::new();
        for (article, story) in order.iter().zip(found) {
            stories.entry(story).or_default().push(article);
        }
        for members in stories.values() {
            let first = &members[0].story;
            if members.iter().any(|member| &member.story != first) {
                println!("{name} merged:");
                for member in members.iter().take(15) {
                    println!("    {} {}", &member.story, member.title);
                }
            }
        }
    }
}
