//! What a claim uses that could not be known yet: a backtest that buys in January for what is reported in April.

use model::{Day, Timestamp};
use verify::claim::{Claim, Decision};
use verify::verdict::{Position, Verdict};

use super::Finding;

/// What decides a claim became known only after the moment from which the claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// The moment from which the claim is made: the end of the day of a decision, or the point in time of the question.
    pub as_of: Timestamp,
    /// When what decides it became known.
    pub known_at: Timestamp,
}

impl LookAhead {
    fn of(as_of: Timestamp, known_at: Option<Timestamp>) -> Option<Self> {
        known_at
            .filter(|known_at| *known_at > as_of)
            .map(|known_at| Self { as_of, known_at })
    }

    /// In a sentence.
    pub fn sentence(&self) -> String {
        let (from, to) = (Day::of(self.as_of), Day::of(self.known_at));
        match to.since(from) {
            0 => format!("The claim uses what became known later on {to}."),
            days => {
                let days = super::wording::plural(days.unsigned_abs() as usize, "day", "days");
                format!("The claim uses what became known on {to} only, {days} after {from}.")
            }
        }
    }
}

impl Finding {
    /// When what decides the claim became known: the newest figure that is used, or the earliest source on the side of the
    /// verdict. `None` where nothing decides it or no time is known.
    pub fn known_at(&self) -> Option<Timestamp> {
        let side = match self.assessment.verdict {
            Verdict::Unverifiable => return None,
            Verdict::Contradicted => Position::Contradicts,
            Verdict::Supported | Verdict::PartiallySupported => Position::Supports,
        };
        self.on(side)
            .map(|evidence| evidence.passage.published_at)
            .min()
            .flatten()
    }

    /// The finding about a decision, from that about its reason: what was decided nobody can look up, so a reason that is
    /// supported supports it in part.
    pub fn of_decision(mut self, claim: &Claim, decision: &Decision) -> Self {
        let end = decision.on.starts_at().plus_ms(Timestamp::DAY_MS - 1);
        self.look_ahead = LookAhead::of(end, self.known_at());
        self.claim = claim.clone();
        if self.assessment.verdict == Verdict::Supported {
            self.assessment.verdict = Verdict::PartiallySupported;
        }
        self
    }

    /// The same finding as of a point in time, where `later`, which knows more, decides the claim: only that it does is told,
    /// not how.
    pub fn with_later(mut self, as_of: Timestamp, later: &Self) -> Self {
        self.look_ahead = LookAhead::of(as_of, later.known_at());
        self
    }
}
