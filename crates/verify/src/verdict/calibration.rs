//! From the strength of a side to the share of verdicts that are right.

use model::Score;

use super::{Breakdown, Verdict};

/// How probable it is that a verdict is right. On 360 claims written from reading real streams, a third of them true, a third
/// made false by one change, a third not to be known, seven of eight supports are right, however strong, and six of seven
/// contradictions, more of the strong ones. The weights of the strengths were fitted there with an earlier fit of the wording and rounded, the constant of supports was
/// raised to what is right now (`docs/quality.md`); those for agreement, standing and number of sources and for the very words of a source are not fitted to anything.
pub(super) fn of_verdict(
    verdict: Verdict,
    strength: f64,
    is_verbatim: bool,
    breakdown: &Breakdown,
) -> f64 {
    let sum = match verdict {
        Verdict::Contradicted => 0.6 + 1.1 * strength,
        _ => 1.3 + 0.5 * strength,
    } + if is_verbatim { 2.0 } else { 0.0 }
        + 0.6 * (breakdown.source_agreement - 1.0)
        + 0.4 * (breakdown.source_quality - 0.85)
        + 0.4 * (breakdown.corroboration_depth - 0.5);
    Score::clamped(1.0 / (1.0 + (-sum).exp())).get()
}

/// Sides beyond this strength are no surer sign that a claim can be known.
const LEANS: f64 = 0.65;

/// How probable it is that nothing decides a claim, by the strongest side that there is: from 0.64, where nothing was found, down
/// to 0.08 just below a verdict and where two sides disagree. Fitted on the 195 of the same 360 claims that an
/// earlier fit of the wording left open: where passages lean to a side, the claim can mostly be known.
pub(super) fn of_silence(strongest: f64) -> f64 {
    Score::clamped(1.0 / (1.0 + (4.72 * strongest.min(LEANS) - 0.58).exp())).get()
}
