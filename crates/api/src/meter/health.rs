//! Whether charges reach the ledger.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Meter;

/// When everything that was settled was last written.
#[derive(Debug)]
pub(super) struct LedgerHealth {
    flushed: Mutex<Instant>,
}

impl Default for LedgerHealth {
    fn default() -> Self {
        Self {
            flushed: Mutex::new(Instant::now()),
        }
    }
}

impl LedgerHealth {
    pub(super) fn flushed(&self) {
        *self.flushed.lock() = Instant::now();
    }
}

/// The state of the ledger at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LedgerReport {
    /// Whether settled charges wait to be written.
    pub(crate) is_pending: bool,
    /// How long ago everything settled until then was last written.
    pub(crate) last_flush: Duration,
}

impl Meter {
    pub(crate) fn report(&self) -> LedgerReport {
        let is_pending = self.shards.iter().any(|shard| {
            let shard = shard.lock();
            !shard.dirty.is_empty()
        });
        LedgerReport {
            // What a flush has taken out is pending as long as that flush lasts.
            is_pending: is_pending || self.turn.try_lock().is_err(),
            last_flush: self.health.flushed.lock().elapsed(),
        }
    }
}
