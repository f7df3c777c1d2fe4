//! How alike found and given texts are.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::score::ratio;

/// Words to a shingle.
const SHINGLE: usize = 4;

/// Means over the texts of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    /// F1 of the words of a text, each counted as often as it occurs, without regard to case.
    pub(super) words: f64,
    /// Precision of shingles over the texts that were found at all.
    pub(super) precision: f64,
    /// Recall of shingles.
    pub(super) recall: f64,
}

impl Likeness {
    /// Pairs of the found and the given text.
    pub(super) fn of<'text>(pairs: impl Iterator<Item = (&'text str, &'text str)>) -> Self {
        let (mut words, mut precision, mut recall) = (Vec::new(), Vec::new(), Vec::new());
        for (found, given) in pairs {
            let lower = |text: &str| counts(text::token::words(text).map(str::to_lowercase));
            let overlap = overlap(&lower(found), &lower(given));
            words.push(ratio(2.0 * overlap.0 * overlap.1, overlap.0 + overlap.1));
            let (found, given) = (tokens(found), tokens(given));
            let shared = overlap_of(&found, &given);
            if !found.is_empty() {
                precision.push(shared.0);
            }
            if !given.is_empty() {
                recall.push(shared.1);
            }
        }
        Self {
            words: mean(&words),
            precision: mean(&precision),
            recall: mean(&recall),
        }
    }

    /// Of the mean precision and the mean recall.
    pub(super) fn f1(self) -> f64 {
        ratio(
            2.0 * self.precision * self.recall,
            self.precision + self.recall,
        )
    }
}

/// Runs of letters, figures and underscores, as `\w+` finds them.
fn tokens(text: &str) -> Vec<&str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|token| !token.is_empty())
        .collect()
}

fn overlap_of(found: &[&str], given: &[&str]) -> (f64, f64) {
    let shingles = |tokens: &[&str]| {
        let size = SHINGLE.min(tokens.len()).max(1);
        counts(tokens.windows(size).map(|window| window.join(" ")))
    };
    overlap(&shingles(found), &shingles(given))
}

fn counts<T: Eq + Hash>(items: impl Iterator<Item = T>) -> FxHashMap<T, f64> {
    let mut counts = FxHashMap::default();
    for item in items {
        *counts.entry(item).or_default() += 1.0;
    }
    counts
}

/// Precision and recall.
fn overlap<T: Eq + Hash>(found: &FxHashMap<T, f64>, given: &FxHashMap<T, f64>) -> (f64, f64) {
    let shared: f64 = found
        .iter()
        .map(|(item, times)| times.min(*given.get(item).unwrap_or(&0.0)))
        .sum();
    (
        ratio(shared, found.values().sum()),
        ratio(shared, given.values().sum()),
    )
}

fn mean(values: &[f64]) -> f64 {
    ratio(values.iter().sum(), values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_text_has_half_the_recall() {
        let given = "one two three four five six seven";
        let whole = Likeness::of([(given, given)].into_iter());
        assert_eq!((whole.words, whole.f1()), (1.0, 1.0));
        let part = Likeness::of([("one two three four five", given)].into_iter());
        assert_eq!((part.precision, part.recall), (1.0, 0.5));
        let none = Likeness::of([("", given)].into_iter());
        assert_eq!((none.words, none.recall, none.f1()), (0.0, 0.0, 0.0));
    }
}
