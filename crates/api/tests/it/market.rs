//! Tickers, trading, markets: answers from a small market whose every number is known.

mod calendar;
mod crypto;
mod economy;
mod fixtures;
mod markets;
mod ticker;
