//! Which indicator a question about the economy means when it names none.

use std::sync::LazyLock;

use model::table;
use text::embedding::{Embedding, embed, similarity};

const FILE: &str = include_str!("../../data/indicators.tsv");

/// How similar a question and the description of an indicator have to be, and how much more similar than the next one.
const ALIKE: f32 = 0.35;
const CLEARLY: f32 = 0.05;

static MEANINGS: LazyLock<Vec<(&'static str, Embedding)>> = LazyLock::new(|| {
    table::rows(FILE)
        .map(|[series, said]| (series, embed(said)))
        .collect()
});

/// The series that a question means, judged by its words.
pub(super) fn meant(question: &str) -> Option<&'static str> {
    let asked = embed(question);
    let mut alike: Vec<(f32, &str)> = MEANINGS
        .iter()
        .map(|(series, meaning)| (similarity(&asked, meaning), *series))
        .collect();
    alike.sort_by(|left, right| right.0.total_cmp(&left.0));
    let [(best, series), (next, _), ..] = alike[..] else {
        return None;
    };
    (best >= ALIKE && best - next >= CLEARLY).then_some(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 2, 1), None);
        for [series, _] in table::rows(FILE) {
            assert!(
                verify::figures::KnownSeries::find(series).is_some(),
                "{series}"
            );
        }
    }

    #[test]
    fn an_indicator_is_known_by_what_it_measures() {
        for (question, expected) in [
            (
                "how many people are looking for work right now",
                Some("unemployment"),
            ),
            (
                "what does a ten year treasury pay at present",
                Some("ust_10y"),
            ),
            ("are groceries getting more expensive", Some("inflation")),
            ("are households feeling gloomy", Some("consumer_sentiment")),
            ("is the economy shrinking", Some("real_gdp")),
            ("give me the macro picture", None),
        ] {
            assert_eq!(meant(question), expected, "{question}");
        }
    }
}
