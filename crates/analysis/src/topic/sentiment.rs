//! The sentiment of several texts in one word.

/// The sentiment of several texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant names itself")]
pub enum OverallSentiment {
    Positive,
    Negative,
    Neutral,
    /// Good and bad news at the same time.
    Mixed,
}

/// A score beyond these is no longer neutral.
const NEGATIVE: f64 = 0.45;
const POSITIVE: f64 = 0.55;

impl OverallSentiment {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::Neutral => "neutral",
            Self::Mixed => "mixed",
        }
    }

    /// From weighted scores: mixed if at least a third of the weight lies on each side of neutral.
    pub(super) fn of(scores: &[(f64, f64)]) -> Self {
        let whole: f64 = scores.iter().map(|(_, weight)| weight).sum();
        if whole <= 0.0 {
            return Self::Neutral;
        }
        let share = |side: &dyn Fn(f64) -> bool| {
            scores
                .iter()
                .filter(|(score, _)| side(*score))
                .map(|(_, weight)| weight)
                .sum::<f64>()
                / whole
        };
        let (bad, good) = (
            share(&|score| score < NEGATIVE),
            share(&|score| score > POSITIVE),
        );
        let mean = scores
            .iter()
            .map(|(score, weight)| score * weight)
            .sum::<f64>()
            / whole;
        if bad >= 1.0 / 3.0 && good >= 1.0 / 3.0 {
            Self::Mixed
        } else if mean > POSITIVE {
            Self::Positive
        } else if mean < NEGATIVE {
            Self::Negative
        } else {
            Self::Neutral
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OverallSentiment;

    #[test]
    fn good_and_bad_at_once_is_mixed() {
        assert_eq!(
            OverallSentiment::of(&[(0.9, 1.0), (0.1, 1.0)]),
            OverallSentiment::Mixed
        );
        assert_eq!(
            OverallSentiment::of(&[(0.9, 3.0), (0.1, 1.0)]),
            OverallSentiment::Positive
        );
        assert_eq!(
            OverallSentiment::of(&[(0.5, 3.0)]),
            OverallSentiment::Neutral
        );
        assert_eq!(OverallSentiment::of(&[]), OverallSentiment::Neutral);
    }
}
