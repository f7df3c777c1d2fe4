//! Parabolic stop and reverse: a stop that follows a trend at increasing speed, and reverses with it.
//!
//! The acceleration grows by 0.02 with each new extreme, to at most 0.2. Definition: J. Welles Wilder (1978); TA-Lib
//! `SAR`, which takes the initial direction from the directional movement of the first two bars: downwards only if
//! the low fell further than the high rose.

use super::Line;
use super::rolling::{higher, lower};
use crate::Candles;

/// Initial acceleration, and its step.
pub const STEP: f64 = 0.02;
/// The largest acceleration.
pub const MAXIMUM: f64 = 0.2;

/// The prices of a bar that a stop uses.
#[derive(Clone, Copy)]
struct Bar {
    high: f64,
    low: f64,
}

/// The stop of the current trend.
struct Stop {
    rising: bool,
    level: f64,
    /// The highest high of a rising trend, the lowest low of a falling one.
    extreme: f64,
    acceleration: f64,
}

impl Stop {
    /// The stop of the second bar.
    fn first(first: Bar, second: Bar) -> Self {
        let fall = first.low - second.low;
        let rising = fall <= 0.0 || fall <= second.high - first.high;
        let (level, extreme) = if rising {
            (first.low, second.high)
        } else {
            (first.high, second.low)
        };
        Self {
            rising,
            level,
            extreme,
            acceleration: STEP,
        }
    }

    /// The stop at `bar`, which reverses if the price has reached it; then moves on to the next bar.
    fn step(&mut self, before: Bar, bar: Bar) -> f64 {
        let reached = if self.rising {
            bar.low <= self.level
        } else {
            bar.high >= self.level
        };
        if reached {
            self.rising = !self.rising;
            self.level = self.beyond(self.extreme, before, bar);
            self.extreme = if self.rising { bar.high } else { bar.low };
            self.acceleration = STEP;
        } else if self.rising && bar.high > self.extreme {
            self.advance(bar.high);
        } else if !self.rising && bar.low < self.extreme {
            self.advance(bar.low);
        }
        let level = self.level;
        let next = level + self.acceleration * (self.extreme - level);
        self.level = self.beyond(next, before, bar);
        level
    }

    fn advance(&mut self, extreme: f64) {
        self.extreme = extreme;
        self.acceleration = lower(self.acceleration + STEP, MAXIMUM);
    }

    /// A level that lies beyond the prices of both bars, on the stop's side of the trend.
    fn beyond(&self, level: f64, before: Bar, bar: Bar) -> f64 {
        if self.rising {
            lower(level, lower(before.low, bar.low))
        } else {
            higher(level, higher(before.high, bar.high))
        }
    }
}

/// The stop at every bar, in units of price: below the price in a rising trend, above it in a falling one.
pub fn parabolic_sar(candles: Candles<'_>) -> Line {
    let prices = candles.high().iter().zip(candles.low());
    let mut bars = prices.map(|(high, low)| Bar {
        high: *high,
        low: *low,
    });
    let (Some(first), Some(second)) = (bars.next(), bars.next()) else {
        return Line::new(candles.len(), Vec::new());
    };
    let mut stop = Stop::first(first, second);
    // The first bar only gives the direction; the second one counts as its own previous bar.
    let mut before = second;
    let levels = std::iter::once(second).chain(bars).map(move |bar| {
        let level = stop.step(before, bar);
        before = bar;
        level
    });
    Line::collect(candles.len(), levels)
}
