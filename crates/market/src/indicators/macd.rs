//! Moving average convergence/divergence, 12/26/9.
//!
//! `MACD = EMA12 − EMA26`; the signal is its exponential moving average over 9 bars, and the histogram is the
//! difference between the two. As in TA-Lib's `MACD`, the fast mean is seeded so that both means begin at the same
//! bar, and the values begin where the signal does.

use super::Line;
use super::smoothed_mean::SmoothedMean;

/// Days in the fast mean.
pub const FAST: u16 = 12;
/// Days in the slow mean.
pub const SLOW: u16 = 26;
/// Days in the signal's mean.
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
    let bars = close.len();
    let mut fast = SmoothedMean::exponential(FAST);
    let mut slow = SmoothedMean::exponential(SLOW);
    let mut signal = SmoothedMean::exponential(SIGNAL);
    let (before, both) = close.split_at(usize::from(SLOW - FAST).min(bars));
    for price in before {
        slow.next(*price);
    }
    let rows = both.iter().filter_map(move |price| {
        let (fast, slow) = (fast.next(*price), slow.next(*price));
        let line = fast? - slow?;
        let signal = signal.next(line)?;
        Some([line, signal, line - signal])
    });
    let [macd, signal, histogram] = Line::collect_rows(bars, rows);
    Macd {
        macd,
        signal,
        histogram,
    }
}
