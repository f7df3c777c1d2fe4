//! The crate from outside: indicators beside TA-Lib and its Rust port, strategies by hand and by property, the calendar beside real prices.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod backtest_by_hand;
mod backtest_properties;
mod calendar_real;
mod degenerate;
mod fundamentals_real;
mod golden;
mod golden_real;
mod library;
mod oracle;
