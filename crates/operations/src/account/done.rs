//! The response of an operation that has nothing to return.

use serde::Serialize;
use utoipa::ToSchema;

/// Done.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// `ok`.
    status: &'static str,
    /// What was done.
    message: &'static str,
}

impl Done {
    /// Says what was done.
    pub fn new(message: &'static str) -> Self {
        Self {
            status: "ok",
            message,
        }
    }
}
