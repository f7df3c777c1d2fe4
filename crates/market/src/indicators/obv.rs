//! On-balance volume: volume of rising days minus volume of falling days, summed up.
//!
//! The sum begins with the volume of the first bar, as TA-Lib's `OBV` does; a day without change adds nothing. Only its
//! course has a meaning, its level depends on where the history begins.

use super::Line;
use crate::Candles;

/// The running sum at every bar, in shares.
pub fn obv(candles: Candles<'_>) -> Line {
    let (mut sum, mut before) = (0.0, 0.0);
    let bars = candles.close().iter().zip(candles.volume());
    let sums = bars.map(move |(close, volume)| {
        // Every price is above zero, so the first bar counts as one that rose.
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
