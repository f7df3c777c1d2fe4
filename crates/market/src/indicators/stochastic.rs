//! Slow stochastic oscillator, 14/3/3: where the close lies between the low and the high of 14 days.
//!
//! `fast %K = 100 · (close − lowest) / (highest − lowest)`, `%K` its simple mean of 3, `%D` the simple mean of 3 of `%K`.
//! Definition: TA-Lib `STOCH`, which answers 0 for a window without any movement.

use ta_lib::MAType;

use super::Line;
use super::line::lines;
use crate::Candles;

/// Days of the window.
pub const WINDOW: u16 = 14;
/// Days of both means.
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
    let [k, d] = lines(candles.len(), |core, end, [k, d]| {
        core.stoch(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            i32::from(WINDOW),
            i32::from(MEAN),
            MAType::SMA,
            i32::from(MEAN),
            MAType::SMA,
            k,
            d,
        )
    });
    Stochastic { k, d }
}
