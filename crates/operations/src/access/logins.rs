//! How often one may log in, and fail to.
//!
//! Every log-in counts as failed from its beginning on, and only a password that fits or a fault of ours takes that
//! back: whoever hangs up has tried all the same. Nobody is shut out by what others do: a client address has its
//! budget, an account has one at each address, and an account that many addresses attack at once slows strangers down
//! to one attempt a minute for each network, while addresses that logged in before keep their own budget. Attempts of
//! strangers that have no verdict yet count as such an attack, too: thousands at once must not all begin before the
//! first has failed. Whether an account exists makes no difference, here or in the time that an answer takes.
//!
//! Passwords that fit are work, too. So few log-ins of an account are under way at once from one address, and a generous
//! number of them succeeds in a minute. An account stands in the line of the familiar as often as one address may,
//! wherever its log-ins come from; beyond that, and so perhaps after a thief, it waits among strangers.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use model::Timestamp;
use parking_lot::Mutex;
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
/// Log-ins under way at once of an account from one address, and of an account in the line of the familiar.
const AT_ONCE: u32 = 2;
/// So many times the failures of one address, log-ins to one account may succeed from it.
const SUCCESSES: u32 = 6;
/// When a log-in that is one too many at once may be tried again: a verification takes a fraction of that.
const RETRY_SECONDS: u64 = 1;

/// Which line a log-in waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    /// Of those who logged in to the account from this address before.
    Familiar,
    /// Of everybody else.
    Strangers,
}

/// Counts log-ins and registrations.
#[derive(Default)]
pub(crate) struct Logins(Arc<Counts>);

struct Counts {
    hasher: RandomState,
    windows: Limiter,
    familiar: Cache<(u64, ClientAddress), ()>,
    /// How often each place is taken by log-ins under way.
    under_way: Mutex<HashMap<Place, u32>>,
}

/// What a log-in under way takes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// Of an account, known by the hash of its e-mail address, at an address.
    Address(u64, ClientAddress),
    /// Of an account in the line of the familiar.
    Familiar(u64),
    /// Of an account, by a stranger to it.
    Stranger(u64),
}

/// One log-in under way. It goes along with the work on it and ends with its verdict, whether or not anybody still waits
/// for the answer; ended without one, it stays counted as failed.
pub(crate) struct LoginAttempt {
    counts: Arc<Counts>,
    /// Where it counts as failed.
    counted: Vec<Subject>,
    /// What it takes up until its end.
    places: Vec<Place>,
    email: u64,
    client: ClientAddress,
    now: Timestamp,
    queue: Queue,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            windows: Limiter::default(),
            familiar: Cache::new(FAMILIAR),
            under_way: Mutex::default(),
        }
    }
}

impl Logins {
    /// Begins a log-in, unless too many have failed or succeeded or are under way. `limit` is what an address may fail in
    /// a minute.
    pub(crate) fn begin(
        &self,
        email: &str,
        client: ClientAddress,
        limit: u32,
        now: Timestamp,
    ) -> Result<LoginAttempt> {
        let Self(counts) = self;
        let mut attempt = LoginAttempt {
            counts: counts.clone(),
            counted: Vec::with_capacity(3),
            places: Vec::with_capacity(2),
            email: counts.hasher.hash_one(email.trim().to_lowercase()),
            client,
            now,
            queue: Queue::Strangers,
        };
        match attempt.enter(limit) {
            Ok(()) => Ok(attempt),
            Err(refusal) => {
                attempt.withdraw();
                Err(refusal)
            }
        }
    }

    /// Counts an account that an address opens.
    pub(crate) fn count_registration(
        &self,
        client: ClientAddress,
        limit: u32,
        now: Timestamp,
    ) -> Result<()> {
        let Self(counts) = self;
        match counts
            .windows
            .take(Subject::Registration(client), limit, now)
        {
            Ok(_) => Ok(()),
            Err(full) => Err(too_many(
                full,
                "too many registrations in a minute from this address",
            )),
        }
    }

    /// Drops counts that are over.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.0.windows.sweep(now);
    }
}

impl LoginAttempt {
    /// Where it waits for its turn.
    pub(crate) const fn queue(&self) -> Queue {
        self.queue
    }

    /// Whether the password fits.
    pub(crate) fn judge(self, fits: bool) {
        let Self {
            counts,
            email,
            client,
            now,
            ..
        } = &self;
        if fits {
            // Its own limit was looked at when it began.
            let subject = Subject::LoggedIn(*email, *client);
            let _ = counts.windows.take(subject, u32::MAX, *now);
            counts.familiar.insert((*email, *client), ());
            self.withdraw();
        } else {
            let subject = Subject::Account(*email);
            let _ = counts.windows.take(subject, u32::MAX, *now);
        }
    }

    /// It has not failed; or it has come to no verdict, for a reason that is not the caller's.
    pub(crate) fn withdraw(mut self) {
        for subject in std::mem::take(&mut self.counted) {
            self.counts.windows.give_back(subject, self.now);
        }
    }

    fn enter(&mut self, limit: u32) -> Result<()> {
        let Self {
            email, client, now, ..
        } = *self;
        let counts = self.counts.clone();
        let logged_in = counts.windows.peek(
            Subject::LoggedIn(email, client),
            limit.saturating_mul(SUCCESSES),
            now,
        );
        if logged_in.remaining == 0 {
            return Err(too_many(
                logged_in,
                "too many log-ins in a minute to this account from this address",
            ));
        }
        if !self.occupy(Place::Address(email, client)) {
            return Err(Error::retry_later(
                ErrorCode::LoginLimited,
                RETRY_SECONDS,
                "too many log-ins at once to this account from this address",
            ));
        }
        self.count(Subject::LoginAddress(client), limit)?;
        self.count(Subject::Login(email, client), limit.div_ceil(2))?;
        if counts.familiar.get(&(email, client)).is_some() {
            if self.occupy(Place::Familiar(email)) {
                self.queue = Queue::Familiar;
            }
            return Ok(());
        }
        let attack = limit.saturating_mul(ATTACK);
        // Taken before the failures are looked at: an attempt that ends in between counts twice, not never.
        let others = self.add(Place::Stranger(email));
        let account = counts.windows.peek(Subject::Account(email), attack, now);
        if account.remaining <= others {
            self.count(Subject::Stranger(email, client.network()), STRANGERS)?;
        }
        Ok(())
    }

    /// Takes a place until its end; false where it is full.
    fn occupy(&mut self, place: Place) -> bool {
        let mut under_way = self.counts.under_way.lock();
        let taken = under_way.entry(place).or_default();
        if *taken >= AT_ONCE {
            return false;
        }
        *taken += 1;
        self.places.push(place);
        true
    }

    /// Takes a place of which there are as many as are wanted; says how many had it already.
    fn add(&mut self, place: Place) -> u32 {
        let mut under_way = self.counts.under_way.lock();
        let taken = under_way.entry(place).or_default();
        let others = *taken;
        *taken += 1;
        self.places.push(place);
        others
    }

    fn count(&mut self, subject: Subject, limit: u32) -> Result<()> {
        match self.counts.windows.take(subject, limit, self.now) {
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

impl Drop for LoginAttempt {
    fn drop(&mut self) {
        let mut under_way = self.counts.under_way.lock();
        for place in self.places.drain(..) {
            if let Some(taken) = under_way.get_mut(&place) {
                *taken -= 1;
                if *taken == 0 {
                    under_way.remove(&place);
                }
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
mod tests;
