//! Why the index could not answer.

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenReadError};

/// What went wrong, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The files are damaged or from another version: rebuild the index from the store.
    #[error("search index must be rebuilt: {reason}")]
    Rebuild {
        /// What does not fit.
        reason: &'static str,
        /// What the engine reported, if it reported anything.
        #[source]
        source: Option<TantivyError>,
    },
    /// Another writer, in this or another process, is at work.
    #[error("search index is being written by another writer")]
    Locked,
    /// This writer failed before and is no longer usable: take a new one and continue from the last commit.
    #[error("search index writer failed before")]
    Broken,
    /// Files could not be read, written or renamed: check disk and permissions.
    #[error("search index files cannot be used")]
    Files(#[source] std::io::Error),
    /// The engine failed in another way.
    #[error("search engine failed")]
    Engine(#[source] TantivyError),
}

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn rebuild(reason: &'static str) -> Self {
        Self::Rebuild {
            reason,
            source: None,
        }
    }

    /// The meaning of a failure that happened while existing files were opened: damage can be repaired at that point.
    pub(crate) fn while_opening(error: TantivyError) -> Self {
        let reason = match &error {
            TantivyError::SchemaError(_) => "its schema differs",
            TantivyError::IncompatibleIndex(_)
            | TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(_)) => {
                "its format differs"
            }
            TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_)) => "a file is missing",
            TantivyError::DataCorruption(_)
            | TantivyError::DeserializeError(_)
            | TantivyError::InternalError(_)
            | TantivyError::FieldNotFound(_) => "a file is damaged",
            TantivyError::IoError(cause) if is_damage(cause) => "a file is damaged",
            TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
                if is_damage(io_error) =>
            {
                "a file is damaged"
            }
            _ => return error.into(),
        };
        Self::Rebuild {
            reason,
            source: Some(error),
        }
    }
}

fn is_damage(cause: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        cause.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::NotFound | ErrorKind::Other
    )
}

impl From<TantivyError> for Error {
    fn from(error: TantivyError) -> Self {
        match error {
            TantivyError::LockFailure(LockError::LockBusy, _) => Self::Locked,
            other => Self::Engine(other),
        }
    }
}

impl From<LockError> for Error {
    fn from(error: LockError) -> Self {
        TantivyError::from(error).into()
    }
}
