//! Tickers, trading, markets: answers from a small market whose every number is known.

mod correlation;
mod fixtures;
mod portfolio;
mod sectors;
mod ticker;
mod trading;
mod watchlists;
