//! The tone of a headline towards each one whom it names.
//!
//! SEntFiN's held-out fifth. Measured is the function that reads from the place of a name, and the way every article
//! takes: `annotate`, where the name has to be found as well. Names that were not found have the tone of the headline.

use std::collections::BTreeMap;
use std::ops::Range;

use model::Article;
use serde::Deserialize;
use text::{annotate, entities, sentiment};

use super::tone::{LABELS, label};
use crate::data::Data;
use crate::held_out::held_out;
use crate::score::{Confusion, ratio};
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    title: String,
    entities: BTreeMap<String, String>,
}

/// All names, names beside others, names beside others of another tone.
const SUBSETS: [&str; 3] = ["all", "several named", "tones differ"];

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let Some(rows) = data.rows::<Row>("sentiment/sentfin_entity_sentiment")? else {
        return Ok(Vec::new());
    };
    let mut table = Table::new(
        "Tone towards each name, SEntFiN, held-out fifth",
        &["names", "method", "count", "accuracy", "macro-F1"],
    );
    let methods = ["Assay", "Assay, by annotate", "tone of the sentence"];
    let mut counts: [[Confusion<3>; 3]; 3] =
        std::array::from_fn(|_| std::array::from_fn(|_| Confusion::new()));
    let (mut named, mut found) = (0.0, 0.0);
    for row in rows.iter().filter(|row| held_out(&row.title)) {
        let read = annotate::annotate(&headline(&row.title)?, &[]);
        let spans = entities::spans(&row.title, "");
        let sentence = sentiment::sentence(&row.title).get();
        let differ = row
            .entities
            .values()
            .any(|tone| row.entities.values().any(|other| other != tone));
        for (name, tone) in &row.entities {
            let (Some(expected), Some(place)) = (
                LABELS.iter().position(|label| label == tone),
                locate(&row.title, name),
            ) else {
                continue;
            };
            named += 1.0;
            let mention = spans
                .iter()
                .find(|span| span.bytes.start < place.end && place.start < span.bytes.end)
                .and_then(|span| read.entities.iter().find(|entity| entity.name == span.name));
            found += f64::from(u8::from(mention.is_some()));
            let scores = [
                sentiment::toward(&row.title, place).get(),
                mention.map_or(read.sentiment.get(), |entity| entity.sentiment.get()),
                sentence,
            ];
            for (subset, holds) in [true, row.entities.len() > 1, differ]
                .into_iter()
                .enumerate()
            {
                for (method, score) in scores.into_iter().enumerate().filter(|_| holds) {
                    counts[subset][method].note(expected, label(score));
                }
            }
        }
    }
    for (subset, counts) in SUBSETS.iter().zip(&counts) {
        let majority = counts[0].majority();
        let rows = methods.into_iter().zip(counts);
        for (method, counts) in rows.chain([("majority class", &majority)]) {
            table.row([
                (*subset).to_owned(),
                method.to_owned(),
                counts.total().to_string(),
                figure(counts.accuracy()),
                figure(counts.macro_f1()),
            ]);
        }
    }
    table.note(format!(
        "`annotate` found {} of the names itself; the others count with the tone of the headline.",
        figure(ratio(found, named))
    ));
    Ok(vec![table])
}

/// Where a name stands. In some rows of the collection the letters `hold` of a name were replaced by `neutral`.
fn locate(title: &str, name: &str) -> Option<Range<usize>> {
    let lower = title.to_lowercase();
    [
        name.to_lowercase(),
        name.to_lowercase().replace("neutral", "hold"),
    ]
    .iter()
    .find_map(|name| lower.find(name).map(|at| at..at + name.len()))
    .filter(|_| lower.len() == title.len())
}

/// A headline as an article that has nothing else.
fn headline(title: &str) -> anyhow::Result<Article> {
    let article = serde_json::json!({
        "id": "00000000-0000-0000-0000-000000000000",
        "url": "https://paper.example/story",
        "domain": "paper.example",
        "outlet": "Paper",
        "title": title,
        "description": "",
        "body": "",
        "author": null,
        "published_at": "2020-01-01T00:00:00Z",
        "known_at": "2020-01-01T00:00:00Z",
        "simulated": false,
    });
    Ok(serde_json::from_value(article)?)
}
