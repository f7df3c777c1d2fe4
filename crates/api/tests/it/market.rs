//! Tickers, trading, markets: answers from a small market whose every number is known.

mod actions;
mod agents;
mod analyses;
mod ask;
mod ask_sums;
mod ask_with_model;
mod backtest;
mod calendar;
mod company;
mod correlation;
mod coverage;
mod crypto;
mod economy;
pub(crate) mod fixtures;
mod freshness;
mod markets;
mod portfolio;
mod repeating;
mod screener;
mod sectors;
mod splits;
mod stretches;
mod symbols;
mod tables;
mod ticker;
pub(crate) mod trading;
mod watchlists;
