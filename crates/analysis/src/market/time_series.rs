//! A series of values as known at a point in time, and what its newest value says.
//!
//! A value becomes known at the end of the day that follows its own day by the series' publication lag. This applies
//! to `as_of` questions; for questions about now, everything in the store is known, whenever it was published.

use std::sync::Arc;

use model::{AssetType, Day, Frequency, Observation, Quote, Series, SeriesId, Timestamp};
use store::{History, Store};

use super::cache::MarketCache;
use super::catalog::INDICES;
use super::{DataIssue, PointInTime};
use crate::Result;

/// How the unit begins if a price is in hundredths of a dollar.
const CENTS: &str = "US cents";

/// Reads series that are not instruments: currency pairs, commodities, indices, yields, economic indicators.
#[derive(Clone, Debug)]
pub struct TimeSeries {
    store: Store,
    cache: Arc<MarketCache>,
}

/// A series with the values known at a point in time; there is at least one value, or a quote.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// What it is about.
    pub series: Series,
    /// In ascending order by day.
    pub observations: Vec<Observation>,
    quote: Option<Quote>,
    /// The newest day in the store, and when that was written.
    recorded: Option<(Day, Timestamp)>,
}

/// The newest value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The value, in the unit of the series.
    pub value: f64,
    /// The change from the previous value, in the unit of the series; `None` if there is none or too many days lie
    /// between.
    pub change: Option<f64>,
    /// The same in percent; also `None` if either value allows no percentage.
    pub change_pct: Option<f64>,
    /// The day that it is about, or the first day of the week, month, quarter or year.
    pub day: Day,
    /// When it was paid or became known.
    pub at: Timestamp,
}

impl TimeSeries {
    pub(super) fn new(store: Store, cache: Arc<MarketCache>) -> Self {
        Self { store, cache }
    }

    /// The newest quote of a series, such as `fx:EURUSD`.
    pub async fn quote(&self, series: &str) -> Result<Option<Quote>> {
        Ok(self.cache.snapshot().await?.quotes.get(series).cloned())
    }

    /// Every series of a kind, such as `cap` for the market values of coins.
    pub(crate) async fn of_kind(&self, kind: &str) -> Result<Vec<Series>> {
        Ok(self.store.market().series(kind).await?)
    }

    /// The values of a series as stored, in ascending order by day.
    pub(super) async fn observations(
        &self,
        id: &SeriesId,
        when: PointInTime,
    ) -> Result<Vec<Observation>> {
        Ok(self.stored(id, when).await?.rows)
    }

    async fn stored(&self, id: &SeriesId, when: PointInTime) -> Result<History<Observation>> {
        Ok(self.store.market().values(id, when.as_of).await?)
    }

    /// A series as known at a point in time; `None` if nothing was known of it.
    pub async fn values(&self, id: &SeriesId, when: PointInTime) -> Result<Option<Values>> {
        let quote = self.quote(&id.0).await?;
        let quote = quote.filter(|quote| {
            when.as_of.is_none() && quote.at <= when.end && quote.price.is_finite()
        });
        let Some(series) = self.store.market().find_series(id).await? else {
            return Ok(quote.map(|quote| Values::of_quote(id, quote)));
        };
        let History {
            rows: mut observations,
            recorded_at,
            ..
        } = self.stored(id, when).await?;
        let recorded = observations.last().map(|one| one.day).zip(recorded_at);
        observations.retain(|one| {
            let is_known = match when.as_of {
                Some(as_of) => known_at(&series, one.day) <= as_of,
                None => one.day <= Day::of(when.end),
            };
            is_known && one.value.is_finite()
        });
        let is_empty = observations.is_empty() && quote.is_none();
        Ok((!is_empty).then_some(Values {
            series,
            observations,
            quote,
            recorded,
        }))
    }

    /// The series, among several, that has the value for the newest day; among equals, the first. Values quoted in US
    /// cents are returned in US dollars.
    pub async fn newest_values(&self, ids: &[&str], when: PointInTime) -> Result<Option<Values>> {
        let mut newest: Option<(Values, Day)> = None;
        for id in ids {
            let found = self.values(&SeriesId((*id).to_owned()), when).await?;
            let level = found.as_ref().and_then(Values::level);
            if let (Some(found), Some(level)) = (found, level)
                && newest.as_ref().is_none_or(|(_, day)| level.day > *day)
            {
                newest = Some((found, level.day));
            }
        }
        Ok(newest.map(|(values, _)| values.in_dollars()))
    }
}

/// The maximum number of days between two consecutive values at a given frequency, holidays included.
const fn longest_step(frequency: Frequency) -> i32 {
    match frequency {
        Frequency::Daily => 7,
        Frequency::Weekly => 14,
        Frequency::Monthly => 62,
        Frequency::Quarterly => 184,
        Frequency::Annual => 731,
    }
}

/// When the value for a given day becomes public: index levels at the close of their session, others at the end of the
/// day that follows their own by the lag of their series.
pub(crate) fn known_at(series: &Series, day: Day) -> Timestamp {
    let lag = series.publication_lag_days;
    // The close of an index is public at once, even if a bank lists it the next day.
    let is_listed = INDICES
        .iter()
        .any(|one| one.series.contains(&series.id.0.as_str()));
    if lag == 0 && series.id.kind() == "index" || is_listed && series.frequency == Frequency::Daily
    {
        return PointInTime::known_at(day, AssetType::Equity);
    }
    day.plus(lag.saturating_add(1)).starts_at()
}

impl Values {
    /// For something known only from quotes.
    fn of_quote(id: &SeriesId, quote: Quote) -> Self {
        Self {
            series: Series {
                id: id.clone(),
                name: id.name().to_owned(),
                unit: String::new(),
                frequency: Frequency::Daily,
                source: "quote".to_owned(),
                publication_lag_days: 0,
            },
            observations: Vec::new(),
            quote: Some(quote),
            recorded: None,
        }
    }

    /// The same in US dollars if the series is in US cents, as grains, coffee, cotton and sugar are quoted.
    #[must_use]
    fn in_dollars(mut self) -> Self {
        let Some(rest) = self.series.unit.strip_prefix(CENTS) else {
            return self;
        };
        self.series.unit = format!("USD{rest}");
        for one in &mut self.observations {
            one.value /= 100.0;
        }
        if let Some(quote) = &mut self.quote {
            quote.price /= 100.0;
            quote.previous_close = quote.previous_close.map(|close| close / 100.0);
        }
        self
    }

    /// The newest value: a quote if one was paid after the newest day ended, otherwise the newest observation.
    pub fn level(&self) -> Option<Level> {
        let count = self.observations.len();
        let newest = self.observations.last();
        let ended = |day: Day| day.plus(1).starts_at();
        if let Some(quote) = &self.quote
            && newest.is_none_or(|newest| quote.at >= ended(newest.day))
        {
            let before = quote.previous_close.or(newest.map(|newest| newest.value));
            return Some(Level {
                value: quote.price,
                change: before.map(|before| quote.price - before),
                change_pct: before.and_then(|before| change_pct(quote.price, before)),
                day: Day::of(quote.at),
                at: quote.at,
            });
        }
        let newest = newest?;
        // A value from long before is not the previous one: values in between are missing.
        let before = count
            .checked_sub(2)
            .map(|place| self.observations[place])
            .filter(|before| newest.day.since(before.day) <= longest_step(self.series.frequency));
        Some(Level {
            value: newest.value,
            change: before.map(|before| newest.value - before.value),
            change_pct: before.and_then(|before| change_pct(newest.value, before.value)),
            day: newest.day,
            at: known_at(&self.series, newest.day),
        })
    }

    /// Notes that the newest value is older than it should be at this frequency.
    pub fn staleness(
        &self,
        field: &'static str,
        what: &str,
        when: PointInTime,
    ) -> Option<DataIssue> {
        let level = self.level()?;
        let age = Day::of(when.end).since(level.day);
        let usual = usual_age(&self.series);
        (age > usual).then(|| DataIssue {
            source: Some(self.series.source.clone()),
            ..DataIssue::stale(
                field,
                format!(
                    "the latest value of {what} is from {}, {age} days ago; a {} series is normally updated within {usual} days",
                    level.day,
                    self.series.frequency.as_str()
                ),
                level.at.min(when.end),
            )
            .fetched(self.recorded.filter(|(day, _)| *day == level.day).map(|(_, at)| at))
        })
    }
}

/// How far a value is from the previous one, in percent.
pub(super) fn change_pct(value: f64, before: f64) -> Option<f64> {
    market::change_pct(before, value)
}

/// How old, in days, the newest value may be while its publisher is on schedule: until the next one is due, and a
/// little longer.
fn usual_age(series: &Series) -> i32 {
    let lag = series.publication_lag_days.max(0);
    let (least, period) = match series.frequency {
        Frequency::Daily => (5, 5),
        Frequency::Weekly => (16, 14),
        Frequency::Monthly => (75, 41),
        Frequency::Quarterly => (220, 107),
        Frequency::Annual => (800, 426),
    };
    least.max(lag.saturating_add(period))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(
        frequency: Frequency,
        lag: i32,
        rows: &[(&str, f64)],
        quote: Option<Quote>,
    ) -> Values {
        Values {
            series: Series {
                id: SeriesId::new("macro", "X"),
                name: "X".into(),
                unit: String::new(),
                frequency,
                source: "FRED".into(),
                publication_lag_days: lag,
            },
            observations: rows
                .iter()
                .map(|(day, value)| Observation {
                    day: Day::parse(day).unwrap(),
                    value: *value,
                })
                .collect(),
            quote,
            recorded: None,
        }
    }

    #[test]
    fn a_quote_counts_once_the_newest_day_is_over() {
        let rows = [("2026-03-05", 100.0), ("2026-03-06", 110.0)];
        let quoted = |at: &str| {
            let quote = Quote {
                price: 121.0,
                previous_close: None,
                volume: None,
                at: at.parse().unwrap(),
            };
            let level = values(Frequency::Daily, 0, &rows, Some(quote)).level();
            level.map(|level| (level.value, level.day.to_string()))
        };
        assert_eq!(
            quoted("2026-03-06T23:59:59Z"),
            Some((110.0, "2026-03-06".to_owned()))
        );
        assert_eq!(
            quoted("2026-03-09T12:00:00Z"),
            Some((121.0, "2026-03-09".to_owned()))
        );
    }

    #[test]
    fn from_or_to_a_price_below_zero_there_is_a_change_but_no_percentage() {
        let change = |before, after| {
            let rows = [("2020-04-20", before), ("2020-04-21", after)];
            let level = values(Frequency::Daily, 0, &rows, None).level().unwrap();
            (level.change, level.change_pct)
        };
        assert_eq!(change(-37.0, 10.0), (Some(47.0), None));
        assert_eq!(change(0.0, 8.0), (Some(8.0), None));
        assert_eq!(change(18.0, -37.0), (Some(-55.0), None));
        assert_eq!(change(10.0, 5.0), (Some(-5.0), Some(-50.0)));
    }

    #[test]
    fn the_close_of_an_index_is_known_on_its_day_whoever_lists_it() {
        let day = Day::parse("2000-03-10").unwrap();
        let mut series = values(Frequency::Daily, 1, &[], None).series;
        assert_eq!(known_at(&series, day), day.plus(2).starts_at());
        series.id = SeriesId::new("macro", "NASDAQCOM");
        assert_eq!(Day::of(known_at(&series, day)), day);
    }

    #[test]
    fn a_value_is_stale_when_the_next_one_is_overdue() {
        let is_stale = |frequency, lag, now: &str| {
            let when = PointInTime {
                end: now.parse().unwrap(),
                as_of: None,
            };
            values(frequency, lag, &[("2026-01-01", 1.0)], None)
                .staleness("value", "X", when)
                .is_some()
        };
        assert!(!is_stale(Frequency::Daily, 0, "2026-01-06T12:00:00Z"));
        assert!(is_stale(Frequency::Daily, 0, "2026-01-07T12:00:00Z"));
        // January's figure comes out in the middle of February and is the newest until the middle of March.
        assert!(!is_stale(Frequency::Monthly, 43, "2026-03-16T12:00:00Z"));
        assert!(is_stale(Frequency::Monthly, 0, "2026-03-18T12:00:00Z"));
        assert!(!is_stale(Frequency::Quarterly, 119, "2026-07-30T12:00:00Z"));
        assert!(is_stale(Frequency::Quarterly, 119, "2026-09-01T12:00:00Z"));
    }
}
