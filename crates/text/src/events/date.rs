//! The day on which something happened or will happen, as stated in a sentence.

use model::Timestamp;

use crate::annotate::lexed::{Token, gap, shape};

/// What a sentence says about time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// A day, or the first day of a named week, month, quarter or year.
    Day(Timestamp),
    /// An earlier year: background.
    Past(i16),
}

const MONTHS: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sept"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];
pub(crate) const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// The day that a sentence names, relative to the day of publication. `coming` is set if it is about the future.
pub(crate) fn resolve(tokens: &[Token<'_>], published: Timestamp, coming: bool) -> Option<When> {
    let today = published.day();
    (0..tokens.len()).find_map(|at| named(tokens, at, today, coming))
}

/// All days that a sentence names, each once.
pub(crate) fn all(tokens: &[Token<'_>], published: Timestamp, coming: bool) -> Vec<When> {
    let mut days: Vec<When> = Vec::new();
    for at in 0..tokens.len() {
        if let Some(when) = named(tokens, at, published.day(), coming)
            && !days.contains(&when)
        {
            days.push(when);
        }
    }
    days
}

fn named(tokens: &[Token<'_>], at: usize, today: i64, coming: bool) -> Option<When> {
    let token = &tokens[at];
    let capital = token.is(shape::CAPITAL);
    let number = token.is(shape::NUMBER);
    if !capital && !number && !(4..=9).contains(&token.text.len()) {
        return None;
    }
    let lower = token.text.to_lowercase();
    let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
    let next = tokens.get(at + 1).map_or("", |next| next.text);
    let day = |day: i64| Some(When::Day(Timestamp::start_of_day(day)));
    match lower.as_str() {
        "yesterday" => return day(today - 1),
        "today" | "tonight" => return day(today),
        "tomorrow" => return day(today + 1),
        _ => {}
    }
    if capital && let Some(weekday) = WEEKDAYS.iter().position(|name| *name == lower) {
        // The first day of 1970 was a Thursday.
        let now = (today + 3).rem_euclid(7);
        let back = (now - weekday as i64).rem_euclid(7);
        let ahead = (7 - back).rem_euclid(7);
        return match (coming || before.eq_ignore_ascii_case("next"), back) {
            (_, 0) => day(today),
            (true, _) => day(today + ahead),
            (false, back) => day(today - back),
        };
    }
    let month = MONTHS
        .iter()
        .position(|(long, short)| lower == *long || lower.trim_end_matches('.') == *short)
        .filter(|_| capital)
        .map(|month| month as i8 + 1);
    if let Some(month) = month {
        let year_of = |at: usize| tokens.get(at).and_then(year);
        let number = |token: Option<&Token<'_>>| -> Option<i8> {
            let digits = token?
                .text
                .trim_end_matches(|c: char| c.is_ascii_alphabetic());
            digits.parse().ok().filter(|day| (1..=31).contains(day))
        };
        let after = number(tokens.get(at + 1));
        let earlier = at
            .checked_sub(1)
            .and_then(|before| number(tokens.get(before)));
        let (monthday, year) = match (after, earlier) {
            (Some(day), _) => (day, year_of(at + 2)),
            (None, Some(day)) => (day, year_of(at + 1)),
            // `May` and `March` are also words, so a month alone needs `in` before it.
            (None, None) if matches!(before, "in" | "In" | "since" | "this" | "next" | "last") => {
                (1, year_of(at + 1))
            }
            (None, None) => return None,
        };
        return dated(year, month, monthday, today);
    }
    let hyphened = tokens
        .get(at + 1)
        .is_some_and(|next| next.after(gap::HYPHEN));
    if let Some(year) = year(token).filter(|_| matches!(before, "in" | "In" | "since") && !hyphened)
    {
        let past = civil(today).is_some_and(|today| year < today.year());
        return past.then_some(When::Past(year));
    }
    match (before.to_lowercase().as_str(), lower.as_str(), next) {
        ("last", "week", _) => day(today - 7),
        ("next", "week", _) => day(today + 7),
        ("last", "month", _) => day(today - 30),
        ("next", "month", _) => day(today + 30),
        ("first" | "second" | "third" | "fourth", "quarter", _) => {
            let quarter = ["first", "second", "third", "fourth"]
                .iter()
                .position(|name| before.eq_ignore_ascii_case(name))?;
            dated(None, quarter as i8 * 3 + 1, 1, today)
        }
        _ => None,
    }
}

fn year(token: &Token<'_>) -> Option<i16> {
    let year: i16 = token.text.parse().ok()?;
    (token.text.len() == 4 && (1900..2100).contains(&year)).then_some(year)
}

/// A date. Without a year, the one nearest to publication.
fn dated(year: Option<i16>, month: i8, monthday: i8, today: i64) -> Option<When> {
    let published = civil(today)?;
    let date = |year: i16| {
        let date = jiff::civil::Date::new(year, month, monthday).ok()?;
        let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
    };
    if let Some(year) = year {
        return if year < published.year() - 1 {
            Some(When::Past(year))
        } else {
            date(year).map(When::Day)
        };
    }
    (published.year() - 1..=published.year() + 1)
        .filter_map(date)
        .min_by_key(|date| (date.day() - today).abs())
        .map(When::Day)
}

fn civil(day: i64) -> Option<jiff::civil::Date> {
    let second = day.checked_mul(86_400)?;
    let time = jiff::Timestamp::from_second(second).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).date())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::lexed::lex;

    fn check(text: &str, coming: bool, expected: &str) {
        let mut tokens = Vec::new();
        lex(text, &mut tokens);
        // A Wednesday.
        let published: Timestamp = "2026-03-11T10:00:00Z".parse().unwrap();
        let found = match resolve(&tokens, published, coming) {
            Some(When::Day(day)) => day.date(),
            Some(When::Past(year)) => format!("past {year}"),
            None => "none".to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn days_are_seen_from_the_publication() {
        check("The deal closed on Monday", false, "2026-03-09");
        check("The deal will close on Monday", true, "2026-03-16");
        check("It was announced yesterday", false, "2026-03-10");
        check("The sale was agreed on March 3", false, "2026-03-03");
        check("It opens 3 April in Lisbon", true, "2026-04-03");
        check("It opens on December 28", false, "2025-12-28");
        check("bought on May 4, 2025", false, "2025-05-04");
        check("which it bought in 2014", false, "past 2014");
        check("to close in the third quarter", true, "2026-07-01");
        check("It may march on", false, "none");
    }
}
