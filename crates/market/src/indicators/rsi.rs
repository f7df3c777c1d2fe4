//! 14-day relative strength index: how much of the movement was upwards.
//!
//! `RSI = 100 · gain / (gain + loss)` with Wilder's averages of gains and losses. Definition: J. Welles Wilder, *New
//! Concepts in Technical Trading Systems* (1978); TA-Lib `RSI`. If the price has not moved at all, the formula would
//! divide by zero: TA-Lib up to 0.8.2, with which every figure here is compared, returns 0 and so do we, whereas its
//! Rust port (0.8.3) returns 50.

use super::Line;
use super::smoothed_mean::SmoothedMean;

/// Days in Wilder's average.
pub const PERIOD: u16 = 14;

/// The index, 0 to 100, at every bar.
pub fn rsi(close: &[f64]) -> Line {
    let [mut gains, mut losses] = [(); 2].map(|()| SmoothedMean::wilder(PERIOD));
    let indices = close.windows(2).filter_map(move |days| {
        let change = days[1] - days[0];
        let gain = if change > 0.0 { change } else { 0.0 };
        let (gain, loss) = (gains.next(gain), losses.next(gain - change));
        let movement = gain? + loss?;
        Some(if movement > 0.0 {
            100.0 * (gain? / movement)
        } else {
            0.0
        })
    });
    Line::collect(close.len(), indices)
}
