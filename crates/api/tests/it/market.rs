//! Tickers, trading, markets: answers from a small market whose every number is known.

mod company;
mod fixtures;
mod press;
mod ticker;
