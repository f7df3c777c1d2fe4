//! How often one may fail to log in.
//!
//! Failures are counted, successes are not, and nobody is shut out by what others do: a client address has its budget,
//! an account has one at each address, and an account that many addresses attack at once slows strangers down to one
//! attempt a minute for each network, while addresses that logged in before keep their own budget. Whether an account
//! exists makes no difference, here or in the time that an answer takes.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use model::Timestamp;
use quick_cache::sync::Cache;

use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode, Result};
use crate::limiter::{Allowance, Limiter, Subject};

/// So many times the failures of one address, from all of them together, make an attack on an account.
const ATTACK: u32 = 3;
/// Pairs of account and address that are remembered as familiar, the latest ones.
const FAMILIAR: usize = 20_000;
/// Attempts of a stranger's network a minute while an account is attacked.
const STRANGERS: u32 = 1;

/// Counts failed log-ins and registrations.
pub(crate) struct Logins {
    hasher: RandomState,
    counts: Limiter,
    familiar: Cache<(u64, ClientAddress), ()>,
}

/// One log-in under way. It counts as failed unless it ends otherwise: many at once cannot be tried before the first one
/// is counted.
pub(crate) struct LoginAttempt<'a> {
    logins: &'a Logins,
    /// Where it was counted.
    counted: Vec<Subject>,
    email: u64,
    client: ClientAddress,
    now: Timestamp,
    /// Whether this account was logged in to from this address before.
    pub(crate) is_familiar: bool,
    is_failed: bool,
}

impl Default for Logins {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            counts: Limiter::default(),
            familiar: Cache::new(FAMILIAR),
        }
    }
}

impl Logins {
    /// Begins a log-in, unless too many have failed. `limit` is what an address may fail in a minute.
    pub(crate) fn begin(
        &self,
        email: &str,
        client: ClientAddress,
        limit: u32,
        now: Timestamp,
    ) -> Result<LoginAttempt<'_>> {
        let email = self.hasher.hash_one(email.trim().to_lowercase());
        let mut attempt = LoginAttempt {
            logins: self,
            counted: Vec::with_capacity(3),
            email,
            client,
            now,
            is_familiar: self.familiar.get(&(email, client)).is_some(),
            is_failed: false,
        };
        attempt.count(Subject::LoginAddress(client), limit)?;
        attempt.count(Subject::Login(email, client), limit.div_ceil(2))?;
        let attack = limit.saturating_mul(ATTACK);
        let account = self.counts.peek(Subject::Account(email), attack, now);
        if account.remaining == 0 && !attempt.is_familiar {
            attempt.count(Subject::Stranger(email, client.network()), STRANGERS)?;
        }
        Ok(attempt)
    }

    /// Counts an account that an address opens.
    pub(crate) fn count_registration(
        &self,
        client: ClientAddress,
        limit: u32,
        now: Timestamp,
    ) -> Result<()> {
        match self.counts.take(Subject::Registration(client), limit, now) {
            Ok(_) => Ok(()),
            Err(full) => Err(too_many(
                full,
                "too many registrations in a minute from this address",
            )),
        }
    }

    /// Drops counts that are over.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.counts.sweep(now);
    }
}

impl LoginAttempt<'_> {
    /// The password did not fit.
    pub(crate) fn fail(mut self) {
        self.is_failed = true;
        let _ = self
            .logins
            .counts
            .take(Subject::Account(self.email), u32::MAX, self.now);
    }

    /// The password fits: nothing is counted, and the address is known to the account from now on.
    pub(crate) fn succeed(self) {
        self.logins.familiar.insert((self.email, self.client), ());
    }

    fn count(&mut self, subject: Subject, limit: u32) -> Result<()> {
        match self.logins.counts.take(subject, limit, self.now) {
            Ok(_) => {
                self.counted.push(subject);
                Ok(())
            }
            Err(full) => Err(too_many(
                full,
                "too many failed log-ins in a minute from this address or for this account",
            )),
        }
    }
}

impl Drop for LoginAttempt<'_> {
    fn drop(&mut self) {
        if !self.is_failed {
            for subject in self.counted.drain(..) {
                self.logins.counts.give_back(subject, self.now);
            }
        }
    }
}

fn too_many(full: Allowance, message: &'static str) -> Error {
    Error::retry_later(
        ErrorCode::LoginLimited,
        u64::from(full.reset_seconds),
        message,
    )
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_000);

    fn client(number: u32) -> ClientAddress {
        ClientAddress::new(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    fn fail(logins: &Logins, email: &str, from: u32) -> bool {
        match logins.begin(email, client(from), 10, NOW) {
            Ok(attempt) => {
                attempt.fail();
                true
            }
            Err(_) => false,
        }
    }

    #[test]
    fn an_attempt_that_neither_fails_nor_ends_costs_nothing() {
        let logins = Logins::default();
        for _ in 0..50 {
            logins.begin("a@b.c", client(1), 10, NOW).unwrap().succeed();
            drop(logins.begin("a@b.c", client(1), 10, NOW).unwrap());
        }
        let under_way: Vec<_> = (0..20)
            .map(|_| logins.begin("a@b.c", client(2), 10, NOW))
            .collect();
        assert_eq!(
            under_way.iter().filter(|attempt| attempt.is_ok()).count(),
            5,
            "those under way count as failed"
        );
    }

    #[test]
    fn an_attack_slows_strangers_and_spares_who_is_known() {
        let logins = Logins::default();
        let owner = 7 << 8;
        logins
            .begin("a@b.c", client(owner), 10, NOW)
            .unwrap()
            .succeed();
        // A thousand networks, each trying as often as it may.
        let tried: u32 = (100..1_100_u32)
            .map(|network| {
                let tries = (0..10).filter(|_| fail(&logins, "A@B.c", network << 8));
                tries.count() as u32
            })
            .sum();
        assert!(tried <= 30 + 5 + 1_000, "{tried}");
        assert!(fail(&logins, "a@b.c", owner), "the owner's own address");
        assert!(fail(&logins, "a@b.c", 9 << 8), "once from a new network");
        assert!(!fail(&logins, "a@b.c", (9 << 8) + 1), "and not twice");
        assert!(fail(&logins, "other@b.c", (9 << 8) + 2), "another account");
    }
}
