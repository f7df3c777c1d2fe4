//! Exponential moving average: recent closes weigh more.
//!
//! `EMA[t] = EMA[t − 1] + (close[t] − EMA[t − 1]) · 2 / (period + 1)`, begun with the simple mean of the first `period`
//! values. Definition: TA-Lib `EMA`.

use super::Line;
use super::line::line;

/// The exponential mean at every bar; `period` is at least 2.
pub fn ema(values: &[f64], period: u16) -> Line {
    line(values.len(), |core, end, out| {
        core.ema(0, end, values, i32::from(period), out)
    })
}
