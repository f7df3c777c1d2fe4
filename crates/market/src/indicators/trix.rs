//! 15-day TRIX: the daily change of a triply smoothed close.
//!
//! `TRIX = (T[t] / T[t − 1] − 1) · 100`, where `T` is the exponential mean over 15 days, applied three times.
//! Definition: TA-Lib `TRIX`.

use super::Line;
use super::smoothed_mean::SmoothedMean;

/// Days in each of the three means.
pub const PERIOD: u16 = 15;

/// The change in percent at every bar.
pub fn trix(close: &[f64]) -> Line {
    let [mut once, mut twice, mut thrice] = [(); 3].map(|()| SmoothedMean::exponential(PERIOD));
    let mut before = None;
    let changes = close.iter().filter_map(move |price| {
        let smooth = thrice.next(twice.next(once.next(*price)?)?)?;
        let before = before.replace(smooth)?;
        Some((smooth / before - 1.0) * 100.0)
    });
    Line::collect(close.len(), changes)
}
