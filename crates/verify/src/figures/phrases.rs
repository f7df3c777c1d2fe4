//! The phrase tables: what a stretch of words means, the longest phrase first.

use std::sync::LazyLock;

use model::table;
use rustc_hash::{FxHashMap, FxHashSet};

use super::token::{Join, Token, cut};

const RELATIONS: &str = include_str!("../../data/figures/relations.tsv");
const MEASURES: &str = include_str!("../../data/figures/measures.tsv");
const UNITS: &str = include_str!("../../data/figures/units.tsv");
const SUBJECTS: &str = include_str!("../../data/figures/subjects.tsv");
const BASES: &str = include_str!("../../data/figures/basis.tsv");
const FILLERS: &str = include_str!("../../data/figures/fillers.txt");
const FOREIGN: &str = include_str!("../../data/figures/foreign.txt");

/// Phrases with their codes.
#[derive(Debug)]
pub(super) struct Phrases {
    /// By first word; the longest first.
    by_first: FxHashMap<String, Vec<(Vec<String>, &'static str)>>,
}

pub(super) static RELATION: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_table(RELATIONS));
pub(super) static MEASURE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_table(MEASURES));
pub(super) static UNIT: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_table(UNITS));
pub(super) static SUBJECT: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_table(SUBJECTS));
pub(super) static BASIS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_table(BASES));
pub(super) static ELSEWHERE: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of(table::lines(FOREIGN).map(|phrase| ("foreign", phrase))));
static FILLER: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    table::lines(FILLERS)
        .flat_map(|line| line.split(' '))
        .collect()
});

impl Phrases {
    fn of_table(file: &'static str) -> Self {
        let rows = table::rows(file);
        Self::of(
            rows.flat_map(|[code, phrases]| phrases.split('|').map(move |phrase| (code, phrase))),
        )
    }

    fn of(rows: impl Iterator<Item = (&'static str, &'static str)>) -> Self {
        let mut by_first: FxHashMap<String, Vec<(Vec<String>, &'static str)>> =
            FxHashMap::default();
        for (code, phrase) in rows {
            let words: Vec<String> = cut(phrase).into_iter().map(spelling).collect();
            if let Some(first) = words.first() {
                by_first
                    .entry(first.clone())
                    .or_default()
                    .push((words, code));
            }
        }
        for rows in by_first.values_mut() {
            rows.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self { by_first }
    }

    /// The longest phrase that begins with a token: its code and how many tokens it has. A phrase does not extend
    /// across commas or sentences.
    pub(super) fn at(&self, tokens: &[Token<'_>], at: usize) -> Option<(&'static str, usize)> {
        self.within(tokens, at, usize::MAX)
    }

    /// The same among phrases with at most this number of tokens.
    pub(super) fn within(
        &self,
        tokens: &[Token<'_>],
        at: usize,
        most: usize,
    ) -> Option<(&'static str, usize)> {
        let first = tokens.get(at)?;
        let rows = self.by_first.get(first.lower.as_str())?;
        rows.iter()
            .filter(|(words, _)| words.len() <= most)
            .find_map(|(words, code)| {
                let found = tokens.get(at..at + words.len())?;
                let fits = found
                    .iter()
                    .zip(words)
                    .enumerate()
                    .all(|(place, (token, word))| {
                        token.lower == *word
                            && (place == 0 || !matches!(token.join, Join::Break | Join::Stop))
                    });
                fits.then_some((*code, words.len()))
            })
    }
}

fn spelling(token: Token<'_>) -> String {
    token.lower
}

/// Whether a word changes nothing in a claim about a figure.
pub(super) fn is_filler(token: &Token<'_>) -> bool {
    let word = token.lower.as_str();
    FILLER.contains(word) || word.len() > 4 && word.ends_with("ly")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound() {
        for (name, file) in [
            ("relations", RELATIONS),
            ("measures", MEASURES),
            ("units", UNITS),
            ("subjects", SUBJECTS),
            ("bases", BASES),
        ] {
            assert_eq!(table::fault(file, 2, 1), None, "{name}");
            for [code, phrases] in table::rows(file) {
                for phrase in phrases.split('|') {
                    assert!(
                        !cut(phrase).is_empty(),
                        "{name}: {code} has an empty phrase"
                    );
                    assert_eq!(phrase, phrase.to_lowercase(), "{name}: {code}");
                }
            }
        }
    }

    #[test]
    fn no_phrase_has_two_meanings_in_a_table() {
        for (name, file) in [
            ("relations", RELATIONS),
            ("measures", MEASURES),
            ("units", UNITS),
            ("subjects", SUBJECTS),
            ("bases", BASES),
        ] {
            let mut seen: FxHashMap<Vec<String>, &str> = FxHashMap::default();
            for [code, phrases] in table::rows(file) {
                for phrase in phrases.split('|') {
                    let words: Vec<String> = cut(phrase).into_iter().map(spelling).collect();
                    let other = seen.insert(words, code);
                    assert!(
                        other.is_none_or(|other| other == code),
                        "{name}: {phrase:?} is both {code} and {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_longest_phrase_counts() {
        let tokens = cut("core CPI inflation, S&P 500's");
        assert_eq!(SUBJECT.at(&tokens, 0), Some(("core_inflation", 3)));
        assert_eq!(SUBJECT.at(&tokens, 3), Some(("sp500", 2)));
    }
}
