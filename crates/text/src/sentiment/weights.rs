//! Fitted weights, keyed by what they apply to: how far each feature of a text pulls away from neutral.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::lexed::{extend, lower_hash};
use crate::annotate::phrases::rows;

/// Polarity at which neutral stops being the most probable reading.
const NEUTRAL: f32 = 0.1;

/// The pull towards positive and towards negative, as log odds against neutral.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    pub(super) positive: f32,
    pub(super) negative: f32,
}

/// A table of weights, keyed by the hash of the words that they belong to.
#[derive(Debug, Default)]
pub(super) struct Weights {
    pulls: FxHashMap<u64, Pull>,
    base: Pull,
}

impl Weights {
    /// Reads rows of words, weight towards positive and weight towards negative, in hundredths. The row without words
    /// is the prior, before any feature is seen.
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

    /// A sum to which features are added.
    pub(super) fn sum(&self) -> Sum<'_> {
        Sum {
            weights: self,
            seen: FxHashSet::default(),
            pull: self.base,
        }
    }
}

/// The features seen so far, each counted once.
#[derive(Debug)]
pub(super) struct Sum<'w> {
    weights: &'w Weights,
    seen: FxHashSet<u64>,
    pull: Pull,
}

impl Sum<'_> {
    /// Adds words by their hash, unless they have already been added.
    pub(super) fn add(&mut self, key: u64) {
        if let Some(pull) = self.weights.pulls.get(&key)
            && self.seen.insert(key)
        {
            self.pull(*pull, 1.0);
        }
    }

    /// Adds a weight multiplied by another factor.
    pub(super) fn pull(&mut self, pull: Pull, by: f32) {
        self.pull.positive += by * pull.positive;
        self.pull.negative += by * pull.negative;
    }

    /// The polarity, -1 to 1. Neutral is the most probable reading within a tenth of zero, and only there. Evidence for
    /// the other side reduces the strength of a polarity but does not change its side.
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

/// The minimum distance of a polarity from the neutral range.
const BEYOND: f32 = 0.005;

/// Converts log odds against neutral into a polarity. Even odds are the border of neutral.
fn scaled(odds: f32) -> f32 {
    let odds = odds.clamp(-20.0, 20.0).exp();
    let share = odds / (1.0 + odds);
    if share < 0.5 {
        NEUTRAL * share / 0.5
    } else {
        NEUTRAL + (1.0 - NEUTRAL) * (share - 0.5) / 0.5
    }
}
