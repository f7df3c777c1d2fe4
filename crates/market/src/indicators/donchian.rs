//! Donchian channel of 20 days.
//!
//! `upper` is the highest high and `lower` the lowest low of the last 20 bars, the present one included; `middle` lies halfway.
//! Source: Richard Donchian's four-week rule.
//!
//! Worked example: of 20 bars with highs 1, 2, …, 20 and lows 0.5 below them, upper is 20, lower 0.5 and middle 10.25.

use super::Line;
use super::line::line;
use crate::Candles;

/// Days of the window.
pub const PERIOD: u16 = 20;

/// The three lines, in units of price.
#[derive(Clone, Debug, PartialEq)]
pub struct Donchian {
    /// Highest high.
    pub upper: Line,
    /// Halfway between both.
    pub middle: Line,
    /// Lowest low.
    pub lower: Line,
}

/// The channel at every bar.
pub fn donchian(candles: Candles<'_>) -> Donchian {
    let upper = highest(candles.high(), PERIOD);
    let lower = lowest(candles.low(), PERIOD);
    Donchian {
        middle: halfway(&upper, &lower),
        upper,
        lower,
    }
}

/// The highest of the last `period` values at every bar.
pub(super) fn highest(values: &[f64], period: u16) -> Line {
    line(values.len(), |core, end, out| {
        core.max(0, end, values, i32::from(period), out)
    })
}

/// The lowest of the last `period` values at every bar.
pub(super) fn lowest(values: &[f64], period: u16) -> Line {
    line(values.len(), |core, end, out| {
        core.min(0, end, values, i32::from(period), out)
    })
}

/// The line between two that begin at the same bar.
pub(super) fn halfway(upper: &Line, lower: &Line) -> Line {
    let values = upper.values().iter().zip(lower.values());
    Line::new(
        upper.first_bar(),
        values
            .map(|(upper, lower)| f64::midpoint(*upper, *lower))
            .collect(),
    )
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
