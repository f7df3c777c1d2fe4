//! 20-day Donchian channel.
//!
//! `upper` is the highest high and `lower` the lowest low of the last 20 bars, including the current one; `middle`
//! lies halfway between them. Source: Richard Donchian's four-week rule.
//!
//! Worked example: for 20 bars with highs 1, 2, …, 20 and lows 0.5 below them, upper is 20, lower 0.5 and middle
//! 10.25.

use super::Line;
use super::rolling::{highest, lowest};
use crate::Candles;

/// Days in the window.
pub const PERIOD: u16 = 20;

/// The three lines, in units of price.
#[derive(Clone, Debug, PartialEq)]
pub struct Donchian {
    /// Highest high.
    pub upper: Line,
    /// Halfway between the two.
    pub middle: Line,
    /// Lowest low.
    pub lower: Line,
}

/// The channel at every bar.
pub fn donchian(candles: Candles<'_>) -> Donchian {
    let bars = candles.len();
    let upper = highest(candles.high(), PERIOD);
    let lower = lowest(candles.low(), PERIOD);
    Donchian {
        middle: Line::new(bars, halfway(&upper, &lower)),
        upper: Line::new(bars, upper),
        lower: Line::new(bars, lower),
    }
}

/// The values between two lines.
pub(super) fn halfway(upper: &[f64], lower: &[f64]) -> Vec<f64> {
    let values = upper.iter().zip(lower);
    values
        .map(|(upper, lower)| f64::midpoint(*upper, *lower))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    #[test]
    fn the_worked_example() {
        let (columns, _) = CandleColumns::sift((1..=20).map(|n| {
            let high = f64::from(n);
            Candle {
                day: Day::new(n).unwrap(),
                open: high,
                high,
                low: high - 0.5,
                close: high,
                volume: 1.0,
            }
        }));
        let channel = donchian(columns.view());
        assert_eq!(channel.upper.first_bar(), 19);
        assert_eq!(
            [&channel.upper, &channel.middle, &channel.lower].map(Line::last),
            [Some(20.0), Some(10.25), Some(0.5)]
        );
        assert_eq!(donchian(columns.view().newest(19)).upper.last(), None);
    }
}
