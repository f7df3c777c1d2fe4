//! Moving average convergence and divergence, 12/26/9.
//!
//! `MACD = EMA12 − EMA26`, the signal its exponential mean of 9, the histogram their difference. As in TA-Lib's `MACD`, the
//! fast mean starts so that both begin at the same bar, and the values begin where the signal does.

use super::Line;
use super::line::lines;

/// Days of the fast mean.
pub const FAST: u16 = 12;
/// Days of the slow mean.
pub const SLOW: u16 = 26;
/// Days of the signal's mean.
pub const SIGNAL: u16 = 9;

/// The three lines, in units of price; all begin at the same bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Macd {
    /// Fast minus slow mean.
    pub macd: Line,
    /// Mean of the line above.
    pub signal: Line,
    /// Line minus signal: above zero is bullish.
    pub histogram: Line,
}

/// The three lines.
pub fn macd(close: &[f64]) -> Macd {
    let [macd, signal, histogram] = lines(close.len(), |core, end, [macd, signal, histogram]| {
        core.macd(
            0,
            end,
            close,
            i32::from(FAST),
            i32::from(SLOW),
            i32::from(SIGNAL),
            macd,
            signal,
            histogram,
        )
    });
    Macd {
        macd,
        signal,
        histogram,
    }
}
