//! Coins and decentralised finance, as a provider reports them at a point in time.

use serde::{Deserialize, Serialize};

use crate::{Day, Symbol, Timestamp};

/// What is reported about a coin at a point in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct CoinSnapshot {
    pub symbol: Symbol,
    pub name: String,
    /// In USD.
    pub price: Option<f64>,
    pub market_cap: Option<f64>,
    pub market_cap_rank: Option<u32>,
    pub volume_24h: Option<f64>,
    pub change_1h: Option<f64>,
    pub change_24h: Option<f64>,
    pub change_7d: Option<f64>,
    pub change_30d: Option<f64>,
    /// Highest price ever, in USD.
    pub ath: Option<f64>,
    pub ath_date: Option<Day>,
    pub circulating_supply: Option<f64>,
    pub at: Timestamp,
    pub source: String,
}

/// What was paid for a coin in one hour, in USD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct HourBar {
    pub symbol: Symbol,
    /// When the hour began: a full hour in UTC.
    pub at: Timestamp,
    pub open: f64,
    pub high: f64,
    pub low: f64,
    pub close: f64,
    /// Coins traded.
    pub volume: f64,
    pub source: String,
}

impl HourBar {
    /// When the hour was over and the bar was known.
    pub fn ends_at(&self) -> Timestamp {
        self.at.plus_ms(Timestamp::HOUR_MS)
    }

    /// The hour of its day, `0..=23`.
    pub fn hour(&self) -> i64 {
        self.at.ms().rem_euclid(Timestamp::DAY_MS) / Timestamp::HOUR_MS
    }
}

/// What is reported about all coins at a point in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct CryptoGlobal {
    /// In USD.
    pub total_market_cap: Option<f64>,
    pub total_volume: Option<f64>,
    /// In percent.
    pub btc_dominance: Option<f64>,
    pub eth_dominance: Option<f64>,
    pub active_cryptocurrencies: Option<u64>,
    /// Percent change in 24 hours.
    pub market_cap_change_24h: Option<f64>,
    pub at: Timestamp,
    pub source: String,
}

/// What is reported about a protocol at a point in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Protocol {
    /// For example `aave-v3`.
    pub slug: String,
    pub name: String,
    /// For example `Lending`.
    pub category: String,
    /// Value locked, in USD.
    pub tvl: f64,
    /// In percent.
    pub change_1d: Option<f64>,
    pub change_7d: Option<f64>,
    /// The chains it runs on.
    pub chains: Vec<String>,
    pub at: Timestamp,
    pub source: String,
}

/// What is reported about a chain at a point in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Chain {
    pub name: String,
    /// Value locked, in USD.
    pub tvl: f64,
    pub at: Timestamp,
    pub source: String,
}
