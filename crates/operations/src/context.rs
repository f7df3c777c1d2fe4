//! What an operation knows besides its input: who is calling, as of when, and at what price.

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

/// The context of one call. It gives access to the services.
#[derive(Clone)]
pub struct Context {
    /// The services.
    pub services: Services,
    /// The caller.
    pub caller: Caller,
    /// The point in time as of which data is read.
    pub as_of: AsOf,
    /// What the call costs.
    pub price: Price,
    /// The charge for the call.
    pub charge: Charge,
    /// What is stored together with the effect of the call, in case it is repeated.
    pub attempt: Arc<Attempt>,
    /// The maximum total cost of the call, and when it is no longer wanted.
    pub limits: Limits,
    /// The time whose symbols the call uses.
    pub naming: Naming,
}

/// The time whose symbols a call uses. This matters for symbols that one company gave up and another adopted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// The time that the call asks about: a caller who asks about the past refers to companies by the symbols of that
    /// time.
    #[default]
    AsOf,
    /// The present: an operation that calls others passes on the symbols from their responses.
    Now,
}

impl Deref for Context {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.services
    }
}

impl Context {
    /// The end of every period in the response.
    pub fn end(&self) -> Timestamp {
        self.as_of.end(&self.services)
    }

    /// The point in time of the request, for market data.
    pub fn when(&self) -> PointInTime {
        PointInTime {
            end: self.end(),
            as_of: self.as_of.0,
        }
    }

    /// The instrument with this symbol or name.
    pub(crate) async fn listing(&self, symbol: &str) -> Result<Arc<Listing>> {
        self.resolve(symbol).await?.map_err(Error::UnknownSymbol)
    }

    /// The instrument with this symbol or name, or else suggestions for what may have been meant.
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

    /// The instrument with this symbol or name, without suggestions if there is none.
    pub(crate) async fn look_up(&self, symbol: &str) -> Result<Option<Arc<Listing>>> {
        let instruments = &self.services.instruments;
        let found = match self.naming {
            Naming::AsOf => instruments.look_up_as_of(symbol, self.when()).await,
            Naming::Now => instruments.look_up(symbol).await,
        };
        Ok(found?)
    }

    /// The categories that a response may draw on: the requested one, or all that the key may see. Empty means every
    /// category.
    pub fn categories(&self, asked: Option<Category>) -> Result<Vec<Category>> {
        self.caller.narrow(asked)
    }

    /// The calling account. Refuses the demo key.
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

    /// Revision of the news: the newest known outbox position.
    pub fn revision(&self) -> i64 {
        self.services.revision()
    }

    /// The caller's plan.
    pub fn plan(&self) -> Plan {
        self.caller.plan()
    }

    /// For a response that depends on something this process keeps even after the data has changed: another process, or
    /// this one after a restart, could produce a different response from the same data.
    pub(crate) fn process(&self) -> String {
        format!("{:x}", self.services.instance)
    }
}
