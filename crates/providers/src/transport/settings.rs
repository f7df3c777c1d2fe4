//! How the transport behaves: all of it is configurable.

use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::guard::{Allow, Names};

/// How often a host may be contacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostBudget {
    /// Average interval between two requests.
    pub spacing: Duration,
    /// Requests that may be made at once after a quiet period; at least one.
    pub burst: u32,
}

/// The settings of a [`Transport`](super::Transport).
#[derive(Clone, Debug)]
pub struct TransportSettings {
    /// How the operator can be reached: included in the user agent. The SEC, for example, refuses requests without
    /// it.
    pub contact: Option<String>,
    /// Time limit for the connection alone.
    pub connect_timeout: Duration,
    /// Time limit for everything from the connection to the last byte, including redirects.
    pub total_timeout: Duration,
    /// Retries after a failure that may be temporary.
    pub retries: u32,
    /// Pause before the first retry; it doubles with each.
    pub backoff: Duration,
    /// Longest pause that a request waits out, whatever the server asks for; beyond it the caller gets the error.
    pub longest_pause: Duration,
    /// Budget for each host that has none of its own.
    pub budget: HostBudget,
    /// Budgets for individual hosts, by host name.
    pub host_budgets: FxHashMap<String, HostBudget>,
    /// Longest time that a request waits in the queue for its host.
    pub longest_queue: Duration,
    /// Consecutive failures after which a host is not contacted.
    pub breaker_failures: u32,
    /// How long it is not contacted before one request tries again; doubles with each failed trial, up to 32 times.
    pub breaker_rest: Duration,
    /// Private hosts that may be reached.
    pub allow: Allow,
    /// How names are resolved.
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
    /// The user agent, with the contact if there is one.
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

    /// How long to wait before the next attempt, or `None` if there is none: `attempt` counts from zero.
    pub(super) fn pause_before_retry(
        &self,
        attempt: u32,
        asked_for: Option<Duration>,
    ) -> Option<Duration> {
        if attempt >= self.retries {
            return None;
        }
        let doubled = self.backoff.saturating_mul(1 << attempt.min(16));
        // Randomised, so that feeds that failed together do not come back together.
        let spread = doubled.mul_f64(rand::random_range(0.75..1.25));
        let pause = asked_for.map_or(spread.min(self.longest_pause), |asked_for| {
            asked_for.max(spread)
        });
        (pause <= self.longest_pause).then_some(pause)
    }
}
