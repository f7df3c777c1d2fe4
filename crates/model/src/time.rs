//! Points in time, in whole milliseconds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z. Serialised as ISO 8601 in UTC; stored as an integer.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

/// Text that is not an ISO 8601 timestamp.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not an ISO 8601 timestamp such as 2026-03-01T12:00:00Z")]
pub struct InvalidTimestamp(pub String);

impl Timestamp {
    /// One minute in milliseconds.
    pub const MINUTE_MS: i64 = 60_000;
    /// One hour in milliseconds.
    pub const HOUR_MS: i64 = 3_600_000;
    /// One day in milliseconds.
    pub const DAY_MS: i64 = 86_400_000;
    /// Later than any time that is ever stored.
    pub const END: Self = Self(i64::MAX);

    /// From milliseconds since the epoch.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the epoch.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// This time moved by `ms`, saturating at the ends.
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this time; negative if this one is earlier.
    pub const fn since_ms(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Days since the epoch, in UTC.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(Self::DAY_MS)
    }

    /// Midnight UTC on the given day since the epoch, saturating at the ends.
    pub const fn start_of_day(day: i64) -> Self {
        Self(day.saturating_mul(Self::DAY_MS))
    }

    /// `YYYY-MM-DD` in UTC.
    pub fn date(self) -> String {
        self.civil().strftime("%Y-%m-%d").to_string()
    }

    /// `YYYY-MM` in UTC: the month used in the ledger.
    pub fn month(self) -> String {
        self.civil().strftime("%Y-%m").to_string()
    }

    /// Midnight UTC on a date written as `YYYY-MM-DD`.
    pub fn parse_date(text: &str) -> Option<Self> {
        let date =
            (text.len() == 10).then(|| jiff::civil::Date::strptime("%Y-%m-%d", text).ok())??;
        let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self(zoned.timestamp().as_millisecond()))
    }

    fn civil(self) -> jiff::Zoned {
        let bounded = self.0.clamp(
            jiff::Timestamp::MIN.as_millisecond(),
            jiff::Timestamp::MAX.as_millisecond(),
        );
        jiff::Timestamp::from_millisecond(bounded)
            .unwrap_or_default()
            .to_zoned(jiff::tz::TimeZone::UTC)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zoned = self.civil();
        if self.0.rem_euclid(1000) == 0 {
            write!(f, "{}", zoned.strftime("%Y-%m-%dT%H:%M:%SZ"))
        } else {
            write!(f, "{}", zoned.strftime("%Y-%m-%dT%H:%M:%S%.3fZ"))
        }
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    /// A full ISO 8601 timestamp with a zone or offset, or a bare date, which means midnight UTC on that day.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Some(midnight) = Self::parse_date(text) {
            return Ok(midnight);
        }
        text.parse::<jiff::Timestamp>()
            .map(|time| Self(time.as_millisecond()))
            .map_err(|_| InvalidTimestamp(text.chars().take(60).collect()))
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InvalidTimestamp;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(ms in -60_000_000_000_000_i64..200_000_000_000_000) {
            let time = Timestamp::from_ms(ms);
            prop_assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        }
    }

    #[test]
    fn reads_dates_and_offsets() {
        assert_eq!(
            "2026-03-01".parse::<Timestamp>().unwrap().to_string(),
            "2026-03-01T00:00:00Z"
        );
        assert_eq!(
            "2026-03-01T12:00:00+02:00"
                .parse::<Timestamp>()
                .unwrap()
                .to_string(),
            "2026-03-01T10:00:00Z"
        );
        assert!("2026-02-30".parse::<Timestamp>().is_err());
        assert!("yesterday".parse::<Timestamp>().is_err());
    }
}
