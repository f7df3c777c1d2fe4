//! What happened, published once.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BriefId, Timestamp};

/// The kinds of event that are sent through the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OutboxKind {
    /// First publication of a brief.
    #[serde(rename = "brief.published")]
    BriefPublished,
    /// A brief gained a source.
    #[serde(rename = "brief.updated")]
    BriefUpdated,
    /// Sources are arriving fast: in the top 2 % of the last six hours, with at least four independent ones.
    #[serde(rename = "brief.trending")]
    BriefTrending,
    /// A key fact of a brief changed.
    #[serde(rename = "brief.corrected")]
    BriefCorrected,
    /// A brief was split because its sources report two events.
    #[serde(rename = "brief.split")]
    BriefSplit,
    /// Two briefs were merged because their sources report one event. The event is sent for the one that stays and for
    /// the one that is gone.
    #[serde(rename = "brief.merged")]
    BriefMerged,
}

impl OutboxKind {
    /// The event name used by webhooks and the store.
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

    /// The kind with that name.
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

/// One row of the outbox, with its position in the single order that tailers follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxEvent {
    /// Assigned by the sequencer after the commit; dense and increasing.
    pub position: i64,
    /// What happened.
    pub kind: OutboxKind,
    /// The brief it happened to.
    pub brief_id: BriefId,
    /// The brief's revision at that time.
    pub revision: u32,
    /// When it could first be known.
    pub known_at: Timestamp,
}
