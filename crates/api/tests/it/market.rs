//! Tickers, trading, markets: answers from a small market whose every number is known.

mod backtest;
mod company;
mod correlation;
mod fixtures;
mod portfolio;
mod press;
mod screener;
mod sectors;
mod ticker;
mod trading;
mod watchlists;
