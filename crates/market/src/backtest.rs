//! The backtester: what a rule would have earned, using only what was known at the time.
//!
//! The sessions of a period are the days on which at least one instrument has a candle. Each session goes through
//! five steps:
//!
//! 1. **Exits at the open.** Positions whose exit filter matched at an earlier close are sold at the open. A stop at
//!    or above the open is filled at the open: the price gapped through it.
//! 2. **Entries at the open.** Each order buys for `equity / max_positions`, based on the equity at the previous
//!    close, but never for more than the available cash; shares are fractional. An order whose instrument has no
//!    candle lapses.
//! 3. **Stops.** A position whose low reaches the stop is sold at the stop, even on its first day.
//! 4. **Valuation.** Equity is cash plus shares at the newest close. A position in a delisted instrument is sold at
//!    its last close, and so is one whose prices end (`no_more_prices`: at least ten sessions follow without a candle
//!    for it). On the last session everything is sold (`end_of_period`).
//! 5. **Signals at the close.** Exit filters are evaluated for every position. On the first session of each ISO week
//!    or calendar month (and of the period) entry filters are evaluated for everything that is not held. Free slots
//!    go to the candidates farthest on the wanted side ([`Filters::distance`]), then by ticker. Orders are for the
//!    next session's open, or `lag` sessions later if that is set; stops are not delayed.
//!
//! So nothing is bought before it was signalled, and bars appended later change no closed trade. Indicators run over
//! all the candles given, including those before the period. The result is deterministic: no ties are left to chance.
//! The backtest leaves out dividends, taxes, spreads beyond the requested slippage, and the effect of the orders on
//! the price. Short positions are not supported.

mod benchmark;
mod engine;
mod readings;
mod timeline;

use std::str::FromStr;

pub use benchmark::{Comparison, compare};

use crate::filters::{ExitFilters, FilterKey, Filters, Metric};
use crate::performance::{Outcome, Performance, performance};
use crate::{Candles, Day, Error, UnknownWord};

/// How often entry filters are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rebalance {
    /// On the first session of each ISO week.
    #[default]
    Weekly,
    /// On the first session of each calendar month.
    Monthly,
}

impl Rebalance {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
        }
    }

    /// A key that two sessions of the same week or month share.
    fn label(self, day: Day) -> Day {
        match self {
            Self::Weekly => day.monday(),
            Self::Monthly => day.first_of_month(),
        }
    }
}

impl FromStr for Rebalance {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Weekly, Self::Monthly]
            .into_iter()
            .find(|rebalance| rebalance.as_str() == text)
            .ok_or(UnknownWord("weekly, monthly"))
    }
}

/// The strategy to be tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// All must hold to buy. If there are none, every instrument is a candidate.
    pub entry: Filters,
    /// One of them must hold to sell. If there are none, positions stay open until the end.
    pub exit: ExitFilters,
    /// How often entries are evaluated.
    pub rebalance: Rebalance,
    /// Cash at the start, in USD.
    pub initial_capital: f64,
    /// The most positions held at a time.
    pub max_positions: usize,
    /// Fee for each purchase and each sale, in hundredths of a percent of its value.
    pub fees_bps: f64,
    /// By how much every fill is worse than the candle's price, in hundredths of a percent.
    pub slippage_bps: f64,
    /// The number of sessions by which every signal is delayed.
    pub lag: usize,
}

impl Default for Strategy {
    fn default() -> Self {
        Self {
            entry: Filters::default(),
            exit: ExitFilters::default(),
            rebalance: Rebalance::default(),
            initial_capital: 100_000.0,
            max_positions: 10,
            fees_bps: 0.0,
            slippage_bps: 0.0,
            lag: 0,
        }
    }
}

impl Strategy {
    /// Whether every number is within its range.
    pub fn check(&self) -> Result<(), Error> {
        let bounds = [
            (
                "initial_capital",
                (0.01..=1e12).contains(&self.initial_capital),
                "a number from 0.01 to 1e12",
            ),
            (
                "max_positions",
                (1..=1000).contains(&self.max_positions),
                "a whole number from 1 to 1000",
            ),
            (
                "fees_bps",
                (0.0..=1000.0).contains(&self.fees_bps),
                "a number from 0 to 1000",
            ),
            (
                "slippage_bps",
                (0.0..=1000.0).contains(&self.slippage_bps),
                "a number from 0 to 1000",
            ),
            ("lag", self.lag <= 20, "a whole number from 0 to 20"),
        ];
        match bounds.into_iter().find(|(_, holds, _)| !holds) {
            Some((name, _, wanted)) => Err(Error::Parameter { name, wanted }),
            None => Ok(()),
        }
    }
}

/// Values that hold from their day until the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps<'a> {
    days: &'a [Day],
    values: &'a [f64],
}

impl<'a> Steps<'a> {
    /// Values at ascending days, each known at the close of its day. Anything beyond the shorter of the two is
    /// ignored.
    pub fn new(days: &'a [Day], values: &'a [f64]) -> Self {
        let length = days.len().min(values.len());
        Self {
            days: &days[..length],
            values: &values[..length],
        }
    }

    /// Whether nothing is known on any day.
    pub fn is_empty(self) -> bool {
        self.days.is_empty()
    }

    /// The value in force on a day; `None` before the first day and if the value is not finite.
    pub fn at(self, day: Day) -> Option<f64> {
        let newest = self.days.partition_point(|known| *known <= day);
        let value = self.values[newest.checked_sub(1)?];
        value.is_finite().then_some(value)
    }
}

/// A tradable instrument, with everything that was known about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instrument<'a> {
    /// Its symbol.
    pub ticker: &'a str,
    /// Its candles, including those before the period.
    pub candles: Candles<'a>,
    /// How many shares at the end of its candles one share on a given day has become: one if empty, not finite if
    /// unknown.
    pub later_splits: Steps<'a>,
    /// Sentiment, 0 to 1.
    pub sentiment: Steps<'a>,
    /// Its company's reported figures, in the order of [`Metric::OF_COMPANIES`]; a P/E that is not positive means
    /// there is none.
    pub reported: [Steps<'a>; Metric::OF_COMPANIES.len()],
    /// The last day on which it could be traded, if it has been delisted.
    pub delisted: Option<Day>,
}

impl<'a> Instrument<'a> {
    /// An instrument for which only prices are known.
    pub fn of_prices(ticker: &'a str, candles: Candles<'a>) -> Self {
        Self {
            ticker,
            candles,
            later_splits: Steps::default(),
            sentiment: Steps::default(),
            reported: Default::default(),
            delisted: None,
        }
    }

    /// What its company had reported by the close of a day.
    fn reported(&self, metric: Metric, day: Day) -> Option<f64> {
        let place = Metric::OF_COMPANIES.iter().position(|one| *one == metric)?;
        self.reported[place].at(day)
    }
}

/// Why a position was sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExitReason {
    /// An exit filter matched.
    Filter(FilterKey),
    /// The stop was reached.
    StopLoss,
    /// The instrument stopped trading.
    Delisted,
    /// The instrument has no later candle, and no source says why.
    NoMorePrices,
    /// The period ended.
    EndOfPeriod,
}

impl ExitReason {
    /// The word of the wire contract; for filters, the filter's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Filter(key) => key.as_str(),
            Self::StopLoss => "stop_loss",
            Self::Delisted => "delisted",
            Self::NoMorePrices => "no_more_prices",
            Self::EndOfPeriod => "end_of_period",
        }
    }
}

/// A purchase and the matching sale.
#[derive(Clone, Debug, PartialEq)]
pub struct Trade {
    /// The instrument bought.
    pub ticker: String,
    /// The close at which it was decided.
    pub signal_day: Day,
    /// When it was bought.
    pub entry_day: Day,
    /// Purchase price.
    pub entry_price: f64,
    /// Reason for the purchase: the filters that matched, as a sentence fragment.
    pub entry_reason: String,
    /// When it was sold.
    pub exit_day: Day,
    /// Sale price.
    pub exit_price: f64,
    /// Reason for the sale.
    pub exit_reason: ExitReason,
    /// What the purchase cost, including the fee.
    pub cost: f64,
    /// Proceeds of the sale, less the fee.
    pub proceeds: f64,
    /// Proceeds over cost, minus one, in percent.
    pub return_pct: f64,
}

impl Trade {
    fn outcome(&self) -> Outcome {
        Outcome {
            profit: self.proceeds - self.cost,
            holding_days: self.exit_day.since(self.entry_day),
        }
    }
}

/// The account at the close of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquityPoint {
    /// The session.
    pub day: Day,
    /// Cash and shares together.
    pub value: f64,
    /// Cash only.
    pub cash: f64,
    /// How many positions were held.
    pub positions: usize,
}

/// Why nothing was bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTrades {
    /// No instrument has a candle in the period.
    NoSessions,
    /// No instrument ever has a value for this filter.
    NoValues(FilterKey),
    /// No instrument satisfied every entry filter on a rebalance session.
    NothingMatched,
    /// The instruments that matched had no later open within the period.
    NoOpen,
}

/// The outcome of a backtest.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtest {
    /// The figures.
    pub performance: Performance,
    /// One point per session; the first is the initial capital.
    pub equity_curve: Vec<EquityPoint>,
    /// Every trade, in the order of its sale.
    pub trades: Vec<Trade>,
    /// Why there is no trade, if there is none.
    pub no_trades: Option<NoTrades>,
}

/// Runs a strategy from the first session at or after `start` to the newest candle.
pub fn backtest(
    strategy: &Strategy,
    instruments: &[Instrument<'_>],
    start: Day,
) -> Result<Backtest, Error> {
    strategy.check()?;
    let (equity_curve, trades, no_trades) = engine::run(strategy, instruments, start);
    let days: Vec<_> = equity_curve.iter().map(|point| point.day).collect();
    let values: Vec<_> = equity_curve.iter().map(|point| point.value).collect();
    let outcomes: Vec<_> = trades.iter().map(Trade::outcome).collect();
    Ok(Backtest {
        performance: performance(&days, &values, &outcomes),
        equity_curve,
        trades,
        no_trades,
    })
}
