//! From feed to published brief: fetch, clean, annotate, place into a story, compose, publish.
//!
//! The [`Newsroom`] is the one place where articles become briefs; feeds, files, single pages and the simulated newswire
//! all hand their items to it. What happened leaves through the store's outbox: nothing here knows who listens. The
//! [`follow`] loop keeps the derived search index in step with the store.

pub mod comparison;
mod desk;
mod divergence;
mod error;
pub mod follow;
mod import;
mod isolated;
mod listings;
pub mod market;
mod newsroom;
mod outlets;
mod pages;
pub mod poll;
mod pruned;
mod single;
mod velocity;

pub use desk::{Outcome, Prepared};
pub use divergence::{Divergence, find_divergence};
pub use error::{Error, Result};
pub use import::{
    ImportOptions, ImportProgress, ImportSummary, Line, LineProblem, import_articles,
};
pub use isolated::Refusal;
pub use newsroom::{Newsroom, NewsroomWorker, prepare};
pub use outlets::OutletTable;
pub use pages::PageReader;
pub use pruned::remove_pruned;
pub use single::publish_page;
