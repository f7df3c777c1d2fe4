//! What price over earnings and market value are made from, of every instrument at a moment.
//!
//! Shares: the valuations that were imported. Coins: what the newest listing of coins tells.

use std::collections::HashMap;

use model::{CoinSnapshot, InstrumentKey, Valuation};
use store::{RecordQuery, Store};

use super::Moment;
use crate::Result;

/// What is told of an instrument. What moves with the price is computed from the newest one where that is possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    eps: Option<f64>,
    shares: Option<f64>,
    told_pe_ratio: Option<f64>,
    told_market_cap: Option<f64>,
}

impl Figures {
    /// Price over earnings; `None` without profit.
    pub(super) fn pe_ratio(&self, price: Option<f64>) -> Option<f64> {
        let computed = price.zip(self.eps).map(|(price, eps)| price / eps);
        computed
            .or(self.told_pe_ratio)
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    }

    /// Market value in 10⁹ USD.
    pub(super) fn market_cap_b(&self, price: Option<f64>) -> Option<f64> {
        let computed = price.zip(self.shares).map(|(price, shares)| price * shares);
        computed
            .or(self.told_market_cap)
            .map(|value| value / 1e9)
            .filter(|value| value.is_finite() && *value > 0.0)
    }
}

/// The figures of every instrument of which some are told.
pub(super) async fn figures(
    store: &Store,
    moment: Moment,
) -> Result<HashMap<InstrumentKey, Figures>> {
    let query = RecordQuery {
        as_of: moment.as_of,
        ..RecordQuery::default()
    };
    let mut found = HashMap::new();
    for stored in store.records::<Valuation>().list(&query).await? {
        let told = stored.record;
        let figures = Figures {
            eps: told.eps,
            told_pe_ratio: told.pe_ratio,
            told_market_cap: told.market_cap_usd,
            shares: None,
        };
        found.insert(InstrumentKey::stock(told.symbol), figures);
    }
    for stored in store.records::<CoinSnapshot>().list(&query).await? {
        let told = stored.record;
        let figures = Figures {
            shares: told.circulating_supply,
            told_market_cap: told.market_cap,
            ..Figures::default()
        };
        found.insert(InstrumentKey::crypto(told.symbol), figures);
    }
    Ok(found)
}
