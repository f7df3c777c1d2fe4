//! How the market services are wired together: which one reads through which.

use std::sync::Arc;

use store::Store;

use super::cache::MarketCache;
use super::records::Records;
use super::{
    Actions, Assessments, Backtests, Coverage, Crypto, Disclosures, Economy, Estimates,
    EventCalendar, Fundamentals, Instruments, Prices, Screener, Sentiment, TimeSeries,
};

/// The services over one store, with the cache that they share. This only wires them: code that answers a question
/// takes the services that it needs.
#[derive(Debug)]
pub struct MarketServices {
    /// Instruments, candles and latest prices in memory.
    pub cache: Arc<MarketCache>,
    /// Listings by key, symbol or name.
    pub instruments: Instruments,
    /// Candles and quotes of instruments.
    pub prices: Prices,
    /// Series that are not instruments.
    pub series: TimeSeries,
    /// Economic indicators and Treasury yields.
    pub economy: Economy,
    /// What companies report, and their valuation.
    pub fundamentals: Fundamentals,
    /// Splits, dividends, symbol changes, delistings.
    pub actions: Actions,
    /// Filings, trades by insiders and lawmakers, institutional holdings.
    pub disclosures: Disclosures,
    /// Analyst ratings, and earnings with their estimates.
    pub estimates: Estimates,
    /// What briefs say about a symbol.
    pub coverage: Coverage,
    /// Sentiment of symbols and sectors.
    pub sentiment: Sentiment,
    /// A symbol as a whole.
    pub assessments: Assessments,
    /// Coins and decentralised finance.
    pub crypto: Crypto,
    /// Earnings, holidays, economic releases.
    pub calendar: EventCalendar,
    /// Snapshots of every instrument.
    pub screener: Screener,
    /// Strategies tested on historical data.
    pub backtests: Backtests,
}

impl MarketServices {
    /// The services over a store.
    pub fn new(store: Store) -> Self {
        let cache = Arc::new(MarketCache::new(store.clone()));
        let records = Records::new(store.clone(), cache.clone());
        let instruments = Instruments::new(cache.clone());
        let prices = Prices::new(store.clone(), cache.clone(), instruments.clone());
        let series = TimeSeries::new(store.clone(), cache.clone());
        let fundamentals = Fundamentals::new(
            records.clone(),
            cache.clone(),
            prices.clone(),
            series.clone(),
        );
        let coverage = Coverage::new(store.clone());
        let sentiment = Sentiment::new(store, instruments.clone());
        let crypto = Crypto::new(records.clone(), prices.clone(), series.clone());
        Self {
            economy: Economy::new(series.clone()),
            actions: Actions::new(records.clone()),
            disclosures: Disclosures::new(records.clone()),
            estimates: Estimates::new(records.clone()),
            assessments: Assessments::new(prices.clone(), coverage.clone(), fundamentals.clone()),
            calendar: EventCalendar::new(records, instruments.clone()),
            screener: Screener::new(
                cache.clone(),
                fundamentals.clone(),
                sentiment.clone(),
                crypto.clone(),
            ),
            backtests: Backtests::new(prices.clone(), fundamentals.clone(), sentiment.clone()),
            cache,
            instruments,
            prices,
            series,
            fundamentals,
            coverage,
            sentiment,
            crypto,
        }
    }
}
