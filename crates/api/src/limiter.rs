//! How often one may: fixed windows of a minute that begin with the first request.
//!
//! The table is split into shards and bounded, so that neither many callers nor many invented addresses make it grow
//! without end. Nothing here is stored; a restart opens new windows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use model::Timestamp;
use parking_lot::Mutex;

use crate::caller::Payer;
use crate::client::ClientAddress;

/// Length of a window.
pub const WINDOW_MS: i64 = Timestamp::MINUTE_MS;

const SHARDS: usize = 32;
/// A quarter of a million windows altogether, some 16 MiB.
const SHARD_LIMIT: usize = 8_192;
/// A full table is searched for ended windows this often at most.
const SEARCH_EVERY_MS: i64 = 1_000;

/// Counts requests.
pub struct Limiter {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

/// Whose window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// Requests of an account or client.
    Payer(Payer),
    /// Failed log-ins from an address.
    LoginAddress(ClientAddress),
    /// Failed log-ins with an e-mail address, known by its hash, from an address.
    Login(u64, ClientAddress),
    /// Failed log-ins with an e-mail address from anywhere.
    Account(u64),
    /// Log-ins of a network with an e-mail address that is attacked.
    Stranger(u64, ClientAddress),
    /// Accounts that an address opens.
    Registration(ClientAddress),
}

struct Shard {
    windows: HashMap<Subject, Window>,
    /// When a full table was last searched for windows that are over.
    searched: Timestamp,
}

#[derive(Clone, Copy)]
struct Window {
    start: Timestamp,
    used: u32,
}

/// What a window still allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in a window.
    pub limit: u32,
    /// Requests left in this one.
    pub remaining: u32,
    /// Seconds until the next one, 1 to 60.
    pub reset_seconds: u32,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| {
                Mutex::new(Shard {
                    windows: HashMap::new(),
                    searched: Timestamp::from_ms(0),
                })
            }),
        }
    }
}

impl Limiter {
    /// Counts one request. `Err` when the window is full.
    pub(crate) fn take(
        &self,
        subject: Subject,
        limit: u32,
        now: Timestamp,
    ) -> Result<Allowance, Allowance> {
        let mut shard = self.shard(&subject).lock();
        if !shard.windows.contains_key(&subject) {
            shard.make_room(now);
        }
        let window = shard.windows.entry(subject).or_insert(Window {
            start: now,
            used: 0,
        });
        if window.is_over(now) {
            *window = Window {
                start: now,
                used: 0,
            };
        }
        if window.used >= limit {
            return Err(window.allowance(limit, now));
        }
        window.used = window.used.saturating_add(1);
        Ok(window.allowance(limit, now))
    }

    /// What is left, without counting.
    pub(crate) fn peek(&self, subject: Subject, limit: u32, now: Timestamp) -> Allowance {
        let shard = self.shard(&subject).lock();
        shard
            .windows
            .get(&subject)
            .filter(|window| !window.is_over(now))
            .copied()
            .unwrap_or(Window {
                start: now,
                used: 0,
            })
            .allowance(limit, now)
    }

    /// Takes back what was counted at `at`, where that window is not over.
    pub(crate) fn give_back(&self, subject: Subject, at: Timestamp) {
        let mut shard = self.shard(&subject).lock();
        if let Some(window) = shard.windows.get_mut(&subject)
            && !window.is_over(at)
        {
            window.used = window.used.saturating_sub(1);
        }
    }

    /// Drops windows that are over.
    pub(crate) fn sweep(&self, now: Timestamp) {
        for shard in &self.shards {
            shard.lock().drop_ended(now);
        }
    }

    fn shard(&self, subject: &Subject) -> &Mutex<Shard> {
        &self.shards[self.hasher.hash_one(subject) as usize % SHARDS]
    }
}

impl Shard {
    /// Room for one more, at a cost that does not depend on how full the table is: a flood of new addresses must not
    /// make every request search the whole of it.
    fn make_room(&mut self, now: Timestamp) {
        if self.windows.len() < SHARD_LIMIT {
            return;
        }
        if !(0..SEARCH_EVERY_MS).contains(&now.since_ms(self.searched)) {
            self.searched = now;
            self.drop_ended(now);
        }
        if self.windows.len() >= SHARD_LIMIT {
            // Full of live windows: some client starts afresh, which is better than memory without end.
            if let Some(subject) = self.windows.keys().next().copied() {
                self.windows.remove(&subject);
            }
        }
    }

    fn drop_ended(&mut self, now: Timestamp) {
        self.windows.retain(|_, window| !window.is_over(now));
        if self.windows.capacity() > 4 * self.windows.len().max(1_024) {
            self.windows.shrink_to(self.windows.len() * 2);
        }
    }
}

impl Window {
    /// A window is also over when the clock was set back before its start.
    fn is_over(&self, now: Timestamp) -> bool {
        !(0..WINDOW_MS).contains(&now.since_ms(self.start))
    }

    fn allowance(self, limit: u32, now: Timestamp) -> Allowance {
        let left_ms = WINDOW_MS - now.since_ms(self.start).clamp(0, WINDOW_MS - 1);
        Allowance {
            limit,
            remaining: limit.saturating_sub(self.used),
            reset_seconds: (left_ms as u32).div_ceil(1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::client::ClientAddress;

    fn client(number: u32) -> Subject {
        Subject::Payer(Payer::Client(ClientAddress::new(IpAddr::V4(
            Ipv4Addr::from_bits(number),
        ))))
    }

    #[test]
    fn a_window_begins_with_the_first_request() {
        let limiter = Limiter::default();
        let at = |ms: i64| Timestamp::from_ms(1_000_000 + ms);
        assert_eq!(
            limiter.peek(client(1), 2, at(0)),
            Allowance {
                limit: 2,
                remaining: 2,
                reset_seconds: 60
            }
        );
        assert_eq!(limiter.take(client(1), 2, at(500)).unwrap().remaining, 1);
        assert_eq!(limiter.take(client(1), 2, at(1_000)).unwrap().remaining, 0);
        let full = limiter.take(client(1), 2, at(30_000)).unwrap_err();
        assert_eq!((full.remaining, full.reset_seconds), (0, 31));
        assert!(limiter.take(client(2), 2, at(30_000)).is_ok());
        assert!(limiter.take(client(1), 2, at(60_499)).is_err());
        assert_eq!(limiter.take(client(1), 2, at(60_500)).unwrap().remaining, 1);
    }

    #[test]
    fn many_clients_do_not_grow_the_table_without_end() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        for number in 0..400_000 {
            let _ = limiter.take(client(number), 10, now);
        }
        let total: usize = limiter
            .shards
            .iter()
            .map(|shard| shard.lock().windows.len())
            .sum();
        assert!(total <= SHARDS * SHARD_LIMIT, "{total}");
        limiter.sweep(now.plus_ms(WINDOW_MS));
        let total: usize = limiter
            .shards
            .iter()
            .map(|shard| shard.lock().windows.len())
            .sum();
        assert_eq!(total, 0);
    }
}
