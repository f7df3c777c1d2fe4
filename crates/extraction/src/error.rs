//! Why a page was not read.

use std::io;
use std::time::Duration;

/// A page that was not read; one that holds no article is not a failure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// As many pages are being read as may be; another try makes sense later.
    #[error("this server is already reading as many pages as it can at a time")]
    Busy,
    /// Reading took longer than a page may take; the worker was killed.
    #[error("reading the page took longer than {} s", .0.as_secs_f64())]
    TooSlow(Duration),
    /// The worker died of the page: stack, memory or a defect.
    #[error("the page crashed the worker that was reading it")]
    Crashed,
    /// No worker can be started; the page is not at fault.
    #[error("no worker process can be started")]
    Worker(#[source] io::Error),
}

impl Error {
    /// Whether the page itself is the cause, so that it would fail again.
    pub const fn blames_page(&self) -> bool {
        matches!(self, Self::TooSlow(_) | Self::Crashed)
    }
}
