//! Exponential moving average: recent closes weigh more.
//!
//! `EMA[t] = EMA[t − 1] + (close[t] − EMA[t − 1]) · 2 / (period + 1)`, starting with the simple mean of the first
//! `period` values. Definition: TA-Lib `EMA`.

use super::Line;
use super::smoothed_mean::SmoothedMean;

/// The exponential moving average at every bar; `period` is at least 1.
pub fn ema(values: &[f64], period: u16) -> Line {
    let mut mean = SmoothedMean::exponential(period);
    Line::collect(
        values.len(),
        values.iter().filter_map(move |value| mean.next(*value)),
    )
}
