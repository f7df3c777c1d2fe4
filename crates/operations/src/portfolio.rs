//! What an account holds or watches.

pub(crate) mod feed;
pub(crate) mod watchlists;
