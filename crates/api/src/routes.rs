//! What only HTTP answers, one file for each family.

pub(crate) mod agents;
pub(crate) mod ask;
pub(crate) mod auth;
pub(crate) mod health;
pub(crate) mod llms;
pub(crate) mod metrics;
pub(crate) mod ready;
pub(crate) mod report_page;
pub(crate) mod sources;
pub(crate) mod stream;
pub(crate) mod subscribe;
pub(crate) mod ws;
