//! State kept for each host: its budget and its circuit breaker.

use std::time::Duration;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::settings::{HostBudget, TransportSettings};
use crate::error::Error;

/// Most hosts that are remembered. Beyond this number idle ones are dropped, and if too few are idle, those that were
/// contacted longest ago: a host in use keeps its budget, however many others are named.
const REMEMBERED_HOSTS: usize = 4096;

/// Longest pause, in multiples of the first one.
const LONGEST_REST_FACTOR: u32 = 32;

/// How a request to a host ended, from the host's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It responded, even if with a refusal.
    Answered,
    /// It is down or broken.
    Failed,
    /// It asks not to be contacted for this long.
    AskedToWait(Duration),
}

/// Budgets and circuit breakers of all hosts.
#[derive(Debug)]
pub(super) struct Hosts {
    states: Mutex<FxHashMap<String, HostState>>,
    default_budget: HostBudget,
    budgets: FxHashMap<String, HostBudget>,
    longest_queue: Duration,
    breaker_failures: u32,
    breaker_rest: Duration,
}

#[derive(Debug)]
struct HostState {
    budget: HostBudget,
    /// When it was last contacted, or would have been.
    asked_at: Instant,
    /// When the budget is full again: the theoretical arrival time in the generic cell rate algorithm.
    full_at: Instant,
    failures: u32,
    rests_until: Option<Instant>,
    /// Consecutive pauses without a success between them.
    rests: u32,
}

impl Hosts {
    pub(super) fn new(settings: &TransportSettings) -> Self {
        Self {
            states: Mutex::default(),
            default_budget: settings.budget,
            budgets: settings.host_budgets.clone(),
            longest_queue: settings.longest_queue,
            breaker_failures: settings.breaker_failures.max(1),
            breaker_rest: settings.breaker_rest,
        }
    }

    /// Takes a place in the host's queue; returns how long to wait for it.
    pub(super) fn admit(&self, host: &str, now: Instant) -> Result<Duration, Error> {
        let mut states = self.states.lock();
        if states.len() >= REMEMBERED_HOSTS && !states.contains_key(host) {
            make_room(&mut states, now);
        }
        let state = states
            .entry(host.to_owned())
            .or_insert_with(|| HostState::new(self.budget(host), now));
        state.asked_at = state.asked_at.max(now);
        if let Some(wait) = state.rest_left(now) {
            return Err(Error::Resting {
                host: host.to_owned(),
                wait,
            });
        }
        let wait = state.next_slot(now);
        if wait > self.longest_queue {
            return Err(Error::Queued {
                host: host.to_owned(),
                wait,
            });
        }
        state.take_slot(now);
        // Half-open: the first request after a pause is the trial; the others wait until it is decided.
        if state.rests_until.is_some() {
            state.rests_until = Some(now + self.breaker_rest);
        }
        Ok(wait)
    }

    /// Records how a request ended.
    pub(super) fn record(&self, host: &str, now: Instant, outcome: &Outcome) {
        let mut states = self.states.lock();
        let Some(state) = states.get_mut(host) else {
            return;
        };
        match *outcome {
            Outcome::Answered => {
                state.failures = 0;
                state.rests = 0;
                state.rests_until = None;
            }
            Outcome::Failed => {
                state.failures = state.failures.saturating_add(1);
                if state.failures >= self.breaker_failures {
                    let factor = 1_u32
                        .checked_shl(state.rests)
                        .unwrap_or(u32::MAX)
                        .min(LONGEST_REST_FACTOR);
                    state.rests = state.rests.saturating_add(1);
                    state.rests_until = Some(now + self.breaker_rest.saturating_mul(factor));
                    tracing::warn!(
                        host,
                        failures = state.failures,
                        "host {host} keeps failing and is not contacted for a while"
                    );
                }
            }
            Outcome::AskedToWait(wait) => state.rests_until = Some(now + wait),
        }
    }

    fn budget(&self, host: &str) -> HostBudget {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        *self
            .budgets
            .get(host)
            .or_else(|| self.budgets.get(name))
            .unwrap_or(&self.default_budget)
    }
}

/// Drops idle hosts, and as many of the others as needed to leave a quarter of the room free, so that not every
/// further host has to search the table.
fn make_room(states: &mut FxHashMap<String, HostState>, now: Instant) {
    states.retain(|_, state| !state.is_idle(now));
    let most = REMEMBERED_HOSTS - REMEMBERED_HOSTS / 4;
    let surplus = states.len().saturating_sub(most);
    if surplus == 0 {
        return;
    }
    let mut slots: Vec<(Instant, String)> = states
        .iter()
        .map(|(host, state)| (state.asked_at, host.clone()))
        .collect();
    slots.sort_unstable();
    for (_, host) in slots.into_iter().take(surplus) {
        states.remove(&host);
    }
}

impl HostState {
    const fn new(budget: HostBudget, now: Instant) -> Self {
        Self {
            budget,
            asked_at: now,
            full_at: now,
            failures: 0,
            rests_until: None,
            rests: 0,
        }
    }

    fn rest_left(&self, now: Instant) -> Option<Duration> {
        self.rests_until
            .map(|until| until.saturating_duration_since(now))
            .filter(|left| !left.is_zero())
    }

    fn next_slot(&self, now: Instant) -> Duration {
        let slack = self
            .budget
            .spacing
            .saturating_mul(self.budget.burst.max(1) - 1);
        self.full_at
            .saturating_duration_since(now)
            .saturating_sub(slack)
    }

    fn take_slot(&mut self, now: Instant) {
        self.full_at = self.full_at.max(now) + self.budget.spacing;
    }

    fn is_idle(&self, now: Instant) -> bool {
        self.full_at <= now && self.failures == 0 && self.rest_left(now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn hosts() -> Hosts {
        Hosts::new(&TransportSettings {
            budget: HostBudget {
                spacing: SECOND,
                burst: 2,
            },
            longest_queue: SECOND * 3,
            breaker_failures: 3,
            breaker_rest: SECOND * 10,
            ..TransportSettings::default()
        })
    }

    fn rests(result: &Result<Duration, Error>) -> bool {
        matches!(result, Err(Error::Resting { .. }))
    }

    #[test]
    fn requests_are_spaced_after_the_burst_and_refused_when_the_queue_is_long() {
        let (hosts, now) = (hosts(), Instant::now());
        let waits: Vec<_> = (0..5)
            .map(|_| hosts.admit("a.test", now).unwrap().as_secs())
            .collect();
        assert_eq!(waits, [0, 0, 1, 2, 3]);
        assert!(matches!(
            hosts.admit("a.test", now),
            Err(Error::Queued { .. })
        ));
        assert_eq!(
            hosts.admit("b.test", now).unwrap(),
            Duration::ZERO,
            "hosts do not share a budget"
        );
        assert_eq!(
            hosts.admit("a.test", now + SECOND * 60).unwrap(),
            Duration::ZERO
        );
    }

    #[test]
    fn the_breaker_opens_lets_one_trial_through_and_closes_on_success() {
        let (hosts, now) = (hosts(), Instant::now());
        for _ in 0..3 {
            hosts.admit("a.test", now - SECOND * 30).ok();
            hosts.record("a.test", now, &Outcome::Failed);
        }
        assert!(rests(&hosts.admit("a.test", now + SECOND)));
        let later = now + SECOND * 11;
        assert!(
            hosts.admit("a.test", later).is_ok(),
            "one trial after the rest"
        );
        assert!(rests(&hosts.admit("a.test", later)), "only one at a time");
        hosts.record("a.test", later, &Outcome::Failed);
        assert!(
            rests(&hosts.admit("a.test", later + SECOND * 19)),
            "the second rest is twice as long"
        );
        let last = later + SECOND * 21;
        assert!(hosts.admit("a.test", last).is_ok());
        hosts.record("a.test", last, &Outcome::Answered);
        assert!(hosts.admit("a.test", last).is_ok());
    }

    #[test]
    fn a_host_that_asks_for_a_pause_gets_it() {
        let (hosts, now) = (hosts(), Instant::now());
        hosts.admit("a.test", now).unwrap();
        hosts.record("a.test", now, &Outcome::AskedToWait(SECOND * 20));
        assert!(rests(&hosts.admit("a.test", now + SECOND * 19)));
        assert!(hosts.admit("a.test", now + SECOND * 20).is_ok());
    }

    #[test]
    fn idle_hosts_are_forgotten() {
        let (hosts, now) = (hosts(), Instant::now());
        for number in 0..REMEMBERED_HOSTS {
            hosts.admit(&format!("{number}.test"), now).unwrap();
        }
        hosts.admit("late.test", now + SECOND * 60).unwrap();
        assert_eq!(hosts.states.lock().len(), 1);
    }

    #[test]
    fn a_million_failing_hosts_stay_within_the_table() {
        let (hosts, now) = (hosts(), Instant::now());
        for number in 0..1_000_000_u32 {
            let host = format!("{number}.test");
            let now = now + Duration::from_micros(u64::from(number));
            let _ = hosts.admit(&host, now);
            hosts.record(&host, now, &Outcome::Failed);
            if number % 1_000 == 0 {
                // A host in use is not forgotten in favour of others.
                let _ = hosts.admit("busy.test", now);
                hosts.record("busy.test", now, &Outcome::Failed);
            }
        }
        let states = hosts.states.lock();
        assert!(states.len() <= REMEMBERED_HOSTS, "{}", states.len());
        assert!(states["busy.test"].failures >= 3);
    }
}
