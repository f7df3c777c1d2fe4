//! The way from items to briefs, over a real store and a real index.

mod feeds;
mod files;
mod following;
mod publishing;
mod world;
