//! Whether a passage supports a claim, contradicts it or leaves it open.
//!
//! The reading has two steps. [`Features`] are measured facts about the two texts: how much of the claim the passage covers,
//! weighted by rareness, where names, figures, days, denials and directions agree or collide. A small model, fitted on
//! public pairs of claims and evidence and on the simulated newswire, and stored as a table, turns them into three shares
//! that add up to one. No word of a passage is an instruction: passages are only compared.

mod asserted;
mod days;
mod directions;
mod features;
mod figures;
mod names;
mod opposites;
mod overlap;
mod reading;

use std::sync::LazyLock;

pub use features::{FEATURES, Features};
pub use reading::Reading;
use text::trees::Trees;

const TABLE: &str = include_str!("../data/stance.tsv");

/// Supports, contradicts, neutral.
static MODEL: LazyLock<Trees<3>> = LazyLock::new(|| Trees::parse(TABLE));

/// 1 for a word of more, -1 for one of less, 0 for any other; in lower case.
pub fn direction_of(word: &str) -> i8 {
    directions::sign(word)
}

/// Whether a text says which way something goes: `rises`, `fewer`.
pub(crate) fn names_direction(text: &str) -> bool {
    directions::counts(&text::statement::proposition::Proposition::parse(text)) != (0, 0)
}

/// How a passage relates to a claim: three shares that add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The passage states what the claim states.
    pub supports: f64,
    /// The passage states what the claim excludes.
    pub contradicts: f64,
    /// The passage leaves the claim open.
    pub neutral: f64,
}

impl Stance {
    /// Measures a passage by a claim.
    pub fn of(claim: &Reading<'_>, passage: &Reading<'_>) -> Self {
        Self::from_features(&Features::of(claim, passage))
    }

    /// The same with both sides weaker by a factor of 0 to 1.
    pub fn fainter(self, factor: f64) -> Self {
        let (supports, contradicts) = (self.supports * factor, self.contradicts * factor);
        Self {
            supports,
            contradicts,
            neutral: 1.0 - supports - contradicts,
        }
    }

    /// The same of a passage that cannot be on one side, or on the other.
    pub fn without(self, supports: bool, contradicts: bool) -> Self {
        let supports = if supports { 0.0 } else { self.supports };
        let contradicts = if contradicts { 0.0 } else { self.contradicts };
        Self {
            supports,
            contradicts,
            neutral: 1.0 - supports - contradicts,
        }
    }

    /// What the model makes of measured features.
    pub fn from_features(features: &Features) -> Self {
        let [supports, contradicts, neutral] = MODEL.shares(features.values());
        Self {
            supports,
            contradicts,
            neutral,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_sound() {
        assert_eq!(Trees::<3>::fault(TABLE, FEATURES.len()), None);
    }
}
