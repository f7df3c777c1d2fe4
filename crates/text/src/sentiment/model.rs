//! Fitted weights for words and pairs of words, which complement the rules.

use std::sync::LazyLock;

use super::weights::Weights;
use crate::annotate::lexed::{Token, extend, lower_hash, shape};

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_str!("../../data/sentiment/model.tsv")));

static NUMBER: LazyLock<u64> = LazyLock::new(|| lower_hash("#"));
static RULES_UP: LazyLock<u64> = LazyLock::new(|| extend(0, lower_hash("+")));
static RULES_DOWN: LazyLock<u64> = LazyLock::new(|| extend(0, lower_hash("-")));

/// The polarity of a sentence, -1 to 1, from its words and the result of the rules. Within a tenth of zero, neutral is
/// the most probable reading.
pub(crate) fn polarity(tokens: &[Token<'_>], rules: f32, explained: &[usize]) -> f32 {
    let mut sum = WEIGHTS.sum();
    sum.pull(WEIGHTS.of(*RULES_UP), rules.clamp(0.0, 4.0));
    sum.pull(WEIGHTS.of(*RULES_DOWN), (-rules).clamp(0.0, 4.0));
    let mut before = None;
    for (at, token) in tokens.iter().enumerate() {
        // `inflation jumps` was covered by the rules. The words alone would count it as positive.
        if explained.contains(&at) {
            before = None;
            continue;
        }
        let word = if token.is(shape::NUMBER) {
            *NUMBER
        } else {
            token.lower
        };
        let single = extend(0, word);
        sum.add(single);
        if let Some(before) = before {
            sum.add(extend(before, word));
        }
        before = Some(single);
    }
    sum.polarity()
}
