//! Tickers, trading, markets: answers from a small market whose every number is known.

mod ask;
mod backtest;
mod calendar;
mod company;
mod correlation;
mod coverage;
mod crypto;
mod economy;
pub(crate) mod fixtures;
mod markets;
mod portfolio;
mod repeating;
mod screener;
mod sectors;
mod ticker;
mod trading;
mod watchlists;
