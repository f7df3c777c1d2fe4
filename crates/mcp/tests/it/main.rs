//! The interface for models, from outside: over real connections on loopback, on a store in memory and a clock that stands
//! still.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

mod calls;
mod cancelling;
mod documents;
mod edges;
mod operation;
mod rules;
mod stdio;
mod support;
mod surfaces;
