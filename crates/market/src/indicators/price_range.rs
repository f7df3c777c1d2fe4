//! Where a close lies in the price range of the bars up to it.

use super::rolling::{highest, lowest};
use crate::Candles;

/// A window whose width is below this fraction of its prices did not move; TA-Lib's bound.
const FLAT: f64 = 1e-14;

/// The prices in a window, and its newest close.
pub(super) struct PriceRange {
    pub(super) highest: f64,
    pub(super) lowest: f64,
    pub(super) close: f64,
}

impl PriceRange {
    /// Highest minus lowest price; `None` without any movement.
    pub(super) fn width(&self) -> Option<f64> {
        let width = self.highest - self.lowest;
        (width > FLAT * (self.highest + self.lowest)).then_some(width)
    }
}

/// The range of every window of `period` bars.
pub(super) fn price_ranges(candles: Candles<'_>, period: u16) -> impl Iterator<Item = PriceRange> {
    let highest = highest(candles.high(), period);
    let lowest = lowest(candles.low(), period);
    let closes = &candles.close()[candles.len() - highest.len()..];
    let ranges = highest.into_iter().zip(lowest).zip(closes);
    ranges.map(|((highest, lowest), close)| PriceRange {
        highest,
        lowest,
        close: *close,
    })
}
