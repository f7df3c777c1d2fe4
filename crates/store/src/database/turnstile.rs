//! A turnstile in front of SQLite's write lock, shared by all processes that use a data directory.
//!
//! SQLite makes waiting writers poll, so a process that writes without a pause, such as an import, would nearly always
//! win. A writer passes the turnstile and holds it until it has the write lock; the previous writer must queue behind
//! it. This is only about order: what protects the data is SQLite's own lock.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

/// The lock file.
#[derive(Debug)]
pub(super) struct Turnstile(Arc<File>);

/// The turnstile is held until this is dropped.
#[derive(Debug)]
pub(super) struct Pass(Arc<File>);

impl Drop for Pass {
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::debug!(%error, "turnstile cannot be released");
        }
    }
}

impl Turnstile {
    /// `None` if the file system has no locks: writers then take the order that SQLite gives them.
    pub(super) async fn open(path: &Path) -> Option<Self> {
        let file = super::private_file()
            .create(true)
            .append(true)
            .open(path)
            .await
            .ok()?;
        Some(Self(Arc::new(file.into_std().await)))
    }

    /// Waits to pass. The permit of this process is passed through, so that at most one thread waits.
    pub(super) async fn pass(
        &self,
        permit: OwnedSemaphorePermit,
    ) -> (Option<Pass>, Option<OwnedSemaphorePermit>) {
        let file = Arc::clone(&self.0);
        match file.try_lock() {
            Ok(()) => (Some(Pass(file)), Some(permit)),
            Err(TryLockError::Error(_)) => (None, Some(permit)),
            Err(TryLockError::WouldBlock) => {
                let wait = move || (file.lock().is_ok().then(|| Pass(file)), Some(permit));
                tokio::task::spawn_blocking(wait).await.unwrap_or_default()
            }
        }
    }
}
