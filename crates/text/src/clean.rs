//! From what a source delivered to an article that can be read: markup, suffixes, truncation marks and impossible dates
//! removed.

use model::{Article, RawArticle, Timestamp};

/// Why an item is no article.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The address is missing or no `http(s)` address.
    #[error("address {0:?} is not an http or https address")]
    Address(String),
    /// No headline, also not after cleaning.
    #[error("headline is empty")]
    Headline,
    /// A page of the outlet that is no article: consent wall, removed notice, error page.
    #[error("{0} is not an article")]
    NotAnArticle(&'static str),
}

/// How an item arrived, which decides when it became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Just now: known at `now`.
    Live,
    /// From an archive: known when it was first seen, else published.
    Backfill,
}

/// Cleans one item. `now` is the moment of reading; no date of the result lies after it.
pub fn clean(raw: &RawArticle, now: Timestamp, arrival: Arrival) -> Result<Article, Rejection> {
    let _ = (raw, now, arrival);
    Err(Rejection::Headline)
}
