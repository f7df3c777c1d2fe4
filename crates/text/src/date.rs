//! Dates as they are written on the web and in feeds.
//!
//! A date without a zone is read as UTC, one without a time as its midnight. What has no year, or is told from now
//! (`two hours ago`), is no date: there is no clock here.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use model::Timestamp;
use regex::{Captures, Regex};

use crate::pattern;

/// Longer texts are prose that mentions a date.
const LONGEST: usize = 160;

struct Patterns {
    year_first: Regex,
    east_asian: Regex,
    day_month: Regex,
    month_day: Regex,
    figures: Regex,
    year: Regex,
    clock: Regex,
    hour: Regex,
    zone: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    year_first: pattern::exact(r"\b((?:19|20)\d{2})[-/.]([01]?\d)[-/.]([0-3]?\d)(?:\b|[Tt_])"),
    east_asian: pattern::exact(r"((?:19|20)\d{2})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"),
    day_month: pattern::exact(
        r"(?i)\b([0-3]?\d)(?:st|nd|rd|th|er|º|ª|\.)?[\s,-]*(?:of |de |d')?(\p{L}{3,10})\.?[\s,-]+(?:de |del )?'?(\d{4}|\d{2})\b",
    ),
    month_day: pattern::exact(
        r"(?i)\b(\p{L}{3,10})\.?[\s-]*([0-3]?\d)(?:st|nd|rd|th)?\b(?:[\s,-]+((?:19|20)\d{2})\b)?",
    ),
    figures: pattern::exact(r"\b([0-3]?\d)([/.-])([0-3]?\d)[/.-]((?:19|20)?\d{2})\b"),
    year: pattern::exact(r"\b((?:19|20)\d{2})\b"),
    clock: pattern::exact(
        r"(?i)(?:^|[^\d:.+-])([0-2]?\d)\s?[:h]\s?([0-5]\d)(?:\s?:\s?([0-6]\d)(?:[.,](\d{1,9}))?)?\s*([ap]\.?\s?m\b\.?)?",
    ),
    hour: pattern::exact(r"(?i)\b(1[0-2]|0?[1-9])\s?([ap])\.?\s?m\b"),
    zone: pattern::exact(
        r"(?i)^[\s(\[,.]*(?:(Z|UTC|GMT|[a-z]{2,5}T|[ECMP]T|[ECMP]\.[SD]?\.?T\.)\b)?[\s(]*([+−-]\d{1,2}:?(?:[0-5]\d)?\b)?",
    ),
});

/// Which figure of `05/10/2018` is the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As in the United States, and where nothing is known.
    MonthFirst,
    /// As nearly everywhere else.
    DayFirst,
}

impl Order {
    /// The order that readers of a language expect: `en-GB`, `pt`, `de_AT`.
    pub(crate) fn of_language(code: &str) -> Self {
        let code = code.trim().to_ascii_lowercase().replace('_', "-");
        let (language, region) = code.split_once('-').unwrap_or((&code, ""));
        match (language, region) {
            ("en", "" | "us" | "ph") | ("" | "und", _) => Self::MonthFirst,
            _ => Self::DayFirst,
        }
    }
}

/// The moment that a date as written on the web means.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    parse_ordered(text, Order::MonthFirst)
}

/// The same on a page whose language tells the order of day and month.
pub(crate) fn parse_ordered(text: &str, order: Order) -> Option<Timestamp> {
    let text = text.trim().trim_matches(['"', '\'']);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return from_digits(text);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return within_reason(time);
    }
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let patterns = &*PATTERNS;
    let (year, month, day) = date(&text, patterns, order)?;
    let (hour, minute, second, rest) = time(&text, patterns).unwrap_or((0, 0, 0, ""));
    let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    let zone = zone(rest, patterns);
    let moment = zone.to_timestamp(civil).ok()?;
    within_reason(Timestamp::from_ms(moment.as_millisecond()))
}

/// Years 1900 to 2199: everything else is a misreading.
fn within_reason(time: Timestamp) -> Option<Timestamp> {
    const FIRST: i64 = -2_208_988_800_000;
    const END: i64 = 7_258_118_400_000;
    (FIRST..END).contains(&time.ms()).then_some(time)
}

/// Seconds or milliseconds since 1970, or `YYYYMMDD` with or without a time.
fn from_digits(text: &str) -> Option<Timestamp> {
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
    let moment = TimeZone::UTC.to_timestamp(civil).ok()?;
    within_reason(Timestamp::from_ms(moment.as_millisecond()))
}

fn date(text: &str, patterns: &Patterns, order: Order) -> Option<(i16, i8, i8)> {
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
    let (first, second, year): (i8, i8, i16) =
        (number(&found, 1)?, number(&found, 3)?, number(&found, 4)?);
    // With slashes the month comes first, as on American pages, unless it cannot.
    let slashes = order == Order::MonthFirst && found.get(2)?.as_str() == "/";
    let month_first = slashes && first <= 12 || second > 12;
    let (month, day) = if month_first {
        (first, second)
    } else {
        (second, first)
    };
    Some((full_year(year), month, day))
}

/// Hour, minute, second, and what is written behind them.
fn time<'text>(text: &'text str, patterns: &Patterns) -> Option<(i8, i8, i8, &'text str)> {
    if let Some(found) = patterns.clock.captures(text) {
        let hour = half_day(number(&found, 1)?, found.get(5).map(|mark| mark.as_str()))?;
        let second: i8 = found.get(3).map_or(Some(0), |_| number(&found, 3))?;
        return Some((
            hour,
            number(&found, 2)?,
            second.min(59),
            &text[found.get(0)?.end()..],
        ));
    }
    let found = patterns.hour.captures(text)?;
    let hour = half_day(number(&found, 1)?, found.get(2).map(|mark| mark.as_str()))?;
    Some((hour, 0, 0, &text[found.get(0)?.end()..]))
}

fn half_day(hour: i8, mark: Option<&str>) -> Option<i8> {
    let Some(mark) = mark else {
        return (hour < 24).then_some(hour);
    };
    let afternoon = mark.starts_with(['p', 'P']);
    match hour {
        // `13:30 PM` is written too.
        13..24 => Some(hour),
        0..=12 => Some(hour % 12 + if afternoon { 12 } else { 0 }),
        _ => None,
    }
}

fn zone(rest: &str, patterns: &Patterns) -> TimeZone {
    let Some(found) = patterns.zone.captures(rest) else {
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
        .and_then(|name| named_zone(&name.as_str().replace('.', "").to_ascii_uppercase()))
        .unwrap_or(TimeZone::UTC)
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

/// Rules are spelled out instead of looked up: the same date must mean the same moment on every machine.
fn named_zone(name: &str) -> Option<TimeZone> {
    let rule = match name {
        "ET" => "EST5EDT,M3.2.0,M11.1.0",
        "CT" => "CST6CDT,M3.2.0,M11.1.0",
        "MT" => "MST7MDT,M3.2.0,M11.1.0",
        "PT" => "PST8PDT,M3.2.0,M11.1.0",
        _ => "",
    };
    if !rule.is_empty() {
        return TimeZone::posix(rule).ok();
    }
    let minutes = match name {
        "EDT" => -240,
        "EST" | "CDT" => -300,
        "CST" | "MDT" => -360,
        "MST" | "PDT" => -420,
        "PST" | "AKDT" => -480,
        "AKST" => -540,
        "HST" => -600,
        "AST" | "BRT" | "ART" => -180,
        "BST" | "CET" | "WEST" | "WAT" => 60,
        "CEST" | "EET" | "SAST" | "CAT" => 120,
        "EEST" | "MSK" | "EAT" | "TRT" => 180,
        "GST" => 240,
        "PKT" => 300,
        "IST" => 330,
        "ICT" | "WIB" => 420,
        "SGT" | "HKT" | "MYT" | "PHT" | "AWST" => 480,
        "JST" | "KST" => 540,
        "ACST" => 570,
        "AEST" => 600,
        "AEDT" => 660,
        "NZST" => 720,
        "NZDT" => 780,
        _ => 0,
    };
    Some(TimeZone::fixed(Offset::from_seconds(minutes * 60).ok()?))
}

fn full_year(year: i16) -> i16 {
    match year {
        0..70 => 2000 + year,
        70..100 => 1900 + year,
        _ => year,
    }
}

fn number<N: std::str::FromStr>(found: &Captures<'_>, group: usize) -> Option<N> {
    found.get(group)?.as_str().parse().ok()
}

/// Months in the languages of the feeds that are read, by their first letters.
const MONTHS: [(&str, i8); 70] = [
    ("january", 1),
    ("januar", 1),
    ("janvier", 1),
    ("enero", 1),
    ("gennaio", 1),
    ("janeiro", 1),
    ("januari", 1),
    ("february", 2),
    ("februar", 2),
    ("février", 2),
    ("fevrier", 2),
    ("febrero", 2),
    ("febbraio", 2),
    ("fevereiro", 2),
    ("februari", 2),
    ("march", 3),
    ("märz", 3),
    ("mars", 3),
    ("marzo", 3),
    ("março", 3),
    ("maart", 3),
    ("april", 4),
    ("avril", 4),
    ("abril", 4),
    ("aprile", 4),
    ("may", 5),
    ("mai", 5),
    ("mayo", 5),
    ("maggio", 5),
    ("maio", 5),
    ("mei", 5),
    ("june", 6),
    ("juni", 6),
    ("juin", 6),
    ("junio", 6),
    ("giugno", 6),
    ("junho", 6),
    ("july", 7),
    ("juli", 7),
    ("juillet", 7),
    ("julio", 7),
    ("luglio", 7),
    ("julho", 7),
    ("august", 8),
    ("août", 8),
    ("aout", 8),
    ("agosto", 8),
    ("augustus", 8),
    ("september", 9),
    ("septembre", 9),
    ("septiembre", 9),
    ("settembre", 9),
    ("setembro", 9),
    ("october", 10),
    ("oktober", 10),
    ("octobre", 10),
    ("octubre", 10),
    ("ottobre", 10),
    ("outubro", 10),
    ("november", 11),
    ("novembre", 11),
    ("noviembre", 11),
    ("novembro", 11),
    ("december", 12),
    ("dezember", 12),
    ("décembre", 12),
    ("decembre", 12),
    ("diciembre", 12),
    ("dicembre", 12),
    ("dezembro", 12),
];

/// The month that a word names, in full or by at least its first three letters.
fn month(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    MONTHS
        .iter()
        .find(|(name, _)| name.starts_with(&word))
        .map(|(_, month)| *month)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            parse(text).map(|time| time.to_string()).as_deref(),
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
            let found = parse_ordered("05/10/2018", Order::of_language(language));
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
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn anything_may_be_asked(text in "(\\PC|[0-9:/ -]|Jan|PM|EST){0,40}") {
            let _ = parse(&text);
        }

        #[test]
        fn every_moment_reads_back(ms in 0_i64..4_000_000_000_000) {
            let time = Timestamp::from_ms(ms);
            prop_assert_eq!(parse(&time.to_string()), Some(time));
        }
    }
}
