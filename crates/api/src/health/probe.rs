//! Whether the store accepts a write: tested for `/ready`, at most every few seconds, however often it is requested.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use store::Store;
use tokio::time::Instant;

/// How long an outcome is shown.
const KEPT: Duration = Duration::from_secs(3);
/// How long to wait for an outcome before the last one is shown.
const PATIENCE: Duration = Duration::from_secs(2);
/// A write that waits behind another one, such as a large import, does not count as a fault until it has taken this
/// long.
const BUSY_FOR: Duration = Duration::from_secs(30);

/// The last outcomes.
#[derive(Clone, Default)]
pub(crate) struct Probe {
    outcome: Arc<Mutex<Outcome>>,
    /// One attempt at a time.
    lock: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Clone, Copy, Default)]
struct Outcome {
    begun: Option<Instant>,
    finished: Option<Instant>,
    succeeded: Option<Instant>,
    fault: Option<&'static str>,
}

/// The result of the last write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeReport {
    pub(crate) writable: bool,
    /// How long ago the last write succeeded.
    pub(crate) last_success: Option<Duration>,
    /// In words that strangers may read.
    pub(crate) fault: Option<&'static str>,
}

impl Probe {
    /// Writes, unless that was done a moment ago, and reports.
    pub(crate) async fn check(&self, store: &Store) -> ProbeReport {
        let is_fresh = |outcome: &Outcome| {
            outcome
                .finished
                .is_some_and(|finished| finished.elapsed() < KEPT)
        };
        if !is_fresh(&self.outcome.lock()) {
            let (probe, store) = (self.clone(), store.clone());
            // A task of its own: a caller that hangs up must not leave a half-made attempt, and one that waits too long
            // sees the last outcome.
            let attempt = tokio::spawn(async move {
                let _held = probe.lock.lock().await;
                if is_fresh(&probe.outcome.lock()) {
                    return;
                }
                probe.outcome.lock().begun = Some(Instant::now());
                let written = store.probe().await;
                probe.note(written);
            });
            let is_over = tokio::time::timeout(PATIENCE, attempt).await.is_ok();
            if !is_over {
                tracing::debug!("the write probe waits for another one");
            }
        }
        self.report(Instant::now())
    }

    fn note(&self, written: store::Result<()>) {
        let now = Instant::now();
        let mut outcome = self.outcome.lock();
        outcome.begun = None;
        outcome.finished = Some(now);
        match written {
            Ok(()) => {
                outcome.succeeded = Some(now);
                outcome.fault = None;
            }
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the store cannot be written: {error}"
                );
                outcome.fault = Some(fault(&error));
            }
        }
    }

    fn report(&self, now: Instant) -> ProbeReport {
        let outcome = *self.outcome.lock();
        let waits_since = outcome.begun.map(|begun| now.duration_since(begun));
        let fault = match outcome.fault {
            Some(fault) => Some(fault),
            None if waits_since.is_some_and(|waits| waits > BUSY_FOR) => {
                Some("store does not answer")
            }
            None => None,
        };
        ProbeReport {
            writable: fault.is_none(),
            last_success: outcome
                .succeeded
                .map(|succeeded| now.duration_since(succeeded)),
            fault,
        }
    }
}

fn fault(error: &store::Error) -> &'static str {
    match error {
        store::Error::Busy => "store is busy",
        store::Error::Files { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            "no space left on the disk"
        }
        store::Error::Files { .. } => "data directory cannot be written",
        _ => "store does not take writes",
    }
}
