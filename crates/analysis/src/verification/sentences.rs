//! How much of a claim a sentence covers, with words weighted by rarity: the quick look before the close one.

use rustc_hash::{FxHashMap, FxHashSet};
use text::features::{sign_terms, sign_terms_within, stem_hash};
use text::statement::proposition::Proposition;
use verify::places;

/// The words of a claim with their weights.
pub(super) struct Words {
    weights: FxHashMap<u32, f32>,
    /// Other words for its places, such as `French` for `France`, each with the word in the claim that it stands for.
    others: FxHashMap<u32, u32>,
    total: f32,
}

/// The weight of a pair of characters in a script without spaces: that of a rare word.
const PAIR: f32 = 5.0;

/// The share of a question's words that occur in a text, weighted by rarity, 0 to 1. In scripts without spaces each
/// pair of characters counts as a word.
pub fn share_of_words(question: &str, text: &str) -> f32 {
    let mut words = Words::of(question);
    let pairs: FxHashSet<u32> = sign_terms(question).collect();
    if pairs.is_empty() {
        return words.share(&[text]);
    }
    // There, the first pair of a run may stand for the whole run.
    words.weights.retain(|stem, _| !pairs.contains(stem));
    words.total = words.weights.values().sum();
    let mut found: Vec<u32> = sign_terms_within(text)
        .filter(|pair| pairs.contains(pair))
        .collect();
    found.sort_unstable();
    found.dedup();
    let of_pairs = PAIR * pairs.len() as f32;
    let sum = words.share(&[text]) * words.total + PAIR * found.len() as f32;
    sum / (words.total + of_pairs)
}

impl Words {
    pub(super) fn of(claim: &str) -> Self {
        let weights: FxHashMap<u32, f32> = Proposition::parse(claim)
            .words
            .iter()
            .filter_map(|word| Some((word.stem?, word.rarity)))
            .collect();
        let mut others = FxHashMap::default();
        for place in places::named(claim) {
            // A single word of `New Zealand` or `United States` does not name the country, and `us` is a common word.
            let is_one = |word: &&str| word.len() > 2 && !word.contains([' ', '-']);
            let written = claim.get(place.bytes.clone()).filter(is_one);
            if let Some(own) = written.and_then(stem_hash) {
                let words = place.words().filter(is_one);
                others.extend(words.filter_map(stem_hash).map(|other| (other, own)));
            }
        }
        Self {
            total: weights.values().sum(),
            weights,
            others,
        }
    }

    /// The share of the words that occur in any of these texts, 0 to 1.
    pub(super) fn share(&self, texts: &[&str]) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let mut found: Vec<u32> = texts
            .iter()
            .flat_map(|text| text::token::words(text))
            .filter_map(|word| {
                let stem = stem_hash(word)?;
                let own = self.weights.contains_key(&stem).then_some(stem);
                // `polish` does not mean Poland.
                let is_capital = word.starts_with(char::is_uppercase);
                own.or_else(|| self.others.get(&stem).copied().filter(|_| is_capital))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        let sum: f32 = found.iter().filter_map(|stem| self.weights.get(stem)).sum();
        sum / self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_spaces_is_found_by_pairs_of_signs() {
        let said = "苹果公司第四季度营收增长。";
        for question in ["营收增长", "苹果公司", "营", "季度"] {
            assert_eq!(share_of_words(question, said), 1.0, "{question}");
        }
        assert_eq!(share_of_words("収益", "第四四半期の収益は増えた"), 1.0);
        assert_eq!(share_of_words("营收下降", said), 1.0 / 3.0);
        assert_eq!(share_of_words("长营", said), 0.0);
        assert_eq!(share_of_words("营收增长", "Revenue grew."), 0.0);
        // Words next to them count too.
        let mixed = share_of_words("NVIDIA 营收", "NVIDIA revenue grew");
        assert!(mixed > 0.2 && mixed < 0.8, "{mixed}");
    }

    #[test]
    fn a_place_is_told_by_the_word_for_its_people() {
        let share = |claim: &str, text: &str| Words::of(claim).share(&[text]);
        assert_eq!(
            share("France's economy shrinks", "French economy shrinks"),
            1.0
        );
        assert_eq!(share("Russian gas flows", "Gas from Russia flows"), 1.0);
        assert_eq!(
            share("New Zealand", "A new film"),
            share("New Zealand", "a new")
        );
        let american = share("American gas flows", "gas flows");
        assert_eq!(
            share("American gas flows", "United gas flows to us"),
            american
        );
        assert_eq!(share("France", "Paris"), 0.0);
        assert_eq!(share("Poland", "They polish it"), 0.0);
    }
}
