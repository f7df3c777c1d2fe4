//! What a call costs, and whether it can be paid.
//!
//! The highest price is reserved before the work, in memory and atomically, and what was done is settled after it.
//! Settled calls are added up by account, key, endpoint and day and written to the ledger at most every 100 ms; a
//! charge of five credits and more is on the disk before its answer leaves. A crash therefore loses at most the small
//! charges of 100 ms and never charges what was not done. The state of an account is read from the ledger when it is
//! first seen. Several processes on one database each count for themselves between two reads.

mod health;
mod journal;
mod tally;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::request::Parts;
use model::{KeyId, MicroUsd, Timestamp};
use parking_lot::Mutex;
use store::{LedgerEntry, LedgerKind, Store};
use tokio_util::sync::CancellationToken;

use crate::caller::{Caller, Payer};
use crate::clock::Clock;
use crate::error::{Error, ErrorCode, Result};
use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::settings::PlanTerms;
use health::LedgerHealth;
use journal::Batch;
use tally::{Line, Refusal, Tally};

const SHARDS: usize = 32;
/// Longest time that a small charge stays in memory.
const FLUSH_EVERY: Duration = Duration::from_millis(100);
/// From so many credits on, a charge is on the disk before the answer leaves.
const DURABLE_FROM: u64 = 5;
/// How long an idle account stays in memory.
const FORGET_AFTER_MS: i64 = 10 * Timestamp::MINUTE_MS;

/// Response extension of a handler that charges other than the highest price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charged(pub u64);

/// Reserves, settles and writes down.
pub struct Meter {
    store: Store,
    clock: Arc<dyn Clock>,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
    /// Only one batch is on its way, so that what is flushed is written when [`Meter::flush`] returns.
    turn: tokio::sync::Mutex<()>,
    health: LedgerHealth,
}

#[derive(Default)]
struct Shard {
    tallies: HashMap<Payer, Tally>,
    /// Payers with lines that are not written yet.
    dirty: Vec<Payer>,
}

/// The promise that a call can be paid. Dropped without being settled, it costs nothing.
pub(crate) struct Reservation {
    meter: Arc<Meter>,
    payer: Payer,
    key: Option<KeyId>,
    endpoint: Arc<str>,
    operation: usize,
    price: u64,
    included: Option<u64>,
    overage: MicroUsd,
    is_open: bool,
}

/// A settled charge.
#[derive(Clone, Copy, Debug)]
struct Settled {
    credits: u64,
    overage: MicroUsd,
    at: Timestamp,
}

impl Meter {
    pub(crate) fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::new(Shard::default())),
            turn: tokio::sync::Mutex::new(()),
            health: LedgerHealth::default(),
        }
    }

    /// Sets the highest price aside, or says why it cannot be paid.
    pub(crate) async fn reserve(
        self: &Arc<Self>,
        caller: &Caller,
        terms: &PlanTerms,
        operation: &Operation,
    ) -> Result<Reservation> {
        let payer = caller.payer();
        let price = operation.price.most;
        let now = self.clock.now();
        if !self.try_reserve(payer, terms, caller.cap(terms), price, now)? {
            let month = now.month();
            let usage = self
                .store
                .ledger()
                .month(&payer.ledger_account(), &month)
                .await?;
            self.shard(payer)
                .lock()
                .tallies
                .entry(payer)
                .or_insert_with(|| Tally::new(usage, now));
            if !self.try_reserve(payer, terms, caller.cap(terms), price, now)? {
                return Err(Error::internal("an account vanished from the meter"));
            }
        }
        Ok(Reservation {
            meter: self.clone(),
            payer,
            key: caller.key(),
            endpoint: operation.endpoint.clone(),
            operation: operation.index,
            price,
            included: terms.credits,
            overage: terms.overage.unwrap_or_default(),
            is_open: true,
        })
    }

    /// `Ok(false)` when the account is not in memory.
    fn try_reserve(
        &self,
        payer: Payer,
        terms: &PlanTerms,
        cap: MicroUsd,
        price: u64,
        now: Timestamp,
    ) -> Result<bool> {
        let mut shard = self.shard(payer).lock();
        let Some(tally) = shard.tallies.get_mut(&payer) else {
            return Ok(false);
        };
        tally.turn_to(now);
        match tally.reserve(terms, cap, price) {
            Ok(()) => Ok(true),
            Err(refusal) => {
                drop(shard);
                Err(refused(refusal, terms, cap, now))
            }
        }
    }

    /// Writes everything that is settled so far to the ledger.
    pub async fn flush(self: &Arc<Self>) -> Result<(), store::Error> {
        let meter = self.clone();
        // A caller that hangs up must not take a batch with it, so the write is a task of its own.
        match tokio::spawn(async move { meter.write_batch().await }).await {
            Ok(written) => written,
            Err(_) => Err(store::Error::Busy),
        }
    }

    async fn write_batch(&self) -> Result<(), store::Error> {
        let _turn = self.turn.lock().await;
        let mut outcome = Ok(());
        for batch in self.take_batches() {
            if outcome.is_ok() {
                outcome = batch.write(&self.store).await;
            }
            self.finish_batch(batch, outcome.is_ok());
        }
        if outcome.is_ok() {
            self.health.flushed();
        }
        outcome
    }

    fn take_batches(&self) -> Vec<Batch> {
        let mut batches = vec![Batch::default()];
        for shard in &self.shards {
            let mut shard = shard.lock();
            for payer in std::mem::take(&mut shard.dirty) {
                if let Some(tally) = shard.tallies.get_mut(&payer) {
                    Batch::add(&mut batches, payer, tally.take_lines());
                }
            }
        }
        batches
    }

    /// Lines that could not be written are due again.
    fn finish_batch(&self, batch: Batch, is_written: bool) {
        for (payer, lines) in batch.into_parts() {
            let mut shard = self.shard(payer).lock();
            let Shard { tallies, dirty } = &mut *shard;
            let Some(tally) = tallies.get_mut(&payer) else {
                continue;
            };
            tally.is_in_flight = false;
            if !is_written {
                for line in lines {
                    if tally.note(line) {
                        dirty.push(payer);
                    }
                }
            }
        }
    }

    /// Writes the ledger until cancelled, and then what is left.
    pub async fn run(self: &Arc<Self>, cancel: CancellationToken) {
        let mut ticks = tokio::time::interval(FLUSH_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = cancel.cancelled() => break,
                _ = ticks.tick() => {}
            }
            if let Err(error) = self.flush().await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "ledger cannot be written: {error}"
                );
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        for attempt in 1_u64..=5 {
            match self.flush().await {
                Ok(()) => return,
                Err(error) => {
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "last charges cannot be written: {error}"
                    );
                    tokio::time::sleep(Duration::from_millis(100 * attempt)).await;
                }
            }
        }
    }

    /// Forgets accounts that have been idle for a while; the ledger remembers them.
    pub(crate) fn sweep(&self, now: Timestamp) {
        for shard in &self.shards {
            let mut shard = shard.lock();
            shard
                .tallies
                .retain(|_, tally| !tally.is_idle(now, FORGET_AFTER_MS));
        }
    }

    fn shard(&self, payer: Payer) -> &Mutex<Shard> {
        &self.shards[self.hasher.hash_one(payer) as usize % SHARDS]
    }
}

impl Reservation {
    /// Charges what was done, at most what was reserved; returns when a large charge is on the disk.
    pub(crate) async fn settle(mut self, credits: u64) -> Result<u64> {
        let settled = self.book(credits);
        self.note(settled, LedgerKind::Charge);
        if settled.credits >= DURABLE_FROM
            && let Err(error) = self.meter.flush().await
        {
            // The line is due again and will be written some day, and so will its opposite.
            self.take_back(settled);
            self.note(settled, LedgerKind::Refund);
            return Err(error.into());
        }
        Ok(settled.credits)
    }

    /// Charges at once and hands over the ledger row, for an effect that is written together with its charge.
    fn into_entry(mut self, credits: u64) -> (LedgerEntry, (Self, Settled)) {
        let settled = self.book(credits);
        let entry = LedgerEntry {
            account: self.payer.ledger_account(),
            key: self.key,
            endpoint: self.endpoint.to_string(),
            calls: 1,
            credits: settled.credits,
            overage: settled.overage,
            at: settled.at,
            kind: LedgerKind::Charge,
        };
        (entry, (self, settled))
    }

    fn book(&mut self, credits: u64) -> Settled {
        let credits = credits.min(self.price);
        let at = self.meter.clock.now();
        let mut shard = self.meter.shard(self.payer).lock();
        self.is_open = false;
        let Some(tally) = shard.tallies.get_mut(&self.payer) else {
            return Settled {
                credits,
                overage: MicroUsd(0),
                at,
            };
        };
        tally.turn_to(at);
        let overage = tally.book(self.price, credits, self.included, self.overage);
        Settled {
            credits,
            overage,
            at,
        }
    }

    fn note(&self, settled: Settled, kind: LedgerKind) {
        let mut shard = self.meter.shard(self.payer).lock();
        let Shard { tallies, dirty } = &mut *shard;
        let Some(tally) = tallies.get_mut(&self.payer) else {
            return;
        };
        let is_first = tally.note(Line {
            key: self.key,
            operation: self.operation,
            endpoint: self.endpoint.clone(),
            calls: 1,
            credits: settled.credits,
            overage: settled.overage,
            at: settled.at,
            kind,
            is_durable: settled.credits >= DURABLE_FROM,
        });
        if is_first {
            dirty.push(self.payer);
        }
    }

    fn take_back(&self, settled: Settled) {
        let mut shard = self.meter.shard(self.payer).lock();
        if let Some(tally) = shard.tallies.get_mut(&self.payer) {
            tally.take_back(settled.credits, settled.overage, settled.at);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.is_open {
            let mut shard = self.meter.shard(self.payer).lock();
            if let Some(tally) = shard.tallies.get_mut(&self.payer) {
                tally.release(self.price);
            }
        }
    }
}

/// The charge of this request, for a handler whose effect is written in one transaction with it.
pub struct Charge(Arc<Exchange>);

impl Charge {
    /// The ledger row of `credits`, at most what is reserved. The handler writes it with its effect and then says
    /// [`Booked::keep`].
    pub fn entry(&self, credits: u64) -> Result<(LedgerEntry, Booked)> {
        let reservation = self.0.reservation.lock().take();
        let reservation =
            reservation.ok_or_else(|| Error::internal("this request is charged already"))?;
        let (entry, settled) = reservation.into_entry(credits);
        Ok((
            entry,
            Booked {
                exchange: self.0.clone(),
                settled: Some(settled),
            },
        ))
    }
}

impl<S: Sync> FromRequestParts<S> for Charge {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        Exchange::of(&parts.extensions).cloned().map(Self)
    }
}

/// A charge whose ledger row the handler writes itself. Dropped without being kept, it is taken back.
pub struct Booked {
    exchange: Arc<Exchange>,
    settled: Option<(Reservation, Settled)>,
}

impl Booked {
    /// The row is committed.
    pub fn keep(mut self) {
        if let Some((_, settled)) = self.settled.take() {
            self.exchange.set_charged(settled.credits);
        }
    }
}

impl Drop for Booked {
    fn drop(&mut self) {
        if let Some((reservation, settled)) = self.settled.take() {
            reservation.take_back(settled);
        }
    }
}

fn refused(refusal: Refusal, terms: &PlanTerms, cap: MicroUsd, now: Timestamp) -> Error {
    let seconds = seconds_to_next_month(now);
    match refusal {
        Refusal::CreditsExhausted => Error::retry_later(
            ErrorCode::CreditsExhausted,
            seconds,
            format!(
                "the {} credits of this month do not suffice for this call",
                terms.credits.unwrap_or_default()
            ),
        ),
        Refusal::SpendingCapReached => Error::retry_later(
            ErrorCode::SpendingCapReached,
            seconds,
            format!(
                "this call could exceed the spending cap of {:.2} USD a month; see PUT /api/v1/billing/cap",
                cap.usd()
            ),
        ),
    }
}

/// Until the credits are renewed.
fn seconds_to_next_month(now: Timestamp) -> u64 {
    let month = now.month();
    let mut day = now.day() + 1;
    while Timestamp::start_of_day(day).month() == month {
        day += 1;
    }
    Timestamp::start_of_day(day).since_ms(now).max(0) as u64 / 1_000 + 1
}
