//! The sentiment of sentences and clauses, as readers of financial news judged it.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::data::{self, Data};
use crate::held_out::held_out;
use crate::linear::Linear;
use crate::score::Confusion;
use crate::seen;
use crate::table::{Table, figure};

/// Sentiments, worst first.
pub(super) const LABELS: [&str; 3] = ["negative", "neutral", "positive"];

/// A headline with the sentiment towards each name.
#[derive(Deserialize)]
struct Headline {
    title: String,
    entities: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Row {
    text: String,
    label: String,
}

/// The place in [`LABELS`] of a sentiment of 0 to 1.
pub(super) fn label(score: f64) -> usize {
    usize::from(score >= 0.45) + usize::from(score > 0.55)
}

/// The place in [`LABELS`] of a label; that of tweets names the market's animals, that of clauses has a `none`.
fn class(label: &str) -> Option<usize> {
    match label {
        "bearish" => Some(0),
        "none" => Some(1),
        "bullish" => Some(2),
        other => LABELS.iter().position(|known| *known == other),
    }
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let sets = data.sets(&data::SENTENCE_SENTIMENTS);
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let fitted_on = fitted_on(data)?;
    let linear = (!fitted_on.is_empty()).then(|| Linear::<3>::fit(&fitted_on));
    let mut table = Table::new(
        "Sentiment of sentences and clauses",
        &["set", "method", "seen", "count", "accuracy", "macro-F1"],
    );
    for set in sets {
        let rows: Vec<Row> = set.rows()?;
        let seen = seen::mark("sentiment", rows.iter().map(|row| &row.text));
        let mut counts = Confusion::<3>::new();
        let mut words = Confusion::<3>::new();
        for row in &rows {
            let Some(expected) = class(&row.label) else {
                continue;
            };
            counts.note(expected, label(text::sentiment::sentence(&row.text).get()));
            if let Some(linear) = &linear {
                words.note(expected, linear.class(&row.text));
            }
        }
        let majority = counts.majority();
        for (name, seen, counts) in [
            ("Assay", seen, &counts),
            ("linear model of words and pairs", seen::NO_RULES, &words),
            ("majority class", seen::NO_RULES, &majority),
        ] {
            if counts.total() == 0.0 {
                continue;
            }
            table.row([
                set.name.clone(),
                name.to_owned(),
                seen.to_owned(),
                counts.total().to_string(),
                figure(counts.accuracy()),
                figure(counts.macro_f1()),
            ]);
        }
    }
    table.note(
        "The linear model is fitted on the headlines of the fit and on the tweets themselves, so its row of the tweets is no \
         measure of it. `none` counts as neutral, `bearish` and `bullish` as negative and positive.",
    );
    Ok(vec![table])
}

/// What the weights of words are fitted on: headlines whose names have one sentiment, and tweets.
fn fitted_on(data: &Data) -> anyhow::Result<Vec<(String, usize)>> {
    let mut fitted_on = Vec::new();
    for set in data.find(&data::NAME_SENTIMENTS) {
        for row in set.rows::<Headline>()? {
            let labels: BTreeSet<&String> = row.entities.values().collect();
            if let (1, Some(label)) = (labels.len(), labels.first())
                && let Some(class) = class(label)
                && !held_out(&row.title)
            {
                fitted_on.push((row.title, class));
            }
        }
    }
    for set in data.find(&data::SENTENCE_SENTIMENTS) {
        let rows: Vec<Row> = set.rows()?;
        if !rows.iter().any(|row| row.label == "bullish") {
            continue;
        }
        for row in rows {
            let words = row.text.split(' ').filter(|word| !word.starts_with("http"));
            let words = words.collect::<Vec<_>>().join(" ");
            fitted_on.push((words, class(&row.label).unwrap_or(1)));
        }
    }
    Ok(fitted_on)
}
