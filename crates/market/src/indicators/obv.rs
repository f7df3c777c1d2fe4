//! On-balance volume: volume of rising days minus volume of falling days, summed up.
//!
//! The sum begins with the volume of the first bar, as TA-Lib's `OBV` does; a day without change adds nothing. Only its
//! course has a meaning, its level depends on where the history begins.

use super::Line;
use super::line::line;
use crate::Candles;

/// The running sum at every bar, in shares.
pub fn obv(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.obv(0, end, candles.close(), candles.volume(), out)
    })
}
