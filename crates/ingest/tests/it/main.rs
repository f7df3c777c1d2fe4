//! The way from items to briefs, over a real store and a real index.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

#[path = "../../../search/tests/it/faulty.rs"]
#[expect(
    dead_code,
    reason = "shared with the tests of search, which use more of it"
)]
mod faulty;
mod feeds;
mod files;
mod following;
mod market;
mod merging;
mod pages;
mod pruning;
mod publishing;
mod splitting;
mod voices;
mod world;
