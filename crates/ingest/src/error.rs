//! Why something could not be ingested.

use crate::divergence::Divergence;

/// A failure of the pipeline itself; an item that is not an article is not a failure (see the summaries).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store could not read or write; nothing of the failed transaction was stored.
    #[error("store failed while publishing")]
    Store(#[from] store::Error),
    /// The index could not be written; the store is untouched and the index can be rebuilt.
    #[error("search index failed while following the store")]
    Search(#[from] search::Error),
    /// The index belongs to another store, or to another history of this one; it must be rebuilt.
    #[error("search index does not fit the store: {0}")]
    Diverged(#[from] Divergence),
    /// An upstream could not be read.
    #[error("upstream failed")]
    Upstream(#[from] providers::Error),
    /// There is no article on the page at this address.
    #[error("{url} holds no readable article: {reason}")]
    NoArticle {
        /// The address.
        url: String,
        /// What is there instead.
        reason: String,
    },
    /// Publishing panicked; everything not at fault is published, and the publisher carries on.
    #[error("publishing panicked")]
    Panicked,
    /// The page at this address was fetched but not read.
    #[error("{url} was not read")]
    Page {
        /// The address.
        url: String,
        /// Why it was not.
        source: extraction::Error,
    },
    /// The page at this address is not being read for now.
    #[error("{url} is not read for a week, because it crashed the page reader twice")]
    LeftAlone {
        /// The address.
        url: String,
    },
    /// The publisher has been closed.
    #[error("publisher is closed")]
    Closed,
}

/// The crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;
