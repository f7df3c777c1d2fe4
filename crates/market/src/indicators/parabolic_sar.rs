//! Parabolic stop and reverse: a stop that follows a trend ever faster, and turns with it.
//!
//! Acceleration 0.02 with each new extreme, at most 0.2. Definition: J. Welles Wilder (1978); TA-Lib `SAR`, which takes the
//! first direction from the directional movement of the first two bars.

use super::Line;
use super::line::line;
use crate::Candles;

/// First acceleration, and its step.
pub const STEP: f64 = 0.02;
/// The largest acceleration.
pub const MAXIMUM: f64 = 0.2;

/// The stop at every bar, in units of price: below the price in a rising trend, above it in a falling one.
pub fn parabolic_sar(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.sar(0, end, candles.high(), candles.low(), STEP, MAXIMUM, out)
    })
}
