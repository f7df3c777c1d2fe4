//! One row per symbol, kept up to date, and how old a price in it may be.

use std::collections::HashMap;

use model::AssetType;

use super::PriceMetrics;
use crate::filters::Metric;
use crate::{Day, calendar};

/// A session counts as the newest once this many symbols have a price for it: one symbol that is delivered early does
/// not make all the others old.
const SESSION_SYMBOLS: usize = 10;

/// One symbol of the snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct ScreenerRow {
    pub ticker: String,
    pub entity_name: String,
    pub sector: String,
    pub asset_type: AssetType,
    /// ISO 4217 code of the price.
    pub currency: String,
    pub prices: PriceMetrics,
    /// 0 to 1; `None` without briefs.
    pub sentiment_score: Option<f64>,
    /// For companies with a profit; others have none.
    pub pe_ratio: Option<f64>,
    /// In billions (10⁹) of USD.
    pub market_cap_b: Option<f64>,
    /// Trailing-twelve-month dividends over the price, in percent.
    pub dividend_yield: Option<f64>,
    /// Trailing-twelve-month revenue compared with the year before, in percent.
    pub revenue_growth: Option<f64>,
    /// Trailing-twelve-month earnings per share compared with the year before, in percent.
    pub eps_growth: Option<f64>,
    /// Net income as a percentage of revenue.
    pub profit_margin: Option<f64>,
    /// Interest-bearing debt over equity.
    pub debt_to_equity: Option<f64>,
    /// For example `NASDAQ`; empty if it is not known.
    pub exchange: String,
    /// Sub-industry; empty if it is not known.
    pub industry: String,
}

impl ScreenerRow {
    /// The value of a metric. Numbers that are not finite, and a P/E that is not positive, count as missing.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        let prices = &self.prices;
        let value = match metric {
            Metric::Price | Metric::Close => prices.price,
            Metric::Rsi => prices.rsi_14,
            Metric::Sentiment => self.sentiment_score,
            Metric::PeRatio => self.pe_ratio.filter(|ratio| *ratio > 0.0),
            Metric::MarketCap => self.market_cap_b,
            Metric::DividendYield => self.dividend_yield,
            Metric::Volume => prices.volume,
            Metric::MacdHistogram => prices.macd_histogram,
            Metric::Sma20 => prices.sma_20,
            Metric::Sma50 => prices.sma_50,
            Metric::Sma200 => prices.sma_200,
            Metric::BelowHigh => prices.from_52w_high,
            Metric::AboveLow => prices.from_52w_low,
            Metric::ChangeYtd => prices.change_ytd,
            Metric::ChangeYear => prices.change_1y,
            Metric::RevenueGrowth => self.revenue_growth,
            Metric::EpsGrowth => self.eps_growth,
            Metric::ProfitMargin => self.profit_margin,
            Metric::DebtToEquity => self.debt_to_equity,
        };
        value.filter(|value| value.is_finite())
    }

    /// The sentiment, unless the price dates from before a given day; without a price, sentiment stands alone.
    pub fn sentiment_beside(&self, oldest: Option<Day>) -> Option<f64> {
        let is_apart = self.prices.date.zip(oldest);
        let is_apart = is_apart.is_some_and(|(date, oldest)| date < oldest);
        self.sentiment_score.filter(|_| !is_apart)
    }
}

/// One row per symbol, kept up to date.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(super) rows: Vec<ScreenerRow>,
    place: HashMap<String, usize>,
}

impl Snapshot {
    /// Adds a symbol or replaces its row.
    pub fn upsert(&mut self, row: ScreenerRow) {
        if let Some(place) = self.place.get(&row.ticker) {
            self.rows[*place] = row;
        } else {
            self.place.insert(row.ticker.clone(), self.rows.len());
            self.rows.push(row);
        }
    }

    /// The row of a symbol.
    pub fn find(&self, ticker: &str) -> Option<&ScreenerRow> {
        self.rows.get(*self.place.get(ticker)?)
    }

    /// The newest session in which at least ten symbols of a type have a price; if none has ten, the newest with any.
    pub fn newest_session(&self, asset_type: AssetType) -> Option<Day> {
        let rows = self.rows.iter().filter(|row| row.asset_type == asset_type);
        newest_session(rows.filter_map(|row| row.prices.date).collect())
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl FromIterator<ScreenerRow> for Snapshot {
    fn from_iter<I: IntoIterator<Item = ScreenerRow>>(rows: I) -> Self {
        let mut snapshot = Self::default();
        for row in rows {
            snapshot.upsert(row);
        }
        snapshot
    }
}

/// The newest of these days that at least ten of them share; if there is none, the newest.
pub fn newest_session(mut days: Vec<Day>) -> Option<Day> {
    days.sort_unstable_by(|one, other| other.cmp(one));
    let newest = days.first().copied();
    let shared = days
        .chunk_by(|one, other| one == other)
        .find(|same| same.len() >= SESSION_SYMBOLS);
    shared.map(|same| same[0]).or(newest)
}

/// The day this many sessions before another; for instruments whose market never closes, this many calendar days.
pub fn sessions_before(day: Day, sessions: u32, asset_type: AssetType) -> Day {
    if asset_type.never_closes() {
        return day.plus(-(sessions as i32));
    }
    let mut found = day;
    for _ in 0..sessions {
        match calendar::previous_session(found) {
            Some(before) => found = before,
            None => break,
        }
    }
    found
}
