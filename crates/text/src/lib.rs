//! From a page to its meaning: pure functions that turn text into what is known about it.
//!
//! No I/O, no clock, no randomness. The same input gives the same output on every machine, so anything read once can be
//! read again and compared.

mod abbreviation;
pub mod address;
pub mod annotate;
pub mod bias;
mod caseless;
pub mod category;
pub mod chain;
pub mod chunks;
pub mod clean;
pub mod company;
pub mod compose;
pub mod coverage;
pub mod date;
pub mod diff;
pub mod embedding;
pub mod entities;
pub mod events;
pub mod features;
pub mod language;
mod linear;
pub mod markup;
pub mod page;
mod pattern;
mod readings;
pub mod references;
pub mod sentiment;
pub mod sketch;
pub mod statement;
pub mod stories;
pub mod tags;
pub mod token;
pub mod trees;

pub use statement::sentence;
