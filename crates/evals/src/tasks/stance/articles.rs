//! Whether a whole article supports a claim, a part of it, or nothing of it.
//!
//! The article speaks as it does in `/verify`: with the few sentences that together have most of the claim. A claim that these
//! do not support is supported in part where they support one of its statements, or have at least half of its words by
//! rareness. Nothing here is fitted on the sets that are measured.

use analysis::verification::nearest_sentences;
use serde::Deserialize;
use verify::claim::Claim;
use verify::stance::{Features, Reading, Stance};

use super::{Answer, Shown, Surest, WAYS, order, scores};
use crate::data::{self, Data};
use crate::seen;
use crate::table::Table;

/// The classes in their order.
const CLASSES: [&str; 3] = ["supported", "not_supported", "partially_supported"];
/// A part of a claim, by the rareness of its words.
const PART: f64 = 0.5;

#[derive(Deserialize)]
struct Row {
    claim: String,
    label: String,
    evidence: Vec<String>,
}

/// The table of the sets whose evidence is a whole article.
pub(super) fn table(data: &Data, surest: &mut Surest) -> anyhow::Result<Option<Table>> {
    let mut table = Table::new(
        "Claims and whole articles",
        &[
            "set",
            "shown",
            "seen",
            "count",
            "balanced accuracy",
            "macro-F1",
            "supported F1",
            "not supported F1",
            "partially supported F1",
        ],
    );
    for set in data.sets(&data::CLAIMS_OF_ARTICLES) {
        let rows = set.rows::<Row>()?;
        let seen = seen::mark("stance", rows.iter().map(|row| &row.claim));
        for (name, shown) in WAYS {
            let answers = answers(&rows, shown);
            let mut cells = vec![set.name.clone(), name.to_owned(), seen.to_owned()];
            cells.extend(scores(&answers, &[0, 1, 2]));
            table.cells(cells);
            if shown == Shown::AsGiven {
                surest.add(&set.name, &answers);
            }
        }
    }
    table.note(
        "Of an article the few sentences speak that together have most of the claim's words. A claim that they do not support is \
         supported in part where they support one of its statements, or have half of its words by rareness.",
    );
    Ok((!table.is_empty()).then_some(table))
}

fn answers(rows: &[Row], shown: Shown) -> Vec<Answer> {
    rows.iter()
        .zip(order(rows.len(), shown))
        .filter_map(|(row, other)| {
            let expected = CLASSES.iter().position(|class| *class == row.label)?;
            let article: &[String] = match shown {
                Shown::AsGiven => &row.evidence,
                Shown::Nothing => &[],
                Shown::Shuffled => &rows[other].evidence,
            };
            let (found, confidence) = judge(&row.claim, article);
            Some(Answer {
                expected,
                found,
                confidence,
            })
        })
        .collect()
}

/// The class of a claim by an article, and how sure it is.
fn judge(claim: &str, article: &[String]) -> (usize, f64) {
    let sentences: Vec<&str> = article.iter().map(String::as_str).collect();
    let read = |claim: &str| {
        let passage = Reading::of_sentences(nearest_sentences(claim, "", &sentences), None);
        let claim = Reading::of_claim(claim);
        let stance = Stance::of_all(&claim, &[&passage])[0];
        (stance, Features::of(&claim, &passage).coverage())
    };
    let (stance, coverage) = read(claim);
    if stance.supports >= stance.neutral.max(stance.contradicts) {
        return (0, stance.supports);
    }
    let parts = Claim::all(claim);
    let of_parts = parts
        .iter()
        .filter(|_| parts.len() > 1)
        .map(|part| read(&part.text).0.supports)
        .fold(0.0, f64::max);
    if coverage >= PART || of_parts >= PART {
        (2, coverage.max(of_parts) * (1.0 - stance.supports))
    } else {
        (1, 1.0 - coverage)
    }
}
