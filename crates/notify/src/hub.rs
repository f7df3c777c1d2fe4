//! The hub: one tail of the outbox, many listeners.

use std::sync::Arc;
use std::time::Duration;

use model::OutboxKind;
use parking_lot::Mutex;
use store::{Store, StoredBrief};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::Live;

/// Events that a slow listener may lag behind before it is cut off.
const LAG: usize = 256;
/// Consecutive failures that are only logged.
const MOST_FAILURES: u32 = 50;
/// How often the outbox is read while somebody listens.
const PAUSE: Duration = Duration::from_millis(25);
/// The same while nobody listens.
const IDLE_PAUSE: Duration = Duration::from_millis(100);
/// Outbox rows read at a time.
const BATCH: u64 = 200;

/// One event with the brief that it is about, as the brief was then.
#[derive(Clone, Debug)]
pub struct Published {
    /// Position in the outbox: the id that a stream resumes from.
    pub position: i64,
    /// What happened.
    pub kind: OutboxKind,
    /// The revision that the event names.
    pub brief: StoredBrief,
}

/// Hands events to listeners.
#[derive(Clone, Debug)]
pub struct Hub {
    sender: broadcast::Sender<Arc<Published>>,
    closed: CancellationToken,
    /// The position up to which the outbox was read; a tail that is restarted continues from there, so that no listener
    /// misses anything.
    position: Arc<Mutex<Option<i64>>>,
    live: Live,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            sender: broadcast::channel(LAG).0,
            closed: CancellationToken::new(),
            position: Arc::default(),
            live: Live::default(),
        }
    }
}

impl Hub {
    /// Everything published from now on, and the outbox position after which it begins.
    pub async fn listen(
        &self,
        store: &Store,
    ) -> Result<(broadcast::Receiver<Arc<Published>>, i64), store::Error> {
        let receiver = self.sender.subscribe();
        let head = store.outbox().head().await?;
        // A tail that has not begun yet begins here. If another has begun meanwhile, events are reported from there on.
        let begins = *self.position.lock().get_or_insert(head);
        Ok((receiver, head.max(begins)))
    }

    /// Live events, by topic.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Completes when nothing more will be published: streams end with it.
    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }

    /// Ends every stream: nothing more will be published.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// The number of listeners.
    pub fn listeners(&self) -> usize {
        self.sender.receiver_count()
    }

    /// Tails the outbox until cancelled; then the hub is closed. The first time it begins at the current head or where
    /// somebody already listens, later where it left off. Repeated failures are left to the supervisor, and the hub
    /// stays open.
    pub async fn run(&self, store: Store, cancel: CancellationToken) -> Result<(), store::Error> {
        let mut failures = 0;
        loop {
            match self.step(&store).await {
                Ok(()) => failures = 0,
                Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "live streams do not follow the outbox"
                    );
                }
            }
            let pause = if self.listeners() == 0 {
                IDLE_PAUSE
            } else {
                PAUSE
            };
            tokio::select! {
                () = cancel.cancelled() => {
                    self.close();
                    return Ok(());
                }
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    async fn step(&self, store: &Store) -> Result<(), store::Error> {
        let known = *self.position.lock();
        let from = if let Some(position) = known {
            position
        } else {
            let head = store.outbox().head().await?;
            *self.position.lock().get_or_insert(head)
        };
        if self.listeners() > 0 {
            // What was committed is reported at once, without waiting for the search index to reach it.
            store.outbox().sequence().await?;
        }
        // The head first: anyone who begins to listen after it was read is shown everything past it.
        let head = store.outbox().head().await?;
        if self.listeners() == 0 {
            *self.position.lock() = Some(head);
            return Ok(());
        }
        let (published, read_to) = read_after(store, from, BATCH).await?;
        for published in published {
            *self.position.lock() = Some(published.position);
            // Nobody is listening any more: the event stays in the outbox.
            let _ = self.sender.send(Arc::new(published));
        }
        *self.position.lock() = Some(read_to);
        Ok(())
    }
}

/// Up to `limit` events after a position, each with its brief, and the position up to which the outbox was read.
pub async fn read_after(
    store: &Store,
    position: i64,
    limit: u64,
) -> Result<(Vec<Published>, i64), store::Error> {
    let events = store.outbox().after(position, limit).await?;
    let named: Vec<_> = events
        .iter()
        .map(|event| (event.brief_id, event.revision))
        .collect();
    let read_to = events.last().map_or(position, |event| event.position);
    let mut briefs = std::collections::HashMap::new();
    for stored in store.briefs().load(&named).await? {
        briefs.insert((stored.brief.id, stored.brief.revision), stored);
    }
    let published = events
        .into_iter()
        .filter_map(|event| {
            let brief = briefs.get(&(event.brief_id, event.revision))?.clone();
            Some(Published {
                position: event.position,
                kind: event.kind,
                brief,
            })
        })
        .collect();
    Ok((published, read_to))
}
