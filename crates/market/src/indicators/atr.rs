//! Average true range of 14 days: how far the price moves in a day.
//!
//! The true range is the largest of high − low, |high − previous close| and |low − previous close|; its average is Wilder's,
//! begun with the simple mean of the first 14. Definition: TA-Lib `ATR`.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of Wilder's average.
pub const PERIOD: u16 = 14;

/// The average at every bar, in units of price.
pub fn atr(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.atr(
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
