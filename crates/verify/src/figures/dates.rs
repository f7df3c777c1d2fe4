//! Days and months as claims write them.

use jiff::civil::Date;
use model::Day;

use super::period::{Span, SpanUnit, year_of};
use super::token::{Join, Token};

/// A day from its numbers; `None` if there is no such day.
pub(crate) fn ymd(year: i32, month: i32, day: i32) -> Option<Day> {
    let date = Date::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
    );
    date.ok().map(Day::from_date)
}

/// A day this number of months later.
pub(crate) fn add_months(day: Day, months: i32) -> Day {
    day.months_before(-months)
}

/// The last day of a month.
pub(crate) fn last_of_month(day: Day) -> Day {
    add_months(day.first_of_month(), 1).plus(-1)
}

/// Names of months and weekdays.
pub(crate) mod month_day {
    use jiff::civil::Weekday;

    use super::{Join, Token, year_of};

    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];

    /// The number of the month at this place. Names that are also words count if capitalised, or where only a month can
    /// stand: before a year or a day with its year, after a day or a time word.
    pub(crate) fn month_at(tokens: &[Token<'_>], at: usize) -> Option<i32> {
        const BEFORE: [&str; 14] = [
            "in",
            "since",
            "until",
            "till",
            "of",
            "last",
            "during",
            "early",
            "mid",
            "late",
            "through",
            "throughout",
            "from",
            "by",
        ];
        let token = tokens.get(at)?;
        month(token).or_else(|| {
            let is_day = |token: &Token<'_>| {
                token.text.len() <= 2 && token.whole().is_some_and(|day| (1..=31).contains(&day))
            };
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_behind = before.is_some_and(|before| {
                before.is_any(&BEFORE)
                    || before.is_any(&["st", "nd", "rd", "th"]) && before.join == Join::Tight
                    || is_day(before) && !token.is("may")
            });
            let is_before = tokens.get(at + 1).and_then(year_of).is_some();
            // `march 13 2023`, `on may 5th`.
            let is_before_day = tokens.get(at + 1).is_some_and(is_day) && {
                let ending = tokens.get(at + 2);
                let is_ending = super::is_suffix(ending);
                let behind = tokens.get(at + 2 + usize::from(is_ending));
                behind.and_then(year_of).is_some() || before.is_some_and(|before| before.is("on"))
            };
            (is_behind || is_before || is_before_day)
                .then(|| named(token))
                .flatten()
        })
    }

    /// The number of a month; `May` and `March` count only if capitalised.
    pub(crate) fn month(token: &Token<'_>) -> Option<i32> {
        let is_word = matches!(
            token.lower.as_str(),
            "may" | "march" | "mar" | "sep" | "dec" | "jan"
        );
        named(token).filter(|_| !is_word || token.is_capital())
    }

    fn named(token: &Token<'_>) -> Option<i32> {
        let word = token.lower.as_str();
        let full = MONTHS.iter().position(|name| *name == word);
        let short = || {
            let long_enough = word.len() == 3 || word == "sept";
            let place = MONTHS
                .iter()
                .position(|name| word.len() >= 3 && name.starts_with(word));
            place.filter(|_| long_enough)
        };
        full.or_else(short).map(|place| place as i32 + 1)
    }

    pub(crate) fn weekday(token: &Token<'_>) -> Option<Weekday> {
        Some(match token.lower.as_str() {
            "monday" | "mon" => Weekday::Monday,
            "tuesday" | "tue" | "tues" => Weekday::Tuesday,
            "wednesday" | "wed" => Weekday::Wednesday,
            "thursday" | "thu" | "thurs" => Weekday::Thursday,
            "friday" | "fri" => Weekday::Friday,
            "saturday" => Weekday::Saturday,
            "sunday" => Weekday::Sunday,
            _ => return None,
        })
    }

    pub(crate) fn is_weekday(token: &Token<'_>) -> bool {
        weekday(token).is_some()
    }
}

/// A day: `2024-03-14`, `14 March 2024`, `March 14th, 2024`, `14 March`, `3/14/2024`.
pub(crate) fn day(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Span, usize)> {
    let token = tokens.get(at)?;
    if let Some(found) = in_figures(tokens, at) {
        return Some(found);
    }
    // `14 March 2024`, `14th of March`, `the 14 of March, 2024`.
    if let Some(day) = token
        .whole()
        .filter(|day| (1..=31).contains(day) && token.text.len() <= 2)
    {
        let mut next = at + 1;
        if is_suffix(tokens.get(next)) {
            next += 1;
        }
        if tokens.get(next).is_some_and(|token| token.is("of")) {
            next += 1;
        }
        if let Some(month) = month_day::month_at(tokens, next) {
            return with_year(tokens, next + 1, month, day, today);
        }
        return None;
    }
    let month = month_day::month_at(tokens, at)?;
    let mut next = at + 1;
    if tokens.get(next).is_some_and(|token| token.is("the")) {
        next += 1;
    }
    let number = tokens.get(next)?;
    let day = number
        .whole()
        .filter(|day| (1..=31).contains(day) && number.text.len() <= 2)?;
    next += 1;
    if is_suffix(tokens.get(next)) {
        next += 1;
    } else if tokens
        .get(next)
        .is_some_and(|token| token.is("%") || token.join == Join::Tight)
    {
        return None;
    }
    with_year(tokens, next, month, day, today)
}

fn is_suffix(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|token| token.join == Join::Tight && token.is_any(&["st", "nd", "rd", "th"]))
}

/// A day of a month with the year that follows, otherwise the newest such day up to today.
fn with_year(
    tokens: &[Token<'_>],
    next: usize,
    month: i32,
    day: i32,
    today: Day,
) -> Option<(Span, usize)> {
    let mut place = next;
    if tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["of", "in"]))
    {
        place += 1;
    }
    if let Some(year) = tokens.get(place).and_then(year_of) {
        return Some((Span::day(ymd(year, month, day)?), place + 1));
    }
    let year = i32::from(today.date().year());
    let newest = (0..8)
        .filter_map(|back| ymd(year - back, month, day))
        .find(|day| *day <= today)?;
    let span = Span {
        is_assumed: true,
        ..Span::day(newest)
    };
    Some((span, next))
}

/// `2024-03-14`, `2024/03/14`, `14/03/2024`, `3/14/2024`. None if both numbers could be the month and they differ.
fn in_figures(tokens: &[Token<'_>], at: usize) -> Option<(Span, usize)> {
    let part = |place: usize| tokens.get(at + place).and_then(Token::whole);
    let joined = |place: usize| {
        tokens
            .get(at + place)
            .is_some_and(|token| matches!(token.join, Join::Hyphen | Join::Slash))
    };
    if !(joined(1) && joined(2)) {
        return None;
    }
    let day = if let Some(year) = tokens.get(at).and_then(year_of) {
        ymd(year, part(1)?, part(2)?)
    } else {
        let year = tokens.get(at + 2).and_then(year_of)?;
        match (part(0)?, part(1)?) {
            (day, month) if day > 12 => ymd(year, month, day),
            (month, day) if day > 12 || month == day => ymd(year, month, day),
            _ => None,
        }
    };
    day.map(|day| (Span::day(day), at + 3))
}

/// Whether a numeric date could be two days.
pub(crate) fn is_ambiguous(tokens: &[Token<'_>]) -> bool {
    (0..tokens.len()).any(|at| {
        let part = |place: usize| tokens.get(at + place).and_then(Token::whole);
        let slashes = [1, 2].iter().all(|place| {
            tokens
                .get(at + place)
                .is_some_and(|token| token.join == Join::Slash)
        });
        let both = part(0).zip(part(1)).is_some_and(|(one, other)| {
            (1..=12).contains(&one) && (1..=12).contains(&other) && one != other
        });
        slashes
            && both
            && tokens
                .get(at + 2)
                .is_some_and(|token| year_of(token).is_some())
    })
}

/// A month: `March 2024`, `March of 2024`, `2024-03`, `March`; also with `early`, `mid` and `late`.
pub(crate) fn month(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Span, usize)> {
    let token = tokens.get(at)?;
    if let Some(part) = part_of(token) {
        let mut next = at + 1;
        while tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["of", "in"]))
        {
            next += 1;
        }
        let (whole, next) = month(tokens, next, today).or_else(|| {
            let year = tokens.get(next).and_then(year_of)?;
            Some((Span::year(year)?, next + 1))
        })?;
        let third = (whole.last.since(whole.first) + 1) / 3;
        let first = whole.first.plus(part * third);
        let last = if part == 2 {
            whole.last
        } else {
            first.plus(third - 1)
        };
        return Some((
            Span {
                is_assumed: whole.is_assumed,
                ..Span::new(first, last, SpanUnit::Stretch)
            },
            next,
        ));
    }
    if let Some(year) = year_of(token)
        && let Some(next) = tokens.get(at + 1)
        && next.join == Join::Hyphen
        && next.text.len() == 2
        && let Some(month) = next.whole().filter(|month| (1..=12).contains(month))
        && tokens.get(at).is_some_and(|token| token.text.len() == 4)
        && !tokens
            .get(at + 2)
            .is_some_and(|token| token.join == Join::Hyphen)
    {
        // `2020-12` is a month; `2010-20` are years.
        return Span::month(year, month).map(|span| (span, at + 2));
    }
    let number = month_day::month_at(tokens, at)?;
    let mut place = at + 1;
    if tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["of", "in"]))
    {
        place += 1;
    }
    if let Some(year) = tokens.get(place).and_then(year_of) {
        return Span::month(year, number).map(|span| (span, place + 1));
    }
    let year = i32::from(today.date().year());
    let month = Span::month(year, number)?;
    let month = if month.first <= today {
        month
    } else {
        Span::month(year - 1, number)?
    };
    Some((
        Span {
            is_assumed: true,
            ..month
        },
        at + 1,
    ))
}

/// Which third `early`, `mid` and `late` mean.
fn part_of(token: &Token<'_>) -> Option<i32> {
    Some(match token.lower.as_str() {
        "early" => 0,
        "mid" | "middle" => 1,
        "late" => 2,
        _ => return None,
    })
}
