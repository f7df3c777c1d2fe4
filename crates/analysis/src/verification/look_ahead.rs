//! What a claim uses that could not be known yet: a backtest that buys in January for what is reported in April.

use model::{Day, Timestamp};
use verify::claim::{Claim, Decision};
use verify::verdict::{Position, Verdict};

use super::{ClaimQuery, Finding};

/// What decides a claim became known only after the moment from which the claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// The end of the day of the decision.
    pub as_of: Timestamp,
    /// When what decides it became known.
    pub known_at: Timestamp,
}

impl LookAhead {
    /// In a sentence.
    pub fn sentence(&self) -> String {
        format!(
            "No evidence held from {} or earlier supports the reason given; the evidence that does became known on {}.",
            Day::of(self.as_of),
            Day::of(self.known_at)
        )
    }
}

/// A claim about a decision, and how its reason is looked at.
#[derive(Clone, Debug)]
pub struct DecisionQuery {
    claim: Claim,
    decision: Decision,
    /// With the eyes of the day of the decision.
    pub then: ClaimQuery,
    /// With what the question may know; only where the reason says the same on any day.
    pub later: Option<ClaimQuery>,
}

impl DecisionQuery {
    /// Of a question about a claim that tells a decision.
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

    /// The finding about the decision, from that about its reason. What was decided nobody can look up, so a reason that is
    /// supported supports it in part; `is_later` where nothing of its day decided it.
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
    /// When what supports the claim became known: the newest figure that is used, or the earliest source. `None` where nothing
    /// supports it, or where no time is recorded.
    fn known_at(&self) -> Option<Timestamp> {
        if self.assessment.verdict != Verdict::Supported || self.is_known_at_reckoned {
            return None;
        }
        self.on(Position::Supports)
            .filter_map(|evidence| evidence.passage.published_at)
            .min()
    }
}
