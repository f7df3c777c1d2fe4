//! A topic: the briefs about it in a period, and what can be said from them.
//!
//! A brief names a topic when its headline, summary, tags or entities contain the topic's words; `subject` decides
//! which of these briefs are about it. Anything weaker is left out: an empty answer with a reason is better than an
//! answer about something else.

mod causes;
mod confidence;
mod context;
mod digest;
mod entities;
mod facts;
mod intelligence;
mod material;
mod outlook;
mod perspectives;
mod sentiment;
mod subject;

pub use confidence::ConfidenceParts;
pub use context::{Citation, Context, Day, context};
pub use digest::{briefs_about, words_with_briefs};
pub use entities::{KeyEntity, Relationship};
pub use facts::KeyFact;
pub use intelligence::{CategoryImpact, Intelligence, Link, intelligence};
pub use perspectives::Perspectives;
pub use sentiment::OverallSentiment;

use model::{Category, Timestamp};

/// How far back to look at a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each period names itself")]
pub enum Period {
    Week,
    #[default]
    Month,
    Quarter,
}

impl Period {
    /// The length of the period in days.
    pub const fn days(self) -> i64 {
        match self {
            Self::Week => 7,
            Self::Month => 30,
            Self::Quarter => 90,
        }
    }
}

/// Which topic, when, and for whom.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicQuery {
    /// The words that name it.
    pub topic: String,
    /// How far back.
    pub period: Period,
    /// The end of the period.
    pub end: Timestamp,
    /// As known at this point in time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// Only briefs in these categories; empty means all.
    pub categories: Vec<Category>,
}
