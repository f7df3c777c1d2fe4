//! From feed to published brief: fetch, clean, annotate, assign to a story, compose, publish.
//!
//! The [`Publisher`] is the one place where articles become briefs; feeds, files, single pages and the simulated
//! newswire all hand their items to it. Events leave through the store's outbox: nothing here knows who listens. The
//! [`follow`] loop keeps the derived search index in step with the store.

pub mod comparison;
mod divergence;
mod error;
pub mod follow;
mod import;
mod isolated;
mod listings;
pub mod market;
mod pages;
pub mod poll;
mod pruned;
mod publisher;
mod single;
mod story_writer;
mod velocity;

pub use divergence::{Divergence, find_divergence};
pub use error::{Error, Result};
pub use import::{
    ImportOptions, ImportProgress, ImportSummary, Line, LineProblem, import_articles,
};
pub use isolated::Refusal;
pub use pages::PageReader;
pub use pruned::remove_pruned;
pub use publisher::{PublishWorker, Publisher, prepare};
pub use single::publish_page;
pub use story_writer::{Outcome, Prepared};
