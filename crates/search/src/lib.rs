//! Finding briefs by words and by meaning: a tantivy index of every revision, each with the time span during which it
//! was the current one.
//!
//! The index is derived state. It follows the outbox, records in each commit how far it has come, and may be deleted
//! and rebuilt at any time. Nothing here is the source of truth, and nothing reads the store. One process writes
//! ([`Writer`]), any number of threads search ([`Index`]). Calls block and may take milliseconds, so async callers put
//! them on a blocking thread.

mod analysis;
mod checkpoint;
mod collect;
mod completion;
mod error;
mod fusion;
mod highlight;
mod index;
mod merge;
mod query;
mod related;
mod replacement;
mod request;
mod schema;
mod texts;
mod vectors;
mod view;
mod writer;

pub use analysis::fold_text;
pub use checkpoint::Checkpoint;
pub use completion::{Completion, CompletionRequest};
pub use error::{Error, Result};
pub use index::{Index, IndexedRevision};
pub use replacement::{Replacement, Swap};
pub use request::{Depth, Filters, Highlight, Hit, SearchPage, SearchRequest, Similar, Sort};
pub use writer::{RevisionDocument, Writer};
