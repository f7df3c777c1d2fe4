//! The sentiment of a headline towards each entity that it names.
//!
//! The held-out fifth of each set. Measured is the function that reads from the place of a name, and the way every article
//! takes: `annotate`, where the name has to be found as well. Names that were not found have the sentiment of the headline.

use std::collections::BTreeMap;
use std::ops::Range;

use model::Article;
use serde::Deserialize;
use text::{annotate, entities, sentiment};

use super::sentiment::{LABELS, label};
use crate::data::{self, Data};
use crate::held_out::held_out;
use crate::score::{Confusion, ratio};
use crate::seen;
use crate::table::{Table, figure};

#[derive(Deserialize)]
struct Row {
    title: String,
    entities: BTreeMap<String, String>,
}

/// All names, names beside others, names beside others of another sentiment.
const SUBSETS: [&str; 3] = ["all", "several named", "sentiments differ"];

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for set in data.sets(&data::NAME_SENTIMENTS) {
        tables.push(measure(&set.name, &set.rows()?)?);
    }
    Ok(tables)
}

fn measure(set: &str, rows: &[Row]) -> anyhow::Result<Table> {
    let titles = rows.iter().map(|row| &row.title);
    let seen = seen::mark("entity_sentiment", titles.filter(|title| held_out(title)));
    let mut table = Table::new(
        &format!("Sentiment towards each name, {set}, held-out fifth"),
        &["names", "method", "seen", "count", "accuracy", "macro-F1"],
    );
    let methods = ["Assay", "Assay, by annotate", "sentiment of the sentence"];
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
            .any(|one| row.entities.values().any(|other| other != one));
        for (name, label_of_name) in &row.entities {
            let (Some(expected), Some(place)) = (
                LABELS.iter().position(|label| label == label_of_name),
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
            let by_rules = method != "majority class";
            table.row([
                (*subset).to_owned(),
                method.to_owned(),
                if by_rules { seen } else { seen::NO_RULES }.to_owned(),
                counts.total().to_string(),
                figure(counts.accuracy()),
                figure(counts.macro_f1()),
            ]);
        }
    }
    table.note(format!(
        "`annotate` found {} of the names itself; the others count with the sentiment of the headline.",
        figure(ratio(found, named))
    ));
    Ok(table)
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
