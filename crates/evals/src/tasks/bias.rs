//! Sentences that colour what they report.
//!
//! Sentences of politically leaning outlets that experts found biased or not; nothing was fitted or chosen on them.
//! The border between coloured and plain was chosen on sentences of real articles that we labelled ourselves; they are
//! reported beside it.

use serde::Deserialize;

use crate::data::{self, Data};
use crate::labels::{self, Items};
use crate::score::Confusion;
use crate::seen;
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    text: String,
    label_bias: String,
}

const LABELS: &str = include_str!("../../labels/coloured.tsv");

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Biased sentences",
        &[
            "set",
            "method",
            "seen",
            "sentences",
            "accuracy",
            "macro-F1",
            "F1 of biased",
        ],
    );
    for set in data.sets(&data::BIASED_SENTENCES) {
        let rows: Vec<Row> = set.rows()?;
        let seen = seen::mark("bias", rows.iter().map(|row| &row.text));
        let sentences = rows
            .into_iter()
            .filter_map(|row| match row.label_bias.as_str() {
                "Biased" => Some((row.text, true)),
                "Non-biased" => Some((row.text, false)),
                _ => None,
            });
        measure(&set.name, seen, sentences, &mut table);
    }
    let own = own_labels(data)?;
    if !own.is_empty() {
        measure(
            // The border was chosen on these.
            "own labels",
            seen::YES,
            own.into_iter(),
            &mut table,
        );
    }
    Ok(if table.is_empty() {
        Vec::new()
    } else {
        vec![table]
    })
}

fn measure(
    set: &str,
    seen: &str,
    sentences: impl Iterator<Item = (String, bool)>,
    table: &mut Table,
) {
    let mut counts = Confusion::<2>::new();
    let mut lexicon = Confusion::<2>::new();
    for (text, biased) in sentences {
        let expected = usize::from(biased);
        let coloured = text::bias::sentence(&text).get() >= text::bias::COLOURED;
        counts.note(expected, usize::from(coloured));
        let loaded = !text::bias::assess(&text, "").loaded_terms.is_empty();
        lexicon.note(expected, usize::from(loaded));
    }
    let majority = counts.majority();
    for (name, seen, counts) in [
        ("Assay", seen, &counts),
        ("one loaded word or more", seen, &lexicon),
        ("majority class", seen::NO_RULES, &majority),
    ] {
        table.row([
            set.to_owned(),
            name.to_owned(),
            seen.to_owned(),
            counts.total().to_string(),
            figure(counts.accuracy()),
            figure(counts.macro_f1()),
            figure(counts.f1(1)),
        ]);
    }
}

/// The sentences that we labelled, as far as their texts are there.
fn own_labels(data: &Data) -> anyhow::Result<Vec<(String, bool)>> {
    let items = Items::of(data)?;
    let sentences: Vec<(String, bool)> = labels::rows(LABELS)?
        .iter()
        .filter_map(|row| Some((items.passage(row)?.to_owned(), row[5] == "C")))
        .collect();
    if sentences.is_empty() {
        data.note_absent("any of our sentences labelled as coloured or not");
    }
    Ok(sentences)
}
