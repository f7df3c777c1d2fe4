//! How well a strategy performed, from its equity curve and its trades.

use crate::Day;

/// Trading days in a year, used to annualise daily figures.
const SESSIONS_PER_YEAR: f64 = 252.0;
/// Days in a mean year.
const DAYS_PER_YEAR: f64 = 365.25;

/// The gain or loss from one trade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Proceeds minus cost, including fees.
    pub profit: f64,
    /// Calendar days between entry and exit.
    pub holding_days: i32,
}

/// The figures of the wire contract. `None` if a figure has no meaning: no trades, no losses, no variation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Performance {
    /// Last value over the first, minus one, in percent.
    pub total_return_pct: f64,
    /// The same as an annual rate over the calendar days between the first and the last value. `None` within one day.
    pub annualized_return_pct: Option<f64>,
    /// Mean of the daily returns over their sample deviation (ddof 1), times √252, with a risk-free rate of 0.
    pub sharpe_ratio: Option<f64>,
    /// Largest fall from a peak, in percent of the peak, as a positive number.
    pub max_drawdown_pct: f64,
    /// Percent of the trades that made a gain.
    pub win_rate: Option<f64>,
    /// How many trades were closed.
    pub total_trades: usize,
    /// Mean of the calendar days held.
    pub avg_holding_days: Option<f64>,
    /// Sum of the gains over the sum of the losses; `None` if there are no losses.
    pub profit_factor: Option<f64>,
}

/// The figures for a curve of positive values at ascending days, and for the trades that produced it.
///
/// Worked example: values of 100, 110, 99, 108.9 have daily returns of 0.1, −0.1, 0.1, which gives a total of 8.9 %,
/// a Sharpe ratio of (0.0333 / 0.1155) · √252 = 4.583 and a largest drawdown of 10 %.
pub fn performance(days: &[Day], values: &[f64], outcomes: &[Outcome]) -> Performance {
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Performance::default();
    };
    let growth = last / first;
    let elapsed = match days {
        [first, .., last] => f64::from(last.since(*first)),
        _ => 0.0,
    };
    let annualized = (growth.powf(DAYS_PER_YEAR / elapsed) - 1.0) * 100.0;
    let trades = outcomes.len() as f64;
    let mean = |sum: f64| (trades > 0.0).then(|| sum / trades);
    let gains: f64 = outcomes.iter().map(|trade| trade.profit.max(0.0)).sum();
    let losses: f64 = outcomes.iter().map(|trade| (-trade.profit).max(0.0)).sum();
    let won = outcomes.iter().filter(|trade| trade.profit > 0.0).count();
    let held: f64 = outcomes
        .iter()
        .map(|trade| f64::from(trade.holding_days))
        .sum();
    Performance {
        total_return_pct: (growth - 1.0) * 100.0,
        annualized_return_pct: (elapsed > 0.0 && annualized.is_finite()).then_some(annualized),
        sharpe_ratio: sharpe_ratio(values),
        max_drawdown_pct: max_drawdown_pct(values),
        win_rate: mean(won as f64 * 100.0),
        total_trades: outcomes.len(),
        avg_holding_days: mean(held),
        profit_factor: (losses > 0.0).then(|| gains / losses),
    }
}

fn sharpe_ratio(values: &[f64]) -> Option<f64> {
    let returns: Vec<f64> = values
        .windows(2)
        .map(|pair| pair[1] / pair[0] - 1.0)
        .collect();
    if returns.len() < 2 {
        return None;
    }
    let count = returns.len() as f64;
    let mean = returns.iter().sum::<f64>() / count;
    let squares: f64 = returns.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    // A deviation no larger than rounding would make an arbitrarily large ratio out of nothing.
    (deviation > f64::EPSILON).then(|| mean / deviation * SESSIONS_PER_YEAR.sqrt())
}

fn max_drawdown_pct(values: &[f64]) -> f64 {
    let mut peak = f64::MIN_POSITIVE;
    values.iter().fold(0.0, |worst: f64, value| {
        peak = peak.max(*value);
        worst.max((1.0 - value / peak) * 100.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(count: i32) -> Vec<Day> {
        (0..count).map(|day| Day::new(day).unwrap()).collect()
    }

    #[test]
    fn the_worked_example() {
        let outcomes = [(30.0, 2), (-10.0, 4), (0.0, 0)].map(|(profit, holding_days)| Outcome {
            profit,
            holding_days,
        });
        let found = performance(&days(4), &[100.0, 110.0, 99.0, 108.9], &outcomes);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-3, "{found}");
        near(found.total_return_pct, 8.9);
        near(found.sharpe_ratio.unwrap(), 4.5826);
        near(found.max_drawdown_pct, 10.0);
        near(found.win_rate.unwrap(), 100.0 / 3.0);
        near(found.profit_factor.unwrap(), 3.0);
        near(found.avg_holding_days.unwrap(), 2.0);
        near(
            found.annualized_return_pct.unwrap() / 100.0 + 1.0,
            1.089_f64.powf(365.25 / 3.0),
        );
    }

    #[test]
    fn what_has_no_meaning_has_no_value() {
        assert_eq!(performance(&[], &[], &[]), Performance::default());
        let still = performance(&days(3), &[5.0; 3], &[]);
        assert_eq!(
            still,
            Performance {
                annualized_return_pct: Some(0.0),
                ..Performance::default()
            }
        );
        assert_eq!(
            performance(&days(1), &[5.0], &[]).annualized_return_pct,
            None
        );
        let leap = performance(&days(2), &[1.0, 1e6], &[]);
        assert_eq!(
            (leap.annualized_return_pct, leap.sharpe_ratio),
            (None, None)
        );
    }
}
