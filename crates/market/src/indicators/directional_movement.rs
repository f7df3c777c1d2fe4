//! Directional movement: how much of the true range went beyond the previous day, and in which direction.
//!
//! A day's movement is the larger of high − previous high and previous low − low, if it is positive; the other
//! direction counts as zero. Movements and true ranges are summed as in J. Welles Wilder (1978): before a new day is
//! added, `1 / period` of the sum is taken off. The first sum has `period − 1` days, because the first day has no day
//! before it.

use super::rolling::higher;
use super::true_range::true_ranges;
use crate::Candles;

/// Below this fraction of the true range there was no movement; TA-Lib's bound.
const NONE: f64 = 1e-16;

/// Wilder's sums over the days up to a bar, in units of price.
#[derive(Clone, Copy, Default)]
pub(super) struct DirectionalMovement {
    upward: f64,
    downward: f64,
    range: f64,
}

impl DirectionalMovement {
    /// The upward direction DI⁺, 0 to 100; 0 if nothing moved.
    pub(super) fn plus(&self) -> f64 {
        self.part(self.upward)
    }

    /// The downward direction DI⁻, 0 to 100; 0 if nothing moved.
    pub(super) fn minus(&self) -> f64 {
        self.part(self.downward)
    }

    fn part(&self, movement: f64) -> f64 {
        if self.range > 0.0 {
            100.0 * (movement / self.range)
        } else {
            0.0
        }
    }

    /// The directional index DX, 0 to 100: how one-sided the movement was. `None` without any movement.
    pub(super) fn index(&self) -> Option<f64> {
        let both = self.upward + self.downward;
        (both > NONE * self.range).then(|| 100.0 * ((self.upward - self.downward).abs() / both))
    }
}

/// The sums for every bar that has `period` days before it.
pub(super) fn directional_movements(
    candles: Candles<'_>,
    period: u16,
) -> impl Iterator<Item = DirectionalMovement> {
    let keep = 1.0 - 1.0 / f64::from(period);
    let first = usize::from(period) - 1;
    let mut sums = DirectionalMovement::default();
    let days = candles.high().windows(2).zip(candles.low().windows(2));
    let days = days.zip(true_ranges(candles)).enumerate();
    days.filter_map(move |(day, ((high, low), range))| {
        let upward = high[1] - high[0];
        let downward = low[0] - low[1];
        let keep = if day < first { 1.0 } else { keep };
        let larger = |one: f64, other: f64| if one > other { higher(one, 0.0) } else { 0.0 };
        sums.upward = keep * sums.upward + larger(upward, downward);
        sums.downward = keep * sums.downward + larger(downward, upward);
        sums.range = keep * sums.range + range;
        (day >= first).then_some(sums)
    })
}
