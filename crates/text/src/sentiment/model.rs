//! Fitted weights of words and pairs of words, which share the work with the rules.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::lexed::{Token, extend, lower_hash, shape};
use crate::annotate::phrases::rows;

#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    positive: f32,
    negative: f32,
}

#[derive(Debug, Default)]
struct Model {
    base: Pull,
    rules_up: Pull,
    rules_down: Pull,
    grams: FxHashMap<u64, Pull>,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let mut model = Model::default();
    for mut row in rows(include_str!("../../data/sentiment/model.tsv")) {
        let gram = row.next().unwrap_or("");
        let mut weight = || {
            row.next()
                .and_then(|weight| weight.parse::<f32>().ok())
                .unwrap_or(0.0)
                / 100.0
        };
        let pull = Pull {
            positive: weight(),
            negative: weight(),
        };
        match gram {
            "" => model.base = pull,
            "+" => model.rules_up = pull,
            "-" => model.rules_down = pull,
            gram => {
                model.grams.insert(
                    gram.split(' ')
                        .fold(0, |key, word| extend(key, lower_hash(word))),
                    pull,
                );
            }
        }
    }
    model
});

/// Tone at which a sentence stops to be neutral.
const NEUTRAL: f32 = 0.1;

/// The tone of a sentence, -1 to 1, from its words and what the rules say. Within a tenth of zero neutral is the most
/// probable reading.
pub(crate) fn tone(tokens: &[Token<'_>], rules: f32, explained: &[usize]) -> f32 {
    let model = &*MODEL;
    let number = lower_hash("#");
    let (up, down) = (rules.clamp(0.0, 4.0), (-rules).clamp(0.0, 4.0));
    let mut positive =
        model.base.positive + up * model.rules_up.positive + down * model.rules_down.positive;
    let mut negative =
        model.base.negative + up * model.rules_up.negative + down * model.rules_down.negative;
    let mut seen = FxHashSet::default();
    let mut add = |key: u64| {
        if let Some(pull) = model.grams.get(&key)
            && seen.insert(key)
        {
            positive += pull.positive;
            negative += pull.negative;
        }
    };
    let mut before = None;
    for (at, token) in tokens.iter().enumerate() {
        // `inflation jumps` was read by the rules; the words alone would praise it.
        if explained.contains(&at) {
            before = None;
            continue;
        }
        let word = if token.is(shape::NUMBER) {
            number
        } else {
            token.lower
        };
        let single = extend(0, word);
        add(single);
        if let Some(before) = before {
            add(extend(before, word));
        }
        before = Some(single);
    }
    let (positive, negative) = (
        positive.clamp(-20.0, 20.0).exp(),
        negative.clamp(-20.0, 20.0).exp(),
    );
    scaled(positive) - scaled(negative)
}

/// From the odds against neutral to a tone: even odds are the border of neutral.
fn scaled(odds: f32) -> f32 {
    let share = odds / (1.0 + odds);
    if share < 0.5 {
        NEUTRAL * share / 0.5
    } else {
        NEUTRAL + (1.0 - NEUTRAL) * (share - 0.5) / 0.5
    }
}
