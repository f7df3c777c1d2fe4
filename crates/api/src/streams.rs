//! Who has a stream open, or had one a moment ago: a connection that broke is resumed without being charged again.

use std::collections::HashMap;

use model::Timestamp;
use parking_lot::Mutex;

use crate::caller::Payer;

/// When each payer's streams were last alive.
#[derive(Default)]
pub(crate) struct Streams {
    alive: Mutex<HashMap<Payer, Timestamp>>,
}

impl Streams {
    /// A stream of this payer is alive.
    pub(crate) fn seen(&self, payer: Payer, now: Timestamp) {
        self.alive.lock().insert(payer, now);
    }

    /// Whether a stream of this payer was alive less than `within_ms` ago.
    pub(crate) fn resumes(&self, payer: Payer, now: Timestamp, within_ms: i64) -> bool {
        self.alive
            .lock()
            .get(&payer)
            .is_some_and(|seen| now.since_ms(*seen) < within_ms)
    }

    /// Forgets streams that can no longer be resumed freely.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.alive
            .lock()
            .retain(|_, seen| now.since_ms(*seen) < 10 * Timestamp::MINUTE_MS);
    }
}
