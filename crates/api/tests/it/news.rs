//! The news: five briefs written by hand, asked for in every way there is.

mod briefs;
mod compare;
mod entities;
mod extract;
mod feeds;
mod findings;
pub(crate) mod fixtures;
mod research;
mod revisions;
mod search;
mod similar;
mod stream;
mod suggest;
mod topics;
mod trending;
mod web_search;
