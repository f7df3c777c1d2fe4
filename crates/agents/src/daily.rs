//! How many runs a caller has begun on a day, for plans with a daily limit.

use model::{Day, Timestamp};
use operations::Payer;
use quick_cache::sync::Cache;

/// The most callers that are counted at the same time.
const MOST: usize = 50_000;

/// Runs by caller, on the newest day of each.
pub(crate) struct DailyRuns(Cache<Payer, (Day, u64)>);

impl Default for DailyRuns {
    fn default() -> Self {
        Self(Cache::new(MOST))
    }
}

impl DailyRuns {
    /// Counts a run; `false` if that would be more than `most` on its day (UTC).
    pub(crate) fn begin(&self, payer: Payer, now: Timestamp, most: u64) -> bool {
        let today = Day::of(now);
        let begun = match self.0.get(&payer) {
            Some((day, begun)) if day == today => begun,
            _ => 0,
        };
        if begun >= most {
            return false;
        }
        self.0.insert(payer, (today, begun + 1));
        true
    }
}
