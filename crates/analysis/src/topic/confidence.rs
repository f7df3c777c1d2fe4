//! How far an answer about a topic can be relied on: a documented score made of its parts, not a probability.

use model::TrustLevel;

use super::material::Material;

/// The parts of the confidence of an answer, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConfidenceParts {
    /// Mean confidence of the briefs, weighted by their relevance.
    pub brief_confidence: f64,
    /// How many independent outlets report it: `1 - exp(-outlets / 5)`.
    pub coverage: f64,
    /// The share of outlets with high or medium trust; unknown outlets count half.
    pub source_trust: f64,
    /// One minus the share of briefs whose sources contradict each other.
    pub agreement: f64,
    /// How much the briefs are about the topic rather than merely naming it; a quarter of that if there is too little
    /// material.
    pub focus: f64,
    /// The number of sentences that the answer quotes, relative to the [`QUOTED`] that a complete answer has.
    pub quoted: f64,
}

/// An answer that quotes this many sentences is complete.
const QUOTED: f64 = 3.0;

impl ConfidenceParts {
    pub(super) fn of(material: &Material, quoted: usize) -> Self {
        let outlets = material.outlets();
        if outlets.is_empty() {
            return Self::default();
        }
        let weight: f64 = material.briefs.iter().map(|brief| brief.relevance).sum();
        let confidence: f64 = material
            .briefs
            .iter()
            .map(|brief| brief.relevance * brief.stored.brief.confidence.score.get())
            .sum();
        let disputed = material
            .briefs
            .iter()
            .filter(|brief| !brief.stored.brief.contradictions.is_empty())
            .count();
        let trust: f64 = outlets
            .values()
            .map(|trust| match trust {
                TrustLevel::High | TrustLevel::Medium => 1.0,
                TrustLevel::Unknown => 0.5,
                TrustLevel::Low => 0.0,
            })
            .sum();
        Self {
            brief_confidence: if weight > 0.0 {
                confidence / weight
            } else {
                0.0
            },
            coverage: 1.0 - (-(outlets.len() as f64) / 5.0).exp(),
            source_trust: trust / outlets.len() as f64,
            agreement: 1.0 - disputed as f64 / material.briefs.len() as f64,
            focus: focus(material),
            quoted: (quoted as f64 / QUOTED).min(1.0),
        }
    }

    /// The overall score. 0.4 brief confidence, 0.3 coverage, 0.2 trust and 0.1 agreement say how good the sources
    /// are; multiplied by focus, and by 0.6 to 1 for what is quoted, they say how good the answer is.
    pub fn score(&self) -> f64 {
        let sources = 0.4 * self.brief_confidence
            + 0.3 * self.coverage
            + 0.2 * self.source_trust
            + 0.1 * self.agreement;
        sources * self.focus * (0.6 + 0.4 * self.quoted)
    }
}

/// Briefs with this focus are as much about a topic as news ever is.
const FULL: f64 = 0.75;

fn focus(material: &Material) -> f64 {
    let sum: f64 = material.briefs.iter().map(|brief| brief.focus).sum();
    let mean = (sum / material.briefs.len().max(1) as f64 / FULL).min(1.0);
    if material.too_little.is_some() {
        mean / 4.0
    } else {
        mean
    }
}
