//! Bollinger bands: the mean of 20 closes, plus and minus two standard deviations.
//!
//! The deviation is that of the population (divided by 20, not 19), as John Bollinger defines it and TA-Lib's
//! `BBANDS` computes it. It is calculated from the distances between the 20 closes and their mean, not from running
//! sums of squares, so it is as exact after a crash as before it.

use super::Line;
use super::rolling::{dispersions, means};

/// Days in the mean and in the deviation.
pub const PERIOD: u16 = 20;
/// Deviations between the middle and each band.
pub const DEVIATIONS: f64 = 2.0;

/// The three bands, in units of price.
#[derive(Clone, Debug, PartialEq)]
pub struct Bollinger {
    /// Middle plus two deviations.
    pub upper: Line,
    /// The simple mean.
    pub middle: Line,
    /// Middle minus two deviations.
    pub lower: Line,
}

/// The three bands.
pub fn bollinger(close: &[f64]) -> Bollinger {
    let middle = means(close, PERIOD);
    let variances = dispersions(close, &middle, PERIOD, |distance| distance * distance);
    let widths: Vec<f64> = variances
        .iter()
        .map(|variance| DEVIATIONS * variance.sqrt())
        .collect();
    let band = |side: f64| {
        let bands = middle.iter().zip(&widths);
        Line::collect(
            close.len(),
            bands.map(|(middle, width)| middle + side * width),
        )
    };
    Bollinger {
        upper: band(1.0),
        lower: band(-1.0),
        middle: Line::new(close.len(), middle),
    }
}
