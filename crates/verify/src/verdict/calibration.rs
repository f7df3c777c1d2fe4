//! From the strength of a side to the share of verdicts that are right.

use model::Score;

use super::{Breakdown, Verdict};

/// How probable it is that a verdict is right. The weights are those of a logistic regression on held-out pairs
/// (`docs/quality.md`); a contradiction is wrong more often than a support of the same strength.
pub(super) fn of_verdict(verdict: Verdict, strength: f64, breakdown: &Breakdown) -> f64 {
    let base = match verdict {
        Verdict::Contradicted => -0.5,
        _ => 0.0,
    };
    let sum = base - 2.6
        + 3.6 * strength
        + 0.9 * (breakdown.source_agreement - 0.5)
        + 0.5 * breakdown.source_quality
        + 1.2 * (breakdown.corroboration_depth - 0.5);
    Score::clamped(1.0 / (1.0 + (-sum).exp())).get()
}

/// How probable it is that nothing decides a claim, by the strongest side that there is.
pub(super) fn of_silence(strongest: f64) -> f64 {
    Score::clamped(0.9 - 0.5 * strongest).get()
}
