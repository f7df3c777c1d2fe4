//! The tone of sentences, as readers of financial news judged it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::data::Data;
use crate::held_out::held_out;
use crate::linear::Linear;
use crate::score::Confusion;
use crate::table::{Table, figure};

/// Tones, worst first.
pub(super) const LABELS: [&str; 3] = ["negative", "neutral", "positive"];

/// A headline with its tone towards each name.
#[derive(Deserialize)]
struct Headline {
    title: String,
    entities: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Row {
    text: String,
    label: String,
}

/// The place in [`LABELS`] of a tone of 0 to 1.
pub(super) fn label(score: f64) -> usize {
    usize::from(score >= 0.45) + usize::from(score > 0.55)
}

/// Financial PhraseBank, never fitted on.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    measure(
        data,
        "sentiment/financial_phrasebank_50agree",
        "Tone of sentences, Financial PhraseBank (50 % agreement), evaluation only",
    )
}

/// Clauses of company news that say good or bad by facts rather than by words of opinion. `none` counts as neutral.
pub(crate) fn run_implicit(data: &Data) -> anyhow::Result<Vec<Table>> {
    measure(
        data,
        "sentiment/sentivent_implicit_clauses",
        "Tone of clauses, SENTiVENT, evaluation only",
    )
}

fn measure(data: &Data, prefix: &str, title: &str) -> anyhow::Result<Vec<Table>> {
    let Some(rows) = data.rows::<Row>(prefix)? else {
        return Ok(Vec::new());
    };
    let mut counts = Confusion::<3>::new();
    let linear = Linear::<3>::fit(&fitted_on(data)?);
    let mut words = Confusion::<3>::new();
    for row in &rows {
        let named = if row.label == "none" {
            "neutral"
        } else {
            &row.label
        };
        let Some(expected) = LABELS.iter().position(|label| *label == named) else {
            continue;
        };
        counts.note(expected, label(text::sentiment::sentence(&row.text).get()));
        words.note(expected, linear.class(&row.text));
    }
    let mut table = Table::new(title, &["method", "count", "accuracy", "macro-F1"]);
    let majority = counts.majority();
    for (name, counts) in [
        ("Assay", &counts),
        ("linear model of words and pairs", &words),
        ("majority class", &majority),
    ] {
        table.row([
            name.to_owned(),
            counts.total().to_string(),
            figure(counts.accuracy()),
            figure(counts.macro_f1()),
        ]);
    }
    Ok(vec![table])
}

/// What the weights of words are fitted on: headlines of SEntFiN whose names have one tone, and tweets.
fn fitted_on(data: &Data) -> anyhow::Result<Vec<(String, usize)>> {
    let mut rows = Vec::new();
    let class = |label: &str| LABELS.iter().position(|known| *known == label);
    for row in data
        .rows::<Headline>("sentiment/sentfin_entity_sentiment")?
        .unwrap_or_default()
    {
        let tones: BTreeSet<&String> = row.entities.values().collect();
        if let (1, Some(tone)) = (tones.len(), tones.first())
            && let Some(class) = class(tone)
            && !held_out(&row.title)
        {
            rows.push((row.title, class));
        }
    }
    for row in data
        .rows::<Row>("sentiment/twitter_financial_news_train")?
        .unwrap_or_default()
    {
        let class = match row.label.as_str() {
            "bearish" => 0,
            "bullish" => 2,
            _ => 1,
        };
        let words = row.text.split(' ').filter(|word| !word.starts_with("http"));
        rows.push((words.collect::<Vec<_>>().join(" "), class));
    }
    Ok(rows)
}
