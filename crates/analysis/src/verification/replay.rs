//! What is needed to reach a verdict again, and reaching it.

use model::Timestamp;
use serde::{Deserialize, Serialize};
use verify::claim::Claim;
use verify::verdict::{Assessment, Reason};

use super::{Finding, LiveSearch, Passage};

/// A claim with every passage that was compared with it. The same version of the program reaches the same verdict from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    claim: String,
    now: Timestamp,
    passages: Vec<Passage>,
    /// Whether a live search was tried that nobody answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    search_blocked: bool,
}

impl Replay {
    /// What a finding was made from.
    pub fn of(finding: &Finding) -> Self {
        Self {
            claim: finding.claim.text.clone(),
            now: finding.judged_at,
            passages: finding.passages.clone(),
            search_blocked: finding.live == LiveSearch::Blocked,
        }
    }

    /// Reaches the verdict again.
    pub fn run(&self) -> Assessment {
        let claim = Claim::parse(&self.claim);
        if !claim.is_checkable() && !claim.is_plan() {
            return Assessment::not_checkable();
        }
        let mut assessment = Finding::of(&claim, self.passages.clone(), self.now).assessment;
        if self.search_blocked && assessment.reason == Some(Reason::NoEvidence) {
            assessment.reason = Some(Reason::SourceBlocked);
        }
        assessment
    }
}
