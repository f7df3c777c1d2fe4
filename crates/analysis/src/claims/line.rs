//! One figure over time: closes, volumes, indicators, yields and economic series in a common form, so that every kind
//! of claim is decided by the same rules.

use market::calendar;
use model::{AssetType, Day, Frequency, Series, Timestamp};

use crate::market::{PointInTime, known_at};

/// A value on one day, with that day's low and high if they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) day: Day,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Point {
    pub(super) const fn of(day: Day, value: f64) -> Self {
        Self {
            day,
            value,
            low: value,
            high: value,
        }
    }
}

/// What the values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Money in a currency by its code.
    Money(String),
    /// Percent; changes are in percentage points.
    Percent,
    /// Counts, index points and ratios: no unit for a claim to get wrong.
    Plain,
}

/// The number of sessions after which a price is no longer current, as in every answer with prices.
const FRESH_SESSIONS: i32 = 5;

/// When values became known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Published {
    /// At the close of their session.
    AtClose(AssetType),
    /// As the series says.
    AsSeries(Box<Series>),
    /// At these times.
    At(Vec<(Day, Timestamp)>),
}

/// A figure over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// What the figure belongs to, such as `NVDA` or `US unemployment rate`.
    pub(super) name: String,
    /// What is measured, as part of a sentence, such as `close` or `trading volume`; empty if the name says it.
    pub(super) measure: String,
    /// How it is read, such as `daily close, split-adjusted`.
    pub(super) reading: String,
    pub(super) scale: Scale,
    pub(super) frequency: Frequency,
    /// In ascending order by day.
    pub(super) points: Vec<Point>,
    pub(super) source: String,
    pub(super) published: Published,
    /// Whether changes are quoted in percent of the value rather than against the previous year.
    pub(super) is_price: bool,
    /// Whether values are totals over their period, so that values for several periods are compared by their mean.
    pub(super) is_flow: bool,
    /// What values are divided by to be written as the source writes them.
    pub(super) raw: f64,
    /// Which splits its prices contain, in words, if two scales are compared; otherwise empty.
    pub(super) split_words: String,
}

impl Line {
    pub(super) fn known_at(&self, day: Day) -> Timestamp {
        match &self.published {
            Published::AtClose(kind) => PointInTime::known_at(day, *kind),
            Published::AsSeries(series) => known_at(series, day),
            Published::At(times) => times
                .iter()
                .find(|(one, _)| *one == day)
                .map_or(day.starts_at(), |(_, at)| *at),
        }
    }

    /// Whether the time at which values became known is estimated from the usual delay of the series.
    pub(super) fn is_known_at_reckoned(&self) -> bool {
        matches!(&self.published, Published::AsSeries(series) if series.publication_lag_days > 0)
    }

    /// First and last day.
    pub(super) fn held(&self) -> Option<(Day, Day)> {
        Some((self.points.first()?.day, self.points.last()?.day))
    }

    /// The points on these days.
    pub(super) fn within(&self, first: Day, last: Day) -> &[Point] {
        let from = self.points.partition_point(|point| point.day < first);
        let to = self.points.partition_point(|point| point.day <= last);
        self.points.get(from..to.max(from)).unwrap_or_default()
    }

    /// The last point before a given day.
    pub(super) fn before(&self, day: Day) -> Option<&Point> {
        let to = self.points.partition_point(|point| point.day < day);
        self.points.get(to.checked_sub(1)?)
    }

    /// The maximum number of days between two consecutive values, holidays included.
    pub(super) const fn step_days(&self) -> i32 {
        match self.frequency {
            Frequency::Daily => 6,
            Frequency::Weekly => 9,
            Frequency::Monthly => 40,
            Frequency::Quarterly => 130,
            Frequency::Annual => 500,
        }
    }

    /// The number of days after which the newest value of a statistic says nothing about now: when the next one should
    /// have been out long ago.
    pub(super) fn fresh_days(&self) -> i32 {
        let lag = match &self.published {
            Published::AsSeries(series) => series.publication_lag_days,
            Published::AtClose(_) | Published::At(_) => 0,
        };
        match self.frequency {
            Frequency::Daily => 10,
            Frequency::Weekly => 21,
            Frequency::Monthly => 31 + lag.max(45) + 10,
            Frequency::Quarterly => 92 + lag.max(180) + 28,
            Frequency::Annual => 800,
        }
    }

    /// Whether prices within its days are known: as its values, if they are highs or lows, or in addition to them.
    pub(super) fn is_within_day(&self) -> bool {
        matches!(self.measure.as_str(), "high" | "low")
            || self.points.iter().any(|point| point.low < point.high)
    }

    /// Whether the newest value is too old to say anything about now: for a price, once more than five sessions have
    /// passed since; for a monthly or weekly mean, as soon as that much time has passed since its end.
    pub(super) fn is_stale(&self, newest: Day, today: Day) -> bool {
        let age = today.since(newest);
        if !self.is_price {
            return age > self.fresh_days();
        }
        let end = self.covers(newest);
        if matches!(self.published, Published::AtClose(AssetType::Crypto)) {
            return today.since(end) > FRESH_SESSIONS;
        }
        let sessions = calendar::sessions(end.plus(1), today.plus(-1));
        sessions.take(FRESH_SESSIONS as usize + 1).count() > FRESH_SESSIONS as usize
    }

    /// The last day that a value covers.
    pub(super) fn covers(&self, day: Day) -> Day {
        match self.frequency {
            Frequency::Daily => day,
            Frequency::Weekly => day.plus(6),
            Frequency::Monthly => day.plus(27),
            Frequency::Quarterly => day.plus(89),
            Frequency::Annual => day.plus(364),
        }
    }

    /// Another reading of its values, with the splits that they contain if that matters.
    pub(super) fn read_as(&self, what: &str) -> String {
        if self.split_words.is_empty() {
            what.to_owned()
        } else {
            format!("{what}, {}", self.split_words)
        }
    }

    /// The unit in words.
    pub(super) fn unit(&self) -> &str {
        match &self.scale {
            Scale::Money(code) => code,
            Scale::Percent => "percent",
            Scale::Plain => "",
        }
    }

    /// The same line with other values.
    pub(super) fn map(&self, change: impl Fn(&Point) -> Point) -> Self {
        Self {
            points: self.points.iter().map(change).collect(),
            ..self.clone()
        }
    }

    /// This line and another, on the days that both have.
    pub(super) fn join(&self, other: &Self, combine: impl Fn(f64, f64) -> f64) -> Vec<Point> {
        let mut at = 0;
        let mut joined = Vec::new();
        for point in &self.points {
            at += other.points[at..].partition_point(|one| one.day < point.day);
            if let Some(second) = other.points.get(at)
                && second.day == point.day
            {
                let value = combine(point.value, second.value);
                if value.is_finite() {
                    joined.push(Point::of(point.day, value));
                }
            }
        }
        joined
    }
}
