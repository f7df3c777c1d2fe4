//! 14-day Williams %R: how far the close lies below the highest high.
//!
//! `%R = −100 · (highest − close) / (highest − lowest)`. Definition: TA-Lib `WILLR`, which returns 0 for a window
//! without any movement.

use super::Line;
use super::price_range::price_ranges;
use crate::Candles;

/// Days in the window.
pub const PERIOD: u16 = 14;

/// The distance, −100 to 0, at every bar.
pub fn williams_r(candles: Candles<'_>) -> Line {
    let distances = price_ranges(candles, PERIOD).map(|range| {
        range
            .width()
            .map_or(0.0, |width| (range.highest - range.close) / width * -100.0)
    });
    Line::collect(candles.len(), distances)
}
