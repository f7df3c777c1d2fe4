//! Bounded numbers: scores between zero and one.

use serde::{Deserialize, Serialize};

/// A finite score in `0.0..=1.0`: confidence, bias, relevance, or sentiment, with 0.5 as neutral.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Score(f64);

impl Score {
    /// The neutral middle, 0.5.
    pub const NEUTRAL: Self = Self(0.5);
    /// The lowest score.
    pub const ZERO: Self = Self(0.0);
    /// The highest score.
    pub const ONE: Self = Self(1.0);

    /// Rejects NaN and anything outside the unit interval.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The nearest score: NaN becomes neutral, everything else is clamped to the unit interval.
    pub fn clamped(value: f64) -> Self {
        if value.is_nan() {
            Self::NEUTRAL
        } else {
            Self(value.clamp(0.0, 1.0))
        }
    }

    /// The nearest score with three decimal places, for calculated values: more digits mean nothing.
    pub fn rounded(value: f64) -> Self {
        Self::clamped((value * 1_000.0).round() / 1_000.0)
    }

    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}

impl TryFrom<f64> for Score {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Self::new(value).ok_or_else(|| format!("score {value} is outside 0 to 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn clamped_is_always_a_score(value in proptest::num::f64::ANY) {
            prop_assert!(Score::new(Score::clamped(value).get()).is_some());
        }

        #[test]
        fn rounded_is_the_nearest_thousandth(value in 0.0..=1.0f64) {
            let rounded = Score::rounded(value);
            prop_assert!((rounded.get() - value).abs() <= 0.000_500_000_1);
            prop_assert!(serde_json::to_string(&rounded)?.len() <= "0.123".len());
        }
    }

    #[test]
    fn refuses_what_is_outside() {
        assert!(Score::new(f64::NAN).is_none());
        assert!(Score::new(1.000_001).is_none());
        assert!(serde_json::from_str::<Score>("-0.1").is_err());
    }
}
