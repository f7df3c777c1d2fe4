//! From daily moves to bars: open, high, low, close and volume that are consistent with each other.

use model::{Candle, Day};

use super::chance::normal;
use crate::random::Random;

/// What happens to a price on one day. Returns are logarithmic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// From the previous close to this one.
    pub(super) change: f64,
    /// The part of it that has happened before the day's first price.
    pub(super) gap: f64,
    /// The usual deviation for such a day.
    pub(super) deviation: f64,
    /// How much more than usual is traded.
    pub(super) activity: f64,
}

/// One day's prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) open: f64,
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) close: f64,
    pub(super) volume: f64,
}

impl Bar {
    /// The bar as a candle of a day.
    pub(super) const fn on(&self, day: Day) -> Candle {
        Candle {
            day,
            open: self.open,
            high: self.high,
            low: self.low,
            close: self.close,
            volume: self.volume,
        }
    }
}

/// The precision of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fineness {
    /// Hundredths; below one, ten-thousandths.
    Cents,
    /// That many decimal places.
    Decimals(i32),
    /// That many significant digits.
    Digits(i32),
}

impl Fineness {
    /// The price as written, never zero.
    pub(super) fn round(self, price: f64) -> f64 {
        let decimals = match self {
            Self::Cents if price < 1.0 => 4,
            Self::Cents => 2,
            Self::Decimals(decimals) => decimals,
            Self::Digits(digits) => digits - 1 - price.log10().floor() as i32,
        };
        let scale = 10.0_f64.powi(decimals);
        ((price * scale).round() / scale).max(1.0 / scale)
    }
}

/// The level of a price: what it is at which point, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Close at the reference point.
    pub(super) price: f64,
    /// The reference point.
    pub(super) reference: usize,
    /// How it is written.
    pub(super) fineness: Fineness,
    /// Usual volume; zero for instruments without volume.
    pub(super) volume: f64,
}

/// The bars for these moves. The level is exact at the reference point, or at the last point if the reference lies
/// beyond it.
pub(super) fn draw(moves: &[Move], level: Level, random: &mut Random) -> Vec<Bar> {
    let to_reference: f64 = moves
        .iter()
        .take(level.reference + 1)
        .map(|day| day.change)
        .sum();
    let mut close = level.price.ln() - to_reference;
    let mut bars = Vec::with_capacity(moves.len());
    let round = |log: f64| level.fineness.round(log.exp());
    let mut known = round(close);
    for day in moves {
        let before = close;
        close += day.change;
        // A price that does not gap opens where it closed.
        let first = if day.gap == 0.0 {
            known
        } else {
            round(before + day.gap)
        };
        let last = round(close);
        let ends = (before + day.gap, close);
        let above = 0.5 * day.deviation * normal(random).abs();
        let below = 0.5 * day.deviation * normal(random).abs();
        let high = round(ends.0.max(ends.1) + above).max(first).max(last);
        let low = round(ends.0.min(ends.1) - below).min(first).min(last);
        let stirred = 0.75 + 0.4 * (day.change.abs() / day.deviation.max(1e-9)).min(6.0);
        let volume = level.volume * day.activity * stirred * (0.27 * normal(random)).exp();
        bars.push(Bar {
            open: first,
            high,
            low,
            close: last,
            volume: volume.round(),
        });
        known = last;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_as_it_is_quoted() {
        assert_eq!(Fineness::Cents.round(12.345), 12.35);
        assert_eq!(Fineness::Cents.round(0.12345), 0.1235);
        assert_eq!(Fineness::Cents.round(0.0), 0.0001);
        assert_eq!(Fineness::Digits(6).round(0.000_004_812_349), 4.81235e-6);
        assert_eq!(Fineness::Digits(6).round(95_123.456), 95_123.5);
        assert_eq!(Fineness::Decimals(4).round(1.162_349), 1.1623);
    }

    #[test]
    fn the_level_holds_at_the_reference() {
        let day = Move {
            change: 0.02,
            gap: 0.01,
            deviation: 0.01,
            activity: 1.0,
        };
        let level = Level {
            price: 50.0,
            reference: 3,
            fineness: Fineness::Cents,
            volume: 1e6,
        };
        let bars = draw(&[day; 8], level, &mut Random::of(&[1]));
        assert_eq!(bars[3].close, 50.0);
        assert!(bars[4].close > 50.9 && bars[2].close < 49.1);
    }
}
