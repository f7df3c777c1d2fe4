//! A plain linear model of words and pairs of words: what a method has to beat.
//!
//! Multinomial logistic regression by `AdaGrad`, fitted where it is measured and thrown away. Deterministic.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

const ROUNDS: usize = 8;
const RATE: f32 = 0.15;
/// How strongly weights are drawn back to zero.
const SHRINK: f32 = 2e-5;

/// Weights of `N` classes by the hash of a word or pair.
pub(crate) struct Linear<const N: usize> {
    weights: FxHashMap<u64, [f32; N]>,
}

impl<const N: usize> Linear<N> {
    /// Fits texts with their classes.
    pub(crate) fn fit(rows: &[(String, usize)]) -> Self {
        let rows: Vec<(Vec<u64>, usize)> = rows
            .iter()
            .map(|(text, class)| (grams(text), *class))
            .collect();
        let mut model = Self {
            weights: FxHashMap::default(),
        };
        let mut steps: FxHashMap<u64, [f32; N]> = FxHashMap::default();
        for _ in 0..ROUNDS {
            for (grams, class) in &rows {
                let odds = model.odds(grams);
                for gram in grams {
                    let weights = model.weights.entry(*gram).or_insert([0.0; N]);
                    let steps = steps.entry(*gram).or_insert([1e-6; N]);
                    for at in 0..N {
                        let wanted = if at == *class { 1.0 } else { 0.0 };
                        let slope = odds[at] - wanted + SHRINK * weights[at];
                        steps[at] += slope * slope;
                        weights[at] -= RATE * slope / steps[at].sqrt();
                    }
                }
            }
        }
        model
    }

    /// The most probable class of a text.
    pub(crate) fn class(&self, text: &str) -> usize {
        let odds = self.odds(&grams(text));
        (0..N)
            .max_by(|left, right| odds[*left].total_cmp(&odds[*right]))
            .unwrap_or(0)
    }

    fn odds(&self, grams: &[u64]) -> [f32; N] {
        let mut sums = [0.0_f32; N];
        for weights in grams.iter().filter_map(|gram| self.weights.get(gram)) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        let odds = sums.map(|sum| (sum - most).exp());
        let total: f32 = odds.iter().sum();
        odds.map(|odd| odd / total)
    }
}

/// Words in lower case, numbers as one, and pairs of neighbours; the empty word stands for what holds for every text.
fn grams(text: &str) -> Vec<u64> {
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                "#"
            } else {
                word
            }
        })
        .collect();
    let pairs = words.windows(2).map(|pair| hasher.hash_one(pair));
    let mut grams: Vec<u64> = std::iter::once("")
        .chain(words.iter().copied())
        .map(|word| hasher.hash_one(word))
        .chain(pairs)
        .collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_which_word_decides() {
        let rows: Vec<(String, usize)> = ["shares", "gold", "oil", "wheat"]
            .iter()
            .flat_map(|what| [(format!("{what} rise"), 1), (format!("{what} fall"), 0)])
            .collect();
        let model = Linear::<2>::fit(&rows);
        assert_eq!(model.class("copper rise"), 1);
        assert_eq!(model.class("copper fall"), 0);
    }
}
