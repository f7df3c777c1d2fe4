//! How far an answer about a topic can be relied upon: a documented score from its parts, not a probability.

use model::TrustLevel;

use super::material::Material;

/// The parts of the confidence of an answer, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConfidenceParts {
    /// Mean confidence of the briefs, weighted by their relevance.
    pub brief_confidence: f64,
    /// How many independent outlets report: `1 - exp(-outlets / 5)`.
    pub coverage: f64,
    /// Share of the outlets whose trust is high or medium; unknown ones count half.
    pub source_trust: f64,
    /// One less the share of briefs whose sources contradict each other.
    pub agreement: f64,
}

impl ConfidenceParts {
    pub(super) fn of(material: &Material) -> Self {
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
        }
    }

    /// The whole: 0.4 brief confidence, 0.3 coverage, 0.2 trust, 0.1 agreement.
    pub fn score(&self) -> f64 {
        0.4 * self.brief_confidence
            + 0.3 * self.coverage
            + 0.2 * self.source_trust
            + 0.1 * self.agreement
    }
}
