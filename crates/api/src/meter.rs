//! What a call costs, and whether it can be paid.
//!
//! The highest price is reserved before the work, in memory and atomically, and what was done is settled after it.
//! A settled charge is in the journal before its answer leaves, so that it survives the end of the process. Settled calls
//! are added up by account, key, endpoint and day and written to the ledger, flushed to the disk, at most every 100 ms; a
//! charge of five credits and more is there before its answer leaves. A power cut therefore loses at most the small
//! charges of 100 ms. The state of an account is read from the ledger when it is first seen, and stays in memory as long as
//! the ledger does not know all of it. Several processes on one database each count for themselves between two reads.

mod batch;
#[cfg(test)]
mod bounds;
mod journal;
mod pending;
mod record;
mod tally;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::request::Parts;
use model::{KeyId, MicroUsd, Timestamp};
use parking_lot::Mutex;
use store::{BatchId, LedgerEntry, LedgerKind, MonthUsage, Store};
use tokio_util::sync::CancellationToken;

use crate::caller::{Caller, Payer};
use crate::clock::Clock;
use crate::error::{Error, ErrorCode, Result};
use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::settings::PlanTerms;
use batch::{Batch, Line};
use journal::Journal;
use pending::{NotedError, Pending};
use tally::{Refusal, Tally};

pub use pending::MeterHealth;

const SHARDS: usize = 32;
/// Longest time that a small charge stays in memory.
const FLUSH_EVERY: Duration = Duration::from_millis(100);
/// From so many credits on, a charge is on the disk before the answer leaves.
const DURABLE_FROM: u64 = 5;
/// Payers of one shard that stay in memory; 128 thousand altogether, some 40 MiB. Idle ones make room: the ledger knows
/// what they used.
const SHARD_LIMIT: usize = 4_096;
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
    pending: Pending,
    /// Only one batch is on its way, so that what is flushed is written when [`Meter::flush`] returns.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Shard {
    tallies: HashMap<Payer, Tally>,
    /// Payers whose month is being read from the ledger, and by how many calls. The answer may lack what another of these
    /// calls is charged meanwhile, so their tallies stay.
    asked: HashMap<Payer, u32>,
}

/// A question to the ledger that is not answered yet.
struct Question<'a> {
    shard: &'a Mutex<Shard>,
    payer: Payer,
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
    /// What is still set aside of the price.
    reserved: u64,
}

/// A settled charge.
#[derive(Clone, Copy, Debug)]
struct Settled {
    credits: u64,
    overage: MicroUsd,
    at: Timestamp,
}

impl Meter {
    /// With a journal in that directory, whose charges of an earlier run are written to the ledger first; without one,
    /// the end of the process loses the small charges of 100 ms.
    pub(crate) async fn open(
        store: Store,
        clock: Arc<dyn Clock>,
        journal: Option<&Path>,
    ) -> Result<Self> {
        let now = clock.now();
        let journal = match journal {
            Some(directory) => Some(
                Journal::open(directory, &store, now)
                    .await
                    .map_err(Error::internal)?,
            ),
            None => None,
        };
        Ok(Self {
            store,
            clock,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::new(Shard::default())),
            pending: Pending::new(journal, now),
            turn: tokio::sync::Mutex::new(()),
        })
    }

    /// How the ledger is keeping up. Cheap.
    pub fn health(&self) -> MeterHealth {
        self.pending.health()
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
        let cap = caller.cap(terms);
        let known = self
            .shard(payer)
            .lock()
            .reserve(payer, terms, cap, price, now);
        let reserved = match known {
            Some(reserved) => reserved,
            None => self.ask_and_reserve(payer, terms, cap, price, now).await?,
        };
        reserved.map_err(|refusal| refused(refusal, terms, cap, now))?;
        Ok(Reservation {
            meter: self.clone(),
            payer,
            key: caller.key(),
            endpoint: operation.endpoint.clone(),
            operation: operation.index,
            price,
            included: terms.credits,
            overage: terms.overage.unwrap_or_default(),
            reserved: price,
        })
    }

    /// Reserves for a payer that is not in memory.
    async fn ask_and_reserve(
        &self,
        payer: Payer,
        terms: &PlanTerms,
        cap: MicroUsd,
        price: u64,
        now: Timestamp,
    ) -> Result<Result<(), Refusal>> {
        let question = self.ask(payer);
        let month = now.month();
        let ledger = self.store.ledger();
        let usage = ledger.month(&payer.ledger_account(), &month).await?;
        let written = self.pending.written();
        // Released before the question is.
        let mut shard = question.shard.lock();
        let tally = shard.insert(payer, usage, now, written);
        tally.turn_to(now);
        Ok(tally.reserve(terms, cap, price))
    }

    fn ask(&self, payer: Payer) -> Question<'_> {
        let shard = self.shard(payer);
        *shard.lock().asked.entry(payer).or_default() += 1;
        Question { shard, payer }
    }

    /// Writes everything that is settled so far to the ledger.
    pub async fn flush(self: &Arc<Self>) -> Result<(), store::Error> {
        let meter = self.clone();
        // A caller that hangs up must not take a batch with it, so the write is a task of its own.
        match tokio::spawn(async move { meter.write_pending().await }).await {
            Ok(written) => written,
            Err(_) => Err(store::Error::Busy),
        }
    }

    async fn write_pending(&self) -> Result<(), store::Error> {
        let newest = self.pending.newest();
        let _turn = self.turn.lock().await;
        while let Some(batch) = self.pending.next(newest) {
            if let Err(error) = self.write(&batch).await {
                self.pending.sync().unwrap_or_else(|error| {
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "journal of charges cannot be brought to the disk: {error}"
                    );
                });
                return Err(error);
            }
            self.pending.note_written(&batch);
        }
        self.pending.note_flushed(self.clock.now());
        Ok(())
    }

    async fn write(&self, batch: &Batch) -> Result<(), store::Error> {
        let is_new = self
            .store
            .ledger()
            .append_batch(
                self.pending.id_of(batch),
                &batch.entries(),
                self.clock.now(),
            )
            .await?;
        if !is_new {
            tracing::info!(
                "batch {} was in the ledger already: the answer of an earlier try was lost",
                batch.number
            );
        }
        if let Err(error) = self.store.keys().touch(&batch.uses()).await {
            // The charges stand; when a key was last used is told a little late.
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "last use of keys is not noted: {error}"
            );
        }
        Ok(())
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
        let written = self.pending.written();
        for shard in &self.shards {
            let Shard { tallies, asked } = &mut *shard.lock();
            tallies.retain(|payer, tally| {
                asked.contains_key(payer) || !tally.is_idle(now, FORGET_AFTER_MS, written)
            });
        }
    }

    fn shard(&self, payer: Payer) -> &Mutex<Shard> {
        &self.shards[self.hasher.hash_one(payer) as usize % SHARDS]
    }
}

impl Shard {
    /// Reserves for a payer that is in memory.
    fn reserve(
        &mut self,
        payer: Payer,
        terms: &PlanTerms,
        cap: MicroUsd,
        price: u64,
        now: Timestamp,
    ) -> Option<Result<(), Refusal>> {
        let tally = self.tallies.get_mut(&payer)?;
        tally.turn_to(now);
        Some(tally.reserve(terms, cap, price))
    }

    /// Takes in what the ledger says of a payer, unless another call did so meanwhile.
    fn insert(
        &mut self,
        payer: Payer,
        usage: MonthUsage,
        now: Timestamp,
        written: u64,
    ) -> &mut Tally {
        if self.tallies.len() >= SHARD_LIMIT && !self.tallies.contains_key(&payer) {
            self.make_room(written);
        }
        self.tallies
            .entry(payer)
            .or_insert_with(|| Tally::new(usage, now))
    }

    /// Drops the longer idle half of those whose calls the ledger knows; half, so that a flood of addresses does not make
    /// every one of them search the table. What is open or not written yet stays: requests in flight bound it.
    fn make_room(&mut self, written: u64) {
        let mut idle: Vec<(Timestamp, Payer)> = self
            .tallies
            .iter()
            .filter(|(payer, tally)| tally.is_settled(written) && !self.asked.contains_key(payer))
            .map(|(payer, tally)| (tally.touched(), *payer))
            .collect();
        idle.sort_unstable_by_key(|(touched, _)| *touched);
        for (_, payer) in idle.iter().take(idle.len().div_ceil(2)) {
            self.tallies.remove(payer);
        }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let mut shard = self.shard.lock();
        if let Some(calls) = shard.asked.get_mut(&self.payer) {
            *calls -= 1;
            if *calls == 0 {
                shard.asked.remove(&self.payer);
            }
        }
    }
}

impl Reservation {
    /// Charges what was done, at most what was reserved; returns when a large charge is on the disk.
    pub(crate) async fn settle(mut self, credits: u64) -> Result<u64> {
        let settled = self.book(credits);
        match self.note(settled, LedgerKind::Charge) {
            Ok(()) => {}
            Err(NotedError::Full) => {
                self.take_back(settled);
                return Err(store::Error::Busy.into());
            }
            Err(NotedError::Journal(_)) => return self.write_through(settled).await,
        }
        if settled.credits >= DURABLE_FROM
            && let Err(error) = self.meter.flush().await
        {
            // The charge stays due and will be written some day, and so will its opposite.
            self.take_back(settled);
            if let Err(error) = self.note(settled, LedgerKind::Refund) {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "charge of {} credits for a failed request cannot be taken back: {error}",
                    settled.credits
                );
            }
            return Err(error.into());
        }
        Ok(settled.credits)
    }

    /// Writes a charge that the journal did not take straight to the ledger. Where that fails as well, it is not made.
    async fn write_through(self, settled: Settled) -> Result<u64> {
        // A caller that hangs up must not leave open whether it is charged.
        let work = tokio::spawn(async move {
            let entries = [self.entry(settled, LedgerKind::Charge)];
            // A batch of its own, so that it counts once where the answer to its commit is lost and it is sent again.
            let batch = BatchId {
                journal: uuid::Uuid::new_v4(),
                number: 1,
            };
            let ledger = self.meter.store.ledger();
            let mut written = ledger.append_batch(batch, &entries, settled.at).await;
            if written.is_err() {
                written = ledger.append_batch(batch, &entries, settled.at).await;
            }
            if written.is_err() {
                self.take_back(settled);
            }
            written.map(|_| settled.credits)
        });
        match work.await {
            Ok(Ok(credits)) => Ok(credits),
            Ok(Err(error)) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "a charge can be written neither to the journal nor to the ledger: {error}"
                );
                Err(store::Error::Busy.into())
            }
            Err(_) => Err(store::Error::Busy.into()),
        }
    }

    /// Charges at once and hands over the ledger row, for an effect that is written together with its charge.
    fn into_entry(mut self, credits: u64) -> (LedgerEntry, (Self, Settled)) {
        let settled = self.book(credits);
        (self.entry(settled, LedgerKind::Charge), (self, settled))
    }

    fn line(&self, settled: Settled, kind: LedgerKind) -> Line {
        Line {
            key: self.key,
            operation: self.operation,
            endpoint: self.endpoint.clone(),
            calls: 1,
            credits: settled.credits,
            overage: settled.overage,
            at: settled.at,
            kind,
        }
    }

    fn entry(&self, settled: Settled, kind: LedgerKind) -> LedgerEntry {
        self.line(settled, kind).entry(self.payer)
    }

    /// Charges in memory. The call stays open until the reservation is dropped, because until the charge is noted or
    /// written, nothing but the tally knows of it: forgotten meanwhile, it would be read again without the charge.
    fn book(&mut self, credits: u64) -> Settled {
        let credits = credits.min(self.price);
        let at = self.meter.clock.now();
        let mut shard = self.meter.shard(self.payer).lock();
        let reserved = std::mem::take(&mut self.reserved);
        let Some(tally) = shard.tallies.get_mut(&self.payer) else {
            return Settled {
                credits,
                overage: MicroUsd(0),
                at,
            };
        };
        tally.turn_to(at);
        let overage = tally.book(reserved, credits, self.included, self.overage);
        Settled {
            credits,
            overage,
            at,
        }
    }

    fn note(&self, settled: Settled, kind: LedgerKind) -> Result<(), NotedError> {
        let batch = self
            .meter
            .pending
            .note(self.payer, self.line(settled, kind))?;
        let mut shard = self.meter.shard(self.payer).lock();
        if let Some(tally) = shard.tallies.get_mut(&self.payer) {
            tally.note_batch(batch);
        }
        Ok(())
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
        let mut shard = self.meter.shard(self.payer).lock();
        if let Some(tally) = shard.tallies.get_mut(&self.payer) {
            tally.close(self.reserved);
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
