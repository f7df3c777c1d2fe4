//! What an operation knows beside its input: who asks, as of when, and at which price.

mod told;

use std::ops::Deref;
use std::sync::Arc;

use analysis::market::{Listing, PointInTime, Unknown};
use model::{Category, Plan, Timestamp};

use crate::as_of::AsOf;
use crate::attempt::Attempt;
use crate::caller::{Caller, Owner, Payer};
use crate::error::{Error, Result};
use crate::meter::Charge;
use crate::price::Price;
use crate::registry::Limits;
use crate::services::{Services, Shared};

pub use told::{StepListener, StepTold};

/// The context of one call. Services are reached through it.
#[derive(Clone)]
pub struct Context {
    /// The services.
    pub services: Services,
    /// Who asks.
    pub caller: Caller,
    /// As of when data are read.
    pub as_of: AsOf,
    /// What the call costs.
    pub price: Price,
    /// What it is charged.
    pub charge: Charge,
    /// What is written with its effect, where the call may be repeated.
    pub attempt: Arc<Attempt>,
    /// What it may cost altogether, and when it is no longer wanted.
    pub limits: Limits,
    /// Of when its symbols are.
    pub naming: Naming,
}

/// Of when the symbols of a call are, which matters for those that a company gave up and another one took up again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// Of the time that the call asks about: who asks about the past names companies as they were called then.
    #[default]
    AsOf,
    /// Of now: an operation that asks others hands on the symbols that answers gave it.
    Now,
}

impl Deref for Context {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.services
    }
}

impl Context {
    /// The end of every window of the answer.
    pub fn end(&self) -> Timestamp {
        self.as_of.end(&self.services)
    }

    /// The point in time of the question, for market data.
    pub fn when(&self) -> PointInTime {
        PointInTime {
            end: self.end(),
            as_of: self.as_of.0,
        }
    }

    /// The instrument that a text names.
    pub(crate) async fn listing(&self, symbol: &str) -> Result<Arc<Listing>> {
        self.resolve(symbol).await?.map_err(Error::UnknownSymbol)
    }

    /// The instrument that a text names; else what was perhaps meant.
    pub(crate) async fn resolve(
        &self,
        symbol: &str,
    ) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        let instruments = &self.services.instruments;
        let resolved = match self.naming {
            Naming::AsOf => instruments.resolve_as_of(symbol, self.when()).await,
            Naming::Now => instruments.resolve(symbol).await,
        };
        Ok(resolved?)
    }

    /// The instrument that a text names, without suggestions where it names none.
    pub(crate) async fn look_up(&self, symbol: &str) -> Result<Option<Arc<Listing>>> {
        let instruments = &self.services.instruments;
        let found = match self.naming {
            Naming::AsOf => instruments.look_up_as_of(symbol, self.when()).await,
            Naming::Now => instruments.look_up(symbol).await,
        };
        Ok(found?)
    }

    /// The categories that an answer may draw on: the one asked for, or all that the key sees. Empty means every
    /// category.
    pub fn categories(&self, asked: Option<Category>) -> Result<Vec<Category>> {
        self.caller.narrow(asked)
    }

    /// The account that asks. Refuses the demo key.
    pub fn owner(&self) -> Result<Owner> {
        Owner::of(&self.caller)
    }

    /// Who is charged.
    pub fn payer(&self) -> Payer {
        self.caller.payer()
    }

    /// Credits that a successful call costs.
    pub fn credits(&self) -> u64 {
        self.price.most
    }

    /// Revision of the news: the newest outbox position that was seen.
    pub fn revision(&self) -> i64 {
        self.services.revision()
    }

    /// The plan of whoever asks.
    pub fn plan(&self) -> Plan {
        self.caller.plan()
    }

    /// For an answer that is made from something which this process keeps longer than the data stand still: another
    /// process, and this one after a restart, could make it otherwise from the same data.
    pub(crate) fn process(&self) -> String {
        format!("{:x}", self.services.instance)
    }
}
