//! Checks claims against the stored news: which passages deal with a claim, what they say, and what that amounts to.
//!
//! Passages are sentences from the articles behind the briefs that a search finds, each with the headline above it. If
//! these decide nothing, passages from a live web search may be compared as well. What a passage says is read in
//! `verify`; nothing is decided here alone.

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

/// A claim, and the point in time and categories in which to check it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimQuery {
    /// The claim.
    pub claim: Claim,
    /// Only briefs in these categories; empty means all.
    pub categories: Vec<Category>,
    /// As known at this point in time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// The point in time against which the age of evidence is judged.
    pub now: Timestamp,
}

impl ClaimQuery {
    /// A query about a claim now, in all categories.
    pub fn of(claim: Claim, now: Timestamp) -> Self {
        Self {
            claim,
            categories: Vec::new(),
            as_of: None,
            now,
        }
    }
}

/// Checks a claim against the stored passages that deal with it and `others` as well.
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
