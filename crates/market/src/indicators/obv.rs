//! On-balance volume: the running total of volume on rising days minus volume on falling days.
//!
//! The sum begins with the volume of the first bar, as in TA-Lib's `OBV`; a day without change adds nothing. Only its
//! direction has a meaning; its level depends on where the history begins.

use super::Line;
use crate::Candles;

/// The running sum at every bar, in shares.
pub fn obv(candles: Candles<'_>) -> Line {
    let (mut sum, mut before) = (0.0, 0.0);
    let bars = candles.close().iter().zip(candles.volume());
    let sums = bars.map(move |(close, volume)| {
        // Every price is above zero, so the first bar counts as rising.
        if *close > before {
            sum += volume;
        } else if *close < before {
            sum -= volume;
        }
        before = *close;
        sum
    });
    Line::collect(candles.len(), sums)
}
