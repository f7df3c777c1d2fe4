//! The time in a written date, and the zone after it.

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use model::table;
use regex::{Captures, Regex};
use rustc_hash::FxHashMap;

use crate::pattern;

static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?i)(?:^|[^\d:.+-])([0-2]?\d)\s?[:h]\s?([0-5]\d)(?:\s?:\s?([0-6]\d)(?:[.,](\d{1,9}))?)?\s*([ap]\.?\s?m\b\.?)?",
    )
});
static HOUR: LazyLock<Regex> =
    LazyLock::new(|| pattern::exact(r"(?i)\b(1[0-2]|0?[1-9])\s?([ap])\.?\s?m\b"));
static ZONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?i)^[\s(\[,.]*(?:(Z|UTC|GMT|MSK|WIB|MEZ|MESZ|[a-z]{2,5}T|[ECMP]T|[ECMP]\.[SD]?\.?T)\b)?[\s(]*([+−-]\d{1,2}:?(?:[0-5]\d)?\b)?",
    )
});

static ZONES: LazyLock<FxHashMap<&str, TimeZone>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/dates/zones.tsv"))
        .filter_map(|[name, means]| Some((name, time_zone(means)?)))
        .collect()
});

/// A time of day, and the text after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock<'text> {
    /// Up to 24: the end of the day.
    hour: i8,
    minute: i8,
    second: i8,
    rest: &'text str,
}

impl<'text> Clock<'text> {
    /// The time in a text, or midnight if there is none or it is invalid.
    pub(super) fn find(text: &'text str) -> Self {
        Self::parse(text).unwrap_or_default()
    }

    fn parse(text: &'text str) -> Option<Self> {
        if let Some(found) = CLOCK.captures(text) {
            let second: i8 = found.get(3).map_or(Some(0), |_| number(&found, 3))?;
            let (hour, minute) = (number(&found, 1)?, number(&found, 2)?);
            let mark = found.get(5).map(|mark| mark.as_str());
            let is_end = (hour, minute, second, mark) == (24, 0, 0, None);
            return Some(Self {
                hour: if is_end { 24 } else { half_day(hour, mark)? },
                minute,
                // A leap second is the last second of its minute.
                second: second.min(59),
                rest: &text[found.get(0)?.end()..],
            });
        }
        let found = HOUR.captures(text)?;
        Some(Self {
            hour: half_day(number(&found, 1)?, found.get(2).map(|mark| mark.as_str()))?,
            minute: 0,
            second: 0,
            rest: &text[found.get(0)?.end()..],
        })
    }

    /// This time on a given day.
    pub(super) fn on(self, date: Date) -> Option<DateTime> {
        if self.hour == 24 {
            return Some(date.tomorrow().ok()?.to_datetime(Time::midnight()));
        }
        let time = Time::new(self.hour, self.minute, self.second, 0).ok()?;
        Some(date.to_datetime(time))
    }

    /// The zone written after the time, or UTC if there is none.
    pub(super) fn zone(self) -> TimeZone {
        let Some(found) = ZONE.captures(self.rest) else {
            return TimeZone::UTC;
        };
        if let Some(offset) = found
            .get(2)
            .and_then(|offset| fixed_offset(offset.as_str()))
        {
            return TimeZone::fixed(offset);
        }
        found
            .get(1)
            .and_then(|name| {
                let name = name.as_str().replace('.', "").to_ascii_uppercase();
                ZONES.get(name.as_str()).cloned()
            })
            .unwrap_or(TimeZone::UTC)
    }
}

fn half_day(hour: i8, mark: Option<&str>) -> Option<i8> {
    let Some(mark) = mark else {
        return (hour < 24).then_some(hour);
    };
    let afternoon = mark.starts_with(['p', 'P']);
    match hour {
        // `13:30 PM` also occurs.
        13..24 => Some(hour),
        0..=12 => Some(hour % 12 + if afternoon { 12 } else { 0 }),
        _ => None,
    }
}

fn fixed_offset(text: &str) -> Option<Offset> {
    let sign = if text.starts_with('+') { 1 } else { -1 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes): (i32, i32) = match digits.len() {
        1 | 2 => (digits.parse().ok()?, 0),
        3 => (digits[..1].parse().ok()?, digits[1..].parse().ok()?),
        _ => (digits[..2].parse().ok()?, digits[2..].parse().ok()?),
    };
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// From minutes, or from a rule such as `EST5EDT,M3.2.0,M11.1.0`.
fn time_zone(means: &str) -> Option<TimeZone> {
    match means.parse::<i32>() {
        Ok(minutes) => Some(TimeZone::fixed(Offset::from_seconds(minutes * 60).ok()?)),
        Err(_) => TimeZone::posix(means).ok(),
    }
}

fn number<N: std::str::FromStr>(found: &Captures<'_>, group: usize) -> Option<N> {
    found.get(group)?.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_every_zone_is_known_once() {
        for pattern in [&CLOCK, &HOUR, &ZONE] {
            LazyLock::force(pattern);
        }
        let lines = table::lines(include_str!("../../data/dates/zones.tsv"));
        assert_eq!(lines.count(), ZONES.len());
        for name in ZONES.keys() {
            let found = ZONE.captures(name).and_then(|found| found.get(1));
            assert_eq!(
                found.map(|name| name.as_str()),
                (*name != "UT").then_some(*name)
            );
        }
    }

    #[test]
    fn zones_are_found_behind_the_time() {
        for (text, minutes) in [
            ("16:00", 0),
            ("16:00 EST", -300),
            ("4 p.m. (E.T.)", -300),
            ("16:00 GMT+0200", 120),
            ("16:00 −01", -60),
            ("16:00 MSK", 180),
            ("16:00 Uhr MESZ", 0),
            ("16:00 MESZ", 120),
        ] {
            let winter = jiff::civil::date(2025, 1, 10).at(12, 0, 0, 0);
            let zone = Clock::find(text).zone();
            let offset = zone.to_zoned(winter).unwrap().offset().seconds();
            assert_eq!(offset, minutes * 60, "{text}");
        }
    }
}
