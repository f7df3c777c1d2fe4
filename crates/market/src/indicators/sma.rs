//! Simple moving average: the mean of the last `period` closes.
//!
//! `SMA = (close[t] + … + close[t − period + 1]) / period`. Definition: TA-Lib `SMA`.

use super::Line;
use super::line::line;

/// The mean of `period` values at every bar; `period` is at least 2.
pub fn sma(values: &[f64], period: u16) -> Line {
    line(values.len(), |core, end, out| {
        core.sma(0, end, values, i32::from(period), out)
    })
}
