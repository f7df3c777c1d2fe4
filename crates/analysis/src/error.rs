//! Why an analysis could not be made.

/// The result of an analysis.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an analysis could not be made; the question is never at fault.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rows could not be read.
    #[error("briefs cannot be read")]
    Store(#[from] store::Error),
    /// The index could not be queried.
    #[error("briefs cannot be searched")]
    Search(#[from] search::Error),
    /// Too much work of this kind is running or waiting.
    #[error("too much analysis is running or waiting")]
    Crowded(#[from] crate::Crowded),
    /// The worker thread ended before the work was done.
    #[error("the analysis was interrupted")]
    Interrupted,
}
