//! How many runs somebody began on a day, for plans that have a number of them.

use model::{Day, Timestamp};
use operations::Payer;
use quick_cache::sync::Cache;

/// Callers that are counted at the same time.
const MOST: usize = 50_000;

/// Runs by caller, of the newest day of each.
pub(crate) struct DailyRuns(Cache<Payer, (Day, u64)>);

impl Default for DailyRuns {
    fn default() -> Self {
        Self(Cache::new(MOST))
    }
}

impl DailyRuns {
    /// Counts a run; `false` where that would be more than `most` on its day (UTC).
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
