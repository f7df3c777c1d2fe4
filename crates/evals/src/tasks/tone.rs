//! The tone of sentences, as readers of financial news judged it.

use serde::Deserialize;

use crate::data::Data;
use crate::score::Confusion;
use crate::table::{Table, figure};

/// Tones, worst first.
pub(super) const LABELS: [&str; 3] = ["negative", "neutral", "positive"];

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
        words.note(expected, label(text::sentiment::by_words(&row.text).get()));
    }
    let mut table = Table::new(title, &["method", "count", "accuracy", "macro-F1"]);
    let majority = counts.majority();
    for (name, counts) in [
        ("Assay", &counts),
        ("fitted words alone", &words),
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
