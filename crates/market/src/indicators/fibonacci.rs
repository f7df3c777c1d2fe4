//! Fibonacci retracements between the highest high and the lowest low of a range.
//!
//! `r_x = high − x · (high − low)`: how far the price would have fallen back from the high. The levels are the usual
//! ones; 0.5 is not a Fibonacci number but is always drawn.
//!
//! Worked example: a high of 200 and a low of 100 give 176.4, 161.8, 150, 138.2 and 121.4.

use crate::Candles;

/// The retraced fractions.
pub const FRACTIONS: [f64; 5] = [0.236, 0.382, 0.5, 0.618, 0.786];

/// The levels for a range, in units of price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibonacci {
    /// The levels of [`FRACTIONS`], from the highest price to the lowest.
    pub levels: [f64; 5],
}

impl Fibonacci {
    /// The 38.2 % level.
    pub fn shallow(&self) -> f64 {
        self.levels[1]
    }

    /// The 61.8 % level.
    pub fn golden(&self) -> f64 {
        self.levels[3]
    }
}

/// The levels for a range; `None` without candles.
pub fn fibonacci(range: Candles<'_>) -> Option<Fibonacci> {
    if range.is_empty() {
        return None;
    }
    let high = range.high().iter().copied().fold(f64::MIN, f64::max);
    let low = range.low().iter().copied().fold(f64::MAX, f64::min);
    Some(Fibonacci {
        levels: FRACTIONS.map(|fraction| high - fraction * (high - low)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    #[test]
    fn the_worked_example() {
        let mut columns = CandleColumns::default();
        columns
            .push(Candle {
                day: Day::new(0).unwrap(),
                open: 150.0,
                high: 200.0,
                low: 100.0,
                close: 150.0,
                volume: 0.0,
            })
            .unwrap();
        let found = fibonacci(columns.view()).unwrap();
        for (level, expected) in found.levels.iter().zip([176.4, 161.8, 150.0, 138.2, 121.4]) {
            assert!((level - expected).abs() < 1e-9);
        }
        assert_eq!(fibonacci(columns.view().bars(0, 0)), None);
    }
}
