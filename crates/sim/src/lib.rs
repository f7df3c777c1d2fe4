//! The simulated world of `serve --demo`.
//!
//! Deterministic for a given seed: the same seed and days give the same articles. Anything that could harm a real
//! company is written only about fictional ones, and everything is marked as simulated.

mod agreement;
mod assignments;
mod calendar;
mod cast;
mod facts;
mod kind;
pub mod market;
pub mod newswire;
mod outlets;
mod prose;
mod random;
mod schedule;
pub mod statements;
#[cfg(test)]
mod testing;
mod world;
mod writer;
