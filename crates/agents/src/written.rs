//! What the operations that change agents, reviews and schedules have in common.
//!
//! The answer to a request that may be repeated is stored in the same transaction as its effect, so it is made
//! beforehand.

use operations::{Error, ErrorCode, Result};
use serde::Serialize;
use store::StoredAnswer;

/// The answer to a repeated request.
pub(crate) fn stored<T: Serialize>(answer: &T) -> Result<StoredAnswer> {
    let body = serde_json::to_vec(answer).map_err(Error::internal)?;
    Ok(StoredAnswer::json(body))
}

/// The refusal of one row more than an account may have; other errors stay as they are.
pub(crate) fn too_many(error: store::Error) -> Error {
    match error {
        store::Error::Full { .. } => Error::refused(ErrorCode::TooManyEntries, error.to_string()),
        error => error.into(),
    }
}
