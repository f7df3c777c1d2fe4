//! One server per data directory: the operating system's lock on a file inside it.
//!
//! The lock ends with the process, however that ends; the file stays and has no meaning. Commands do not take it: they
//! write rows, which the database keeps in order. A second server, however, would write the index, poll every feed
//! twice and keep its own count for the limits.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::path::Path;

use anyhow::{Context, bail};

const FILE: &str = "assay.serve.lock";

/// Held by the single server of a data directory.
#[derive(Debug)]
pub(crate) struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// Takes the lock, or says who has it.
    pub(crate) fn take(directory: &Path) -> anyhow::Result<Self> {
        let Some(lock) = Self::try_take(directory)? else {
            bail!(
                "another assay serves the data directory {}: stop it first, or choose another with --data",
                directory.display()
            );
        };
        Ok(lock)
    }

    /// Takes the lock; `None` if another process has it.
    pub(crate) fn try_take(directory: &Path) -> anyhow::Result<Option<Self>> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // For its owner's eyes only, as the store creates it.
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
            builder.mode(0o700);
            options.mode(0o600);
        }
        let file = builder
            .create(directory)
            .and_then(|()| options.open(directory.join(FILE)))
            .with_context(|| format!("data directory {} cannot be used", directory.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                tracing::warn!(
                    "{} is on a file system without locks: make sure that only one assay serves it",
                    directory.display()
                );
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| {
                    format!("data directory {} cannot be locked", directory.display())
                });
            }
        }
        Ok(Some(Self { _file: file }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_server_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("data");
        let first = ServerLock::take(&place).unwrap();
        let refused = ServerLock::take(&place).unwrap_err().to_string();
        assert!(refused.contains(place.to_str().unwrap()), "{refused}");
        assert!(ServerLock::take(&directory.path().join("other")).is_ok());
        drop(first);
        assert!(ServerLock::take(&place).is_ok());
    }
}
