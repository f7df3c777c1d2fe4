//! Why something could not be ingested.

/// A failure of the pipeline itself; an item that is no article is not one (see the summaries).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store could not read or write; nothing of the failed edition was stored.
    #[error("store failed while publishing")]
    Store(#[from] store::Error),
    /// The index could not be written; the store is untouched and the index can be rebuilt.
    #[error("search index failed while following the store")]
    Search(#[from] search::Error),
    /// An upstream could not be read.
    #[error("upstream failed")]
    Upstream(#[from] providers::Error),
    /// The page at this address holds no article.
    #[error("{url} holds no readable article: {reason}")]
    NoArticle {
        /// The address.
        url: String,
        /// What is there instead.
        reason: String,
    },
    /// Publishing panicked; what was not at fault is published, and the newsroom goes on.
    #[error("publishing panicked")]
    Panicked,
    /// The newsroom has been closed.
    #[error("newsroom is closed")]
    Closed,
}

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;
