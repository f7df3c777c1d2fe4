//! What articles are about, beside the category under which others carried them.
//!
//! Aggregators and the UCI set have fewer and different categories, so each of ours is mapped to the one of theirs that
//! holds such articles. The label is that of the feed or section, which is at times not that of the article. An article is
//! read without the words that came with it, because they are the label.

use model::Category;
use serde_json::Value;

use crate::data::{self, Data};
use crate::news;
use crate::readings;
use crate::score::{Hits, Tally};
use crate::seen;
use crate::table::{Table, figure};

/// The labels that hold the articles of each of our categories; of those that a set has, the first.
const LABELS: [(Category, &[&str]); 15] = [
    (Category::AiMl, &["ai_tech", "technology", "science_tech"]),
    (Category::Tech, &["technology", "science_tech", "ai_tech"]),
    (
        Category::Security,
        &["technology", "science_tech", "ai_tech"],
    ),
    (Category::Markets, &["markets", "business"]),
    (Category::Economy, &["business", "markets"]),
    (Category::Business, &["business", "markets"]),
    (Category::Crypto, &["crypto", "business"]),
    (Category::Energy, &["commodities", "business"]),
    (Category::Climate, &["science", "science_tech"]),
    (Category::Science, &["science", "science_tech"]),
    (Category::Health, &["health"]),
    (Category::Sports, &["sports"]),
    (Category::Culture, &["entertainment"]),
    (Category::World, &["geopolitics"]),
    (Category::Policy, &["geopolitics"]),
];
/// The form of most news.
const REPORT: &str = "report";
/// A label that says nothing.
const GENERAL: &str = "general";
/// What is found where no label of the set holds a category.
const OTHER: &str = "another";

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Category of articles",
        &["set", "method", "seen", "articles", "accuracy", "macro-F1"],
    );
    let mut by_label = Table::new(
        "F1 of each label",
        &["set", "label", "seen", "articles", "F1"],
    );
    for set in data.sets(&data::CATEGORISED) {
        let rows: Vec<Value> = set.rows()?;
        let seen = seen::mark("category", seen::items(&rows));
        let labelled: Vec<(&str, &Value)> = rows
            .iter()
            .filter_map(|row| Some((label(row)?, row)))
            .collect();
        let labels: Vec<&str> = labelled.iter().map(|(label, _)| *label).collect();
        let mut tally = Tally::default();
        for (expected, row) in &labelled {
            if let Some(read) = news::annotate(&model::RawArticle {
                categories: Vec::new(),
                ..news::raw(row)
            }) {
                tally.note(expected, holder(read.annotations.category, &labels));
            }
        }
        let majority = tally.majority();
        for (method, seen, tally) in [
            ("Assay", seen, &tally),
            ("majority class", seen::NO_RULES, &majority),
        ] {
            table.row([
                set.name.clone(),
                method.to_owned(),
                seen.to_owned(),
                tally.total().to_string(),
                figure(tally.accuracy()),
                figure(tally.macro_f1()),
            ]);
        }
        for (label, count) in tally.classes() {
            by_label.row([
                set.name.clone(),
                label.to_owned(),
                seen.to_owned(),
                count.to_string(),
                figure(tally.f1(label)),
            ]);
        }
    }
    if table.is_empty() {
        return Ok(Vec::new());
    }
    let read = read_by_us(data)?;
    table.note(
        "Headline, teaser and what there is of the text. Articles under one telling label only; the label is that of the feed \
         or section. A category that no label of the set holds, such as policy in the UCI set, counts as wrong.",
    );
    Ok([table, by_label].into_iter().chain(read).collect())
}

/// The labels that we gave by reading: each category against the one that an editor would choose. Only articles that the model was
/// not fitted on.
fn read_by_us(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut of_sets = Table::new(
        "Category of articles that we read",
        &[
            "set",
            "seen",
            "articles",
            "the editor's",
            "defensible",
            "macro-F1",
            "macro-F1, defensible counts",
        ],
    );
    let mut by_category = Table::new(
        "Categories of the articles that we read",
        &["category", "articles", "F1", "F1, defensible counts"],
    );
    let mut all = [Tally::default(), Tally::default()];
    for (name, articles) in readings::labelled(data, readings::CATEGORIES)? {
        let mut tallies = [Tally::default(), Tally::default()];
        for article in articles.iter().filter(|article| article.is_kept_back) {
            let Some(read) = news::annotate(&article.raw) else {
                continue;
            };
            let category = read.annotations.category.as_str();
            let is_defensible = article.others.iter().any(|other| other == category);
            let expected = article.label.as_str();
            let given = [category, if is_defensible { expected } else { category }];
            for (at, given) in given.into_iter().enumerate() {
                tallies[at].note(expected, given);
                all[at].note(expected, given);
            }
        }
        if tallies[0].total() == 0.0 {
            continue;
        }
        of_sets.row(of_set(&name, &tallies));
    }
    if all[0].total() == 0.0 {
        data.note_absent("any of the articles whose category we labelled");
        return Ok(Vec::new());
    }
    of_sets.row(of_set("all", &all));
    for (category, count) in all[0].classes() {
        by_category.row([
            category.to_owned(),
            count.to_string(),
            figure(all[0].f1(category)),
            figure(all[1].f1(category)),
        ]);
    }
    of_sets.note(
        "Articles drawn at random and labelled by reading, on which nothing was fitted: a fifth of those of 2020 and 2026, all of 2022. \
         Defensible: the category that was found is one that the reader wrote beside the first choice; it counts as that.",
    );
    Ok([of_sets, by_category]
        .into_iter()
        .chain(forms(data)?)
        .collect())
}

/// The form of articles that we read: how often a report of an event is told from all else.
fn forms(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Form of articles that we read",
        &[
            "set",
            "seen",
            "articles",
            "reports",
            "precision",
            "recall",
            "right",
            "majority class",
        ],
    );
    for (name, articles) in readings::labelled(data, readings::FORMS)? {
        let mut tally = Tally::default();
        let mut hits = Hits::default();
        for article in articles.iter().filter(|article| article.is_kept_back) {
            let Some(read) = news::annotate(&article.raw) else {
                continue;
            };
            let (is, said) = (
                article.label == REPORT,
                read.annotations.features.report > u8::MAX / 2,
            );
            tally.note(
                if is { REPORT } else { OTHER },
                if said { REPORT } else { OTHER },
            );
            hits.right += f64::from(u8::from(is && said));
            hits.wrong += f64::from(u8::from(!is && said));
            hits.missed += f64::from(u8::from(is && !said));
        }
        if tally.total() == 0.0 {
            continue;
        }
        table.row([
            name,
            seen::PARTLY.to_owned(),
            tally.total().to_string(),
            (hits.right + hits.missed).to_string(),
            figure(hits.precision()),
            figure(hits.recall()),
            figure(tally.accuracy()),
            figure(tally.majority().accuracy()),
        ]);
    }
    if table.is_empty() {
        return Ok(Vec::new());
    }
    table.note(
        "Headline and teaser, articles on which nothing was fitted. All else: issues of a series, round-ups, live reports, opinion and \
         advice, what is no news.",
    );
    Ok(vec![table])
}

/// The figures of a set: the first choice, then with what can be defended.
fn of_set(name: &str, [first, defensible]: &[Tally; 2]) -> [String; 7] {
    [
        name.to_owned(),
        // Keywords were written while other articles of the same streams were read.
        seen::PARTLY.to_owned(),
        first.total().to_string(),
        figure(first.accuracy()),
        figure(defensible.accuracy()),
        figure(first.macro_f1()),
        figure(defensible.macro_f1()),
    ]
}

/// The only telling label of a row, where we know what it means.
fn label(row: &Value) -> Option<&'static str> {
    let given = row["categories"].as_array();
    let mut given = given
        .map_or_else(|| vec![&row["category"]], |list| list.iter().collect())
        .into_iter()
        .filter_map(Value::as_str)
        .filter(|label| *label != GENERAL);
    let only = given.next().filter(|_| given.next().is_none())?;
    LABELS
        .iter()
        .flat_map(|(_, labels)| *labels)
        .copied()
        .find(|known| *known == only)
}

/// The label of a set that holds articles of a category.
fn holder(category: Category, labels: &[&str]) -> &'static str {
    LABELS
        .iter()
        .find(|(known, _)| *known == category)
        .and_then(|(_, holders)| holders.iter().find(|holder| labels.contains(holder)))
        .map_or(OTHER, |holder| *holder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_telling_label_counts() {
        for (row, expected) in [
            (r#"{"category":"health"}"#, Some("health")),
            (r#"{"categories":["sports","general"]}"#, Some("sports")),
            (r#"{"categories":["general"]}"#, None),
            (r#"{"categories":["sports","health"]}"#, None),
            (r#"{"categories":["gardening"]}"#, None),
            (r#"{"categories":[]}"#, None),
        ] {
            let row: Value = serde_json::from_str(row).unwrap();
            assert_eq!(label(&row), expected, "{row}");
        }
    }

    #[test]
    fn categories_stand_for_the_labels_of_their_set() {
        let [stream, uci] = [["technology", "business"], ["science_tech", "business"]];
        assert_eq!(holder(Category::AiMl, &stream), "technology");
        assert_eq!(holder(Category::AiMl, &uci), "science_tech");
        assert_eq!(holder(Category::Crypto, &uci), "business");
        assert_eq!(holder(Category::Policy, &uci), OTHER);
        for category in Category::ALL {
            assert!(LABELS.iter().any(|(known, _)| *known == category));
        }
    }
}
