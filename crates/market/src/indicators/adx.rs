//! Average directional index of 14 days: how strongly the price trends, whichever way.
//!
//! `DX = 100 · |DI⁺ − DI⁻| / (DI⁺ + DI⁻)`, averaged as Wilder does. Definition: TA-Lib `ADX`, `PLUS_DI` and `MINUS_DI`.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of Wilder's averages.
pub const PERIOD: u16 = 14;

/// The strength of the trend, 0 to 100, at every bar.
pub fn adx(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.adx(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            i32::from(PERIOD),
            out,
        )
    })
}

/// The upward direction DI⁺, 0 to 100, at every bar.
pub fn plus_direction(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.plus_di(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            i32::from(PERIOD),
            out,
        )
    })
}

/// The downward direction DI⁻, 0 to 100, at every bar.
pub fn minus_direction(candles: Candles<'_>) -> Line {
    line(candles.len(), |core, end, out| {
        core.minus_di(
            0,
            end,
            candles.high(),
            candles.low(),
            candles.close(),
            i32::from(PERIOD),
            out,
        )
    })
}
