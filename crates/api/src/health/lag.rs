//! How far the search index lags behind the store, and since when.

use std::time::Duration;

use parking_lot::Mutex;
use search::Index;
use store::Store;
use tokio::time::Instant;

use operations::Result;

/// How far the store has got, or the index that follows it: events, and removals of old news, for which there is no
/// event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) position: i64,
    pub(crate) pruned: i64,
}

impl Reach {
    /// Where the store is.
    pub(crate) async fn of_store(store: &Store) -> Result<Self> {
        Ok(Self {
            position: store.outbox().head().await?,
            pruned: store.prune().times().await?,
        })
    }

    /// Where the index is.
    pub(crate) fn of_index(index: &Index) -> Self {
        let checkpoint = index.checkpoint();
        Self {
            position: checkpoint.position,
            pruned: checkpoint.pruned,
        }
    }

    fn has_reached(self, other: Self) -> bool {
        self.position >= other.position && self.pruned >= other.pruned
    }
}

/// Remembers one state of the store that the index has not reached yet. An index that keeps reaching the states it is
/// measured against is never behind for long, however fast the store grows.
#[derive(Default)]
pub(crate) struct IndexLag {
    behind: Mutex<Option<(Reach, Instant)>>,
}

impl IndexLag {
    /// Records where both stand. Returns for how long the index has been behind; `None` when it is not.
    pub(crate) fn observe(&self, index: Reach, store: Reach) -> Option<Duration> {
        self.observe_at(index, store, Instant::now())
    }

    fn observe_at(&self, index: Reach, store: Reach, now: Instant) -> Option<Duration> {
        let mut behind = self.behind.lock();
        let reached = behind.is_none_or(|(awaited, _)| index.has_reached(awaited));
        if reached {
            *behind = (!index.has_reached(store)).then_some((store, now));
        }
        behind.map(|(_, since)| now.duration_since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(position: i64) -> Reach {
        Reach {
            position,
            pruned: 2,
        }
    }

    #[test]
    fn a_growing_store_is_no_lag_as_long_as_the_index_follows() {
        let lag = IndexLag::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(lag.observe_at(at(10), at(10), after(0)), None);
        assert_eq!(
            lag.observe_at(at(10), at(20), after(1)),
            Some(Duration::ZERO)
        );
        assert_eq!(
            lag.observe_at(at(15), at(30), after(2)),
            Some(Duration::from_secs(1))
        );
        assert_eq!(
            lag.observe_at(at(25), at(40), after(3)),
            Some(Duration::ZERO),
            "20 is reached"
        );
        assert_eq!(
            lag.observe_at(at(25), at(90), after(63)),
            Some(Duration::from_mins(1))
        );
        assert_eq!(lag.observe_at(at(90), at(90), after(64)), None);
    }

    #[test]
    fn pruned_news_that_can_still_be_found_is_lag() {
        let lag = IndexLag::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let pruned = |times| Reach {
            pruned: times,
            ..at(10)
        };
        assert_eq!(
            lag.observe_at(pruned(2), pruned(3), after(0)),
            Some(Duration::ZERO)
        );
        assert_eq!(
            lag.observe_at(pruned(2), pruned(9), after(5)),
            Some(Duration::from_secs(5))
        );
        assert_eq!(
            lag.observe_at(pruned(4), pruned(9), after(6)),
            Some(Duration::ZERO),
            "what was awaited is reached"
        );
        assert_eq!(lag.observe_at(pruned(9), pruned(9), after(7)), None);
    }
}
