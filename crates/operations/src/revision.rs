//! Which data an answer is made from.
//!
//! An entity tag promises that whoever has it need not be sent the answer again. So it names everything that an answer
//! can be made from, and it is read **before** the work begins: then an answer may hold newer data than its tag says,
//! which the next tag shows, but never older ones. What search sees is named by the commit that it reads, what is read
//! from the store by the store's newest event and market versions, what comes from memory by the versions that were
//! read into it. All of these outlive the process, and none of them is equal for different data: not after a restart,
//! not in another process, not in a store that came back from a backup.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use parking_lot::RwLock;
use search::Index;
use store::{MarketVersions, Store};
use tokio::time::Instant;
use uuid::Uuid;

use crate::error::Result;

/// For how long what the store said is taken for what it says.
const GOOD_FOR: Duration = Duration::from_millis(100);

/// A state of all data. Equal ones give equal answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DataRevision {
    store: Uuid,
    /// The commit that search reads: position, and a digest of store and event.
    index: (i64, u64),
    /// The store's newest event: position, and a digest of what it is.
    head: (i64, u64),
    /// How often old news was removed.
    pruned: i64,
    /// Market data in the store.
    market: MarketVersions,
    /// Market data in memory.
    cached: MarketVersions,
}

impl DataRevision {
    pub(crate) fn new(store: &Store, seen: Seen, index: &Index, cached: MarketVersions) -> Self {
        let checkpoint = index.checkpoint();
        Self {
            store: store.id(),
            index: (checkpoint.position, digest(&checkpoint)),
            head: seen.head,
            pruned: seen.pruned,
            market: seen.market,
            cached,
        }
    }

    /// The same state whatever the quotes are: they move every few seconds, and what may be as old as a kept price need not be
    /// made again for each of their moves.
    pub(crate) fn without_quotes(self) -> Self {
        let still = |versions: MarketVersions| MarketVersions {
            quotes: 0,
            quotes_mark: 0,
            ..versions
        };
        Self {
            market: still(self.market),
            cached: still(self.cached),
            ..self
        }
    }

    /// The numbers that rise, for people who read tags.
    pub fn counts(&self) -> [i64; 4] {
        [
            self.index.0,
            self.head.0,
            self.market.market,
            self.market.quotes,
        ]
    }
}

/// A state of the news in the store. While it is the same, no revision has come, ended, begun to trend or gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewsState {
    head: (i64, u64),
    pruned: i64,
}

#[cfg(test)]
impl NewsState {
    pub(crate) const fn at(position: i64) -> Self {
        Self {
            head: (position, 0),
            pruned: 0,
        }
    }
}

/// What the store last said of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    head: (i64, u64),
    pruned: i64,
    market: MarketVersions,
    read_at: Instant,
}

impl Seen {
    pub(crate) const fn news(&self) -> NewsState {
        NewsState {
            head: self.head,
            pruned: self.pruned,
        }
    }
}

/// The newest state of the store, asked for when somebody wants to know and the last word is 100 ms old. Asking depends
/// on no background task, so that none can freeze it.
#[derive(Default)]
pub(crate) struct Watch {
    seen: RwLock<Option<Seen>>,
    /// One asks, the others wait for its answer.
    asking: tokio::sync::Mutex<()>,
}

impl Watch {
    pub(crate) async fn look(&self, store: &Store) -> Result<Seen> {
        if let Some(seen) = self.fresh() {
            return Ok(seen);
        }
        let _turn = self.asking.lock().await;
        if let Some(seen) = self.fresh() {
            return Ok(seen);
        }
        // Before the questions, so that nothing counts as newer than it is.
        let read_at = Instant::now();
        let head = store.outbox().newest().await?;
        let pruned = store.prune().times().await?;
        let market = store.market().versions().await?;
        let seen = Seen {
            head: (head.position, digest(&head)),
            pruned,
            market,
            read_at,
        };
        *self.seen.write() = Some(seen);
        Ok(seen)
    }

    /// The position of the newest event that was seen.
    pub(crate) fn position(&self) -> i64 {
        self.seen.read().map_or(0, |seen| seen.head.0)
    }

    /// The store is at this position by now: what was seen before is old.
    pub(crate) fn moved(&self, position: i64) {
        let mut seen = self.seen.write();
        if seen.is_some_and(|seen| seen.head.0 != position) {
            *seen = None;
        }
    }

    fn fresh(&self) -> Option<Seen> {
        (*self.seen.read()).filter(|seen| seen.read_at.elapsed() < GOOD_FOR)
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
