//! The way from items to briefs, over a real store and a real index.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod feeds;
mod files;
mod following;
mod market;
mod pages;
mod publishing;
mod world;
