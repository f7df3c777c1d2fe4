//! Reports on tickers: ordered, written by a worker as a resumable run, read by address.
//!
//! A report is a typed document, rendered as Markdown, as a page and as JSON. Everything in it comes from operations
//! that are called on behalf of the account that ordered it; sentences are chosen by what the data show. Nothing here
//! knows about HTTP, and no language model writes.

mod absent;
mod analysts;
mod bias;
mod cached;
mod charts;
mod claims;
mod conclusion;
mod debate;
mod document;
mod facts;
mod finding;
mod markdown;
pub mod operation;
mod outlook;
pub mod page;
mod points;
mod price;
mod series;
mod summary;
mod tier;
mod uploaded;
mod words;
pub mod worker;
mod write;

pub use cached::{refresh as refresh_cached, refresh_due as refresh_due_cached};
pub use document::{Block, Document};
