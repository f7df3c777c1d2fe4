//! What happened, published once.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BriefId, Timestamp};

/// The kinds of event that leave through the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OutboxKind {
    /// First publication of a brief.
    #[serde(rename = "brief.published")]
    BriefPublished,
    /// A brief gained a source.
    #[serde(rename = "brief.updated")]
    BriefUpdated,
    /// Sources arrive fast: top 2 % of the last six hours and at least four independent ones.
    #[serde(rename = "brief.trending")]
    BriefTrending,
    /// A key fact of a brief changed.
    #[serde(rename = "brief.corrected")]
    BriefCorrected,
    /// A brief was divided, because its sources report two events.
    #[serde(rename = "brief.split")]
    BriefSplit,
    /// Two briefs became one, because their sources report one event: told of the one that stays and of the one that is no more.
    #[serde(rename = "brief.merged")]
    BriefMerged,
}

impl OutboxKind {
    /// The event name of webhooks and the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BriefPublished => "brief.published",
            Self::BriefUpdated => "brief.updated",
            Self::BriefTrending => "brief.trending",
            Self::BriefCorrected => "brief.corrected",
            Self::BriefSplit => "brief.split",
            Self::BriefMerged => "brief.merged",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [
            Self::BriefPublished,
            Self::BriefUpdated,
            Self::BriefTrending,
            Self::BriefCorrected,
            Self::BriefSplit,
            Self::BriefMerged,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for OutboxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One row of the outbox, with its place in the one order that tailers follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxEvent {
    /// Given by the sequencer after the commit; dense and increasing.
    pub position: i64,
    /// What happened.
    pub kind: OutboxKind,
    /// To which brief.
    pub brief_id: BriefId,
    /// As of which revision of it.
    pub revision: u32,
    /// When it became knowable.
    pub known_at: Timestamp,
}
