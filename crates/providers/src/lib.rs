//! Every byte that comes from outside: one transport, one folder per source.
//!
//! A source is a [`Call`]: a pure `request` and a pure `parse`. [`Transport`] owns the only socket, and with it
//! everything that is the same for all sources: time limits, retries, budgets, the circuit breaker, the size limit
//! and the guard against private addresses. Nothing here stores anything or knows what happens to what it read.
//! [`callbacks`] goes the other way: it posts to addresses that callers supplied.

pub mod callbacks;
mod charset;
pub mod chat;
mod error;
pub mod feeds;
pub mod guard;
mod headline;
pub mod import;
pub mod pages;
mod source_health;
mod starter;
#[cfg(test)]
mod test_data;
pub mod transport;
pub mod web_search;

pub use error::{AddressFault, Error, Outage, ParseError, RedirectFault};
pub use source_health::SourceHealth;
pub use starter::{ListError, outlets, parse_outlets, parse_starter_feeds, starter_feeds};
pub use transport::{
    Call, Fetched, HttpAnswer, HttpBody, HttpRequest, Transport, TransportSettings,
};
