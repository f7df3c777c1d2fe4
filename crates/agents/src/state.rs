//! What is kept between questions.

use std::sync::Arc;

use operations::{KeptResults, Services};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::daily::DailyRuns;
use crate::names::ListedNames;
use crate::popular::Popular;
use crate::prose::KeptProse;
use crate::sessions::Sessions;

/// One of it belongs to one set of services.
pub(crate) struct State {
    pub(crate) results: KeptResults<Value>,
    /// As operations answer, without what answers leave out.
    pub(crate) whole_results: KeptResults<Value>,
    pub(crate) names: ListedNames,
    pub(crate) daily_runs: DailyRuns,
    pub(crate) sessions: Sessions,
    pub(crate) popular: Popular,
    pub(crate) prose: KeptProse,
    /// Analyses that compute at the same time; others wait for their turn.
    pub(crate) analyses: Semaphore,
}

/// Results of steps that are kept, in bytes of JSON; as values they are some four times as large.
const RESULTS_BYTES: u64 = 4 << 20;

/// More analyses at once would not be done sooner, and each holds what it has gathered: some two megabytes.
const ANALYSES_AT_ONCE: usize = 4;

impl Default for State {
    fn default() -> Self {
        Self {
            results: KeptResults::new(RESULTS_BYTES),
            whole_results: KeptResults::new(RESULTS_BYTES),
            names: ListedNames::default(),
            daily_runs: DailyRuns::default(),
            sessions: Sessions::default(),
            popular: Popular::default(),
            prose: KeptProse::default(),
            analyses: Semaphore::new(ANALYSES_AT_ONCE),
        }
    }
}

impl State {
    pub(crate) fn of(services: &Services) -> Arc<Self> {
        services.extensions.get()
    }
}
