//! Williams %R of 14 days: how far the close lies below the highest high.
//!
//! `%R = −100 · (highest − close) / (highest − lowest)`. Definition: TA-Lib `WILLR`, which answers 0 for a window without any
//! movement.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of the window.
pub const PERIOD: u16 = 14;

/// The distance, −100 to 0, at every bar.
pub fn williams_r(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.willr(
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
