//! The tone of sentences, as readers of financial news judged it.

use serde::Deserialize;

use crate::data::Data;
use crate::score::Confusion;
use crate::table::{Table, figure};

const LABELS: [&str; 3] = ["negative", "neutral", "positive"];

#[derive(Deserialize)]
struct Row {
    text: String,
    label: String,
}

/// Financial PhraseBank, never fitted on.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let Some(rows) = data.rows::<Row>("sentiment/financial_phrasebank_50agree")? else {
        return Ok(Vec::new());
    };
    let mut counts = Confusion::<3>::new();
    for row in &rows {
        let Some(expected) = LABELS.iter().position(|label| *label == row.label) else {
            continue;
        };
        let score = text::sentiment::sentence(&row.text).get();
        let found = usize::from(score >= 0.45) + usize::from(score > 0.55);
        counts.note(expected, found);
    }
    let mut table = Table::new(
        "Tone of sentences, Financial PhraseBank (50 % agreement), evaluation only",
        &["method", "sentences", "accuracy", "macro-F1"],
    );
    let majority = counts.majority();
    for (name, counts) in [("Assay", &counts), ("majority class", &majority)] {
        table.row([
            name.to_owned(),
            counts.total().to_string(),
            figure(counts.accuracy()),
            figure(counts.macro_f1()),
        ]);
    }
    Ok(vec![table])
}
