//! A strategy compared with an alternative that could have been held instead, and how much of the time and the money
//! it used.
//!
//! The two are compared by the returns of the sessions that both have. `beta` is their covariance over the variance
//! of the benchmark. `alpha_pct` is what the strategy earned in a year beyond beta times the benchmark's return, both
//! from mean session returns times 252 and without a risk-free rate.
//!
//! Worked example: the benchmark returns 1 % and −1 % in turn, the strategy 2 % and −1 %. The covariance is 1.5 and
//! the variance 1, in squared percent, so beta is 1.5. The strategy's mean is 0.5 % and the benchmark's 0, so alpha
//! is 126 %.

use crate::backtest::{Backtest, EquityPoint};
use crate::{Candles, Day};

/// Sessions in a year.
const YEAR: f64 = 252.0;
/// With fewer returns than this, the figures are meaningless.
const LEAST: usize = 20;

/// How a strategy compares with its benchmark. Figures that cannot be computed are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What holding the benchmark from the first session to the last would have earned, in percent.
    pub total_return_pct: Option<f64>,
    /// What the strategy earned beyond that, in percentage points.
    pub excess_return_pct: Option<f64>,
    /// See above; needs twenty returns.
    pub alpha_pct: Option<f64>,
    /// See above; needs twenty returns.
    pub beta: Option<f64>,
    /// The first and the last session that both have.
    pub span: Option<(Day, Day)>,
}

/// Compares an equity curve with an alternative that could have been held instead.
pub fn compare(curve: &[EquityPoint], benchmark: Candles<'_>) -> Comparison {
    let shared: Vec<(Day, f64, f64)> = curve
        .iter()
        .filter_map(|point| {
            let bar = benchmark.days().binary_search(&point.day).ok()?;
            Some((point.day, point.value, benchmark.close()[bar]))
        })
        .collect();
    let (Some(first), Some(last)) = (shared.first(), shared.last()) else {
        return Comparison::default();
    };
    let held = (last.2 / first.2 - 1.0) * 100.0;
    let earned = (last.1 / first.1 - 1.0) * 100.0;
    let returns: Vec<(f64, f64)> = shared
        .windows(2)
        .map(|pair| (pair[1].1 / pair[0].1 - 1.0, pair[1].2 / pair[0].2 - 1.0))
        .filter(|(own, other)| own.is_finite() && other.is_finite())
        .collect();
    let count = returns.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| returns.iter().map(of).sum::<f64>() / count;
    let (own, other) = (mean(|one| one.0), mean(|one| one.1));
    let covariance: f64 = returns
        .iter()
        .map(|one| (one.0 - own) * (one.1 - other))
        .sum();
    let variance: f64 = returns.iter().map(|one| (one.1 - other).powi(2)).sum();
    let is_enough = returns.len() >= LEAST && variance > 0.0;
    let beta = is_enough.then(|| covariance / variance);
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    Comparison {
        total_return_pct: finite(held),
        excess_return_pct: finite(earned - held),
        alpha_pct: beta.and_then(|beta| finite((own - beta * other) * YEAR * 100.0)),
        beta,
        span: Some((first.0, last.0)),
    }
}

impl Backtest {
    /// The mean share of the money that was invested at the closes, in percent; `None` without any session.
    pub fn exposure_pct(&self) -> Option<f64> {
        let shares = self.equity_curve.iter();
        let shares = shares.filter(|point| point.value > 0.0);
        let (sum, count) = shares.fold((0.0, 0.0), |(sum, count), point| {
            (sum + (1.0 - point.cash / point.value), count + 1.0)
        });
        (count > 0.0).then(|| sum / count * 100.0)
    }

    /// Annual turnover in percent: purchases and sales, halved, over the mean value; `None` without any session.
    pub fn turnover_pct(&self) -> Option<f64> {
        let sessions = self.equity_curve.len() as f64;
        let mean = self
            .equity_curve
            .iter()
            .map(|point| point.value)
            .sum::<f64>()
            / sessions;
        let traded: f64 = self
            .trades
            .iter()
            .map(|trade| trade.cost + trade.proceeds)
            // The sum of an empty series is minus zero.
            .fold(0.0, |sum, traded| sum + traded);
        let turned = traded / 2.0 / mean * (YEAR / sessions) * 100.0;
        turned.is_finite().then_some(turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns};

    fn day(number: i32) -> Day {
        Day::new(20_000 + number).unwrap()
    }

    #[test]
    fn the_worked_example() {
        let (mut own, mut other) = (100.0, 50.0);
        let mut curve = Vec::new();
        let mut candles = Vec::new();
        for number in 0..41 {
            if number > 0 {
                let is_up = number % 2 == 1;
                own *= if is_up { 1.02 } else { 0.99 };
                other *= if is_up { 1.01 } else { 0.99 };
            }
            curve.push(EquityPoint {
                day: day(number),
                value: own,
                cash: own / 4.0,
                positions: 1,
            });
            candles.push(Candle {
                day: day(number),
                open: other,
                high: other,
                low: other,
                close: other,
                volume: 1.0,
            });
        }
        let (columns, _) = CandleColumns::sift(candles);
        let found = compare(&curve, columns.view());
        assert!((found.beta.unwrap() - 1.5).abs() < 1e-9);
        assert!((found.alpha_pct.unwrap() - 126.0).abs() < 1e-6);
        assert!((found.total_return_pct.unwrap() - (other / 50.0 - 1.0) * 100.0).abs() < 1e-9);
        let excess = (own / 100.0 - other / 50.0) * 100.0;
        assert!((found.excess_return_pct.unwrap() - excess).abs() < 1e-9);
        assert_eq!(found.span, Some((day(0), day(40))));
        // Compared with itself it has a beta of one and no alpha.
        let itself = compare(&curve[..2], columns.view());
        assert_eq!((itself.alpha_pct, itself.beta), (None, None));
        assert_eq!(compare(&[], columns.view()), Comparison::default());
    }
}
