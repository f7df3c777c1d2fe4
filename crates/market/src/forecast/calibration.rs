//! How well such forecasts did in the past: they are repeated for earlier days from what was known then, and compared
//! with the outcome.
//!
//! The measure is Brier's score (1950), the mean squared distance between chance and outcome, compared with that of
//! climatology: the share of earlier windows in which the same happened. A score below climatology's means skill; a
//! score above it means that the past frequency would have been the better forecast.

use super::{LEAST_RETURNS, Outlook, outlook};

/// Sessions of history before the first repeated forecast: climatology needs some, too.
const WARM_UP: usize = 2 * LEAST_RETURNS;
/// The most forecasts that are repeated; beyond that they are spaced further apart.
const MOST: usize = 240;
/// The share of outcomes that a range of this width should contain.
const INSIDE: f64 = 0.8;
/// The most that a range is widened.
const WIDEST: f64 = 2.0;

/// What the same method would have forecast, compared with the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// Repeated forecasts; their windows may overlap.
    pub forecasts: usize,
    /// Mean squared distance between chance and outcome, over three events each: higher, above the upper case, below
    /// the lower.
    pub brier: f64,
    /// The same for the share of earlier windows.
    pub climatology: f64,
    /// How often each of the three events happened.
    pub came: [f64; 3],
    /// Share of outcomes inside the range that was meant to contain 80 %.
    pub inside_80: f64,
    /// The factor by which ranges must be widened to contain 80 %; at least 1.
    pub widen: f64,
}

impl Calibration {
    /// The share of climatology's score that the method saves; negative if it does worse.
    pub fn skill(&self) -> f64 {
        if self.climatology > 0.0 {
            1.0 - self.brier / self.climatology
        } else {
            0.0
        }
    }

    /// The score of a forecaster who always gave each event its final frequency as the chance: nobody knew that at
    /// the time.
    pub fn hindsight(&self) -> f64 {
        self.came
            .iter()
            .map(|share| share * (1.0 - share))
            .sum::<f64>()
            / 3.0
    }

    /// Combines several, each weighted by its number of forecasts.
    pub fn together(all: &[Self]) -> Self {
        let number: usize = all.iter().map(|one| one.forecasts).sum();
        let mean = |of: fn(&Self) -> f64| {
            let sum: f64 = all.iter().map(|one| of(one) * one.forecasts as f64).sum();
            sum / (number.max(1)) as f64
        };
        Self {
            forecasts: number,
            brier: mean(|one| one.brier),
            climatology: mean(|one| one.climatology),
            came: [
                mean(|one| one.came[0]),
                mean(|one| one.came[1]),
                mean(|one| one.came[2]),
            ],
            inside_80: mean(|one| one.inside_80),
            widen: mean(|one| one.widen),
        }
    }
}

/// Repeats forecasts over this many sessions; `events` are the changes in percent below and above which the outer
/// cases lie. `None` if the history is too short for any.
pub fn calibrate(
    closes: &[f64],
    sessions: usize,
    (low_pct, high_pct): (f64, f64),
) -> Option<Calibration> {
    let last = closes.len().checked_sub(sessions + 1)?;
    if sessions == 0 || last < WARM_UP {
        return None;
    }
    let apart = ((last - WARM_UP) / MOST).max(1).max(sessions / 8);
    let mut tally = Tally::default();
    let mut origin = WARM_UP;
    while origin <= last {
        if let Some(made) = outlook(&closes[..=origin], sessions) {
            let change = (closes[origin + sessions] / closes[origin] - 1.0) * 100.0;
            let came = [change > 0.0, change > high_pct, change < low_pct];
            let said = [
                made.chance_up,
                1.0 - made.chance_below(high_pct),
                made.chance_below(low_pct),
            ];
            let usual = frequencies(&closes[..=origin], sessions, low_pct, high_pct);
            let range = (made.quantile_pct(0.1), made.quantile_pct(0.9));
            tally.count(&Case {
                said,
                usual,
                came,
                is_inside: range.0 <= change && change <= range.1,
                distance: distance(&made, change),
            });
        }
        origin += apart;
    }
    tally.close(1, WIDEST)
}

/// One forecast next to its outcome.
pub(super) struct Case {
    /// The forecast chances, the share of earlier windows, and the outcome, for three events each.
    pub(super) said: [f64; 3],
    pub(super) usual: [f64; 3],
    pub(super) came: [bool; 3],
    /// Whether the range that was meant to contain 80 % contained the outcome.
    pub(super) is_inside: bool,
    /// How far the outcome lay from its middle, in units of the range.
    pub(super) distance: f64,
}

/// Repeated forecasts as they are tallied.
#[derive(Default)]
pub(super) struct Tally {
    total: Calibration,
    distances: Vec<f64>,
}

impl Tally {
    pub(super) fn count(&mut self, case: &Case) {
        let total = &mut self.total;
        for (place, happened) in case.came.into_iter().enumerate() {
            let outcome = f64::from(u8::from(happened));
            total.brier += (case.said[place] - outcome).powi(2) / 3.0;
            total.climatology += (case.usual[place] - outcome).powi(2) / 3.0;
            total.came[place] += outcome;
        }
        total.inside_80 += f64::from(u8::from(case.is_inside));
        total.forecasts += 1;
        self.distances.push(case.distance);
    }

    /// The result; none with fewer than `least` forecasts, which is 1 or more. Ranges are widened `widest` times at
    /// most.
    pub(super) fn close(self, least: usize, widest: f64) -> Option<Calibration> {
        let Self {
            mut total,
            mut distances,
        } = self;
        if total.forecasts < least.max(1) {
            return None;
        }
        let number = total.forecasts as f64;
        total.brier /= number;
        total.climatology /= number;
        total.came = total.came.map(|times| times / number);
        total.inside_80 /= number;
        distances.sort_by(f64::total_cmp);
        let at = ((number * INSIDE).ceil() as usize).clamp(1, distances.len()) - 1;
        total.widen = distances[at].clamp(1.0, widest);
        Some(total)
    }
}

/// How far a change lies from the middle, in units of the 80 % range on its side.
fn distance(made: &Outlook, change: f64) -> f64 {
    let logarithm = (1.0 + change / 100.0).max(1e-9).ln();
    let middle = made.drift;
    let edge = |chance: f64| (1.0 + made.quantile_pct(chance) / 100.0).ln();
    let (from, to) = (edge(0.1), edge(0.9));
    if logarithm >= middle {
        (logarithm - middle) / (to - middle)
    } else {
        (middle - logarithm) / (middle - from)
    }
}

/// Shares of earlier windows that ended higher, above and below, with one of each kind added.
fn frequencies(closes: &[f64], sessions: usize, low_pct: f64, high_pct: f64) -> [f64; 3] {
    let mut counts = [1.0, 1.0, 1.0];
    let mut all = 2.0;
    for window in closes.windows(sessions + 1) {
        let change = (window[sessions] / window[0] - 1.0) * 100.0;
        all += 1.0;
        counts[0] += f64::from(u8::from(change > 0.0));
        counts[1] += f64::from(u8::from(change > high_pct));
        counts[2] += f64::from(u8::from(change < low_pct));
    }
    counts.map(|count| count / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A price whose volatility comes and goes.
    fn clustered(number: usize) -> Vec<f64> {
        let mut state = 11_u64;
        let mut close = 50.0;
        (0..number)
            .map(|step| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
                let daily = if step / 120 % 2 == 0 { 0.006 } else { 0.03 };
                close *= (daily * (2.0 * unit - 1.0) * 3.0_f64.sqrt()).exp();
                close
            })
            .collect()
    }

    #[test]
    fn unrest_that_lasts_is_foreseen_better_than_by_its_frequency() {
        let found = calibrate(&clustered(2_400), 10, (-4.0, 4.0)).unwrap();
        assert!(found.forecasts > 150);
        assert!(found.skill() > 0.01, "{found:?}");
        assert!((0.65..=0.95).contains(&found.inside_80), "{found:?}");
        assert!((1.0..=2.0).contains(&found.widen));
    }

    #[test]
    fn a_forecast_knows_nothing_of_what_came_later() {
        let prices = clustered(900);
        let made = outlook(&prices[..500], 21);
        let mut other = prices.clone();
        for close in &mut other[500..] {
            *close *= 3.0;
        }
        assert_eq!(made, outlook(&other[..500], 21));
    }

    #[test]
    fn a_short_history_was_never_tested() {
        assert!(calibrate(&clustered(260), 30, (-5.0, 5.0)).is_none());
        assert!(calibrate(&[], 30, (-5.0, 5.0)).is_none());
    }
}
