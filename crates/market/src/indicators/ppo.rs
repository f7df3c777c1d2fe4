//! Percentage price oscillator, 12/26 with a signal of 9: the MACD as a percentage of the slow mean.
//!
//! `PPO = 100 · (EMA12 − EMA26) / EMA26` as computed by TA-Lib's `PPO` with exponential means, from bar 25 on; unlike
//! those in its `MACD`, both means begin at the first bar. The signal is TA-Lib's `EMA` of that line over 9 bars, and
//! the histogram is the difference between the two.

use super::Line;
use super::smoothed_mean::SmoothedMean;

/// Days in the fast mean.
pub const FAST: u16 = 12;
/// Days in the slow mean.
pub const SLOW: u16 = 26;
/// Days in the signal's mean.
pub const SIGNAL: u16 = 9;

/// The three lines, in percent. Signal and histogram begin eight bars after the oscillator.
#[derive(Clone, Debug, PartialEq)]
pub struct Ppo {
    /// The oscillator.
    pub ppo: Line,
    /// Mean of the oscillator.
    pub signal: Line,
    /// Oscillator minus signal.
    pub histogram: Line,
}

/// The three lines.
pub fn ppo(close: &[f64]) -> Ppo {
    let bars = close.len();
    let [mut lines, mut signals, mut histogram] = [(); 3].map(|()| Vec::with_capacity(bars));
    let mut fast = SmoothedMean::exponential(FAST);
    let mut slow = SmoothedMean::exponential(SLOW);
    let mut signal = SmoothedMean::exponential(SIGNAL);
    for price in close {
        let (Some(fast), Some(slow)) = (fast.next(*price), slow.next(*price)) else {
            continue;
        };
        let line = (fast - slow) / slow * 100.0;
        lines.push(line);
        if let Some(signal) = signal.next(line) {
            signals.push(signal);
            histogram.push(line - signal);
        }
    }
    Ppo {
        ppo: Line::new(bars, lines),
        signal: Line::new(bars, signals),
        histogram: Line::new(bars, histogram),
    }
}
