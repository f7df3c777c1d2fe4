//! 20-day commodity channel index: how unusual the typical price is.
//!
//! `CCI = (typical − mean) / (0.015 · mean deviation)` with `typical = (high + low + close) / 3`. Definition: Donald
//! Lambert (1980); TA-Lib `CCI`, which returns 0 for a window without any movement.

use super::Line;
use super::rolling::{dispersions, means};
use super::typical_price::typical_prices;
use crate::Candles;

/// Days in the window.
pub const PERIOD: u16 = 20;

/// Lambert's factor, with which most values lie between −100 and 100.
const SCALE: f64 = 0.015;
/// A window whose deviations are below this fraction of the mean is flat; TA-Lib's bound.
const FLAT: f64 = 1e-14;

/// The index at every bar; most values lie between −100 and 100.
pub fn cci(candles: Candles<'_>) -> Line {
    let typical: Vec<f64> = typical_prices(candles).collect();
    let means = means(&typical, PERIOD);
    let deviations = dispersions(&typical, &means, PERIOD, f64::abs);
    let newest = &typical[typical.len() - means.len()..];
    let bars = newest.iter().zip(&means).zip(&deviations);
    Line::collect(
        candles.len(),
        bars.map(|((price, mean), deviation)| index(*price, *mean, *deviation)),
    )
}

fn index(price: f64, mean: f64, deviation: f64) -> f64 {
    let distance = price - mean;
    let flat = FLAT * mean;
    if distance.abs() <= flat || deviation <= flat {
        0.0
    } else {
        distance / (SCALE * deviation)
    }
}
