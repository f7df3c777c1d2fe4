//! How far a price may move over a horizon, from its own history.
//!
//! The variance over a horizon reverts from the recent level to that of the whole history, as in a GARCH(1,1) model
//! (Bollerslev 1986) with fixed persistence. The recent variance is exponentially weighted (`RiskMetrics` 1996). The
//! drift is shrunk towards zero, because the drift of a single price is hardly known. Changes follow Student's t
//! distribution, whose tails fit those of prices and become lighter the longer the horizon. The chance of a rise also
//! takes into account how often a window of this length ended higher in the past. Nothing here knows of news or
//! plans.

mod calibration;
mod series;

pub use calibration::{Calibration, calibrate};
pub use series::{LEAST_CHANGES, SeriesOutlook, calibrate_series, series_outlook};

/// Returns required before any forecast is made.
pub const LEAST_RETURNS: usize = 120;
/// Weight of yesterday's variance in the recent variance.
const DECAY: f64 = 0.97;
/// The part of the distance between recent and usual variance that remains after one session.
const PERSISTENCE: f64 = 0.985;
/// Sessions of zero drift that are counted along with those of the history.
const PRIOR_SESSIONS: f64 = 2_520.0;
/// The weight of the model, in non-overlapping windows, next to those that were observed.
const PRIOR_TIMES: f64 = 20.0;
/// Degrees of freedom for one session.
const FREEDOM: f64 = 4.0;

/// How a price may move over a horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Sessions ahead.
    pub sessions: usize,
    /// Expected change, as the logarithm of the ratio.
    pub drift: f64,
    /// Standard deviation of that logarithm.
    pub deviation: f64,
    /// Degrees of freedom of its distribution.
    freedom: f64,
    /// Standard deviation of one session, recent and over the whole history, both as logarithms of ratios.
    pub recent_daily: f64,
    /// Over the whole history.
    pub usual_daily: f64,
    /// Share of the windows of this length in the history that ended higher; `None` if there were none.
    pub base_rate: Option<f64>,
    /// Non-overlapping windows in the history.
    pub times: f64,
    /// Chance that the price ends higher, from the base rate and the model.
    pub chance_up: f64,
}

/// The outlook over this many sessions, from closes in chronological order, the newest last; `None` if there are too
/// few of them or if one is not a valid price.
pub fn outlook(closes: &[f64], sessions: usize) -> Option<Outlook> {
    if sessions == 0 || closes.len() <= LEAST_RETURNS || !closes.iter().all(|close| *close > 0.0) {
        return None;
    }
    let returns: Vec<f64> = closes
        .windows(2)
        .map(|pair| (pair[1] / pair[0]).ln())
        .collect();
    let number = returns.len() as f64;
    let mean = returns.iter().sum::<f64>() / number;
    let usual = returns.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (number - 1.0);
    let recent = returns.iter().fold(usual, |variance, one| {
        DECAY * variance + (1.0 - DECAY) * (one - mean).powi(2)
    });
    if !(usual > 0.0 && usual.is_finite() && recent.is_finite()) {
        return None;
    }
    let ahead = sessions as f64;
    let reverting = (1.0 - PERSISTENCE.powf(ahead)) / (1.0 - PERSISTENCE);
    let variance = ahead * usual + (recent - usual) * reverting;
    let drift = ahead * mean * number / (number + PRIOR_SESSIONS);
    let deviation = variance.max(ahead * usual * 0.1).sqrt();
    let freedom = FREEDOM + ahead / 5.0;
    let higher = closes
        .windows(sessions + 1)
        .map(|window| window[sessions] > window[0]);
    let (mut up, mut all) = (0_u32, 0_u32);
    for is_up in higher {
        all += 1;
        up += u32::from(is_up);
    }
    let base_rate = (all > 0).then(|| f64::from(up) / f64::from(all));
    let times = (number / ahead).floor();
    let by_model = 1.0 - student(-drift / deviation, freedom);
    let chance_up = match base_rate {
        Some(rate) => (rate * times + by_model * PRIOR_TIMES) / (times + PRIOR_TIMES),
        None => by_model,
    };
    Some(Outlook {
        sessions,
        drift,
        deviation,
        freedom,
        recent_daily: recent.sqrt(),
        usual_daily: usual.sqrt(),
        base_rate,
        times,
        chance_up,
    })
}

impl Outlook {
    /// Chance that the change, in percent, stays below this.
    pub fn chance_below(&self, change_pct: f64) -> f64 {
        let ratio = 1.0 + change_pct / 100.0;
        if ratio <= 0.0 {
            return 0.0;
        }
        student((ratio.ln() - self.drift) / self.deviation, self.freedom)
    }

    /// Chance that the change, in percent, is at or beyond this at the end of at least one session, not only the last
    /// one.
    ///
    /// By the reflection principle: a path that touches a level ends beyond it or equally far on the near side of it.
    /// The level is moved away by 0.5826 standard deviations of one session, because prices are not observed between
    /// the closes of sessions (Broadie, Glasserman and Kou 1997).
    pub fn chance_touching(&self, change_pct: f64) -> f64 {
        const SHIFT: f64 = 0.5826;
        let ratio = 1.0 + change_pct / 100.0;
        if ratio <= 0.0 {
            return 0.0;
        }
        let level = ratio.ln();
        let side = if level >= 0.0 { 1.0 } else { -1.0 };
        let (level, drift) = (level.abs(), self.drift * side);
        let moved = level + SHIFT * self.deviation / (self.sessions as f64).sqrt();
        let beyond =
            |at: f64, drift: f64| 1.0 - student((at - drift) / self.deviation, self.freedom);
        let reflected =
            (2.0 * drift * moved / (self.deviation * self.deviation)).exp() * beyond(moved, -drift);
        let ending = beyond(moved, drift);
        // With drift, fewer paths come back from the level than end beyond it. The factor in the principle is that of
        // the normal distribution: with heavier tails it grows past that, and without limit if the spread is small.
        let reflected = if drift > 0.0 {
            reflected.min(ending)
        } else {
            reflected
        };
        // Ending there also counts as touching it.
        (ending + reflected).clamp(beyond(level, drift), 1.0)
    }

    /// The change, in percent, below which the price stays with this chance (0 to 1).
    pub fn quantile_pct(&self, chance: f64) -> f64 {
        let chance = chance.clamp(0.001, 0.999);
        // The distribution function rises, so bisection finds the point.
        let (mut low, mut high) = (-60.0_f64, 60.0_f64);
        for _ in 0..80 {
            let middle = f64::midpoint(low, high);
            if student(middle, self.freedom) < chance {
                low = middle;
            } else {
                high = middle;
            }
        }
        ((self.drift + self.deviation * f64::midpoint(low, high)).exp() - 1.0) * 100.0
    }

    /// The same with a spread this many times as wide.
    #[must_use]
    pub fn widened(self, times: f64) -> Self {
        Self {
            deviation: self.deviation * times,
            ..self
        }
    }
}

/// Student's distribution with variance 1: the chance of staying below `at`, with more than two degrees of freedom.
fn student(at: f64, freedom: f64) -> f64 {
    let scaled = at * (freedom / (freedom - 2.0)).sqrt();
    let share = freedom / (freedom + scaled * scaled);
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, share);
    if scaled > 0.0 { 1.0 - tail } else { tail }
}

/// The regularised incomplete beta function by its continued fraction (Numerical Recipes, 6.4).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

#[expect(
    clippy::many_single_char_names,
    reason = "the names of the published formula"
)]
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let safe = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let mut whole = d;
    for step in 1..300 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / safe(1.0 + even * d);
        c = safe(1.0 + even / c);
        whole *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / safe(1.0 + odd * d);
        c = safe(1.0 + odd / c);
        let change = d * c;
        whole *= change;
        if (change - 1.0).abs() < 1e-12 {
            break;
        }
    }
    whole
}

/// Logarithm of the gamma function (Lanczos 1964, six terms).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.001_208_650_973_866_179,
        -0.000_005_395_239_384_953,
    ];
    let base = x + 5.5 - (x + 0.5) * (x + 5.5).ln();
    let mut sum = 1.000_000_000_190_015;
    for (place, term) in TERMS.iter().enumerate() {
        sum += term / (x + 1.0 + place as f64);
    }
    -base + (2.506_628_274_631_000_5 * sum / x).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        // Student's t with 10 degrees of freedom: 97.5 % below 2.228, 95 % below 1.812; scaled to variance 1.
        let scale = (10.0_f64 / 8.0).sqrt();
        assert!((student(2.228_14 / scale, 10.0) - 0.975).abs() < 1e-5);
        assert!((student(1.812_46 / scale, 10.0) - 0.95).abs() < 1e-5);
        assert!((student(-1.812_46 / scale, 10.0) - 0.05).abs() < 1e-5);
        assert!((student(0.0, 7.0) - 0.5).abs() < 1e-12);
    }

    fn closes(seed: u64, number: usize, daily: f64) -> Vec<f64> {
        let mut state = seed;
        let mut close = 100.0;
        (0..number)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
                close *= (daily * (2.0 * unit - 1.0) * 3.0_f64.sqrt()).exp();
                close
            })
            .collect()
    }

    #[test]
    fn a_wilder_price_has_a_wider_range_and_a_longer_time_too() {
        let calm = outlook(&closes(1, 800, 0.01), 21).unwrap();
        let wild = outlook(&closes(1, 800, 0.03), 21).unwrap();
        assert!(wild.quantile_pct(0.9) > 2.0 * calm.quantile_pct(0.9));
        let long = outlook(&closes(1, 800, 0.01), 252).unwrap();
        assert!(long.deviation > 2.5 * calm.deviation);
        // √21 of one percent a day.
        assert!(
            (calm.deviation / 0.0458 - 1.0).abs() < 0.15,
            "{}",
            calm.deviation
        );
    }

    #[test]
    fn late_unrest_widens_the_next_weeks_more_than_the_next_year() {
        let mut prices = closes(3, 700, 0.008);
        let last = *prices.last().unwrap();
        prices.extend(closes(4, 40, 0.03).iter().map(|one| one / 100.0 * last));
        let quiet = outlook(&prices[..700], 21).unwrap();
        let near = outlook(&prices, 21).unwrap();
        let far = outlook(&prices, 252).unwrap();
        let quiet_far = outlook(&prices[..700], 252).unwrap();
        assert!(near.deviation / quiet.deviation > 1.3);
        assert!(far.deviation / quiet_far.deviation < near.deviation / quiet.deviation);
    }

    #[test]
    fn too_little_is_no_outlook() {
        assert!(outlook(&closes(1, LEAST_RETURNS, 0.01), 5).is_none());
        assert!(outlook(&vec![10.0; 500], 5).is_none());
        let mut broken = closes(1, 500, 0.01);
        broken[17] = 0.0;
        assert!(outlook(&broken, 5).is_none());
        assert!(outlook(&closes(1, 500, 0.01), 0).is_none());
    }

    proptest! {
        #[test]
        fn chances_and_quantiles_are_inverse_and_in_order(seed in 1_u64.., number in 200_usize..900, sessions in 1_usize..300, daily in 0.001_f64..0.08) {
            let outlook = outlook(&closes(seed, number, daily), sessions).unwrap();
            prop_assert!((0.0..=1.0).contains(&outlook.chance_up));
            let mut before = f64::NEG_INFINITY;
            for chance in [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95] {
                let change = outlook.quantile_pct(chance);
                prop_assert!(change.is_finite() && change > before && change > -100.0);
                prop_assert!((outlook.chance_below(change) - chance).abs() < 1e-6);
                before = change;
            }
        }

        #[test]
        fn a_level_is_touched_at_least_as_often_as_it_holds(seed in 1_u64.., sessions in 1_usize..400, daily in 0.000_01_f64..0.05, trend in -0.02_f64..0.02, change in -90.0_f64..400.0) {
            let mut prices = closes(seed, 300, daily);
            for (day, price) in prices.iter_mut().enumerate() {
                *price *= (trend * day as f64).exp();
            }
            let outlook = outlook(&prices, sessions).unwrap();
            let below = outlook.chance_below(change);
            let ending = if change >= 0.0 { 1.0 - below } else { below };
            let touching = outlook.chance_touching(change);
            prop_assert!((ending - 1e-9..=1.0).contains(&touching), "{touching} {ending}");
        }
    }

    #[test]
    fn a_level_is_touched_about_twice_as_often_as_it_holds() {
        let made = outlook(&closes(7, 2_000, 0.012), 63).unwrap();
        // Random walks with the volatility and the drift of the outlook, one step per session.
        let daily = made.deviation / 63.0_f64.sqrt();
        let drift = made.drift / 63.0;
        for change in [-20.0, -8.0, 5.0, 12.0] {
            let level = (1.0 + change / 100.0_f64).ln();
            let walks = 4_000;
            let touched = (0..walks)
                .filter(|walk| {
                    let steps = closes(1_000 + walk, 64, daily);
                    (1..64).any(|step| {
                        let at = (steps[step] / steps[0]).ln() + drift * step as f64;
                        if change > 0.0 {
                            at >= level
                        } else {
                            at <= level
                        }
                    })
                })
                .count();
            let simulated = touched as f64 / f64::from(walks as u32);
            let chance = made.chance_touching(change);
            assert!(
                (chance - simulated).abs() < 0.03,
                "{change}: {chance} against {simulated}"
            );
            let ending = if change > 0.0 {
                1.0 - made.chance_below(change)
            } else {
                made.chance_below(change)
            };
            assert!(
                chance > ending && chance < 2.1 * ending + 0.02,
                "{change}: {chance}, {ending}"
            );
        }
    }
}
