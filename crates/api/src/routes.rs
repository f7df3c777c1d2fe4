//! The operations, one file for each family.

pub(crate) mod auth;
pub(crate) mod billing;
pub(crate) mod brief;
mod brief_body;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod data_status;
pub(crate) mod diff;
pub(crate) mod entities;
pub(crate) mod extract;
pub(crate) mod feed;
pub(crate) mod findings;
pub(crate) mod health;
pub(crate) mod keys;
pub(crate) mod metrics;
pub(crate) mod search;
pub(crate) mod similar;
pub(crate) mod stream;
pub(crate) mod suggest;
pub(crate) mod ticker;
pub(crate) mod timeline;
pub(crate) mod topics;
pub(crate) mod trending;
pub(crate) mod usage;
