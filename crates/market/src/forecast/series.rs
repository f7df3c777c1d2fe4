//! How far an economic series may move over a number of observations, based on how it moved before, and how good such
//! a forecast was at earlier observations.
//!
//! The chances of the cases are their past frequencies. Windows that began as the present one does, after a rise, a
//! fall or neither over the same length, count extra: economic series keep their course for longer than prices. How
//! much they count depends on how many of them do not overlap. They count only if such forecasts, repeated for
//! earlier observations, did better than the frequency alone.

use super::Calibration;
use super::calibration::{Case, Tally};

/// Changes required before any forecast is made.
pub const LEAST_CHANGES: usize = 24;
/// The weight of all windows, in non-overlapping windows, next to those that began alike.
const PRIOR_TIMES: f64 = 8.0;
/// The most forecasts that are repeated; beyond that they are spaced further apart.
const MOST: usize = 120;
/// With fewer forecasts than this there is no calibration.
const LEAST_FORECASTS: usize = 12;
/// The most that the range is widened.
const WIDEST: f64 = 3.0;
/// Changes smaller than this count as none.
const SAME: f64 = 1e-9;

/// How a series may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesOutlook {
    /// Half of the changes on record were no larger: the middle case ends here on both sides.
    pub usual: f64,
    /// Chances that the series stays within, rises above and falls below that; they add up to 1.
    pub chances: [f64; 3],
    /// The same from frequency alone.
    pub frequencies: [f64; 3],
    /// The range that contains eight in ten of the changes on record.
    pub range: (f64, f64),
    /// Windows of this length on record; they overlap.
    pub times: usize,
    /// The windows that began as the present one does.
    pub alike: usize,
}

impl SeriesOutlook {
    /// With a range this many times as wide on either side of its middle.
    #[must_use]
    pub fn widened(self, times: f64) -> Self {
        let middle = f64::midpoint(self.range.0, self.range.1);
        let (low, high) = self.range;
        Self {
            range: (
                middle - (middle - low) * times,
                middle + (high - middle) * times,
            ),
            ..self
        }
    }

    /// With the chances from frequency alone.
    #[must_use]
    pub fn by_frequency(self) -> Self {
        Self {
            chances: self.frequencies,
            ..self
        }
    }
}

/// The outlook over this many observations, from values in chronological order; `None` if there are too few of them.
pub fn series_outlook(values: &[f64], ahead: usize) -> Option<SeriesOutlook> {
    if ahead == 0 || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let changes: Vec<f64> = values
        .windows(ahead + 1)
        .map(|window| window[ahead] - window[0])
        .collect();
    if changes.len() < LEAST_CHANGES {
        return None;
    }
    let mut sizes: Vec<f64> = changes.iter().map(|one| one.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes[sizes.len() / 2];
    let mut sorted = changes.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let frequencies = shares(changes.iter().copied(), usual);
    // A window begins where the change of the same length before it ends.
    let now = way(*changes.last()?);
    let alike: Vec<f64> = changes
        .iter()
        .zip(changes.iter().skip(ahead))
        .filter(|(before, _)| way(**before) == now)
        .map(|(_, after)| *after)
        .collect();
    let own = shares(alike.iter().copied(), usual);
    let weight = alike.len() as f64 / ahead as f64;
    let mut chances = [0.0; 3];
    for (place, chance) in chances.iter_mut().enumerate() {
        *chance = (own[place] * weight + frequencies[place] * PRIOR_TIMES) / (weight + PRIOR_TIMES);
    }
    Some(SeriesOutlook {
        usual,
        chances,
        frequencies,
        range: (at(0.1), at(0.9)),
        times: changes.len(),
        alike: alike.len(),
    })
}

/// Up, down or neither.
fn way(change: f64) -> i8 {
    if change > SAME {
        1
    } else if change < -SAME {
        -1
    } else {
        0
    }
}

/// Which of the three cases a change belongs to.
fn case(change: f64, usual: f64) -> usize {
    if change > usual {
        1
    } else if change < -usual {
        2
    } else {
        0
    }
}

/// Shares of the cases, with one of each added; they add up to 1.
fn shares(changes: impl Iterator<Item = f64>, usual: f64) -> [f64; 3] {
    let mut counts = [1.0; 3];
    for change in changes {
        counts[case(change, usual)] += 1.0;
    }
    let all: f64 = counts.iter().sum();
    counts.map(|count| count / all)
}

/// Repeats the forecast for earlier observations from what was known then; `None` if the record is too short for
/// that.
pub fn calibrate_series(values: &[f64], ahead: usize) -> Option<Calibration> {
    let last = values.len().checked_sub(ahead + 1)?;
    let first = LEAST_CHANGES + ahead;
    let apart = (last.checked_sub(first)? / MOST).max(1);
    let mut tally = Tally::default();
    for origin in (first..=last).step_by(apart) {
        let Some(made) = series_outlook(&values[..=origin], ahead) else {
            continue;
        };
        let change = values[origin + ahead] - values[origin];
        let came = case(change, made.usual);
        let (low, high) = made.range;
        tally.count(&Case {
            said: made.chances,
            usual: made.frequencies,
            came: [0, 1, 2].map(|place| place == came),
            is_inside: low <= change && change <= high,
            distance: distance(made.range, change),
        });
    }
    tally.close(LEAST_FORECASTS, WIDEST)
}

/// How far a change lies from the middle of a range, in half-widths.
fn distance((low, high): (f64, f64), change: f64) -> f64 {
    let (middle, half) = (f64::midpoint(low, high), (high - low) / 2.0);
    let away = (change - middle).abs();
    if away <= half {
        // This holds even if the range is a single point.
        if half > 0.0 { away / half } else { 0.0 }
    } else if half > 0.0 {
        away / half
    } else {
        WIDEST
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A rate that rises for years and falls for years.
    fn cycles(number: usize) -> Vec<f64> {
        (0..number)
            .map(|month| 3.0 + 2.0 * (month as f64 / 60.0 * std::f64::consts::TAU).sin())
            .collect()
    }

    /// Steps that nothing predicts.
    fn noise(seed: u64, number: usize) -> Vec<f64> {
        let mut state = seed;
        let mut value = 100.0;
        (0..number)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                value += (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
                value
            })
            .collect()
    }

    #[test]
    fn a_course_that_lasts_is_foreseen_better_than_by_its_frequency() {
        let values = cycles(360);
        let found = calibrate_series(&values, 3).unwrap();
        assert!(found.forecasts > 100, "{found:?}");
        assert!(found.skill() > 0.05, "{found:?}");
        let made = series_outlook(&values, 3).unwrap();
        // At the end of the cycle it rises.
        assert!(made.chances[1] > made.frequencies[1] && made.chances[1] > made.chances[2]);
    }

    #[test]
    fn what_nothing_foretells_has_no_skill() {
        let found = calibrate_series(&noise(5, 360), 6).unwrap();
        assert!(found.skill() < 0.03, "{found:?}");
        assert!((0.6..=0.95).contains(&found.inside_80), "{found:?}");
    }

    #[test]
    fn a_break_in_the_record_widens_the_range() {
        let mut values = noise(3, 160);
        let last = *values.last().unwrap();
        // Later steps are five times as large.
        values.extend(noise(4, 160).iter().map(|one| last + (one - 100.0) * 5.0));
        let found = calibrate_series(&values, 3).unwrap();
        assert!(found.inside_80 < 0.75 && found.widen > 1.1, "{found:?}");
        let made = series_outlook(&values, 3).unwrap();
        let wide = made.widened(found.widen);
        assert!(wide.range.0 < made.range.0 && wide.range.1 > made.range.1);
    }

    #[test]
    fn a_short_record_says_nothing() {
        assert!(series_outlook(&cycles(LEAST_CHANGES), 1).is_none());
        assert!(series_outlook(&cycles(LEAST_CHANGES + 1), 1).is_some());
        assert!(series_outlook(&cycles(100), 0).is_none());
        assert!(calibrate_series(&cycles(LEAST_CHANGES + 6), 1).is_none());
        assert!(calibrate_series(&[], 3).is_none());
        let still = vec![4.5; 200];
        let made = series_outlook(&still, 3).unwrap();
        assert_eq!((made.usual, made.range), (0.0, (0.0, 0.0)));
        assert_eq!(calibrate_series(&still, 3).unwrap().widen, 1.0);
    }

    proptest! {
        #[test]
        fn cases_add_up_and_know_nothing_of_later(seed in 1_u64.., number in 60_usize..400, ahead in 1_usize..30) {
            let values = noise(seed, number);
            prop_assume!(number > ahead + LEAST_CHANGES);
            let made = series_outlook(&values, ahead).unwrap();
            for chances in [made.chances, made.frequencies] {
                prop_assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
            }
            prop_assert!(made.range.0 <= made.range.1);
        }
    }
}
