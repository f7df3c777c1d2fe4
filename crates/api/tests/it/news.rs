//! The news: five briefs told by hand, asked for in every way there is.

mod briefs;
mod entities;
mod feeds;
mod findings;
mod fixtures;
mod search;
mod stream;
mod topics;
