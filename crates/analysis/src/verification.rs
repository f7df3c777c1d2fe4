//! Claims against the stored news: which passages speak of a claim, what they say, and what that comes to.
//!
//! Passages are sentences of the articles behind the briefs that a search finds, each with the headline above it; where these
//! decide nothing, those of a live web search may be compared as well. What a passage says is read in `verify`; nothing
//! here decides by itself.

mod answer;
mod evidence;
mod figures;
mod live;
mod look_ahead;
mod replay;
mod sentences;
#[cfg(test)]
mod tests;
mod wording;

pub use answer::{BriefAbout, Evidence, Finding, LiveSearch, SourceKind};
pub use evidence::{Passage, gather, nearest_sentences};
pub use live::verify_with_live;
pub use look_ahead::{DecisionQuery, LookAhead};
pub use replay::{Replay, replay_figures};
pub use sentences::share_of_words;

use model::{Category, Timestamp};
use search::Index;
use store::Store;
use verify::claim::Claim;

use crate::{Result, light};

/// A claim, from whose point in time and in which categories it is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimQuery {
    /// The claim.
    pub claim: Claim,
    /// Only briefs of these categories; empty means all.
    pub categories: Vec<Category>,
    /// As known then; `None` means now.
    pub as_of: Option<Timestamp>,
    /// The point in time by which evidence is old or new.
    pub now: Timestamp,
}

impl ClaimQuery {
    /// About a claim now, in all categories.
    pub fn of(claim: Claim, now: Timestamp) -> Self {
        Self {
            claim,
            categories: Vec::new(),
            as_of: None,
            now,
        }
    }
}

/// Looks at a claim: the stored passages that speak of it and `others` beside them.
pub async fn verify_claim(
    store: &Store,
    index: &Index,
    query: &ClaimQuery,
    others: Vec<Passage>,
) -> Result<Finding> {
    if !query.claim.is_checkable() && !query.claim.is_plan() {
        return Ok(Finding::not_checkable(&query.claim));
    }
    let mut passages = others;
    passages.extend(gather(store, index, query).await?);
    let (claim, now) = (query.claim.clone(), query.now);
    light(move || Finding::of(&claim, passages, now)).await
}
