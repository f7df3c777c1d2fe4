//! The HTTP interface, from outside.
//!
//! Every test has a server of its own: an in-memory store, a clock that stands still, no network but loopback.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod account;
mod caching;
mod connection;
mod contract;
mod credentials;
mod documents;
mod errors;
mod foreign_headers;
mod freshness;
mod idempotency;
mod journal;
mod limits;
mod market;
mod metering;
mod monitors;
mod news;
mod operations;
mod ready;
mod receiver;
mod recorded;
mod reports;
mod simulated;
mod sources;
mod stalled;
mod strangers;
mod support;
mod tenants;
mod verified;
mod way_out;
mod words;
