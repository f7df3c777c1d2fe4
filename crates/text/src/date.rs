//! Dates as feeds, pages, tables and authorities write them, read by one policy for all.
//!
//! 1. A year in front, a month by name, or a count since 1970 leaves nothing open.
//! 2. In `25/04/2025` the figure above twelve is the day, whatever order is declared.
//! 3. `04/05/2025` could be two days. It is read in the [`Order`] that its reader declares. American authorities write
//!    the month first, a page declares an order by its language, and a table column by its other cells. If no order is
//!    declared, the date is refused. With dots or hyphens (`04.05.2025`) the day comes first unless an authority or a
//!    column says otherwise.
//! 4. A date without a zone is UTC, and one without a time is midnight. Zone names mean what `zones.tsv` says.
//! 5. A text without a year, or relative to now (`two hours ago`), is not a date: there is no clock here. Years outside
//!    1900 to 2199 are not dates either.
//!
//! Days that a sentence names relative to its publication (`on Monday`) are handled by `events`. The API accepts ISO
//! 8601 only, which `model` reads.

mod clock;
mod figures;

use std::sync::LazyLock;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use model::{Timestamp, table};
use regex::{Captures, Regex};

use crate::pattern;
use clock::Clock;
pub use figures::Figures;

/// Longer texts are prose that mentions a date.
const LONGEST: usize = 160;

struct Patterns {
    year_first: Regex,
    east_asian: Regex,
    day_month: Regex,
    month_day: Regex,
    figures: Regex,
    year: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    year_first: pattern::exact(r"\b((?:19|20)\d{2})[-/.]([01]?\d)[-/.]([0-3]?\d)(?:\b|[Tt_])"),
    east_asian: pattern::exact(r"((?:19|20)\d{2})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"),
    day_month: pattern::exact(
        r"(?i)\b([0-3]?\d)(?:st|nd|rd|th|er|º|ª|\.)?[\s,-]*(?:of |de |d')?(\p{L}{3,12})\.?[\s,-]+(?:de |del )?'?(\d{4}|\d{2})\b",
    ),
    month_day: pattern::exact(
        r"(?i)\b(\p{L}{3,12})\.?[\s-]*([0-3]?\d)(?:st|nd|rd|th)?\b(?:[\s,-]+((?:19|20)\d{2})\b)?",
    ),
    figures: pattern::exact(r"\b([0-3]?\d)([/.-])([0-3]?\d)[/.-]((?:19|20)?\d{2})\b"),
    year: pattern::exact(r"\b((?:19|20)\d{2})\b"),
});

/// The numbers of the months and their names, in several languages.
static MONTHS: LazyLock<Vec<(i8, &str)>> = LazyLock::new(|| {
    table::lines(include_str!("../data/dates/months.txt"))
        .zip(1..)
        .flat_map(|(line, month)| line.split(' ').skip(1).map(move |name| (month, name)))
        .collect()
});

/// Whether a word in lower case names a month or a day of the week.
pub(crate) fn is_calendar_word(word: &str) -> bool {
    let english = |name: &str| word == name || word == &name[..3];
    crate::events::WEEKDAYS.into_iter().any(english) || is_month(word)
}

/// Whether a word in lower case names a month.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS
        .iter()
        .any(|(_, name)| word == *name || name.get(..3).is_some_and(|short| word == short))
}

/// Which figure of `05/10/2018` is the month, as declared by the reader of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nothing is known about the source.
    #[default]
    Undeclared,
    /// As American authorities write, whatever separates the figures.
    MonthFirst,
    /// As pages in American English write: the month first with slashes, otherwise the day.
    MonthFirstAtSlashes,
    /// As nearly everywhere else.
    DayFirst,
}

impl Order {
    /// The order that readers of a language expect: `en-GB`, `pt`, `de_AT`. Pages that declare no language are American
    /// more often than not.
    pub fn of_language(code: &str) -> Self {
        let code = code.trim().to_ascii_lowercase().replace('_', "-");
        let (language, region) = code.split_once('-').unwrap_or((&code, ""));
        match (language, region) {
            ("en", "" | "us" | "ph") | ("" | "und", _) => Self::MonthFirstAtSlashes,
            _ => Self::DayFirst,
        }
    }
}

/// The time that a written date means.
pub fn parse(text: &str, order: Order) -> Option<Timestamp> {
    let text = text.trim().trim_matches(['"', '\'']);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_digits(text);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return within_reason(time);
    }
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (year, month, day) = parse_day(&text, order)?;
    let clock = Clock::find(&text);
    let date = jiff::civil::Date::new(year, month, day).ok()?;
    let time = clock.zone().to_timestamp(clock.on(date)?).ok()?;
    within_reason(Timestamp::from_ms(time.as_millisecond()))
}

/// The time given by a number of seconds, milliseconds or microseconds since 1970, distinguished by its size.
pub fn from_epoch(number: f64) -> Option<Timestamp> {
    let ms = match number.abs() {
        size if !size.is_finite() || size < 1e8 => return None,
        size if size < 1e11 => number * 1e3,
        size if size < 1e14 => number,
        size if size < 1e17 => number / 1e3,
        _ => return None,
    };
    Some(Timestamp::from_ms(ms as i64))
}

/// Years 1900 to 2199. Everything else is a misreading.
fn within_reason(time: Timestamp) -> Option<Timestamp> {
    const FIRST: i64 = -2_208_988_800_000;
    const END: i64 = 7_258_118_400_000;
    (FIRST..END).contains(&time.ms()).then_some(time)
}

/// Seconds or milliseconds since 1970, or `YYYYMMDD` with or without a time.
fn parse_digits(text: &str) -> Option<Timestamp> {
    let number: i64 = text.parse().ok()?;
    let part = |from: usize, to: usize| {
        text.get(from..to)
            .and_then(|digits| digits.parse::<i8>().ok())
    };
    match text.len() {
        9 | 10 => within_reason(Timestamp::from_ms(number * 1000)),
        12 | 14 if text.starts_with("20") || text.starts_with("19") => {
            let second = if text.len() == 14 { part(12, 14)? } else { 0 };
            let year = text.get(..4)?.parse().ok()?;
            utc(DateTime::new(
                year,
                part(4, 6)?,
                part(6, 8)?,
                part(8, 10)?,
                part(10, 12)?,
                second,
                0,
            )
            .ok()?)
        }
        12 | 13 => within_reason(Timestamp::from_ms(number)),
        8 => utc(DateTime::new(
            text.get(..4)?.parse().ok()?,
            part(4, 6)?,
            part(6, 8)?,
            0,
            0,
            0,
            0,
        )
        .ok()?),
        _ => None,
    }
}

fn utc(civil: DateTime) -> Option<Timestamp> {
    let time = TimeZone::UTC.to_timestamp(civil).ok()?;
    within_reason(Timestamp::from_ms(time.as_millisecond()))
}

fn parse_day(text: &str, order: Order) -> Option<(i16, i8, i8)> {
    let patterns = &*PATTERNS;
    if let Some(found) = patterns
        .year_first
        .captures(text)
        .or_else(|| patterns.east_asian.captures(text))
    {
        return Some((number(&found, 1)?, number(&found, 2)?, number(&found, 3)?));
    }
    for found in patterns.day_month.captures_iter(text) {
        if let Some(month) = month(found.get(2)?.as_str()) {
            return Some((full_year(number(&found, 3)?), month, number(&found, 1)?));
        }
    }
    for found in patterns.month_day.captures_iter(text) {
        if let Some(month) = month(found.get(1)?.as_str()) {
            let year = match found.get(3) {
                Some(_) => number(&found, 3)?,
                // `Sun May 31 13:30:00 UTC 2020`
                None => number(&patterns.year.captures(text)?, 1)?,
            };
            return Some((year, month, number(&found, 2)?));
        }
    }
    let found = patterns.figures.captures(text)?;
    let figures = Figures {
        first: number(&found, 1)?,
        second: number(&found, 3)?,
        year: full_year(number(&found, 4)?),
        separator: found.get(2)?.as_str().chars().next()?,
    };
    let (month, day) = figures.month_and_day(order)?;
    Some((figures.year, month, day))
}

/// Two-digit years as RFC 2822 reads them.
fn full_year(year: i16) -> i16 {
    match year {
        0..50 => 2000 + year,
        50..100 => 1900 + year,
        _ => year,
    }
}

fn number<N: std::str::FromStr>(found: &Captures<'_>, group: usize) -> Option<N> {
    found.get(group)?.as_str().parse().ok()
}

/// The month that a word names, in full or by at least its first three letters.
fn month(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    MONTHS
        .iter()
        .find(|(_, name)| name.starts_with(&word))
        .map(|(month, _)| *month)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            parse(text, Order::MonthFirstAtSlashes)
                .map(|time| time.to_string())
                .as_deref(),
            Some(expected),
            "{text}"
        );
    }

    #[test]
    fn standards() {
        check("2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z");
        check("2026-03-01T12:00:00.000+0000", "2026-03-01T12:00:00Z");
        check("2026-03-01T12:00:00+05:30", "2026-03-01T06:30:00Z");
        check("2026-03-01T12:00", "2026-03-01T12:00:00Z");
        check("2026-03-01 12:00:05 UTC", "2026-03-01T12:00:05Z");
        check("2026-03-01T12:00:00-08", "2026-03-01T20:00:00Z");
        check("Sun, 31 May 2020 13:30:00 +0200", "2020-05-31T11:30:00Z");
        check("31 May 20 13:30 GMT", "2020-05-31T13:30:00Z");
        check("Sun May 31 13:30:00 UTC 2020", "2020-05-31T13:30:00Z");
        check(
            "Mon Nov 18 2019 09:00:00 GMT+0100 (Central European Standard Time)",
            "2019-11-18T08:00:00Z",
        );
        check("1589000000", "2020-05-09T04:53:20Z");
        check("1589000000123", "2020-05-09T04:53:20.123Z");
        check("20200509", "2020-05-09T00:00:00Z");
        check("20200509045320", "2020-05-09T04:53:20Z");
    }

    #[test]
    fn the_language_tells_day_and_month_apart() {
        for (language, expected) in [
            ("en", "2018-05-10"),
            ("en-US", "2018-05-10"),
            ("", "2018-05-10"),
            ("en_GB", "2018-10-05"),
            ("pt-BR", "2018-10-05"),
        ] {
            let found = parse("05/10/2018", Order::of_language(language));
            assert_eq!(
                found.map(Timestamp::date).as_deref(),
                Some(expected),
                "{language}"
            );
        }
    }

    #[test]
    fn what_people_write() {
        check(" 7:51  PM ET Fri, 17 July 2020", "2020-07-17T23:51:00Z");
        check("7:51 PM ET Fri, 17 January 2020", "2020-01-18T00:51:00Z");
        check("18-Jul-20", "2020-07-18T00:00:00Z");
        check("Jul 18 2020", "2020-07-18T00:00:00Z");
        check(
            "Published: 19 November 2019, 09:01 AM IST",
            "2019-11-19T03:31:00Z",
        );
        check("Updated Nov. 5, 2019 at 4 p.m. EST", "2019-11-05T21:00:00Z");
        check("November 5th, 2019", "2019-11-05T00:00:00Z");
        check("3/14/2021 5:09 PM", "2021-03-14T17:09:00Z");
        check("25/12/2021", "2021-12-25T00:00:00Z");
        check("05.03.2021 um 14:30 Uhr", "2021-03-05T14:30:00Z");
        check("3. März 2021", "2021-03-03T00:00:00Z");
        check("le 1er août 2022 à 18h05", "2022-08-01T18:05:00Z");
        check("12 de outubro de 2018", "2018-10-12T00:00:00Z");
        check("2022年3月4日", "2022-03-04T00:00:00Z");
        check("2022/03/04", "2022-03-04T00:00:00Z");
        check("12:15 a.m. March 4, 2022", "2022-03-04T00:15:00Z");
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "yesterday",
            "2 hours ago",
            "March 4",
            "31/31/2020",
            "2020-02-30",
            "12:30",
            "99999999",
            "the year 2020",
            "issue 2020-1",
        ] {
            assert_eq!(parse(text, Order::MonthFirstAtSlashes), None, "{text}");
        }
    }

    #[test]
    fn reads_what_feeds_write() {
        for (text, expected) in [
            ("Tue, 10 Jun 2025 16:00:00 GMT", "2025-06-10T16:00:00Z"),
            ("Tue, 10 Jun 2025 16:00:00 +0200", "2025-06-10T14:00:00Z"),
            ("Tue, 10 Jun 2025 16:00:00 EST", "2025-06-10T21:00:00Z"),
            ("10 Jun 25 16:00 PDT", "2025-06-10T23:00:00Z"),
            ("Tue, 10 Jun 2025 16:00:00 GMT+0200", "2025-06-10T14:00:00Z"),
            ("Tue, 10 Jun 2025 16:00:00 Z", "2025-06-10T16:00:00Z"),
            ("Thu, 31 Aug 95 12:00:00 UT", "1995-08-31T12:00:00Z"),
            ("Tues, 10 June 2025 16:00:60 GMT", "2025-06-10T16:00:59Z"),
            ("Mon Jun 10 16:00:00 EDT 2025", "2025-06-10T20:00:00Z"),
            ("Mon Jun 10 16:00:00 +0000 2025", "2025-06-10T16:00:00Z"),
            ("10 June 2025 4:00 PM", "2025-06-10T16:00:00Z"),
            ("June 10, 2025 4:05pm EDT", "2025-06-10T20:05:00Z"),
            ("June 10, 2025 at 4 p.m. ET", "2025-06-10T20:00:00Z"),
            ("4:00 PM, 10 June 2025", "2025-06-10T16:00:00Z"),
            ("12:30 AM June 1st, 2025", "2025-06-01T00:30:00Z"),
            ("June 10, 2025", "2025-06-10T00:00:00Z"),
            ("10. Juni 2025 18:05", "2025-06-10T18:05:00Z"),
            ("10 juin 2025 à 18h05", "2025-06-10T18:05:00Z"),
            ("5 de mayo de 2025", "2025-05-05T00:00:00Z"),
            ("10.06.2025 08:15", "2025-06-10T08:15:00Z"),
            ("25/12/2025 08:15", "2025-12-25T08:15:00Z"),
            ("12/25/2025 8:15 AM", "2025-12-25T08:15:00Z"),
            ("2025-06-10", "2025-06-10T00:00:00Z"),
            ("2025-06-10T16:00:00Z", "2025-06-10T16:00:00Z"),
            ("2025-06-10T16:00:00.250+02:00", "2025-06-10T14:00:00.250Z"),
            ("2025-06-10T16:00:00.123456789Z", "2025-06-10T16:00:00.123Z"),
            ("2025-06-10T16:00-0530", "2025-06-10T21:30:00Z"),
            ("2025-06-10T16:00:00 +02", "2025-06-10T14:00:00Z"),
            ("2025-06-10 16:00:00 UTC", "2025-06-10T16:00:00Z"),
            ("2025/06/10 16:00", "2025-06-10T16:00:00Z"),
            ("2025-6-1 6:05", "2025-06-01T06:05:00Z"),
            ("20250610T160000Z", "2025-06-10T16:00:00Z"),
            ("20250610", "2025-06-10T00:00:00Z"),
            ("2025-12-31T24:00:00Z", "2026-01-01T00:00:00Z"),
            (
                "  Sat, 29 Feb 2020 00:00:00 \u{2212}0100 ",
                "2020-02-29T01:00:00Z",
            ),
        ] {
            let read = parse(text, Order::Undeclared).map(|time| time.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_date_or_could_be_two() {
        for text in [
            "",
            "yesterday",
            "04/05/2025",
            "2025-02-30",
            "32 Jan 2025",
            "2025-13-01",
            "0000-00-00",
            "Mon, 00 Jan 0000 00:00:00 GMT",
            "12345678901234567890",
            "9999-12-31",
            ":",
            "June",
            "2025",
        ] {
            assert_eq!(parse(text, Order::Undeclared), None, "{text}");
        }
    }

    #[test]
    fn epochs_are_distinguished_by_size() {
        let expected = Some(Timestamp::from_ms(1_749_571_200_000));
        for number in [
            1_749_571_200.0,
            1_749_571_200_000.0,
            1_749_571_200_000_000.0,
        ] {
            assert_eq!(from_epoch(number), expected);
        }
        for number in [0.0, 2025.0, f64::NAN, f64::INFINITY, 1e30] {
            assert_eq!(from_epoch(number), None);
        }
    }

    #[test]
    fn every_table_and_pattern_is_whole() {
        LazyLock::force(&PATTERNS);
        let months: std::collections::BTreeSet<i8> =
            MONTHS.iter().map(|(month, _)| *month).collect();
        assert_eq!(months, (1..=12).collect());
        for (number, line) in (1..).zip(table::lines(include_str!("../data/dates/months.txt"))) {
            assert!(line.starts_with(&format!("{number} ")), "{line}");
        }
        let mut seen = rustc_hash::FxHashSet::default();
        for (_, name) in &*MONTHS {
            assert!(name.chars().count() >= 3 && seen.insert(name), "{name}");
        }
    }

    #[test]
    fn months_are_known_in_nine_languages() {
        for (word, expected) in [
            ("sept", 9),
            ("Juin", 6),
            ("juil", 7),
            ("mai", 5),
            ("maj", 5),
            ("mrt", 3),
            ("Mrz", 3),
            ("paź", 10),
            ("lis", 11),
            ("lip", 7),
            ("dez", 12),
            ("gen", 1),
            ("fév", 2),
            ("out", 10),
            ("cze", 6),
            ("marca", 3),
        ] {
            assert_eq!(month(word), Some(expected), "{word}");
        }
        assert_eq!(month("marvellous"), None);
    }

    proptest! {
        #[test]
        fn anything_may_be_asked(text in "(\\PC|[0-9:/ -]|Jan|PM|EST){0,40}") {
            let _ = parse(&text, Order::Undeclared);
        }

        #[test]
        fn every_time_reads_back(ms in 0_i64..4_000_000_000_000) {
            let time = Timestamp::from_ms(ms);
            prop_assert_eq!(parse(&time.to_string(), Order::Undeclared), Some(time));
        }
    }
}
