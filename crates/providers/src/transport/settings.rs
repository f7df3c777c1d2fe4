//! How the transport behaves: all of it is configuration.

use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::guard::{Allow, Names};

/// How often one host may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostBudget {
    /// Average distance between two requests.
    pub spacing: Duration,
    /// Requests that may come at once after a quiet time; at least one.
    pub burst: u32,
}

/// What a [`Transport`](super::Transport) is set up with.
#[derive(Clone, Debug)]
pub struct TransportSettings {
    /// How the operator can be reached: stands in the user agent. The SEC, for one, refuses requests without it.
    pub contact: Option<String>,
    /// Time for the connection alone.
    pub connect_timeout: Duration,
    /// Time for everything from the connection to the last byte, redirects included.
    pub total_timeout: Duration,
    /// Further tries after a failure that may pass.
    pub retries: u32,
    /// Pause before the first retry; it doubles with each.
    pub backoff: Duration,
    /// Longest pause that a request sits out, whatever the server asks for; beyond it the caller gets the error.
    pub longest_pause: Duration,
    /// Budget of each host that has none of its own.
    pub budget: HostBudget,
    /// Budgets of single hosts, by host name.
    pub host_budgets: FxHashMap<String, HostBudget>,
    /// Longest time that a request queues for its host.
    pub longest_queue: Duration,
    /// Failures in a row after which a host is not contacted.
    pub breaker_failures: u32,
    /// How long it is not contacted before one request tries again; doubles with each failed trial, up to 32 times.
    pub breaker_rest: Duration,
    /// Private hosts that may be reached.
    pub allow: Allow,
    /// What names stand for.
    pub names: Names,
}

impl Default for TransportSettings {
    fn default() -> Self {
        Self {
            contact: None,
            connect_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            retries: 2,
            backoff: Duration::from_millis(500),
            longest_pause: Duration::from_secs(10),
            budget: HostBudget {
                spacing: Duration::from_millis(500),
                burst: 4,
            },
            host_budgets: FxHashMap::default(),
            longest_queue: Duration::from_mins(1),
            breaker_failures: 5,
            breaker_rest: Duration::from_mins(1),
            allow: Allow::nothing(),
            names: Names::default(),
        }
    }
}

impl TransportSettings {
    /// The user agent, with the contact where there is one.
    pub fn user_agent(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        // Whatever an operator typed must not break the header.
        let contact: Option<String> = self
            .contact
            .as_deref()
            .map(|contact| {
                contact
                    .chars()
                    .filter(|c| c.is_ascii_graphic() || *c == ' ')
                    .collect::<String>()
            })
            .map(|contact| contact.replace(['(', ')'], "").trim().to_owned())
            .filter(|contact| !contact.is_empty());
        contact.map_or_else(
            || format!("Assay/{version}"),
            |contact| format!("Assay/{version} (+{contact})"),
        )
    }

    /// How long to wait before the next try, or `None` when there is none: `attempt` counts from zero.
    pub(super) fn pause_before_retry(
        &self,
        attempt: u32,
        asked_for: Option<Duration>,
    ) -> Option<Duration> {
        if attempt >= self.retries {
            return None;
        }
        let doubled = self.backoff.saturating_mul(1 << attempt.min(16));
        // Spread, so that feeds that failed together do not come back together.
        let spread = doubled.mul_f64(rand::random_range(0.75..1.25));
        let pause = asked_for.map_or(spread.min(self.longest_pause), |asked_for| {
            asked_for.max(spread)
        });
        (pause <= self.longest_pause).then_some(pause)
    }
}
