//! Why a page or a PDF was not read.

use std::io;
use std::time::Duration;

use crate::pdf::Unreadable;

/// A document that was not read. A page without an article is not a failure; a PDF without text is one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The maximum number of documents is being read already; another try makes sense later.
    #[error("this server is already reading as many documents as it can at a time")]
    Busy,
    /// Reading took longer than a document is allowed; the worker was killed.
    #[error("reading it took longer than {} s", .0.as_secs_f64())]
    TooSlow(Duration),
    /// The document killed the worker: stack, memory or a defect.
    #[error("it crashed the worker that was reading it, or took more memory than it may")]
    Crashed,
    /// The PDF has no text that can be read; the worker is fine.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// No worker can be started; the document is not at fault.
    #[error("no worker process can be started")]
    Worker(#[source] io::Error),
}

impl Error {
    /// Whether the document itself is the cause, so that it would fail again.
    pub const fn blames_page(&self) -> bool {
        matches!(self, Self::TooSlow(_) | Self::Crashed | Self::Unreadable(_))
    }
}
