//! From candles to scores and signals: pure computation over prices, volumes and scores.
//!
//! No I/O, no clock, no randomness: `now` is an argument, and the same input gives the same answer, bit for bit.
//! Every number that leaves this crate is finite; a value that cannot be determined is `None`. Prices are floats,
//! split-adjusted to one day ([`actions`]), in the currency of their listing. Percents end in `_pct`, and scores lie
//! in 0 to 1 with 0.5 neutral.

pub mod actions;
pub mod alerts;
pub mod backtest;
pub mod beta;
pub mod calendar;
mod candles;
mod change;
pub mod composite;
pub mod correlation;
mod error;
pub mod filters;
pub mod forecast;
pub mod fundamentals;
pub mod impact;
pub mod indicators;
pub mod movers;
pub mod performance;
pub mod portfolio;
mod range;
mod runs;
pub mod screener;
pub mod sectors;
pub mod sentiment;
pub mod signals;
pub mod technicals;
pub mod trade_signal;
pub mod yields;

pub use candles::{CandleColumns, Candles, Measured, Refusal, SESSIONS_APART};
pub use change::change_pct;
pub use error::Error;
pub use model::{Candle, Day, Defect, PRICE_MAX, PRICE_MIN, VOLUME_MAX};
pub use range::{Interval, Range, UnknownWord, chart, chart_between, resample};
pub use runs::{along_runs, runs};
