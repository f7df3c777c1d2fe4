//! What an operation knows beside its input: who asks, as of when, and at which price.

mod told;

use std::ops::Deref;
use std::sync::Arc;

use analysis::market::{Listing, PointInTime};
use model::{Category, Plan, Timestamp};

use crate::as_of::AsOf;
use crate::attempt::Attempt;
use crate::caller::{Caller, Owner, Payer};
use crate::error::Result;
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
        crate::ticker::find(&self.services, symbol).await
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
