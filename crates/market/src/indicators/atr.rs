//! 14-day average true range: how far the price moves in a day.
//!
//! Wilder's average of the true range, starting with the simple mean of the first 14. Definition: TA-Lib `ATR`.

use super::Line;
use super::smoothed_mean::SmoothedMean;
use super::true_range::true_ranges;
use crate::Candles;

/// Days in Wilder's average.
pub const PERIOD: u16 = 14;

/// The average at every bar, in units of price.
pub fn atr(candles: Candles<'_>) -> Line {
    let mut average = SmoothedMean::wilder(PERIOD);
    Line::collect(
        candles.len(),
        true_ranges(candles).filter_map(move |range| average.next(range)),
    )
}
