//! Groups of instruments, currencies, commodities, coins and the economy.

pub(crate) mod backtest;
pub(crate) mod calendar;
pub(crate) mod commodities;
pub(crate) mod correlation;
pub(crate) mod crypto;
pub(crate) mod economy;
pub(crate) mod forex;
mod listed;
pub(crate) mod overview;
pub(crate) mod past;
pub(crate) mod screener;
pub(crate) mod sectors;
