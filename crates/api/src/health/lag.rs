//! How far the search index lies behind the store, and since when.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Remembers one head that the index has not reached yet. An index that keeps reaching the heads it is measured by is
/// never behind for long, however fast the store grows.
#[derive(Default)]
pub(crate) struct IndexLag {
    behind: Mutex<Option<(i64, Instant)>>,
}

impl IndexLag {
    /// Notes where both stand. For how long the index has been behind; `None` when it is not.
    pub(crate) fn observe(&self, position: i64, head: i64) -> Option<Duration> {
        self.observe_at(position, head, Instant::now())
    }

    fn observe_at(&self, position: i64, head: i64, now: Instant) -> Option<Duration> {
        let mut behind = self.behind.lock();
        let reached = behind.is_none_or(|(awaited, _)| position >= awaited);
        if reached {
            *behind = (position < head).then_some((head, now));
        }
        behind.map(|(_, since)| now.duration_since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_store_is_no_lag_as_long_as_the_index_follows() {
        let lag = IndexLag::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(lag.observe_at(10, 10, at(0)), None);
        assert_eq!(lag.observe_at(10, 20, at(1)), Some(Duration::ZERO));
        assert_eq!(lag.observe_at(15, 30, at(2)), Some(Duration::from_secs(1)));
        assert_eq!(
            lag.observe_at(25, 40, at(3)),
            Some(Duration::ZERO),
            "20 is reached"
        );
        assert_eq!(lag.observe_at(25, 90, at(63)), Some(Duration::from_mins(1)));
        assert_eq!(lag.observe_at(90, 90, at(64)), None);
    }
}
