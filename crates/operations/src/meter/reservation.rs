//! One call between its reservation and its charge.

use std::sync::Arc;

use model::{KeyId, MicroUsd, Timestamp};
use store::{BatchId, LedgerEntry, LedgerKind};

use super::batch::Line;
use super::pending::NotedError;
use super::{Meter, refused};
use crate::caller::Payer;
use crate::error::Result;
use crate::settings::PlanTerms;

/// From so many credits on, a charge is on the disk before the answer leaves.
const DURABLE_FROM: u64 = 5;

/// The promise that a call can be paid. Dropped without being settled, it costs nothing.
pub struct Reservation {
    pub(super) meter: Arc<Meter>,
    pub(super) payer: Payer,
    pub(super) key: Option<KeyId>,
    pub(super) endpoint: Arc<str>,
    pub(super) operation: usize,
    pub(super) price: u64,
    pub(super) included: Option<u64>,
    pub(super) overage: MicroUsd,
    /// What is still set aside of the price.
    pub(super) reserved: u64,
}

/// A settled charge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    credits: u64,
    overage: MicroUsd,
    at: Timestamp,
}

impl Settled {
    pub(super) fn credits(self) -> u64 {
        self.credits
    }
}

impl Reservation {
    /// Sets aside what is missing up to that price, or says why it cannot be paid.
    pub(crate) fn raise(&mut self, price: u64, terms: &PlanTerms, cap: MicroUsd) -> Result<()> {
        let missing = price.saturating_sub(self.price);
        if missing == 0 {
            return Ok(());
        }
        let now = self.meter.clock.now();
        let mut shard = self.meter.shard(self.payer).lock();
        // It is there as long as a call of it is open.
        if let Some(tally) = shard.tallies.get_mut(&self.payer) {
            tally.turn_to(now);
            tally
                .set_aside(terms, cap, missing)
                .map_err(|refusal| refused(refusal, terms, cap, now))?;
        }
        self.price += missing;
        self.reserved += missing;
        Ok(())
    }

    /// Charges what was done, at most what was reserved; returns when a large charge is on the disk.
    pub async fn settle(mut self, credits: u64) -> Result<u64> {
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
                    "charge of {} credits for a failed request cannot be refunded: {error}",
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
    pub(super) fn into_entry(mut self, credits: u64) -> (LedgerEntry, (Self, Settled)) {
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
    pub(super) fn book(&mut self, credits: u64) -> Settled {
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

    pub(super) fn note(&self, settled: Settled, kind: LedgerKind) -> Result<(), NotedError> {
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

    pub(super) fn take_back(&self, settled: Settled) {
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
