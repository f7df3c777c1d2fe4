//! What is stored between questions.

use std::sync::Arc;

use operations::{KeptResults, Services};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::daily::DailyRuns;
use crate::names::ListedNames;
use crate::popular::Popular;
use crate::prose::KeptProse;
use crate::sessions::Sessions;

/// The state that belongs to one set of services.
pub(crate) struct State {
    pub(crate) results: KeptResults<Value>,
    /// Results as operations return them, without what answers leave out.
    pub(crate) whole_results: KeptResults<Value>,
    pub(crate) names: ListedNames,
    pub(crate) daily_runs: DailyRuns,
    pub(crate) sessions: Sessions,
    pub(crate) popular: Popular,
    pub(crate) prose: KeptProse,
    /// Limits the analyses that compute at the same time; others wait for their turn.
    pub(crate) analyses: Semaphore,
}

/// Size of the cached step results, in bytes of JSON; as values they are some four times as large.
const RESULTS_BYTES: u64 = 4 << 20;

/// More analyses at once would not finish sooner, and each holds the data it has gathered: some two megabytes.
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
