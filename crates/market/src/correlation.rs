//! How prices move together: Pearson's correlation coefficient of daily log returns.
//!
//! Returns are taken between consecutive days on which *all* tickers have a candle, within the last `days` calendar
//! days before the newest of these days. A price that does not move has no correlation, and neither do fewer than
//! three returns. Both are `None`, never NaN.

use crate::{Candles, Day, Error};

/// Most tickers per request.
pub const TICKERS: std::ops::RangeInclusive<usize> = 2..=10;
/// Most calendar days per request.
pub const DAYS: std::ops::RangeInclusive<i32> = 1..=365;

/// Two returns always lie on a line; fewer than this are meaningless.
const LEAST_RETURNS: usize = 3;

/// How close a coefficient is to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each label names itself")]
pub enum CorrelationLabel {
    StrongPositive,
    Positive,
    Moderate,
    Weak,
    Negative,
    StrongNegative,
}

impl CorrelationLabel {
    /// By magnitude: at least 0.8 strong, 0.5 plain, 0.3 moderate, else weak; the first two by sign.
    pub fn of(coefficient: f64) -> Self {
        let positive = coefficient > 0.0;
        match coefficient.abs() {
            size if size >= 0.8 && positive => Self::StrongPositive,
            size if size >= 0.8 => Self::StrongNegative,
            size if size >= 0.5 && positive => Self::Positive,
            size if size >= 0.5 => Self::Negative,
            size if size >= 0.3 => Self::Moderate,
            _ => Self::Weak,
        }
    }

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StrongPositive => "strong_positive",
            Self::Positive => "positive",
            Self::Moderate => "moderate",
            Self::Weak => "weak",
            Self::Negative => "negative",
            Self::StrongNegative => "strong_negative",
        }
    }
}

/// The coefficients of every pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// How many returns were compared.
    pub returns: usize,
    /// First and last shared day.
    pub span: Option<(Day, Day)>,
    size: usize,
    coefficients: Vec<Option<f64>>,
}

impl Correlation {
    /// The coefficient of two of the given series, by position; 1 on the diagonal for a series that moves.
    pub fn get(&self, a: usize, b: usize) -> Option<f64> {
        *self.coefficients.get(a * self.size + b)?
    }

    /// Every pair once, in the order given.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, Option<f64>)> + '_ {
        (0..self.size).flat_map(move |a| (a + 1..self.size).map(move |b| (a, b, self.get(a, b))))
    }
}

/// The coefficients of 2 to 10 series over 1 to 365 calendar days.
pub fn correlation(series: &[Candles<'_>], days: i32) -> Result<Correlation, Error> {
    if !TICKERS.contains(&series.len()) {
        return Err(Error::Parameter {
            name: "tickers",
            wanted: "2 to 10 tickers",
        });
    }
    if !DAYS.contains(&days) {
        return Err(Error::Parameter {
            name: "days",
            wanted: "a whole number from 1 to 365",
        });
    }
    let shared = shared_days(series, days);
    let deviations: Vec<Option<Vec<f64>>> = series
        .iter()
        .map(|candles| standardised(&log_returns(*candles, &shared)))
        .collect();
    let size = series.len();
    let mut coefficients = vec![None; size * size];
    for a in 0..size {
        for b in a..size {
            let coefficient = match (&deviations[a], &deviations[b]) {
                (Some(_), Some(_)) if a == b => Some(1.0),
                (Some(a), Some(b)) => Some(dot(a, b).clamp(-1.0, 1.0)),
                _ => None,
            };
            coefficients[a * size + b] = coefficient;
            coefficients[b * size + a] = coefficient;
        }
    }
    Ok(Correlation {
        returns: shared.len().saturating_sub(1),
        span: shared.first().copied().zip(shared.last().copied()),
        size,
        coefficients,
    })
}

/// The days that all series have, within `days` before the newest of them.
fn shared_days(series: &[Candles<'_>], days: i32) -> Vec<Day> {
    let Some((first, others)) = series.split_first() else {
        return Vec::new();
    };
    let mut shared = first.days().to_vec();
    for other in others {
        let mut theirs = other.days().iter().peekable();
        shared.retain(|day| {
            while theirs.next_if(|their| *their < day).is_some() {}
            theirs.peek() == Some(&day)
        });
    }
    if let Some(newest) = shared.last() {
        let start = newest.plus(-days);
        shared.drain(..shared.partition_point(|day| *day <= start));
    }
    shared
}

fn log_returns(candles: Candles<'_>, shared: &[Day]) -> Vec<f64> {
    let Some(first) = shared.first() else {
        return Vec::new();
    };
    let window = candles.since(*first);
    let mut closes = window.days().iter().zip(window.close());
    let prices: Vec<f64> = shared
        .iter()
        .filter_map(|day| closes.find(|(own, _)| *own == day))
        .map(|(_, close)| *close)
        .collect();
    prices
        .windows(2)
        .map(|pair| (pair[1] / pair[0]).ln())
        .collect()
}

/// Deviations from the mean, scaled to a length of one; `None` if there is no variation.
fn standardised(returns: &[f64]) -> Option<Vec<f64>> {
    if returns.len() < LEAST_RETURNS {
        return None;
    }
    let mean = sum(returns) / returns.len() as f64;
    let mut deviations: Vec<f64> = returns.iter().map(|value| value - mean).collect();
    let length = dot(&deviations, &deviations).sqrt();
    // Equal returns leave only rounding errors; a coefficient computed from them would be noise.
    let largest = returns
        .iter()
        .fold(0.0, |most: f64, value| most.max(value.abs()));
    if length <= largest * 1e-12 {
        return None;
    }
    for deviation in &mut deviations {
        *deviation /= length;
    }
    Some(deviations)
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// The scalar product, in four running sums so that the processor need not wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours_a, rest_a) = a.as_chunks::<4>();
    let (fours_b, rest_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in fours_a.iter().zip(fours_b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums[0] + sums[1] + sums[2] + sums[3] + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns};
    use proptest::prelude::*;

    fn columns(days: impl Iterator<Item = (i32, f64)>) -> CandleColumns {
        let (columns, refusals) = CandleColumns::sift(days.map(|(day, price)| Candle {
            day: Day::new(day).unwrap(),
            open: price,
            high: price,
            low: price,
            close: price,
            volume: 0.0,
        }));
        assert!(refusals.is_empty());
        columns
    }

    /// The textbook formula in one pass of plain sums, over all returns.
    fn second_implementation(a: &[f64], b: &[f64]) -> f64 {
        let returns = |prices: &[f64]| -> Vec<f64> {
            prices.windows(2).map(|p| (p[1] / p[0]).ln()).collect()
        };
        let (a, b) = (returns(a), returns(b));
        let n = a.len() as f64;
        let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
        let covariance: f64 = a
            .iter()
            .zip(&b)
            .map(|(a, b)| (a - mean_a) * (b - mean_b))
            .sum();
        let square =
            |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        covariance / (square(&a, mean_a).sqrt() * square(&b, mean_b).sqrt())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_a_second_implementation(
            prices in prop::collection::vec((1.0_f64..100.0, 1.0_f64..100.0, 1.0_f64..100.0), 5..200),
        ) {
            let column = |pick: fn(&(f64, f64, f64)) -> f64| prices.iter().map(pick).collect::<Vec<_>>();
            let plain = [column(|p| p.0), column(|p| p.1), column(|p| p.2)];
            let stored = plain.clone().map(|prices| columns((0..).zip(prices)));
            let views = [stored[0].view(), stored[1].view(), stored[2].view()];
            let found = correlation(&views, 365).unwrap();
            prop_assert_eq!(found.returns, prices.len() - 1);
            for (a, b, coefficient) in found.pairs() {
                let coefficient = coefficient.unwrap();
                prop_assert!((coefficient - second_implementation(&plain[a], &plain[b])).abs() <= 1e-12);
                prop_assert_eq!(Some(coefficient), found.get(b, a));
            }
            prop_assert_eq!(found.get(0, 0), Some(1.0));
        }
    }

    #[test]
    fn only_shared_days_of_the_window_count() {
        let wave = |day: i32| 10.0 + f64::from(day * 7 % 5);
        let a = columns((0..40).map(|day| (day, wave(day))));
        let b = columns((0..80).step_by(2).map(|day| (day, 2.0 * wave(day))));
        let found = correlation(&[a.view(), b.view()], 10).unwrap();
        // Shared days are even and end with 38; those after 28 are 30, 32, 34, 36, 38.
        assert_eq!(found.returns, 4);
        assert_eq!(
            found.span,
            Some((Day::new(30).unwrap(), Day::new(38).unwrap()))
        );
        assert!((found.get(0, 1).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_move_has_no_correlation() {
        let still = columns((0..30).map(|day| (day, 3.1)));
        let moves = columns((0..30).map(|day| (day, 3.0 + f64::from(day % 3))));
        let grows = columns((0..30).map(|day| (day, 1.01_f64.powi(day))));
        let found = correlation(&[still.view(), moves.view(), grows.view()], 365).unwrap();
        assert_eq!(found.get(0, 1), None);
        assert_eq!(found.get(0, 0), None);
        assert_eq!(found.get(1, 2), None, "equal returns have no variation");
        let short = correlation(&[moves.view().newest(2), moves.view()], 365).unwrap();
        assert_eq!((short.returns, short.get(0, 1)), (1, None));
        let apart = correlation(&[moves.view().bars(0, 5), moves.view().bars(6, 9)], 90).unwrap();
        assert_eq!((apart.returns, apart.span), (0, None));
    }

    #[test]
    fn bounds_are_named() {
        let a = columns([(0, 1.0)].into_iter());
        let too_few = correlation(&[a.view()], 90).unwrap_err();
        assert_eq!(too_few.key(), "tickers");
        for days in [0, 366] {
            assert_eq!(correlation(&[a.view(); 2], days).unwrap_err().key(), "days");
        }
    }

    #[test]
    fn labels_follow_size_and_sign() {
        for (coefficient, label) in [
            (1.0, "strong_positive"),
            (0.8, "strong_positive"),
            (0.79, "positive"),
            (0.5, "positive"),
            (-0.3, "moderate"),
            (0.29, "weak"),
            (-0.5, "negative"),
            (-0.8, "strong_negative"),
        ] {
            assert_eq!(CorrelationLabel::of(coefficient).as_str(), label);
        }
    }
}
