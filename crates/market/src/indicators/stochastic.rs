//! Slow stochastic oscillator, 14/3/3: where the close lies between the low and the high of the last 14 days.
//!
//! `fast %K = 100 · (close − lowest) / (highest − lowest)`, `%K` is its simple mean over 3 days, and `%D` the simple
//! mean of `%K` over 3 days. Definition: TA-Lib `STOCH`, which returns 0 for a window without any movement; both
//! lines begin where `%D` does.

use super::Line;
use super::price_range::price_ranges;
use super::rolling::means;
use crate::Candles;

/// Days in the window.
pub const WINDOW: u16 = 14;
/// Days in both means.
pub const MEAN: u16 = 3;

/// The two lines, 0 to 100.
#[derive(Clone, Debug, PartialEq)]
pub struct Stochastic {
    /// The smoothed position.
    pub k: Line,
    /// Mean of `k`.
    pub d: Line,
}

/// Both lines at every bar.
pub fn stochastic(candles: Candles<'_>) -> Stochastic {
    let fast: Vec<f64> = price_ranges(candles, WINDOW)
        .map(|range| {
            range
                .width()
                .map_or(0.0, |width| (range.close - range.lowest) / width * 100.0)
        })
        .collect();
    let mut k = means(&fast, MEAN);
    let d = means(&k, MEAN);
    k.drain(..k.len() - d.len());
    Stochastic {
        k: Line::new(candles.len(), k),
        d: Line::new(candles.len(), d),
    }
}
