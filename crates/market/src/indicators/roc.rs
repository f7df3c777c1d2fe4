//! Rate of change over 12 days.
//!
//! `ROC = (close[t] / close[t − 12] − 1) · 100`. Definition: TA-Lib `ROC`.

use super::Line;
use super::line::line;

/// Days between the two closes.
pub const PERIOD: u16 = 12;

/// The change in percent at every bar.
pub fn roc(close: &[f64]) -> Line {
    line(close.len(), |core, end, out| {
        core.roc(0, end, close, i32::from(PERIOD), out)
    })
}
