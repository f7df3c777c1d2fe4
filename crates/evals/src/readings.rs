//! Articles labelled by reading, as the models of category and form see them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::Path;

use model::RawArticle;
use serde_json::Value;

use crate::data::{self, Data};
use crate::labels::{STREAM_HELD_OUT, is_of_the_fifth};
use crate::news;

/// Articles with the category under which an editor would file them.
pub(crate) const CATEGORIES: &str = include_str!("../labels/categories.tsv");
/// Articles with their form.
pub(crate) const FORMS: &str = include_str!("../labels/forms.tsv");

/// A labelled article.
pub(crate) struct Labelled {
    /// It, without the words that its feed gave it.
    pub(crate) raw: RawArticle,
    /// The label.
    pub(crate) label: String,
    /// Others that can be defended.
    pub(crate) others: Vec<String>,
    /// Whether nothing is fitted on it.
    pub(crate) is_kept_back: bool,
}

/// The labelled articles of each stream.
pub(crate) fn labelled(
    data: &Data,
    list: &'static str,
) -> anyhow::Result<Vec<(String, Vec<Labelled>)>> {
    let labels: BTreeMap<(&str, &str), (&str, &str)> = model::table::lines(list)
        .filter_map(|line| {
            let mut columns = line.split('\t');
            Some((
                (columns.next()?, columns.next()?),
                (columns.next()?, columns.next().unwrap_or("-")),
            ))
        })
        .collect();
    let mut sets = Vec::new();
    for set in data.sets(&data::STREAMS) {
        let is_held_out = set.name.contains(STREAM_HELD_OUT);
        let mut found = BTreeSet::new();
        let mut articles = Vec::new();
        for row in set.rows::<Value>()? {
            let raw = RawArticle {
                categories: Vec::new(),
                ..news::raw(&row)
            };
            let mut digits = news::hash(&raw.url);
            digits.truncate(16);
            let Some((label, others)) = labels.get(&(set.name.as_str(), digits.as_str())) else {
                continue;
            };
            if found.insert(digits.clone()) {
                articles.push(Labelled {
                    raw,
                    label: (*label).to_owned(),
                    others: others.split('|').map(str::to_owned).collect(),
                    is_kept_back: is_held_out || is_of_the_fifth(&digits),
                });
            }
        }
        sets.push((set.name, articles));
    }
    Ok(sets)
}

/// Writes a line for each labelled article: `category` or `form`, `fit` or `kept back`, the stream, the label, the rows that it
/// shows, and the word pieces of its headline and of its opening.
pub(crate) fn write_features(data: &Data, file: &Path) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    for (kind, list) in [("category", CATEGORIES), ("form", FORMS)] {
        for (stream, articles) in labelled(data, list)? {
            for article in articles {
                let Some(read) = news::annotate(&article.raw) else {
                    continue;
                };
                let part = if article.is_kept_back {
                    "kept back"
                } else {
                    "fit"
                };
                write!(
                    out,
                    "{kind}\t{part}\t{stream}\t{}\t{}\t",
                    article.label,
                    article.others.join("|")
                )?;
                let (rows, pieces) = text::category::observations(&read.article);
                let rows: Vec<String> = rows
                    .iter()
                    .map(|(row, amount)| format!("{row}:{amount:.5}"))
                    .collect();
                let [headline, opening] = pieces.map(|pieces| {
                    pieces
                        .iter()
                        .map(u16::to_string)
                        .collect::<Vec<_>>()
                        .join(" ")
                });
                writeln!(out, "{}\t{headline}\t{opening}", rows.join(" "))?;
            }
        }
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_fitted_on_an_article_of_the_stream_that_is_held_out() {
        let Some(data) = data::of_tests() else {
            return;
        };
        for list in [CATEGORIES, FORMS] {
            let (mut fitted, mut kept_back) = (BTreeSet::new(), BTreeSet::new());
            for (_, articles) in labelled(&data, list).unwrap() {
                for article in articles {
                    let of_part = if article.is_kept_back {
                        &mut kept_back
                    } else {
                        &mut fitted
                    };
                    of_part.insert(article.raw.url);
                }
            }
            assert!(fitted.len() > 1_000 && kept_back.len() > 1_000);
            let both: Vec<_> = fitted.intersection(&kept_back).collect();
            assert!(both.is_empty(), "{both:?}");
        }
    }
}
