//! The backtester: what a rule would have earned, without knowing more than was known.
//!
//! The sessions of a period are the days on which any instrument has a candle. Each session goes through five steps:
//!
//! 1. **Exits at the open.** Positions whose exit filter matched at an earlier close are sold at the open. A stop at or above
//!    the open is filled at the open: the price gapped through it.
//! 2. **Entries at the open.** Each order buys for `equity / max_positions`, with the equity of the close before, but never for
//!    more than the cash there is; shares are fractional. An order whose instrument has no candle lapses.
//! 3. **Stops.** A position whose low reaches the stop is sold at the stop, also on its first day.
//! 4. **Valuation.** Equity is cash plus shares at the newest close. A position of an instrument that was delisted is sold at its
//!    last close, and so is one whose prices end (`no_more_prices`: at least ten sessions follow without a candle of it); on the
//!    last session everything is (`end_of_period`).
//! 5. **Signals at the close.** Exit filters are judged for every position. On the first session of each ISO week or calendar
//!    month (and of the period) entry filters are judged for everything that is not held; the free places go to the candidates
//!    farthest on the wanted side ([`Filters::distance`]), then by ticker. Orders are for the next session's open, `lag` sessions
//!    later when that is asked for; stops are not delayed.
//!
//! So nothing is bought before it was signalled, and bars appended later change no closed trade. Indicators run over all
//! candles that are given, also those before the period. Deterministic: no ties are left to chance. What it leaves out:
//! dividends, taxes, spreads beyond the slippage that is asked for, and the effect of the orders on the price; short positions do not exist.

mod benchmark;
mod engine;
mod readings;
mod timeline;

use std::str::FromStr;

pub use benchmark::{Comparison, compare};

use crate::filters::{ExitFilters, FilterKey, Filters, Metric};
use crate::performance::{Outcome, Performance, performance};
use crate::{Candles, Day, Error, UnknownWord};

/// How often entry filters are judged.
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

    /// What two sessions of the same week or month have in common.
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

/// The rule that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// All must hold to buy. Without any, everything is a candidate.
    pub entry: Filters,
    /// One must hold to sell. Without any, positions stay until the end.
    pub exit: ExitFilters,
    /// How often entries are judged.
    pub rebalance: Rebalance,
    /// Cash at the beginning, in USD.
    pub initial_capital: f64,
    /// Most positions at a time.
    pub max_positions: usize,
    /// Fee of each purchase and each sale, in hundredths of a percent of its value.
    pub fees_bps: f64,
    /// What every price is worse than the one that the candles say, in hundredths of a percent.
    pub slippage_bps: f64,
    /// Sessions by which every signal is acted upon late.
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
    /// Whether every number lies in its range.
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

/// Values that hold from their day on until the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps<'a> {
    days: &'a [Day],
    values: &'a [f64],
}

impl<'a> Steps<'a> {
    /// Values at ascending days, each known at the close of its day. What is beyond the shorter of both is left aside.
    pub fn new(days: &'a [Day], values: &'a [f64]) -> Self {
        let length = days.len().min(values.len());
        Self {
            days: &days[..length],
            values: &values[..length],
        }
    }

    /// Whether nothing is known at any day.
    pub fn is_empty(self) -> bool {
        self.days.is_empty()
    }

    /// The value that held at a day; `None` before the first and where the value is not finite.
    pub fn at(self, day: Day) -> Option<f64> {
        let newest = self.days.partition_point(|known| *known <= day);
        let value = self.values[newest.checked_sub(1)?];
        value.is_finite().then_some(value)
    }
}

/// A tradable instrument, with all that was known about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instrument<'a> {
    /// Its symbol.
    pub ticker: &'a str,
    /// Its candles, those before the period included.
    pub candles: Candles<'a>,
    /// How many shares at the end of its candles one share of a day has become: one where it is empty, not finite where it is not known.
    pub later_splits: Steps<'a>,
    /// Sentiment, 0 to 1.
    pub sentiment: Steps<'a>,
    /// What its company reported, in the order of [`Metric::OF_COMPANIES`]; a price per profit that is not positive means none.
    pub reported: [Steps<'a>; Metric::OF_COMPANIES.len()],
    /// The last day on which it could be traded, for those that are gone.
    pub delisted: Option<Day>,
}

impl<'a> Instrument<'a> {
    /// An instrument of which only prices are known.
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
    /// The instrument ceased to be traded.
    Delisted,
    /// The instrument has no later candle, and nobody says why.
    NoMorePrices,
    /// The period ended.
    EndOfPeriod,
}

impl ExitReason {
    /// The word of the wire contract; the filter's name for filters.
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

/// A purchase and its sale.
#[derive(Clone, Debug, PartialEq)]
pub struct Trade {
    /// What was bought.
    pub ticker: String,
    /// At whose close it was decided.
    pub signal_day: Day,
    /// When it was bought.
    pub entry_day: Day,
    /// At which price.
    pub entry_price: f64,
    /// Why: the filters that matched, as a sentence fragment.
    pub entry_reason: String,
    /// When it was sold.
    pub exit_day: Day,
    /// At which price.
    pub exit_price: f64,
    /// Why.
    pub exit_reason: ExitReason,
    /// What the purchase cost, fee included.
    pub cost: f64,
    /// What the sale brought, fee deducted.
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

/// What there was at the close of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquityPoint {
    /// The session.
    pub day: Day,
    /// Cash and shares together.
    pub value: f64,
    /// Cash alone.
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
    /// What matched had no later open within the period.
    NoOpen,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtest {
    /// The figures.
    pub performance: Performance,
    /// One point per session; the first is the initial capital.
    pub equity_curve: Vec<EquityPoint>,
    /// Every trade, in the order of its sale.
    pub trades: Vec<Trade>,
    /// Why there is no trade, where there is none.
    pub no_trades: Option<NoTrades>,
}

/// Tries a strategy from the first session at or after `start` until the newest candle.
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
