//! The one handle that changes the index.
//!
//! The engine indexes on its own thread. When that thread fails (a full disk, too many open files), the engine reports
//! it once and then carries on without it: later commits succeed and hold nothing. So an engine that failed is never
//! used again. [`Writer`] drops it at the first error and refuses everything afterwards with [`Error::Broken`]; the
//! caller takes a new writer and begins where the last commit ended.

use std::sync::Arc;

use model::{Brief, BriefId, Timestamp};
use tantivy::indexer::IndexWriterOptions;
use tantivy::{IndexWriter, Term};

use crate::checkpoint::{Checkpoint, Committed};
use crate::error::{Error, Result};
use crate::index::{Live, Shared};
use crate::merge::TidyMergePolicy;
use crate::schema::{self, RevisionKey};

/// How much may accumulate in memory before a segment is written out. One thread indexes: the machine has other work.
const HEAP_BYTES: usize = 48_000_000;

/// One revision with the time span during which it was the current one.
#[derive(Clone, Copy, Debug)]
pub struct RevisionDocument<'a> {
    /// The revision.
    pub brief: &'a Brief,
    /// The time from which it was known.
    pub known_from: Timestamp,
    /// The time until which it was known, exclusive; [`Timestamp::END`] for the current revision. Put the previous
    /// revision again with its end when a new one appears.
    pub known_to: Timestamp,
}

/// Puts revisions into the index and removes them. Anything not committed when the process ends is lost.
///
/// The first error ends the writer: what it held is discarded, along with the lock, and every later call returns
/// [`Error::Broken`].
pub struct Writer {
    shared: Arc<Shared>,
    live: Arc<Live>,
    /// `None` once it has failed.
    engine: Option<Engine>,
}

/// The engine's writer with what was put and removed since the last commit; no revision is in both. Only
/// [`Writer::with_engine`] hands it out.
struct Engine {
    writer: IndexWriter,
    put: Vec<RevisionKey>,
    removed: Vec<RevisionKey>,
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
        // A failed commit leaves files whose names this writer would try to use again, and could not.
        if let Err(error) = writer.garbage_collect_files().wait() {
            tracing::debug!(%error, "files that are no longer used stay for now");
        }
        // Another process may have committed after the index was opened and before the lock was acquired.
        live.publish(&Committed::load(&live.index)?)?;
        Ok(Self {
            shared,
            live,
            engine: Some(Engine {
                writer,
                put: Vec::new(),
                removed: Vec::new(),
            }),
        })
    }

    /// Adds a revision; replaces it if it is there already.
    pub fn put(&mut self, revision: &RevisionDocument<'_>) -> Result<()> {
        self.with_engine(|live, engine| {
            let fields = &live.fields;
            let key = schema::key(revision.brief.id, revision.brief.revision);
            engine
                .writer
                .delete_term(Term::from_field_bytes(fields.key, &key));
            engine.writer.add_document(fields.document(
                revision.brief,
                revision.known_from,
                revision.known_to,
            ))?;
            engine.removed.retain(|removed| *removed != key);
            engine.put.push(key);
            Ok(())
        })
    }

    /// Removes a revision; nothing happens if it is not there.
    pub fn remove(&mut self, brief_id: BriefId, revision: u32) -> Result<()> {
        self.with_engine(|live, engine| {
            let key = schema::key(brief_id, revision);
            let term = Term::from_field_bytes(live.fields.key, &key);
            engine.writer.delete_term(term);
            engine.put.retain(|put| *put != key);
            engine.removed.push(key);
            Ok(())
        })
    }

    /// Makes everything since the last commit durable and visible, and records how far the outbox was read. Takes tens
    /// of milliseconds whatever the amount: gather what comes within a second.
    ///
    /// Success means that exactly these documents are there: they are counted.
    pub fn commit(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        self.with_engine(|live, engine| {
            let put = distinct(&mut engine.put);
            let removed = distinct(&mut engine.removed);
            let before = live.view();
            let fresh = before.count_absent(&put)?;
            let gone = removed.len() as u64 - before.count_absent(&removed)?;
            let documents = before.searcher.num_docs() + fresh - gone;
            let committed = Committed::new(checkpoint.clone(), documents);
            let mut prepared = engine.writer.prepare_commit()?;
            prepared.set_payload(&committed.payload()?);
            prepared.commit()?;
            live.publish(&committed)
        })?;
        // Whoever holds the lock knows best: handles that were reopened meanwhile return to this index.
        self.shared.serve(Arc::clone(&self.live));
        Ok(())
    }

    /// Waits until segments that are being merged are done, and releases the index. Dropping the writer merely aborts
    /// merges, which loses nothing but the work done on them.
    pub fn finish(mut self) -> Result<()> {
        let engine = self.engine.take().ok_or(Error::Broken)?;
        engine.writer.wait_merging_threads()?;
        Ok(())
    }

    /// Lends the engine out and takes it back only if all went well.
    fn with_engine<T>(&mut self, work: impl FnOnce(&Live, &mut Engine) -> Result<T>) -> Result<T> {
        let mut engine = self.engine.take().ok_or(Error::Broken)?;
        let done = work(&self.live, &mut engine)?;
        self.engine = Some(engine);
        Ok(done)
    }
}

/// The keys, each once; the list is left empty.
fn distinct(keys: &mut Vec<RevisionKey>) -> Vec<RevisionKey> {
    let mut keys = std::mem::take(keys);
    keys.sort_unstable();
    keys.dedup();
    keys
}
