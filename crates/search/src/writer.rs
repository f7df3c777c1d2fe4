//! The one handle that changes the index.

use std::sync::Arc;

use model::{Brief, Timestamp};
use tantivy::indexer::IndexWriterOptions;
use tantivy::{IndexWriter, Term};

use crate::error::{Error, Result};
use crate::index::{CommitPayload, Live, Shared};
use crate::merge::TidyMergePolicy;
use crate::schema;

/// What may gather in memory before a segment is written out. One thread indexes: the machine has other work.
const HEAP_BYTES: usize = 48_000_000;

/// One revision with the span of time in which it was the known one.
#[derive(Clone, Copy, Debug)]
pub struct RevisionDocument<'a> {
    /// The revision.
    pub brief: &'a Brief,
    /// From when on it was known.
    pub known_from: Timestamp,
    /// Until when, exclusive; [`Timestamp::END`] for the current revision. Put the former revision again with its end when a
    /// new one appears.
    pub known_to: Timestamp,
}

/// Puts revisions into the index. What was not committed when the process ends is lost.
pub struct Writer {
    shared: Arc<Shared>,
    live: Arc<Live>,
    writer: IndexWriter,
}

impl Writer {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self> {
        let live = shared.live();
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(HEAP_BYTES)
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter = live.index.writer_with_options(options)?;
        writer.set_merge_policy(Box::new(TidyMergePolicy::default()));
        Ok(Self {
            shared,
            live,
            writer,
        })
    }

    /// Adds a revision; replaces it if it is there already.
    pub fn put(&mut self, revision: &RevisionDocument<'_>) -> Result<()> {
        let fields = &self.live.fields;
        self.writer.delete_term(Term::from_field_bytes(
            fields.key,
            &schema::key(revision.brief),
        ));
        self.writer.add_document(fields.document(
            revision.brief,
            revision.known_from,
            revision.known_to,
        ))?;
        Ok(())
    }

    /// Makes everything since the last commit durable and visible, and remembers how far the outbox was read. Costs tens of
    /// milliseconds whatever the amount: gather what comes within a second.
    pub fn commit(&mut self, position: i64) -> Result<()> {
        let payload = serde_json::to_string(&CommitPayload {
            version: schema::VERSION,
            position,
        })
        .map_err(|error| Error::Files(error.into()))?;
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&payload);
        prepared.commit()?;
        self.live.publish(position)?;
        // Whoever holds the lock knows best: handles that were reopened meanwhile come back to this index.
        self.shared.serve(Arc::clone(&self.live));
        Ok(())
    }

    /// Empties the index with the next commit. What is put afterwards stays.
    pub fn clear(&mut self) -> Result<()> {
        self.writer.delete_all_documents()?;
        Ok(())
    }

    /// Waits until segments that are being merged are done, and lets go of the index. Dropping the writer only breaks merges
    /// off, which costs nothing but their work.
    pub fn finish(self) -> Result<()> {
        self.writer.wait_merging_threads()?;
        Ok(())
    }
}
