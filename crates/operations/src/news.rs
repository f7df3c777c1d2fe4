//! Briefs: listing, finding and comparing them, and what they state.

pub(crate) mod brief;
pub(crate) mod brief_body;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod entities;
pub(crate) mod extract;
pub(crate) mod feed;
pub(crate) mod findings;
pub(crate) mod generate;
mod placement;
pub(crate) mod search;
pub(crate) mod similar;
pub(crate) mod suggest;
pub(crate) mod timeline;
pub(crate) mod trending;
pub(crate) mod web_search;
