//! Sentences that colour what they tell.
//!
//! BABE: sentences of politically leaning outlets that experts found biased or not. Nothing was fitted or chosen on it.

use serde::Deserialize;

use crate::data::Data;
use crate::score::Confusion;
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    text: String,
    label_bias: String,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let Some(rows) = data.rows::<Row>("news/sentence_bias_babe")? else {
        return Ok(Vec::new());
    };
    let mut counts = Confusion::<2>::new();
    let mut lexicon = Confusion::<2>::new();
    for row in &rows {
        let expected = match row.label_bias.as_str() {
            "Biased" => 1,
            "Non-biased" => 0,
            _ => continue,
        };
        let coloured = text::bias::sentence(&row.text).get() >= text::bias::COLOURED;
        counts.note(expected, usize::from(coloured));
        let loaded = !text::bias::read(&row.text, "").loaded_terms.is_empty();
        lexicon.note(expected, usize::from(loaded));
    }
    let mut table = Table::new(
        "Biased sentences, BABE, evaluation only",
        &[
            "method",
            "sentences",
            "accuracy",
            "macro-F1",
            "F1 of biased",
        ],
    );
    let majority = counts.majority();
    for (name, counts) in [
        ("Assay", &counts),
        ("one loaded word or more", &lexicon),
        ("majority class", &majority),
    ] {
        table.row([
            name.to_owned(),
            counts.total().to_string(),
            figure(counts.accuracy()),
            figure(counts.macro_f1()),
            figure(counts.f1(1)),
        ]);
    }
    Ok(vec![table])
}
