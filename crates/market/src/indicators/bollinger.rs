//! Bollinger bands: mean of 20 closes, plus and minus two deviations.
//!
//! The deviation is the population's (divided by 20, not 19), as John Bollinger defines it and TA-Lib's `BBANDS` computes
//! it.

use ta_lib::MAType;

use super::Line;
use super::line::lines;

/// Days of the mean and of the deviation.
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
    let [upper, middle, lower] = lines(close.len(), |core, end, [upper, middle, lower]| {
        core.bbands(
            0,
            end,
            close,
            i32::from(PERIOD),
            DEVIATIONS,
            DEVIATIONS,
            MAType::SMA,
            upper,
            middle,
            lower,
        )
    });
    Bollinger {
        upper,
        middle,
        lower,
    }
}
