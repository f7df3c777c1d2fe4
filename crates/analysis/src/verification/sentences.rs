//! How much of a claim's words a sentence has, by rareness: the quick look before the close one.

use rustc_hash::FxHashMap;
use text::statement::proposition::Proposition;

/// The words of a claim with their weights.
pub(super) struct Words {
    weights: FxHashMap<u32, f32>,
    total: f32,
}

/// The share of the words of a question that stand in a text, by rareness, 0 to 1.
pub fn share_of_words(question: &str, text: &str) -> f32 {
    Words::of(question).share(&[text])
}

impl Words {
    pub(super) fn of(claim: &str) -> Self {
        let weights: FxHashMap<u32, f32> = Proposition::parse(claim)
            .words
            .iter()
            .filter_map(|word| Some((word.stem?, word.rarity)))
            .collect();
        Self {
            total: weights.values().sum(),
            weights,
        }
    }

    /// The share of the words that stand in any of these texts, 0 to 1.
    pub(super) fn share(&self, texts: &[&str]) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let mut found: Vec<u32> = texts
            .iter()
            .flat_map(|text| text::token::words(text))
            .filter_map(text::features::stem_hash)
            .filter(|stem| self.weights.contains_key(stem))
            .collect();
        found.sort_unstable();
        found.dedup();
        let sum: f32 = found.iter().filter_map(|stem| self.weights.get(stem)).sum();
        sum / self.total
    }
}
