//! Commodity channel index of 20 days: how unusual the typical price is.
//!
//! `CCI = (typical − mean) / (0.015 · mean deviation)` with `typical = (high + low + close) / 3`. Definition: Donald Lambert
//! (1980); TA-Lib `CCI`, which answers 0 for a window without any movement.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of the window.
pub const PERIOD: u16 = 20;

/// The index at every bar; most values lie between −100 and 100.
pub fn cci(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.cci(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            i32::from(PERIOD),
            out,
        )
    })
}
