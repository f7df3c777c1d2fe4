//! Dates as feeds and files write them: RFC 2822 with odd zones, ISO 8601 and its variants, and prose such as
//! `10 June 2025 4:00 PM`.
//!
//! A date that could mean two days (`04/05/2025`) is not guessed. A time without a zone is UTC.

mod names;

use model::Timestamp;

use names::{MONTHS, ZONES};

/// Longest text that is looked at.
const LONGEST_DATE: usize = 100;

/// Years that a date may lie in; beyond them it is a serial number or a typing error.
const YEARS: std::ops::RangeInclusive<i64> = 1900..=2199;

/// The moment that a text names.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_DATE {
        return None;
    }
    compact(text).or_else(|| from_tokens(&tokens(text)))
}

/// A number of seconds, milliseconds or microseconds since 1970, told apart by its size.
pub(crate) fn from_epoch(number: f64) -> Option<Timestamp> {
    let ms = match number.abs() {
        size if !size.is_finite() || size < 1e8 => return None,
        size if size < 1e11 => number * 1e3,
        size if size < 1e14 => number,
        size if size < 1e17 => number / 1e3,
        _ => return None,
    };
    Some(Timestamp::from_ms(ms as i64))
}

/// `20250610`, `20250610T160000Z` and `20250610160000`.
fn compact(text: &str) -> Option<Timestamp> {
    let zone_free = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    let digits: String = zone_free
        .chars()
        .filter(|c| !matches!(c, 'T' | 't' | ' '))
        .collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 12 | 14) {
        return None;
    }
    let part = |from: usize, to: usize| {
        digits
            .get(from..to)
            .map_or(Some(0), |part| part.parse::<i64>().ok())
    };
    let parts = Parts {
        year: part(0, 4)?,
        month: u32::try_from(part(4, 6)?).ok()?,
        day: u32::try_from(part(6, 8)?).ok()?,
        seconds: clock_seconds(part(8, 10)?, part(10, 12)?, part(12, 14)?)?,
        milliseconds: 0,
        offset_minutes: 0,
    };
    parts.moment()
}

/// A date that was read.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    year: i64,
    month: u32,
    day: u32,
    seconds: i64,
    milliseconds: i64,
    offset_minutes: i64,
}

impl Parts {
    fn moment(self) -> Option<Timestamp> {
        if !YEARS.contains(&self.year)
            || self.day == 0
            || self.day > days_in_month(self.year, self.month)?
        {
            return None;
        }
        let days = days_since_epoch(self.year, self.month, self.day);
        let seconds = days * 86_400 + self.seconds - self.offset_minutes * 60;
        Some(Timestamp::from_ms(seconds * 1000 + self.milliseconds))
    }
}

/// A word, a number or a sign of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Letters, in lower case.
    Word(String),
    /// Digits: value and how many there were.
    Number(i64, usize),
    /// Anything else but blanks.
    Sign(char),
    /// One or more blanks.
    Blank,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |predicate: fn(char) -> bool| rest.find(|c| !predicate(c)).unwrap_or(rest.len());
        let length = if first.is_alphabetic() {
            let end = same(char::is_alphabetic);
            tokens.push(Token::Word(rest[..end].to_lowercase()));
            end
        } else if first.is_ascii_digit() {
            let end = same(|c| c.is_ascii_digit());
            tokens.push(Token::Number(rest[..end].parse().unwrap_or(i64::MAX), end));
            end
        } else if first.is_whitespace() {
            let end = same(char::is_whitespace);
            tokens.push(Token::Blank);
            end
        } else {
            // The minus sign of typographers counts as one.
            tokens.push(Token::Sign(if matches!(first, '\u{2212}' | '\u{2013}') {
                '-'
            } else {
                first
            }));
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Finds the time first, because its colons are unmistakable, then the date in what stands around it.
fn from_tokens(tokens: &[Token]) -> Option<Timestamp> {
    let mut parts = Parts::default();
    let clock = find_clock(tokens);
    // A time that is none (`25:00`) makes a date of the rest a guess.
    if clock.is_none() && tokens.contains(&Token::Sign(':')) {
        return None;
    }
    let (before, after) = match &clock {
        Some(clock) => {
            parts.seconds = clock.seconds;
            parts.milliseconds = clock.milliseconds;
            parts.offset_minutes = find_zone(&tokens[clock.end..]);
            (&tokens[..clock.start], &tokens[clock.end..])
        }
        None => (tokens, &tokens[tokens.len()..]),
    };
    // "4:00 PM, 10 June 2025" has its date behind the time, "Mon Jun 10 16:00:00 EDT 2025" on both sides.
    let (year, month, day) = find_date(before)
        .or_else(|| find_date(after))
        .or_else(|| find_date(&[before, &years_only(after)].concat()))?;
    (parts.year, parts.month, parts.day) = (year, month, day);
    parts.moment()
}

/// What `date(1)` leaves behind the time: the year. Offsets such as `+0200` have a sign before them.
fn years_only(after: &[Token]) -> Vec<Token> {
    let is_year = |index: usize, token: &Token| {
        matches!(token, Token::Number(_, 4))
            && !matches!(after.get(index.wrapping_sub(1)), Some(Token::Sign(_)))
    };
    after
        .iter()
        .enumerate()
        .filter(|(index, token)| is_year(*index, token))
        .map(|(_, token)| token.clone())
        .collect()
}

struct Clock {
    start: usize,
    end: usize,
    seconds: i64,
    milliseconds: i64,
}

fn find_clock(tokens: &[Token]) -> Option<Clock> {
    (0..tokens.len())
        .find_map(|start| colon_clock(tokens, start).or_else(|| hour_clock(tokens, start)))
}

/// `16:00`, `16:00:05.250`, `4:00 PM`, `16h00`; RFC 2822's leap second 60 is read as 59.
fn colon_clock(tokens: &[Token], start: usize) -> Option<Clock> {
    let Token::Number(hour, 1 | 2) = tokens[start] else {
        return None;
    };
    let separator = match tokens.get(start + 1)? {
        Token::Sign(':') => ':',
        Token::Word(word) if word == "h" => 'h',
        _ => return None,
    };
    let Token::Number(minute, 2) = *tokens.get(start + 2)? else {
        return None;
    };
    let mut end = start + 3;
    let (mut second, mut milliseconds) = (0, 0);
    if separator == ':'
        && let (Some(Token::Sign(':')), Some(Token::Number(value, 2))) =
            (tokens.get(end), tokens.get(end + 1))
    {
        second = if *value == 60 { 59 } else { *value };
        end += 2;
        if let (Some(Token::Sign('.' | ',')), Some(Token::Number(value, digits @ 1..=9))) =
            (tokens.get(end), tokens.get(end + 1))
        {
            milliseconds = value * 1000 / 10_i64.pow(*digits as u32);
            end += 2;
        }
    }
    let (hour, end) = with_half_of_day(tokens, hour, end)?;
    Some(Clock {
        start,
        end,
        seconds: clock_seconds(hour, minute, second)?,
        milliseconds,
    })
}

/// `4 PM`.
fn hour_clock(tokens: &[Token], start: usize) -> Option<Clock> {
    let Token::Number(hour, 1 | 2) = tokens[start] else {
        return None;
    };
    let (afternoon, end) = half_of_day(tokens, start + 1)?;
    Some(Clock {
        start,
        end,
        seconds: clock_seconds(twelve_hours(hour, afternoon)?, 0, 0)?,
        milliseconds: 0,
    })
}

fn with_half_of_day(tokens: &[Token], hour: i64, end: usize) -> Option<(i64, usize)> {
    match half_of_day(tokens, end) {
        // "16:00 PM" is a mistake whose meaning is clear.
        Some((_, end)) if hour > 12 => Some((hour, end)),
        Some((afternoon, end)) => Some((twelve_hours(hour, afternoon)?, end)),
        None => Some((hour, end)),
    }
}

/// `PM`, `p.m.` and the like: whether it is the afternoon, and where it ends.
fn half_of_day(tokens: &[Token], mut at: usize) -> Option<(bool, usize)> {
    if tokens.get(at) == Some(&Token::Blank) {
        at += 1;
    }
    match tokens.get(at)? {
        Token::Word(word) if word == "am" => Some((false, at + 1)),
        Token::Word(word) if word == "pm" => Some((true, at + 1)),
        Token::Word(word) if word == "a" || word == "p" => {
            let dotted = matches!(tokens.get(at + 1), Some(Token::Sign('.')))
                && matches!(tokens.get(at + 2), Some(Token::Word(second)) if second == "m");
            let end = at + 3 + usize::from(tokens.get(at + 3) == Some(&Token::Sign('.')));
            dotted.then_some((word == "p", end))
        }
        _ => None,
    }
}

fn twelve_hours(hour: i64, afternoon: bool) -> Option<i64> {
    (1..=12)
        .contains(&hour)
        .then(|| hour % 12 + if afternoon { 12 } else { 0 })
}

/// Seconds since midnight; 24:00 is the end of the day.
fn clock_seconds(hour: i64, minute: i64, second: i64) -> Option<i64> {
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    (valid || (hour, minute, second) == (24, 0, 0)).then_some(hour * 3600 + minute * 60 + second)
}

/// The offset behind a time, in minutes: a name, `+0200`, `-05:00`, `+2`, or a name with an offset (`GMT+0200`).
fn find_zone(after: &[Token]) -> i64 {
    let mut named = 0;
    for (index, token) in after.iter().enumerate() {
        match token {
            Token::Sign(sign @ ('+' | '-')) => {
                if let Some(offset) = offset_minutes(&after[index + 1..]) {
                    return if *sign == '-' { -offset } else { offset };
                }
            }
            Token::Word(word) => {
                let zone = ZONES.iter().find(|(name, _)| name == word);
                if let Some((_, minutes)) = zone {
                    named = *minutes;
                }
            }
            Token::Number(..) | Token::Sign(_) | Token::Blank => {}
        }
    }
    named
}

fn offset_minutes(tokens: &[Token]) -> Option<i64> {
    let minutes = match (tokens.first()?, tokens.get(1), tokens.get(2)) {
        (Token::Number(hours, 1 | 2), Some(Token::Sign(':')), Some(Token::Number(minutes, 2))) => {
            hours * 60 + minutes
        }
        (Token::Number(hours, 1 | 2), ..) => hours * 60,
        (Token::Number(both, 3 | 4), ..) => both / 100 * 60 + both % 100,
        _ => return None,
    };
    (minutes <= 14 * 60).then_some(minutes)
}

/// Year, month and day among tokens that hold no time.
fn find_date(tokens: &[Token]) -> Option<(i64, u32, u32)> {
    let named_month = tokens.iter().find_map(|token| match token {
        Token::Word(word) => month_of(word),
        _ => None,
    });
    let numbers: Vec<(i64, usize)> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Number(value, digits) => Some((*value, *digits)),
            _ => None,
        })
        .take(3)
        .collect();
    if let Some(month) = named_month {
        return match *numbers.as_slice() {
            [(year, 4), (day, 1 | 2), ..] | [(day, 1 | 2), (year, 4), ..] => {
                Some((year, month, u32::try_from(day).ok()?))
            }
            [(day, 1 | 2), (year, 2), ..] => {
                Some((full_year(year), month, u32::try_from(day).ok()?))
            }
            _ => None,
        };
    }
    let separator = tokens.iter().find_map(|token| match token {
        Token::Sign(sign @ ('-' | '/' | '.')) => Some(*sign),
        _ => None,
    });
    let (year, month, day) = match (numbers.as_slice(), separator?) {
        (&[(year, 4), (month, 1 | 2), (day, 1 | 2)], _)
        | (&[(day, 1 | 2), (month, 1 | 2), (year, 4)], '.' | '-') => (year, month, day),
        (&[(day, 1 | 2), (month, 1 | 2), (year, 4)], '/') if day == month || day > 12 => {
            (year, month, day)
        }
        (&[(month, 1 | 2), (day, 1 | 2), (year, 4)], '/') if day > 12 => (year, month, day),
        _ => return None,
    };
    Some((year, u32::try_from(month).ok()?, u32::try_from(day).ok()?))
}

/// RFC 2822's reading of two digits.
const fn full_year(short: i64) -> i64 {
    if short < 50 {
        2000 + short
    } else {
        1900 + short
    }
}

/// The longest known beginning decides, so that `juin` is not `jui…`.
fn month_of(word: &str) -> Option<u32> {
    MONTHS
        .iter()
        .filter(|(start, _)| word.starts_with(start))
        .max_by_key(|(start, _)| start.len())
        .map(|(_, month)| *month)
}

fn days_in_month(year: i64, month: u32) -> Option<u32> {
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    })
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that begin in March.
const fn days_since_epoch(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month as i64 + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day as i64 - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            ("June 10, 2025 at 4 p.m. ET", "2025-06-10T21:00:00Z"),
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
            let read = parse(text).map(|time| time.to_string());
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
            "25:00 10 June 2025",
            "0000-00-00",
            "Mon, 00 Jan 0000 00:00:00 GMT",
            "12345678901234567890",
            "9999-12-31",
            "1700000000",
            ":",
            "June",
            "2025",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn epochs_are_told_apart_by_size() {
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

    proptest! {
        #[test]
        fn any_text_is_survived(text in "\\PC{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn reads_back_its_own_form(ms in -2_000_000_000_000_i64..7_000_000_000_000) {
            let time = Timestamp::from_ms(ms);
            prop_assert_eq!(parse(&time.to_string()), Some(time));
        }
    }
}
