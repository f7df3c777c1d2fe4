//! The charge of one call, for whoever runs it and for an operation that writes it with its effect.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use store::LedgerEntry;

use super::reservation::{Reservation, Settled};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::price::Tariff;
use crate::services::Services;

/// No claim: the highest price is charged.
const UNCLAIMED: u64 = u64::MAX;

/// What one call is charged. Clones are one.
#[derive(Clone)]
pub struct Charge(Arc<State>);

struct State {
    /// What is set aside for the call, until it is settled.
    reservation: Mutex<Option<Reservation>>,
    claimed: AtomicU64,
    charged: AtomicU64,
}

impl Default for Charge {
    fn default() -> Self {
        Self(Arc::new(State {
            reservation: Mutex::new(None),
            claimed: AtomicU64::new(UNCLAIMED),
            charged: AtomicU64::new(0),
        }))
    }
}

impl Charge {
    /// Sets credits aside. Dropped without being settled, they are free again.
    pub fn hold(&self, reservation: Reservation) {
        *self.0.reservation.lock() = Some(reservation);
    }

    /// Gives back what is set aside and not settled.
    pub fn release(&self) {
        *self.0.reservation.lock() = None;
    }

    /// Sets the highest price aside where that waited until the call was known to be no repetition.
    pub fn pay(&self, services: &Services, caller: &Caller, tariff: &Tariff) -> Result<()> {
        let terms = caller.terms(&services.settings);
        match &mut *self.0.reservation.lock() {
            Some(reservation) => reservation.raise(tariff.price.least, terms, caller.cap(terms)),
            None => Ok(()),
        }
    }

    /// Sets aside what is missing up to that price, and claims it. A call that is made on behalf of another has nothing set
    /// aside: whoever asks pays.
    pub fn raise(&self, services: &Services, caller: &Caller, credits: u64) -> Result<()> {
        let terms = caller.terms(&services.settings);
        if let Some(reservation) = &mut *self.0.reservation.lock() {
            reservation.raise(credits, terms, caller.cap(terms))?;
        }
        self.claim(credits);
        Ok(())
    }

    /// Takes what is set aside out of this charge into one of its own, which is settled when its work is done: a stream
    /// works on after its head has been sent.
    #[must_use]
    pub fn take(&self) -> Self {
        let taken = Self::default();
        *taken.0.reservation.lock() = self.0.reservation.lock().take();
        taken
    }

    /// Whether something is set aside and not settled.
    pub fn is_open(&self) -> bool {
        self.0.reservation.lock().is_some()
    }

    /// Says what the call is to be charged, where that is less than its highest price.
    pub fn claim(&self, credits: u64) {
        self.0.claimed.store(credits, Ordering::Relaxed);
    }

    /// Charges what was claimed, or else the highest price; nothing more where the operation wrote the charge itself.
    pub async fn settle(&self, most: u64) -> Result<()> {
        let reservation = self.0.reservation.lock().take();
        if let Some(reservation) = reservation {
            let credits = self.0.claimed.load(Ordering::Relaxed).min(most);
            self.set(reservation.settle(credits).await?);
        }
        Ok(())
    }

    /// What was charged so far.
    pub fn credits(&self) -> u64 {
        self.0.charged.load(Ordering::Relaxed)
    }

    fn set(&self, credits: u64) {
        self.0.charged.store(credits, Ordering::Relaxed);
    }

    /// Charges what was claimed, or else `most`, with what `write` writes in the same transaction as the ledger row.
    pub async fn commit<W>(&self, most: u64, write: impl FnOnce(LedgerEntry) -> W) -> Result<()>
    where
        W: Future<Output = Result<()>> + Send + 'static,
    {
        let credits = self.0.claimed.load(Ordering::Relaxed).min(most);
        let (entry, booked) = self.entry(credits)?;
        let written = write(entry);
        // A task of its own: a caller that hangs up while the row is being committed must not take the charge back.
        let task = tokio::spawn(async move {
            written.await?;
            booked.keep();
            Ok(())
        });
        task.await
            .unwrap_or_else(|_| Err(store::Error::Busy.into()))
    }

    /// The ledger row of `credits`, at most what is reserved. Whoever writes it says [`Booked::keep`] when it is
    /// committed.
    fn entry(&self, credits: u64) -> Result<(LedgerEntry, Booked)> {
        let reservation = self.0.reservation.lock().take();
        let reservation =
            reservation.ok_or_else(|| Error::internal("this request is charged already"))?;
        let (entry, settled) = reservation.into_entry(credits);
        Ok((
            entry,
            Booked {
                charge: self.clone(),
                settled: Some(settled),
            },
        ))
    }
}

/// A charge whose ledger row the operation writes itself. Dropped without being kept, it is taken back.
struct Booked {
    charge: Charge,
    settled: Option<(Reservation, Settled)>,
}

impl Booked {
    /// The row is committed.
    fn keep(mut self) {
        if let Some((_, settled)) = self.settled.take() {
            self.charge.set(settled.credits());
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
