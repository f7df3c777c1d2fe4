//! Daily closes of a coin.

use market::Candles;
use model::{Day, InstrumentKey, Observation, Symbol, Timestamp};

use super::{Crypto, closes_id};
use crate::Result;
use crate::market::PointInTime;

/// The number of closes kept to compare a price with.
const KEPT: usize = 40;

/// Daily closes, in ascending order by day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoinCloses {
    rows: Vec<Observation>,
}

impl Crypto {
    /// Every close of a coin that was known at a point in time.
    pub async fn closes(&self, symbol: &Symbol, when: PointInTime) -> Result<CoinCloses> {
        let key = InstrumentKey::crypto(symbol.clone());
        if let Some(listing) = self.instruments.find(&key).await? {
            let history = self.prices.history(&listing, when).await?;
            let candles = history.candles();
            if !candles.is_empty() {
                let rows = candles.days().iter().zip(candles.close());
                let rows = rows.map(|(day, value)| Observation {
                    day: *day,
                    value: *value,
                });
                return Ok(CoinCloses {
                    rows: rows.collect(),
                });
            }
        }
        let values = self.series.values(&closes_id(symbol), when).await?;
        Ok(values.map_or_else(CoinCloses::default, |values| {
            CoinCloses::of_series(&values.observations)
        }))
    }
}

impl CoinCloses {
    /// The newest closes from candles.
    pub(super) fn newest_of(candles: Candles<'_>) -> Self {
        let from = candles.len().saturating_sub(KEPT);
        let rows = candles.days()[from..]
            .iter()
            .zip(&candles.close()[from..])
            .map(|(day, value)| Observation {
                day: *day,
                value: *value,
            })
            .collect();
        Self { rows }
    }

    /// The closes from a series.
    pub(super) fn of_series(observations: &[Observation]) -> Self {
        let priced = observations.iter().filter(|one| one.value > 0.0);
        Self {
            rows: priced.copied().collect(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The newest close.
    pub fn newest(&self) -> Option<Observation> {
        self.rows.last().copied()
    }

    /// The close on a given day.
    pub(super) fn on(&self, day: Day) -> Option<f64> {
        let place = self.rows.binary_search_by_key(&day, |one| one.day).ok()?;
        Some(self.rows[place].value)
    }

    /// The closes on the last few days, up to the newest.
    pub fn last_days(&self, days: i32) -> &[Observation] {
        let from = self.newest().map(|newest| newest.day.plus(-days));
        let begin = self.rows.partition_point(|one| Some(one.day) <= from);
        &self.rows[begin..]
    }

    /// The highest close.
    pub fn highest(&self) -> Option<f64> {
        self.rows.iter().map(|one| one.value).max_by(f64::total_cmp)
    }

    /// The change in a price from the close nearest to this many days earlier, in percent; `None` if the nearest close
    /// is more than a day away.
    pub(super) fn change(&self, price: f64, at: Timestamp, days: i64) -> Option<f64> {
        let (nearest, away) = self.nearest(at.plus_ms(-days * Timestamp::DAY_MS))?;
        (away <= Timestamp::DAY_MS)
            .then(|| super::super::time_series::change_pct(price, nearest.value))
            .flatten()
    }

    /// Whether there is a close at exactly this time.
    pub(super) fn has_one_at(&self, at: Timestamp) -> bool {
        self.nearest(at).is_some_and(|(_, away)| away == 0)
    }

    /// The close nearest to a time, and how far away it is.
    fn nearest(&self, target: Timestamp) -> Option<(&Observation, i64)> {
        let away = |one: &Observation| closed_at(one.day).since_ms(target).abs();
        let nearest = self.rows.iter().min_by_key(|one| away(one))?;
        Some((nearest, away(nearest)))
    }
}

/// The time of a day's close.
pub(super) fn closed_at(day: Day) -> Timestamp {
    day.plus(1).starts_at()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closes() -> CoinCloses {
        let first = Day::parse("2026-01-01").unwrap();
        let rows = (0..40).map(|at| Observation {
            day: first.plus(at),
            value: 100.0 + f64::from(at),
        });
        CoinCloses {
            rows: rows.collect(),
        }
    }

    #[test]
    fn a_close_changes_against_the_closes_before_it() {
        let closes = closes();
        let newest = closes.newest().unwrap();
        let change = |days| closes.change(newest.value, closed_at(newest.day), days);
        assert_eq!(change(1), Some((139.0 / 138.0 - 1.0) * 100.0));
        assert_eq!(change(7), Some((139.0 / 132.0 - 1.0) * 100.0));
        assert_eq!(change(30), Some((139.0 / 109.0 - 1.0) * 100.0));
        assert_eq!(change(41), None, "the history is too short");
    }

    #[test]
    fn a_quote_changes_against_the_nearest_close() {
        let closes = closes();
        // The close of 8 February was paid at the following midnight, 23 hours earlier.
        let at: Timestamp = "2026-02-09T23:00:00Z".parse().unwrap();
        assert_eq!(
            closes.change(276.0, at, 1),
            Some((276.0 / 138.0 - 1.0) * 100.0)
        );
    }

    #[test]
    fn the_last_days_end_with_the_newest() {
        let days: Vec<String> = closes()
            .last_days(2)
            .iter()
            .map(|one| one.day.to_string())
            .collect();
        assert_eq!(days, ["2026-02-08", "2026-02-09"]);
    }
}
