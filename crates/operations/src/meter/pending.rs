//! Charges on their way to the ledger: the batch that is being filled, and those that wait to be written.
//!
//! One lock stands around a charge's record in the journal and its line in memory, so that both always hold the same. A
//! batch that could not be written stays as it is and is sent again under its number: whether the first try had arrived
//! is for the ledger to say.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use model::Timestamp;
use parking_lot::Mutex;
use store::BatchId;
use uuid::Uuid;

use super::batch::{Batch, Line};
use super::journal::Journal;
use super::record;
use crate::caller::Payer;

/// Batches that wait while the ledger cannot be written. Beyond them nothing is charged, and so nothing that costs is
/// answered. With a segment of a mebibyte each this bounds the journal, too.
const MOST_WAITING: usize = 64;

/// Why a charge cannot be remembered.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotedError {
    /// The ledger has not been written for long.
    #[error("too many charges are waiting for the ledger")]
    Full,
    /// The disk is full, most likely.
    #[error("journal of charges cannot be written")]
    Journal(#[source] io::Error),
}

/// How the ledger is keeping up, for those who watch over the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterHealth {
    /// Ledger rows that are not written yet.
    pub pending_rows: usize,
    /// When the oldest charge that is not in the ledger was made.
    pub oldest_pending: Option<Timestamp>,
    /// When everything was in the ledger last.
    pub last_flush: Timestamp,
    /// Bytes in the journal.
    pub journal_bytes: u64,
    /// Whether the journal took the last charge. Where it did not, charges go to the ledger one by one.
    pub journal_works: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Pending {
    journal: Option<Journal>,
    /// Names this run of the process in the ledger.
    id: Uuid,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    current: Batch,
    waiting: VecDeque<Waiting>,
    /// Number of the last batch that is in the ledger.
    written: u64,
    /// When the first charge of the current batch was made.
    begun: Option<Timestamp>,
    last_flush: Timestamp,
    journal_works: bool,
    /// Where records are put together.
    buffer: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Waiting {
    batch: Arc<Batch>,
    begun: Option<Timestamp>,
}

impl Pending {
    pub(super) fn new(journal: Option<Journal>, now: Timestamp) -> Self {
        Self {
            id: journal
                .as_ref()
                .map_or_else(Uuid::new_v4, |journal| journal.id),
            journal,
            state: Mutex::new(State {
                current: Batch::new(1),
                waiting: VecDeque::new(),
                written: 0,
                begun: None,
                last_flush: now,
                journal_works: true,
                buffer: Vec::new(),
            }),
        }
    }

    /// Remembers a line, in the journal first; returns the number of its batch. A line without credits is not worth
    /// refusing an answer: it may stay out of the journal, and is left out where there is no room.
    pub(super) fn note(&self, payer: Payer, line: Line) -> Result<u64, NotedError> {
        let mut state = self.state.lock();
        if state.current.is_full_for(payer, &line) {
            if state.waiting.len() >= MOST_WAITING {
                return if line.credits == 0 {
                    Ok(state.written)
                } else {
                    Err(NotedError::Full)
                };
            }
            state.close();
        }
        if let Some(journal) = &self.journal {
            let recorded = state.record(journal, payer, &line);
            if state.journal_works != recorded.is_ok() {
                state.journal_works = recorded.is_ok();
                match &recorded {
                    Ok(()) => tracing::info!("journal of charges can be written again"),
                    Err(error) => tracing::error!(
                        error = error as &dyn std::error::Error,
                        "journal of charges cannot be written: {error}"
                    ),
                }
            }
            if let Err(error) = recorded
                && line.credits > 0
            {
                return Err(NotedError::Journal(error));
            }
        }
        state.begun.get_or_insert(line.at);
        state.current.add(payer, line);
        Ok(state.current.number)
    }

    /// Number of the newest batch that has charges.
    pub(super) fn newest(&self) -> u64 {
        let state = self.state.lock();
        state.current.number - u64::from(state.current.is_empty())
    }

    /// The batch to write next, up to that number. The current one is closed for it only where none waits, so that a
    /// ledger that cannot be written does not leave a trail of small ones.
    pub(super) fn next(&self, newest: u64) -> Option<Arc<Batch>> {
        let mut state = self.state.lock();
        if state.waiting.is_empty() && !state.current.is_empty() && state.current.number <= newest {
            state.close();
        }
        state
            .waiting
            .front()
            .map(|waiting| waiting.batch.clone())
            .filter(|batch| batch.number <= newest)
    }

    /// How the ledger knows a batch.
    pub(super) fn id_of(&self, batch: &Batch) -> BatchId {
        BatchId {
            journal: self.id,
            number: batch.number,
        }
    }

    /// The batch that was next is in the ledger.
    pub(super) fn note_written(&self, batch: &Batch) {
        {
            let mut state = self.state.lock();
            state.waiting.pop_front();
            state.written = batch.number;
        }
        if let Some(segment) = &batch.segment {
            segment.remove();
        }
    }

    /// Everything up to the wanted batch is in the ledger.
    pub(super) fn note_flushed(&self, now: Timestamp) {
        self.state.lock().last_flush = now;
    }

    /// Number of the last batch that is in the ledger.
    pub(super) fn written(&self) -> u64 {
        self.state.lock().written
    }

    /// Brings the journal to the disk, for the time in which the ledger cannot be written.
    pub(super) fn sync(&self) -> io::Result<()> {
        let Some(journal) = &self.journal else {
            return Ok(());
        };
        let files: io::Result<Vec<_>> = {
            let state = self.state.lock();
            let segments = state.segments();
            segments.map(super::journal::Segment::handle).collect()
        };
        for file in files? {
            file.sync_data()?;
        }
        journal.sync()
    }

    pub(super) fn health(&self) -> MeterHealth {
        let state = self.state.lock();
        let waiting = state.waiting.front();
        MeterHealth {
            pending_rows: state.current.rows()
                + state
                    .waiting
                    .iter()
                    .map(|waiting| waiting.batch.rows())
                    .sum::<usize>(),
            oldest_pending: waiting.map_or(state.begun, |waiting| waiting.begun),
            last_flush: state.last_flush,
            journal_bytes: state.segments().map(super::journal::Segment::length).sum(),
            journal_works: state.journal_works,
        }
    }
}

impl State {
    /// The current batch takes no more.
    fn close(&mut self) {
        let fresh = Batch::new(self.current.number + 1);
        let batch = Arc::new(std::mem::replace(&mut self.current, fresh));
        let begun = self.begun.take();
        self.waiting.push_back(Waiting { batch, begun });
    }

    fn record(&mut self, journal: &Journal, payer: Payer, line: &Line) -> io::Result<()> {
        let is_first = self.current.is_empty();
        let segment = match &mut self.current.segment {
            Some(segment) => segment,
            none => none.insert(journal.segment(self.current.number, line.at)?),
        };
        self.buffer.clear();
        record::encode(&mut self.buffer, payer, line);
        let outcome = segment.append(&self.buffer);
        if outcome.is_err() && is_first {
            // Nothing of it is wanted; the next charge begins another.
            segment.remove();
            self.current.segment = None;
        }
        outcome
    }

    fn segments(&self) -> impl Iterator<Item = &super::journal::Segment> {
        self.waiting
            .iter()
            .filter_map(|waiting| waiting.batch.segment.as_ref())
            .chain(self.current.segment.as_ref())
    }
}
