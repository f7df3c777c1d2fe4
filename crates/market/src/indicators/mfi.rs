//! Money flow index of 14 days: a relative strength index that weighs days by the money that changed hands.
//!
//! `MFI = 100 · positive / (positive + negative)` over the flows `typical price · volume` of rising and falling days.
//! Definition: TA-Lib `MFI`, whose answer for a window without any flow is the library's.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of the window.
pub const PERIOD: u16 = 14;

/// The index, 0 to 100, at every bar.
pub fn mfi(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.mfi(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            candles.volume(),
            i32::from(PERIOD),
            out,
        )
    })
}
