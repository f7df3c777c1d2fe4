//! How much heavy work runs at the same time: for each kind a few permits, a short queue, and no more than a share of it
//! for one caller.

use analysis::HeavyWork;

use crate::caller::Payer;

/// Lanes of their own, so that a slow kind does not hold up a fast one.
pub(crate) struct Heavy {
    /// Each may hold indicators of thousands of symbols in memory.
    pub(crate) backtests: HeavyWork<Payer>,
    /// The universe as it was in the past: made for each question.
    pub(crate) screens: HeavyWork<Payer>,
    /// The universe as it is now: made once for all who ask.
    pub(crate) snapshots: HeavyWork<Payer>,
    pub(crate) correlations: HeavyWork<Payer>,
}

impl Heavy {
    pub(crate) fn new() -> Self {
        Self {
            backtests: HeavyWork::new(analysis::WorkLimits {
                at_once: 2,
                waiting: 32,
                per_key: 4,
            }),
            screens: HeavyWork::new(analysis::WorkLimits {
                at_once: 2,
                waiting: 64,
                per_key: 8,
            }),
            snapshots: HeavyWork::new(analysis::WorkLimits {
                at_once: 1,
                waiting: 8,
                per_key: 8,
            }),
            correlations: HeavyWork::new(analysis::WorkLimits {
                at_once: 4,
                waiting: 64,
                per_key: 8,
            }),
        }
    }
}
