//! Simple moving average: the mean of the last `period` closes.
//!
//! `SMA = (close[t] + … + close[t − period + 1]) / period`. Definition: TA-Lib `SMA`.

use super::Line;
use super::rolling::means;

/// The mean of `period` values at every bar; `period` is at least 1.
pub fn sma(values: &[f64], period: u16) -> Line {
    Line::new(values.len(), means(values, period))
}
