//! Market data on its way into the store, wherever it comes from: files, upstreams or the simulated world.

use crate::{
    AnalystRating, Candle, Chain, CoinSnapshot, CongressTrade, CorporateAction, CryptoGlobal,
    Earnings, FactSet, Filing, HoldingsReport, HourBar, InsiderForm, Instrument, InstrumentKey,
    Observation, PriceScale, Protocol, Series, SimulatedSentiment, Symbol, Valuation,
};

/// Everything that one read brought in. Candles under one key are sound and ascend by day without repetition.
/// Observations are finite and ascend by day without repetition. The rest is in any order.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field names what it holds")]
pub struct MarketBatch {
    pub instruments: Vec<Instrument>,
    pub candles: Vec<(InstrumentKey, Vec<Candle>)>,
    /// The scale of all candles.
    pub scale: PriceScale,
    /// Who supplies the candles; empty if nobody else does.
    pub source: String,
    pub actions: Vec<CorporateAction>,
    pub series: Vec<(Series, Vec<Observation>)>,
    pub sentiment: Vec<(Symbol, Vec<SimulatedSentiment>)>,
    pub facts: Vec<FactSet>,
    pub valuations: Vec<Valuation>,
    pub earnings: Vec<Earnings>,
    pub ratings: Vec<AnalystRating>,
    pub filings: Vec<Filing>,
    pub insider_forms: Vec<InsiderForm>,
    pub holdings_reports: Vec<HoldingsReport>,
    pub congress_trades: Vec<CongressTrade>,
    pub coins: Vec<CoinSnapshot>,
    pub hours: Vec<HourBar>,
    pub crypto_globals: Vec<CryptoGlobal>,
    pub protocols: Vec<Protocol>,
    pub chains: Vec<Chain>,
}
