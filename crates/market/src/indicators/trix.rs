//! TRIX of 15 days: daily change of a triply smoothed close.
//!
//! `TRIX = (T[t] / T[t − 1] − 1) · 100` with `T` the exponential mean of 15, three times over. Definition: TA-Lib `TRIX`.

use super::Line;
use super::line::line;

/// Days of each of the three means.
pub const PERIOD: u16 = 15;

/// The change in percent at every bar.
pub fn trix(close: &[f64]) -> Line {
    line(close.len(), |core, end, out| {
        core.trix(0, end, close, i32::from(PERIOD), out)
    })
}
