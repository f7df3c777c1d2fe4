//! Likeness by meaning: how close the static table comes to the model it is distilled from, and whether articles of one story
//! are near each other.

use std::collections::HashMap;

use anyhow::{Context, ensure};
use serde::Deserialize;
use text::embedding::{Embedding, embed, similarity};

use crate::data::{self, Data};
use crate::score::ratio;
use crate::seen;
use crate::table::{Table, figure};

/// Sentences of our own, and the model's likeness of each to each in thousandths; `scripts/distil_embeddings.py` writes them.
const SENTENCES: &str = include_str!("../../data/embedding_sentences.txt");
const LIKENESS: &str = include_str!("../../data/embedding_likeness.tsv");

/// Neighbours that are looked at.
const NEAR: usize = 10;

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut tables = vec![teacher()?];
    tables.extend(stories(data)?);
    Ok(tables)
}

/// Likeness of each text to each other.
type Matrix = Vec<Vec<f64>>;

fn teacher() -> anyhow::Result<Table> {
    let texts: Vec<&str> = SENTENCES.lines().collect();
    let mut wanted: Matrix = Vec::new();
    for line in LIKENESS.lines() {
        let row: Result<Vec<f64>, _> = line.split('\t').map(str::parse).collect();
        wanted.push(row.context("a likeness is no number")?);
    }
    ensure!(
        wanted.len() == texts.len() && wanted.iter().all(|row| row.len() == texts.len()),
        "the likenesses are of other sentences"
    );
    let mut table = Table::new(
        "Likeness of sentences against the model's",
        &[
            "method",
            "seen",
            "Spearman, all pairs",
            "model's nearest is nearest",
            "is among the nearest 5",
        ],
    );
    for (name, found) in methods(&texts) {
        table.row([
            name.to_owned(),
            if name == "words" {
                seen::NO_RULES
            } else {
                seen::NO
            }
            .to_owned(),
            figure(spearman(&wanted, &found)),
            figure(recall_of_nearest(&wanted, &found, 1)),
            figure(recall_of_nearest(&wanted, &found, 5)),
        ]);
    }
    table.note(format!(
        "{} sentences of our own wording, {} pairs; the model is all-MiniLM-L6-v2. How close it comes on held-out text stands in \
         `crates/text/data/embedding/README.md`.",
        texts.len(),
        texts.len() * (texts.len() - 1) / 2
    ));
    Ok(table)
}

#[derive(Deserialize)]
struct Row {
    url: Option<String>,
    title: Option<String>,
    text: Option<String>,
    paragraphs: Option<Vec<String>>,
    #[serde(alias = "event_id", alias = "story_id")]
    story: serde_json::Value,
}

impl Row {
    fn body(&self) -> Option<String> {
        let paragraphs = self.paragraphs.as_ref();
        self.text.clone().or_else(|| Some(paragraphs?.join("\n\n")))
    }
}

fn stories(data: &Data) -> anyhow::Result<Option<Table>> {
    let mut table = Table::new(
        "Articles of one story among the nearest 10",
        &[
            "set",
            "articles",
            "method",
            "seen",
            "the nearest",
            "of the nearest 10",
        ],
    );
    for set in data.sets(&data::STORIES) {
        let rows: Vec<Row> = set.rows()?;
        let set = set.name.as_str();
        let titles: Vec<&str> = rows
            .iter()
            .map(|row| row.title.as_deref().unwrap_or_default())
            .collect();
        compare(&mut table, set, "title", &titles, &rows);
        if rows.iter().any(|row| row.body().is_some()) {
            let leads: Vec<String> = rows.iter().map(lead).collect();
            let leads: Vec<&str> = leads.iter().map(String::as_str).collect();
            compare(&mut table, set, "title and lead", &leads, &rows);
        }
    }
    table.note(
        "The share of articles whose nearest other article is of the same story, and of the same story's articles that are among \
         the ten nearest (of ten where the story has more). Words: cosine of words weighted by rareness.",
    );
    Ok((!table.is_empty()).then_some(table))
}

/// The title with the first sentences, about as long as a brief's summary.
fn lead(row: &Row) -> String {
    let text = row.body().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(60).collect();
    format!(
        "{} {}",
        row.title.as_deref().unwrap_or_default(),
        words.join(" ")
    )
}

fn compare(table: &mut Table, set: &str, part: &str, texts: &[&str], rows: &[Row]) {
    let items = rows.iter().filter_map(|row| {
        let parts = [&row.url, &row.text, &row.title];
        parts.into_iter().flatten().find(|text| !text.is_empty())
    });
    let seen = seen::mark("embedding", items);
    for (name, found) in methods(texts) {
        let (mut first, mut share, mut counted) = (0.0, 0.0, 0.0);
        for (at, row) in rows.iter().enumerate() {
            let same = rows.iter().filter(|other| other.story == row.story).count() - 1;
            if same == 0 {
                continue;
            }
            let near = nearest(&found[at], at, NEAR);
            let right = |other: &&usize| rows[**other].story == row.story;
            counted += 1.0;
            first += f64::from(near.first().is_some_and(|near| right(&near)));
            share += ratio(
                near.iter().filter(right).count() as f64,
                same.min(NEAR) as f64,
            );
        }
        table.row([
            format!("{set}, {part}"),
            rows.len().to_string(),
            name.to_owned(),
            if name == "words" {
                seen::NO_RULES
            } else {
                seen
            }
            .to_owned(),
            figure(ratio(first, counted)),
            figure(ratio(share, counted)),
        ]);
    }
}

/// What is compared: words alone, the table alone, and their sum.
fn methods(texts: &[&str]) -> [(&'static str, Matrix); 3] {
    let words = by_words(texts);
    let vectors: Vec<Embedding> = texts.iter().map(|text| embed(text)).collect();
    let by_table: Matrix = vectors
        .iter()
        .map(|left| {
            let row = vectors
                .iter()
                .map(|right| f64::from(similarity(left, right)));
            row.collect()
        })
        .collect();
    let both = words
        .iter()
        .zip(&by_table)
        .map(|(words, table)| words.iter().zip(table).map(|(a, b)| a + b).collect())
        .collect();
    [("words", words), ("table", by_table), ("both", both)]
}

/// Cosine of the texts' words, each weighted by its rareness among the texts.
fn by_words(texts: &[&str]) -> Matrix {
    let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        for word in text
            .to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric())
        {
            let texts = holders.entry(word.to_owned()).or_default();
            if !word.is_empty() && texts.last() != Some(&at) {
                texts.push(at);
            }
        }
    }
    let mut products = vec![vec![0.0; texts.len()]; texts.len()];
    let mut words: Vec<_> = holders.into_iter().collect();
    // Sums of fractions depend on their order, and a map has none.
    words.sort();
    for (_, holders) in &words {
        let weight = (1.0 + texts.len() as f64 / holders.len().max(1) as f64).ln();
        for left in holders {
            for right in holders {
                products[*left][*right] += weight * weight;
            }
        }
    }
    let lengths: Vec<f64> = (0..texts.len()).map(|at| products[at][at].sqrt()).collect();
    for (left, row) in products.iter_mut().enumerate() {
        for (right, product) in row.iter_mut().enumerate() {
            *product = ratio(*product, lengths[left] * lengths[right]);
        }
    }
    products
}

/// The others by falling likeness; of equal ones the earlier first.
fn nearest(row: &[f64], own: usize, count: usize) -> Vec<usize> {
    let mut others: Vec<usize> = (0..row.len()).filter(|other| *other != own).collect();
    others.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
    others.truncate(count);
    others
}

fn recall_of_nearest(wanted: &Matrix, found: &Matrix, count: usize) -> f64 {
    let hits = (0..wanted.len())
        .filter(|at| {
            let best = nearest(&wanted[*at], *at, 1);
            best.iter()
                .all(|best| nearest(&found[*at], *at, count).contains(best))
        })
        .count();
    ratio(hits as f64, wanted.len() as f64)
}

/// Spearman's rank correlation over all pairs, equal values sharing their middle rank.
fn spearman(left: &Matrix, right: &Matrix) -> f64 {
    let pairs = |matrix: &Matrix| -> Vec<f64> {
        let half = matrix.iter().enumerate();
        half.flat_map(|(at, row)| row[at + 1..].to_vec()).collect()
    };
    let (left, right) = (ranks(&pairs(left)), ranks(&pairs(right)));
    let middle = f64::midpoint(left.len() as f64, 1.0);
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - middle) * (b - middle))
            .sum()
    };
    ratio(
        product(&left, &right),
        (product(&left, &left) * product(&right, &right)).sqrt(),
    )
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = before as f64 + f64::midpoint(equal.len() as f64, 1.0);
        for at in equal {
            ranks[*at] = rank;
        }
        before += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_share_their_middle() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn correlation_agrees_with_a_hand_count() {
        let matrix = |a, b, c| vec![vec![1.0, a, b], vec![a, 1.0, c], vec![b, c, 1.0]];
        let check = |left: &Matrix, right: &Matrix, expected: f64| {
            assert!((spearman(left, right) - expected).abs() < 1e-12);
        };
        check(&matrix(1.0, 2.0, 3.0), &matrix(10.0, 20.0, 30.0), 1.0);
        check(&matrix(1.0, 2.0, 3.0), &matrix(3.0, 2.0, 1.0), -1.0);
        check(&matrix(1.0, 2.0, 3.0), &matrix(1.0, 3.0, 2.0), 0.5);
    }
}
