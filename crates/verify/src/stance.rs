//! Whether a passage supports a claim, contradicts it or leaves it open.
//!
//! The reading has two steps. [`Features`] are measured facts about the two texts: how much of the claim the passage covers,
//! weighted by rareness, where names, figures, days, denials and directions agree or collide. A small model, fitted on
//! public pairs of claims and evidence and on the simulated newswire, and stored as a table, turns them into three shares
//! that add up to one. Then a transformer reads the wording of both together ([`Wording`]), which takes a thousand times
//! longer, and the two are joined. No word of a passage is an instruction: passages are only compared.

mod aligned;
mod asserted;
mod contests;
mod days;
mod directions;
mod features;
mod figures;
mod names;
mod opposites;
mod overlap;
mod reading;
mod setting;
mod speakers;
mod tallies;
mod turned;

use std::sync::LazyLock;

use encoder::stance::{self as wording, Pair};
pub use features::{FEATURES, Features};
pub use reading::Reading;
pub use setting::Setting;
use text::embedding::word_pieces;
use text::trees::Trees;
pub use turned::Roles;

const TABLE: &str = include_str!("../data/stance.tsv");

/// Supports, contradicts, neutral.
static MODEL: LazyLock<Trees<3>> = LazyLock::new(|| Trees::parse(TABLE));

/// What the logarithms of the measured shares and of those of the wording weigh, and what is added for each class. On the written claims that were
/// kept out of both models 0.202, 0.813, 0.205 and 0.023 fit best (`scripts/fit_encoder.py`); these are sharper and heed what is measured more,
/// which was chosen on claims about news with the thresholds of a verdict (docs/decisions/0023).
const MEASURED: f64 = 1.2;
const READ: f64 = 1.1;
const SHIFTS: [f64; 3] = [0.2, 0.0, 0.0];
/// No measured share counts as less.
const LEAST_SHARE: f64 = 1e-4;

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

/// What the wording of a passage does to a claim: logarithms of three shares, up to what they have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wording([f32; 3]);

impl Wording {
    /// Reads each claim with its passage.
    pub fn of(pairs: &[(&Reading<'_>, &Reading<'_>)]) -> Vec<Self> {
        let pairs: Vec<Pair> = pairs
            .iter()
            .map(|(claim, passage)| Pair::new(&pieces(claim), &pieces(passage)))
            .collect();
        wording::read(&pairs).into_iter().map(Self).collect()
    }

    /// The share of support by the wording alone.
    pub fn supports(self) -> f64 {
        let shares = self.0.map(|logarithm| f64::from(logarithm).exp());
        shares[0] / shares.iter().sum::<f64>()
    }
}

fn pieces(reading: &Reading<'_>) -> Vec<u16> {
    reading
        .sentences
        .iter()
        .flat_map(|sentence| word_pieces(sentence.text))
        .collect()
}

impl Stance {
    /// Measures each passage by a claim, and reads it where it does not state the claim in its very words.
    pub fn of_all(claim: &Reading<'_>, passages: &[&Reading<'_>]) -> Vec<Self> {
        let pairs: Vec<_> = passages.iter().map(|passage| (claim, *passage)).collect();
        let wordings = Wording::of(&pairs);
        passages
            .iter()
            .zip(wordings)
            .map(|(passage, wording)| {
                let features = Features::of(claim, passage);
                let measured = Self::from_features(&features);
                if features.is_verbatim() {
                    measured
                } else {
                    measured.with_wording(wording)
                }
            })
            .collect()
    }

    /// The same where the wording is known too: the product of both, each with its weight.
    pub fn with_wording(self, Wording(logarithms): Wording) -> Self {
        let shares = [self.supports, self.contradicts, self.neutral];
        let mut weights = [0, 1, 2].map(|class| {
            let measured = shares[class].max(LEAST_SHARE).ln();
            MEASURED * measured + READ * f64::from(logarithms[class]) + SHIFTS[class]
        });
        let greatest = weights.iter().copied().fold(f64::MIN, f64::max);
        for weight in &mut weights {
            *weight = (*weight - greatest).exp();
        }
        let sum: f64 = weights.iter().sum();
        let [supports, contradicts, neutral] = weights.map(|weight| weight / sum);
        Self {
            supports,
            contradicts,
            neutral,
        }
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

    /// The same of a passage that says it the other way round: what it would support, it contradicts.
    pub fn turned(self) -> Self {
        let contradicts = self.supports.max(self.contradicts);
        Self {
            supports: 0.0,
            contradicts,
            neutral: 1.0 - contradicts,
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
