//! When an alert fires: pure conditions, and the active alerts of one symbol in the order of their thresholds.
//!
//! Thresholds are inclusive, so a sentiment of 1 or a price exactly at the threshold counts. A relative strength
//! index crosses between two closes; an alert created after both has not seen the crossing.

use std::collections::BTreeMap;

use model::{AlertType, Timestamp};

use crate::indicators::rsi::rsi;
use crate::screener::{VOLUME_PERIOD, has_moved};
use crate::{Candles, Day, PRICE_MAX, PRICE_MIN, Range, along_runs};

/// The highest multiple of average volume that an alert may ask for.
pub const MOST_TIMES: f64 = 1_000.0;

/// The thresholds that a type accepts, both ends included.
pub const fn bounds(kind: AlertType) -> (f64, f64) {
    match kind {
        AlertType::PriceAbove | AlertType::PriceBelow => (PRICE_MIN, PRICE_MAX),
        AlertType::SentimentAbove | AlertType::SentimentBelow => (0.0, 1.0),
        AlertType::VolumeSpike => (0.01, MOST_TIMES),
        AlertType::RsiCross => (0.0, 100.0),
    }
}

/// Whether a value meets a condition on a single value; always false for a condition on a crossing.
pub fn is_met(kind: AlertType, threshold: f64, value: f64) -> bool {
    match kind {
        AlertType::PriceAbove | AlertType::SentimentAbove | AlertType::VolumeSpike => {
            value >= threshold
        }
        AlertType::PriceBelow | AlertType::SentimentBelow => value <= threshold,
        AlertType::RsiCross => false,
    }
}

/// Whether a value reached or passed a threshold, from either side.
pub fn has_crossed(threshold: f64, before: f64, now: f64) -> bool {
    (before < threshold && now >= threshold) || (before > threshold && now <= threshold)
}

/// A volume as a multiple of the average of the previous 20 days; `None` without 20 days or if nothing was traded.
pub fn volume_ratio(before: Candles<'_>, volume: f64) -> Option<f64> {
    let days = usize::from(VOLUME_PERIOD);
    let start = before.len().checked_sub(days)?;
    let average = before.volume()[start..].iter().sum::<f64>() / days as f64;
    (average > 0.0)
        .then(|| volume / average)
        .filter(|ratio| ratio.is_finite())
}

/// A value of the relative strength index together with the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RsiStep {
    /// The day of the close.
    pub day: Day,
    /// At the previous close.
    pub before: f64,
    /// At this close.
    pub now: f64,
}

/// The steps of the 14-day relative strength index, oldest first, over the history that `range=5y` returns; none
/// while the price does not move.
pub fn rsi_steps(history: Candles<'_>) -> Vec<RsiStep> {
    let candles = history.within(Range::FiveYears);
    let close = candles.close();
    let line = along_runs(candles.days(), close, rsi);
    let steps = (1..candles.len()).filter_map(|bar| {
        if !has_moved(&close[..=bar]) {
            return None;
        }
        Some(RsiStep {
            day: candles.days()[bar],
            before: line[bar - 1]?,
            now: line[bar]?,
        })
    });
    steps.collect()
}

/// The first step after a given time in which a threshold was crossed. `known_at` says when a day's close was known.
pub fn first_crossing(
    steps: &[RsiStep],
    threshold: f64,
    after: Timestamp,
    known_at: impl Fn(Day) -> Timestamp,
) -> Option<RsiStep> {
    let first = steps.partition_point(|step| known_at(step.day) <= after);
    steps[first..]
        .iter()
        .find(|step| has_crossed(threshold, step.before, step.now))
        .copied()
}

/// A threshold as a key.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level(f64);

impl Eq for Level {}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Level {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Both zeros count as the same number here.
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

/// The active alerts of one symbol, by type and threshold. `Id` is whatever the caller identifies an alert by.
#[derive(Clone, Debug)]
pub struct Thresholds<Id> {
    levels: [BTreeMap<Level, Vec<Id>>; AlertType::ALL.len()],
    count: usize,
}

impl<Id> Default for Thresholds<Id> {
    fn default() -> Self {
        Self {
            levels: std::array::from_fn(|_| BTreeMap::new()),
            count: 0,
        }
    }
}

impl<Id: Copy + PartialEq> Thresholds<Id> {
    /// Adds an alert.
    pub fn insert(&mut self, kind: AlertType, threshold: f64, id: Id) {
        let of_kind = &mut self.levels[kind as usize];
        of_kind.entry(Level(threshold)).or_default().push(id);
        self.count += 1;
    }

    /// Removes an alert.
    pub fn remove(&mut self, kind: AlertType, threshold: f64, id: Id) {
        let of_kind = &mut self.levels[kind as usize];
        if let Some(ids) = of_kind.get_mut(&Level(threshold))
            && let Some(place) = ids.iter().position(|one| *one == id)
        {
            ids.swap_remove(place);
            self.count -= 1;
            if ids.is_empty() {
                of_kind.remove(&Level(threshold));
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether there are any of that type.
    pub fn has(&self, kind: AlertType) -> bool {
        !self.levels[kind as usize].is_empty()
    }

    /// The alerts of a type, with their thresholds.
    pub fn of(&self, kind: AlertType) -> impl Iterator<Item = (f64, Id)> {
        self.levels[kind as usize]
            .iter()
            .flat_map(|(level, ids)| ids.iter().map(|id| (level.0, *id)))
    }

    /// The alerts of a type that a value triggers: found by their order, however many others there are.
    pub fn met(&self, kind: AlertType, value: f64) -> Vec<Id> {
        if !value.is_finite() {
            return Vec::new();
        }
        let of_kind = &self.levels[kind as usize];
        let found = match kind {
            AlertType::PriceAbove | AlertType::SentimentAbove | AlertType::VolumeSpike => {
                of_kind.range(..=Level(value))
            }
            AlertType::PriceBelow | AlertType::SentimentBelow => of_kind.range(Level(value)..),
            AlertType::RsiCross => return Vec::new(),
        };
        found.flat_map(|(_, ids)| ids.iter().copied()).collect()
    }
}

/// A day on which a condition was met, with the value that met it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// The day.
    pub day: Day,
    /// The value.
    pub value: f64,
}

/// The days from `first` on, within the newest history, on which a condition on prices, volumes or the relative
/// strength index was met, oldest first. For a price, the day's high or low counts, because an alert sees every
/// price.
pub fn days_met(kind: AlertType, threshold: f64, history: Candles<'_>, first: Day) -> Vec<Met> {
    let start = history.days().partition_point(|day| *day < first);
    let met = |bar: usize, value: f64| {
        is_met(kind, threshold, value).then(|| Met {
            day: history.days()[bar],
            value,
        })
    };
    match kind {
        AlertType::PriceAbove => (start..history.len())
            .filter_map(|bar| met(bar, history.high()[bar]))
            .collect(),
        AlertType::PriceBelow => (start..history.len())
            .filter_map(|bar| met(bar, history.low()[bar]))
            .collect(),
        AlertType::VolumeSpike => (start..history.len())
            .filter_map(|bar| {
                let ratio = volume_ratio(history.bars(0, bar), history.volume()[bar])?;
                met(bar, ratio)
            })
            .collect(),
        AlertType::RsiCross => rsi_steps(history)
            .into_iter()
            .filter(|step| step.day >= first && has_crossed(threshold, step.before, step.now))
            .map(|step| Met {
                day: step.day,
                value: step.now,
            })
            .collect(),
        AlertType::SentimentAbove | AlertType::SentimentBelow => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
