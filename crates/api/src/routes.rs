//! What only HTTP answers, one file for each family.

pub(crate) mod ask;
pub(crate) mod auth;
pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod ready;
pub(crate) mod stream;
