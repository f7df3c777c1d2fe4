//! Why an analysis could not be made.

/// What an analysis answers with.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an analysis could not be made; none of it is the fault of the question.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rows could not be read.
    #[error("briefs cannot be read")]
    Store(#[from] store::Error),
    /// The index could not be asked.
    #[error("briefs cannot be searched")]
    Search(#[from] search::Error),
    /// Too much work of this kind is running or waiting.
    #[error("too much analysis is running or waiting")]
    Crowded(#[from] crate::Crowded),
    /// The thread that did the work ended before it was done.
    #[error("the analysis was interrupted")]
    Interrupted,
}
