//! A claim or a passage, read once for all comparisons.

use model::{Day, Timestamp, table};
use text::sentence;
use text::statement::proposition::Proposition;

use super::days::Days;
use super::figures::{self, Figure};
use super::names::Names;
use super::overlap::is_barely_shared;
use crate::figures::token::cut;

/// Phrases used in corrections.
const CORRECTIONS: &str = include_str!("../../data/corrections.txt");
/// Number of sentences in a passage that are compared with a claim.
const MOST_SENTENCES: usize = 40;

/// A claim or a passage: its sentences with the names, figures and days in them.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    pub(super) sentences: Vec<Proposition<'a>>,
    pub(super) names: Names,
    /// The names in each sentence.
    pub(super) of_sentences: Vec<Names>,
    /// The figures in each sentence.
    pub(super) figures: Vec<Vec<Figure>>,
    pub(super) days: Days,
    pub(super) published: Option<Day>,
}

impl<'a> Reading<'a> {
    /// Reads a claim as a single sentence.
    pub fn of_claim(text: &'a str) -> Self {
        Self::of_sentences([text], None)
    }

    /// Reads the sentences of a text with this publication time.
    pub fn of_sentences(
        texts: impl IntoIterator<Item = &'a str>,
        published: Option<Timestamp>,
    ) -> Self {
        let sentences: Vec<Proposition<'a>> = texts
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .take(MOST_SENTENCES)
            .map(Proposition::parse)
            .collect();
        let mut days = Days::default();
        let mut read = Vec::with_capacity(sentences.len());
        for sentence in &sentences {
            let tokens = cut(sentence.text);
            let own = Days::read(&tokens);
            read.push(figures::read(&tokens, &own));
            days.add(own);
        }
        let of_sentences: Vec<Names> = sentences.iter().map(Names::read).collect();
        let mut names = Names::default();
        for of_sentence in &of_sentences {
            names.add(of_sentence);
        }
        Self {
            names,
            of_sentences,
            sentences,
            figures: read,
            days,
            published: published.map(Day::of),
        }
    }

    /// Reads sentences together with their headline, either of which may be empty.
    pub fn of_passage(title: &'a str, text: &'a str, published: Option<Timestamp>) -> Self {
        Self::of_sentences(
            std::iter::once(title).chain(sentence::split(text)),
            published,
        )
    }

    /// Whether a sentence only expects, forecasts or considers something possible.
    pub fn is_forecast(&self) -> bool {
        const WORDS: [&str; 24] = [
            "expect",
            "expects",
            "expected",
            "expecting",
            "analyst",
            "analysts",
            "forecast",
            "forecasts",
            "forecasting",
            "predict",
            "predicts",
            "predicted",
            "prediction",
            "could",
            "may",
            "might",
            "likely",
            "projects",
            "projected",
            "bet",
            "bets",
            "sees",
            "estimates",
            "rumoured",
        ];
        self.sentences
            .iter()
            .flat_map(|sentence| &sentence.words)
            // The month.
            .filter(|word| word.text != "May")
            .any(|word| {
                WORDS
                    .iter()
                    .any(|known| word.text.eq_ignore_ascii_case(known))
            })
    }

    /// Whether a text says that it corrects an earlier report.
    pub fn is_correction(&self) -> bool {
        self.sentences.iter().any(|sentence| {
            let lower = sentence.text.trim().to_lowercase();
            table::lines(CORRECTIONS).any(|phrase| {
                if phrase.ends_with([':', '-']) {
                    lower.starts_with(phrase)
                } else {
                    lower.contains(phrase)
                }
            })
        })
    }

    /// Whether a passage has at most one of the several words with which this claim makes its statement: that is a word
    /// in common and no more, however similar the others are in meaning.
    pub fn is_barely_shared_by(&self, passage: &Reading<'_>) -> bool {
        self.sentences
            .first()
            .is_some_and(|claim| is_barely_shared(claim, &passage.sentences))
    }

    /// Whether it names a day, month or year: what was true then is not changed by what was true later.
    pub fn names_time(&self) -> bool {
        !self.days.named.is_empty()
    }

    /// Whether it has a figure.
    pub fn has_figures(&self) -> bool {
        self.all_figures().next().is_some()
    }

    /// Every figure.
    pub(super) fn all_figures(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_in_common_is_not_enough() {
        let is_barely_shared = |claim: &str, passage: &str| {
            Reading::of_claim(claim).is_barely_shared_by(&Reading::of_passage(passage, "", None))
        };
        assert!(is_barely_shared(
            "qwzzlkrefghij abc",
            "ABC News airs an interview"
        ));
        assert!(!is_barely_shared("Bitcoin fell", "Bitcoin drops on Monday"));
        assert!(!is_barely_shared("Bitcoin fell", "Bitcoin fell on Monday"));
        assert!(!is_barely_shared("It was Bitcoin", "Bitcoin fell"));
        assert!(!is_barely_shared("Velden resigned", "Velden steps down"));
    }

    #[test]
    fn a_correction_says_so() {
        let reads =
            |title: &str, text: &str| Reading::of_passage(title, text, None).is_correction();
        assert!(reads("CORRECTED-Northwind pays $1.2 billion", ""));
        assert!(reads(
            "Northwind buys Velden",
            "It pays $1.2 billion. An earlier version of this article gave another sum."
        ));
        assert!(reads("", "Growth was revised down to 1.1 percent."));
        assert!(!reads(
            "Shares correct after rally",
            "The correction took the index down by a tenth."
        ));
    }
}
