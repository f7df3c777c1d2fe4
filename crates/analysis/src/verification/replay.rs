//! What is needed to reach a verdict again, and reaching it.

use model::Timestamp;
use serde::{Deserialize, Serialize};
use verify::claim::Claim;
use verify::verdict::{Assessment, Reason};

use super::{Finding, LiveSearch, Passage};
use crate::Result;
use crate::claims::{FigureServices, check_figures};

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
        let decision = claim.decision();
        let asked = decision.as_ref().map_or(&claim, |made| &made.reason);
        if !asked.is_checkable() && !asked.is_plan() {
            return Assessment::not_checkable();
        }
        let mut finding = Finding::of(asked, self.passages.clone(), self.now);
        if let Some(decision) = &decision {
            finding = finding.of_decision(&claim, decision);
        }
        let mut assessment = finding.assessment;
        if self.search_blocked && assessment.reason == Some(Reason::NoEvidence) {
            assessment.reason = Some(Reason::SourceBlocked);
        }
        assessment
    }
}

/// Reaches a verdict again that rests on stored figures, as they were known then; `None` where they do not decide the claim.
pub async fn replay_figures(
    services: &FigureServices,
    claim: &str,
    as_of: Timestamp,
) -> Result<Option<Assessment>> {
    let claim = Claim::parse(claim);
    let decision = claim.decision();
    let asked = decision.as_ref().map_or(&claim, |made| &made.reason);
    let Some(found) = check_figures(services, &asked.text, Some(as_of), as_of).await? else {
        return Ok(None);
    };
    let mut finding = Finding::of_figures(asked, &found, as_of);
    if let Some(decision) = &decision {
        finding = finding.of_decision(&claim, decision);
    }
    Ok(Some(finding.assessment))
}
