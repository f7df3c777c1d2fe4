//! Calendar days, without a time or a time zone.
//!
//! A candle belongs to a day of its exchange. Which UTC hours that day covers is a matter for the exchange's calendar,
//! not for this module.

use std::fmt;

use jiff::civil::{Date, Weekday, date};
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// Days since 1970-01-01, as the exchange counts them; `YYYY-MM-DD` in JSON.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Day(i32);

const EPOCH: Date = date(1970, 1, 1);

impl Day {
    /// The first day that is accepted anywhere: 1800-01-01.
    pub const MIN: Self = Self(-62_091);
    /// The last day that is accepted anywhere: 9999-12-31.
    pub const MAX: Self = Self(2_932_896);

    /// From days since the epoch; `None` outside 1800 to 9999.
    pub const fn new(days: i32) -> Option<Self> {
        if days < Self::MIN.0 || days > Self::MAX.0 {
            None
        } else {
            Some(Self(days))
        }
    }

    /// Days since the epoch.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The day of a date; dates outside 1800 to 9999 become the nearest limit.
    pub fn from_date(date: Date) -> Self {
        let days = date.duration_since(EPOCH).as_hours() / 24;
        Self(days.clamp(i64::from(Self::MIN.0), i64::from(Self::MAX.0)) as i32)
    }

    /// From `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let date = (text.len() == 10).then(|| Date::strptime("%Y-%m-%d", text).ok())??;
        let day = Self::from_date(date);
        (day.date() == date).then_some(day)
    }

    /// Year, month and day.
    pub fn date(self) -> Date {
        EPOCH
            .checked_add(jiff::SignedDuration::from_hours(i64::from(self.0) * 24))
            .unwrap_or(EPOCH)
    }

    /// The English name of its month, such as `February`; the first three letters are the usual short form.
    pub fn month_name(self) -> &'static str {
        match self.date().month() {
            1 => "January",
            2 => "February",
            3 => "March",
            4 => "April",
            5 => "May",
            6 => "June",
            7 => "July",
            8 => "August",
            9 => "September",
            10 => "October",
            11 => "November",
            _ => "December",
        }
    }

    /// The UTC day of a time.
    pub fn of(time: Timestamp) -> Self {
        let days = time.day();
        Self(days.clamp(i64::from(Self::MIN.0), i64::from(Self::MAX.0)) as i32)
    }

    /// Its start in UTC.
    pub fn starts_at(self) -> Timestamp {
        Timestamp::start_of_day(i64::from(self.0))
    }

    /// This day moved by `days`, stopping at the first and last accepted day.
    pub const fn plus(self, days: i32) -> Self {
        let moved = self.0.saturating_add(days);
        if moved < Self::MIN.0 {
            Self::MIN
        } else if moved > Self::MAX.0 {
            Self::MAX
        } else {
            Self(moved)
        }
    }

    /// This day `months` earlier; the 31st becomes the last day of a shorter month.
    pub fn months_before(self, months: i32) -> Self {
        self.date()
            .checked_sub(jiff::Span::new().months(months))
            .map_or(Self::MIN, Self::from_date)
    }

    /// Days from `earlier` to this day; negative when this one is earlier.
    pub const fn since(self, earlier: Self) -> i32 {
        self.0 - earlier.0
    }

    /// Whether it is a Saturday or a Sunday, when stock exchanges are closed.
    pub const fn is_weekend(self) -> bool {
        matches!(self.weekday(), Weekday::Saturday | Weekday::Sunday)
    }

    /// The day of the week.
    pub const fn weekday(self) -> Weekday {
        // 1970-01-01 was a Thursday.
        match (self.0 + 3).rem_euclid(7) {
            0 => Weekday::Monday,
            1 => Weekday::Tuesday,
            2 => Weekday::Wednesday,
            3 => Weekday::Thursday,
            4 => Weekday::Friday,
            5 => Weekday::Saturday,
            _ => Weekday::Sunday,
        }
    }

    /// The Monday of this day's ISO week.
    pub const fn monday(self) -> Self {
        self.plus(-(self.0 + 3).rem_euclid(7))
    }

    /// The first day of this day's month.
    pub fn first_of_month(self) -> Self {
        self.plus(1 - i32::from(self.date().day()))
    }
}

impl fmt::Display for Day {
    /// `YYYY-MM-DD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        write!(
            f,
            "{:04}-{:02}-{:02}",
            date.year(),
            date.month(),
            date.day()
        )
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

/// Text that is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a date such as 2026-03-01")]
pub struct InvalidDay(pub String);

impl TryFrom<String> for Day {
    type Error = InvalidDay;

    fn try_from(text: String) -> Result<Self, InvalidDay> {
        Self::parse(&text).ok_or_else(|| InvalidDay(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(days in Day::MIN.get()..=Day::MAX.get()) {
            let day = Day::new(days).unwrap();
            prop_assert_eq!(Day::parse(&day.to_string()), Some(day));
            prop_assert_eq!(day.weekday(), day.date().weekday());
            prop_assert_eq!(day.monday().weekday(), Weekday::Monday);
            prop_assert!((0..7).contains(&day.since(day.monday())));
            prop_assert_eq!(day.first_of_month().date().day(), 1);
        }
    }

    #[test]
    fn refuses_what_is_no_date() {
        for text in ["2026-02-30", "2026-2-03", "1700-01-01", "20260203", ""] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }

    #[test]
    fn months_have_their_names() {
        let named = |text: &str| Day::parse(text).unwrap().month_name();
        let names: Vec<&str> = (1..=12)
            .map(|month| named(&format!("2026-{month:02}-01")))
            .collect();
        assert_eq!(names[0], "January");
        assert_eq!(names[4], "May");
        assert_eq!(names[11], "December");
        let short: std::collections::BTreeSet<&str> = names.iter().map(|name| &name[..3]).collect();
        assert_eq!(short.len(), 12);
    }

    #[test]
    fn a_month_before_the_31st_is_the_last_day() {
        let day = Day::parse("2026-03-31").unwrap();
        assert_eq!(day.months_before(1).to_string(), "2026-02-28");
        assert_eq!(day.months_before(12).to_string(), "2025-03-31");
    }
}
