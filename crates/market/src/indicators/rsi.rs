//! Relative strength index of 14 days: how much of the movement was upwards.
//!
//! `RSI = 100 · gain / (gain + loss)` with Wilder's averages of gains and losses. Definition: J. Welles Wilder, *New Concepts in
//! Technical Trading Systems* (1978); TA-Lib `RSI`. While the price has not moved at all there is nothing to divide: TA-Lib up
//! to 0.8.2, which every figure here is compared with, answers 0 and so do we, where the crate (0.8.3) has begun to answer 50.

use super::Line;
use super::line::line;

/// Days of Wilder's average.
pub const PERIOD: u16 = 14;

/// The index, 0 to 100, at every bar.
pub fn rsi(close: &[f64]) -> Line {
    let unmoved = close
        .iter()
        .position(|price| *price != close[0])
        .unwrap_or(close.len());
    line(close.len(), |core, end, out| {
        let answer = core.rsi(0, end, close, i32::from(PERIOD), out)?;
        let still = unmoved.saturating_sub(answer.beg_idx).min(answer.count);
        out[..still].fill(0.0);
        Ok(answer)
    })
}
