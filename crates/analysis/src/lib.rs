//! Every answer that draws on several briefs: what a topic is about, what may have caused it, which stories belong
//! together.
//!
//! Everything is read from the store and the search index. Nothing is fetched from elsewhere and nothing is invented:
//! every sentence is either a source's own or says which source it is about. The point in time is an argument.

pub mod claims;
mod clusters;
mod error;
pub mod market;
mod sentences;
mod terms;
mod topic;
pub mod verification;
mod work;

pub use clusters::{Cluster, ClusterQuery, clusters};
pub use error::{Error, Result};
pub use topic::{
    CategoryImpact, Citation, ConfidenceParts, Context, Day, Intelligence, KeyEntity, KeyFact,
    Link, OverallSentiment, Period, Perspectives, Relationship, TopicQuery, briefs_about, context,
    intelligence, words_with_briefs,
};
pub use work::{Crowded, HeavyWork, Permit, WorkLimits, light};
