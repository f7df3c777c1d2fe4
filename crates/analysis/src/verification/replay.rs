//! What is needed to reach a verdict again, and how to reach it.

use model::Timestamp;
use serde::{Deserialize, Serialize};
use verify::claim::Claim;
use verify::verdict::{Assessment, Reason, Verdict};

use super::{ClaimQuery, DecisionQuery, Finding, LiveSearch, Passage};
use crate::Result;
use crate::claims::{FigureServices, check_figures};

/// A claim with every passage that was compared with it. The same version of the program reaches the same verdict from
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    claim: String,
    now: Timestamp,
    passages: Vec<Passage>,
    /// Whether a live search was tried and got no answer.
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
        let query = ClaimQuery::of(claim.clone(), self.now);
        let decision = DecisionQuery::of(&query);
        let asked = decision.as_ref().map_or(&claim, |made| &made.then.claim);
        if !asked.is_checkable() && !asked.is_plan() {
            return Assessment::not_checkable();
        }
        let mut finding = Finding::of(asked, self.passages.clone(), self.now);
        if let Some(decision) = &decision {
            finding = decision.whole(finding, false);
        }
        let mut assessment = finding.assessment;
        if self.search_blocked && assessment.reason == Some(Reason::NoEvidence) {
            assessment.reason = Some(Reason::SourceBlocked);
        }
        assessment
    }
}

/// Reaches a verdict that rests on stored figures again: with the original question, against the figures on record
/// now. `None` if they do not decide the claim.
pub async fn replay_figures(
    services: &FigureServices,
    claim: &str,
    as_of: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Assessment>> {
    let query = ClaimQuery {
        as_of,
        ..ClaimQuery::of(Claim::parse(claim), now)
    };
    let Some(decision) = DecisionQuery::of(&query) else {
        return Ok(of_figures(services, &query)
            .await?
            .map(|found| found.assessment));
    };
    let then = of_figures(services, &decision.then).await?;
    let is_decided = |found: &Finding| found.assessment.verdict != Verdict::Unverifiable;
    let (found, is_later) = match (&decision.later, then) {
        (_, Some(found)) if is_decided(&found) => (Some(found), false),
        (Some(later), _) => (of_figures(services, later).await?, true),
        (None, found) => (found, false),
    };
    Ok(found.map(|found| decision.whole(found, is_later).assessment))
}

async fn of_figures(services: &FigureServices, query: &ClaimQuery) -> Result<Option<Finding>> {
    let (text, now) = (&query.claim.text, query.now);
    let found = check_figures(services, text, query.as_of, now).await?;
    Ok(found.map(|found| Finding::of_figures(&query.claim, &found, now)))
}
