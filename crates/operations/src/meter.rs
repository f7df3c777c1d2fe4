//! What a call costs, and whether it can be paid.
//!
//! The highest price is reserved before the work, in memory and atomically, and what was done is settled after it. A
//! settled charge is in the journal before its answer leaves, so that it survives the end of the process. Settled calls
//! are added up by account, key, endpoint and day and written to the ledger, flushed to the disk, at most every 100 ms;
//! a charge of five credits and more is there before its answer leaves. A power cut therefore loses at most the small
//! charges of 100 ms. The state of an account is read from the ledger when it is first seen, and stays in memory as
//! long as the ledger does not know all of it. Several processes on one database each count for themselves between two
//! reads.

mod batch;
#[cfg(test)]
mod bounds;
mod charge;
mod journal;
mod pending;
mod record;
mod reservation;
mod tally;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use model::{MicroUsd, Timestamp};
use parking_lot::Mutex;
use store::{LedgerEntry, MonthUsage, Store};
use tokio_util::sync::CancellationToken;

use crate::caller::{Caller, Payer};
use crate::clock::Clock;
use crate::error::{Error, ErrorCode, Result};
use crate::price::Tariff;
use crate::settings::PlanTerms;
use batch::Batch;
use journal::Journal;
use pending::Pending;
use tally::{Refusal, Tally};

pub use charge::Charge;
pub use pending::MeterHealth;
pub(crate) use reservation::Reservation;

const SHARDS: usize = 32;
/// Longest time that a small charge stays in memory.
const FLUSH_EVERY: Duration = Duration::from_millis(100);
/// Payers of one shard that stay in memory; 128 thousand altogether, some 40 MiB. Idle ones make room: the ledger knows
/// what they used.
const SHARD_LIMIT: usize = 4_096;
/// How long an idle account stays in memory.
const FORGET_AFTER_MS: i64 = 10 * Timestamp::MINUTE_MS;

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

    /// A charge was refunded by a row of the ledger: what is remembered of its payer follows.
    pub fn refunded(&self, payer: Payer, refund: &LedgerEntry) {
        let mut shard = self.shard(payer).lock();
        if let Some(tally) = shard.tallies.get_mut(&payer) {
            tally.take_back(refund.credits, refund.overage, refund.at);
        }
    }

    /// Sets a price aside, or says why it cannot be paid. Nothing can always be paid, and be raised later.
    pub(crate) async fn reserve(
        self: &Arc<Self>,
        price: u64,
        caller: &Caller,
        terms: &PlanTerms,
        tariff: &Tariff,
    ) -> Result<Reservation> {
        let payer = caller.payer();
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
            endpoint: tariff.endpoint.clone(),
            operation: tariff.index,
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
            // The charges stand; when a key was last used is updated a little late.
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
