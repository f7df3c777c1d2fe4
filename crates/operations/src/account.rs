//! The keys and usage of an account.

pub(crate) mod billing;
pub(crate) mod done;
pub(crate) mod keys;
pub(crate) mod session;
pub(crate) mod usage;
pub(crate) mod webhooks;
