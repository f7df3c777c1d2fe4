//! 12-day rate of change.
//!
//! `ROC = (close[t] / close[t − 12] − 1) · 100`. Definition: TA-Lib `ROC`.

use super::Line;

/// Days between the two closes.
pub const PERIOD: u16 = 12;

/// The change in percent at every bar.
pub fn roc(close: &[f64]) -> Line {
    let later = close.iter().skip(usize::from(PERIOD));
    Line::collect(
        close.len(),
        later
            .zip(close)
            .map(|(now, before)| (now / before - 1.0) * 100.0),
    )
}
