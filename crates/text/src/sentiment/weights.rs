//! Fitted weights, by what they are for: how far each thing that is seen in a text pulls away from neutral.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::lexed::{extend, lower_hash};
use crate::annotate::phrases::rows;

/// Polarity at which neutral stops being the most probable reading.
const NEUTRAL: f32 = 0.1;

/// Towards positive and towards negative, as logarithms of odds against neutral.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    pub(super) positive: f32,
    pub(super) negative: f32,
}

/// A table of weights by the hash of the words that they belong to.
#[derive(Debug, Default)]
pub(super) struct Weights {
    pulls: FxHashMap<u64, Pull>,
    base: Pull,
}

impl Weights {
    /// Reads rows of words, weight towards positive and weight towards negative, in hundredths. The row without words
    /// is what holds before anything was seen.
    pub(super) fn parse(data: &'static str) -> Self {
        let mut weights = Self::default();
        for mut row in rows(data) {
            let words = row.next().unwrap_or("");
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
            if words.is_empty() {
                weights.base = pull;
            } else {
                let key = words
                    .split(' ')
                    .fold(0, |key, word| extend(key, lower_hash(word)));
                weights.pulls.insert(key, pull);
            }
        }
        weights
    }

    /// The weight of some words.
    pub(super) fn of(&self, key: u64) -> Pull {
        self.pulls.get(&key).copied().unwrap_or_default()
    }

    /// A sum to which what is seen is added.
    pub(super) fn sum(&self) -> Sum<'_> {
        Sum {
            weights: self,
            seen: FxHashSet::default(),
            pull: self.base,
        }
    }
}

/// What was seen so far, each thing once.
#[derive(Debug)]
pub(super) struct Sum<'w> {
    weights: &'w Weights,
    seen: FxHashSet<u64>,
    pull: Pull,
}

impl Sum<'_> {
    /// Adds words by their hash, unless they were added before.
    pub(super) fn add(&mut self, key: u64) {
        if let Some(pull) = self.weights.pulls.get(&key)
            && self.seen.insert(key)
        {
            self.pull(*pull, 1.0);
        }
    }

    /// Adds a weight that something else multiplies.
    pub(super) fn pull(&mut self, pull: Pull, by: f32) {
        self.pull.positive += by * pull.positive;
        self.pull.negative += by * pull.negative;
    }

    /// The polarity, -1 to 1. Within a tenth of zero neutral is the most probable reading, and only there: what speaks
    /// for the other side takes from the strength of a polarity, not from its side.
    pub(super) fn polarity(&self) -> f32 {
        let (good, bad) = (scaled(self.pull.positive), scaled(self.pull.negative));
        if good > NEUTRAL && good >= bad {
            (good - bad).max(NEUTRAL + BEYOND)
        } else if bad > NEUTRAL {
            (good - bad).min(-(NEUTRAL + BEYOND))
        } else {
            good - bad
        }
    }
}

/// The least that a polarity lies beyond neutral.
const BEYOND: f32 = 0.005;

/// From the logarithm of the odds against neutral to a polarity: even odds are the border of neutral.
fn scaled(odds: f32) -> f32 {
    let odds = odds.clamp(-20.0, 20.0).exp();
    let share = odds / (1.0 + odds);
    if share < 0.5 {
        NEUTRAL * share / 0.5
    } else {
        NEUTRAL + (1.0 - NEUTRAL) * (share - 0.5) / 0.5
    }
}
