//! Look-ahead in a claim: what it uses that could not be known yet, such as a backtest that buys in January on results
//! reported in April.

use model::{Day, Timestamp};
use verify::claim::{Claim, Decision};
use verify::verdict::{Position, Verdict};

use super::{ClaimQuery, Finding};

/// What decides a claim became known only after the time from which the claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// The end of the day of the decision.
    pub as_of: Timestamp,
    /// When the deciding fact became known.
    pub known_at: Timestamp,
}

impl LookAhead {
    /// The same as a sentence.
    pub fn sentence(&self) -> String {
        format!(
            "No evidence held from {} or earlier supports the reason given; the evidence that does became known on {}.",
            Day::of(self.as_of),
            Day::of(self.known_at)
        )
    }
}

/// A claim about a decision, and how its reason is checked.
#[derive(Clone, Debug)]
pub struct DecisionQuery {
    claim: Claim,
    decision: Decision,
    /// As seen on the day of the decision.
    pub then: ClaimQuery,
    /// With everything the question may know; only if the reason reads the same on any day.
    pub later: Option<ClaimQuery>,
}

impl DecisionQuery {
    /// The query for a claim that describes a decision.
    pub fn of(query: &ClaimQuery) -> Option<Self> {
        let decision = query.claim.decision()?;
        let made_at = decision.made_at();
        let reason = ClaimQuery {
            claim: decision.reason.clone(),
            ..query.clone()
        };
        let then = query.as_of.map_or(made_at, |as_of| as_of.min(made_at));
        Some(Self {
            claim: query.claim.clone(),
            then: ClaimQuery {
                as_of: Some(then),
                now: then,
                ..reason.clone()
            },
            later: decision.names_year().then_some(reason),
            decision,
        })
    }

    /// The finding about the decision, derived from the finding about its reason. Nobody can look up what was decided,
    /// so a supported reason supports the claim in part; `is_later` if nothing from that day decided it.
    pub fn whole(&self, mut finding: Finding, is_later: bool) -> Finding {
        let as_of = self.decision.made_at();
        finding.look_ahead = finding
            .known_at()
            .filter(|known_at| is_later && *known_at > as_of)
            .map(|known_at| LookAhead { as_of, known_at });
        finding.claim = self.claim.clone();
        if finding.assessment.verdict == Verdict::Supported {
            finding.assessment.verdict = Verdict::PartiallySupported;
        }
        finding
    }
}

impl Finding {
    /// When the support for the claim became known: the newest figure used, or the earliest source. `None` if nothing
    /// supports the claim, or if no time is recorded.
    fn known_at(&self) -> Option<Timestamp> {
        if self.assessment.verdict != Verdict::Supported || self.is_known_at_reckoned {
            return None;
        }
        self.on(Position::Supports)
            .filter_map(|evidence| evidence.passage.published_at)
            .min()
    }
}
