//! Quarters, halves, weeks and fiscal years.

use model::Day;

use super::{Span, SpanUnit, is_seq, year_of};
use crate::figures::dates::{self, month_day};
use crate::figures::numbers;
use crate::figures::token::{Join, Token};

/// `2024`, or `24` in `FY24` and `'24`.
fn short_year(token: &Token<'_>) -> Option<i32> {
    year_of(token).or_else(|| {
        let year = token.whole()?;
        (token.text.len() == 2).then_some(if year < 70 { 2000 + year } else { 1900 + year })
    })
}

fn ordinal(token: &Token<'_>) -> Option<i32> {
    Some(match token.lower.as_str() {
        "first" | "1st" => 1,
        "second" | "2nd" => 2,
        "third" | "3rd" => 3,
        "fourth" | "4th" | "final" => 4,
        _ => return None,
    })
}

/// `Q3` is one token, `3Q` two.
fn quarter_number(tokens: &[Token<'_>], at: usize) -> Option<(i32, usize)> {
    let token = tokens.get(at)?;
    let letter = |rest: &str| {
        let digits = rest.strip_prefix('q')?;
        let number: i32 = digits.parse().ok()?;
        (1..=4).contains(&number).then_some(number)
    };
    if let Some(number) = letter(&token.lower) {
        return Some((number, at + 1));
    }
    if let Some(number) = token.whole().filter(|number| (1..=4).contains(number))
        && let Some(next) = tokens.get(at + 1)
        && next.join == Join::Tight
    {
        if next.is("q") {
            return Some((number, at + 2));
        }
        // `3q24` is split into `3` and `q24`.
        if matches!(next.lower.as_str(), "st" | "nd" | "rd" | "th")
            && tokens.get(at + 2).is_some_and(|token| token.is("quarter"))
        {
            return Some((number, at + 3));
        }
    }
    let number = ordinal(token)?;
    tokens
        .get(at + 1)
        .is_some_and(|next| next.is_any(&["quarter", "qtr"]))
        .then_some((number, at + 2))
}

/// A fiscal year: `fiscal 2024`, `fiscal year 2024`, `FY24`, `2024 fiscal year`; also its quarters.
pub(super) fn fiscal(tokens: &[Token<'_>], at: usize) -> Option<(Span, usize)> {
    let mut next = at;
    let mut number = None;
    if tokens[at].is("fiscal")
        && let Some((quarter, after)) = quarter_number(tokens, at + 1)
    {
        number = Some(quarter);
        next = after;
        while tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["of", "in"]))
        {
            next += 1;
        }
        if let Some(year) = tokens.get(next).and_then(year_of) {
            return fiscal_span(year, number).map(|span| (span, next + 1));
        }
    } else if let Some((quarter, after)) = quarter_number(tokens, at) {
        number = Some(quarter);
        next = after;
        while tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["of", "in", "its", "the"]))
        {
            next += 1;
        }
    }
    let (year, next) = fiscal_year(tokens, next)?;
    fiscal_span(year, number).map(|span| (span, next))
}

fn fiscal_span(year: i32, quarter: Option<i32>) -> Option<Span> {
    let span = Span::year(year)?;
    let unit = match quarter {
        Some(quarter) => SpanUnit::FiscalQuarter(year, u8::try_from(quarter).ok()?),
        None => SpanUnit::FiscalYear(year),
    };
    Some(Span { unit, ..span })
}

fn fiscal_year(tokens: &[Token<'_>], at: usize) -> Option<(i32, usize)> {
    let token = tokens.get(at)?;
    if let Some(rest) = token.lower.strip_prefix("fy")
        && let Ok(number) = rest.parse::<i32>()
    {
        let year = match number {
            0..=69 => 2000 + number,
            1900..=2199 => number,
            _ => return None,
        };
        return Some((year, at + 1));
    }
    if token.is("fy") || is_seq(tokens, at, &["fiscal", "year"]) || token.is("fiscal") {
        let skip = if is_seq(tokens, at, &["fiscal", "year"]) {
            2
        } else {
            1
        };
        let year = tokens.get(at + skip).and_then(short_year)?;
        return Some((year, at + skip + 1));
    }
    let year = year_of(token)?;
    is_seq(tokens, at + 1, &["fiscal", "year"]).then_some((year, at + 3))
}

/// Calendar quarters and halves; without a year, the newest one that is over.
pub(super) fn quarter(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Span, usize)> {
    let token = &tokens[at];
    let year_after = |mut next: usize| {
        while tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["of", "in", "the", "year"]))
        {
            next += 1;
        }
        tokens
            .get(next)
            .and_then(year_of)
            .map(|year| (year, next + 1))
    };
    // `2024 Q3`, `2024Q3`.
    if let Some(year) = year_of(token)
        && let Some((number, next)) = quarter_number(tokens, at + 1)
    {
        return Span::quarter(year, number).map(|span| (span, next));
    }
    // `3Q24`.
    if let Some(number) = token.whole().filter(|number| (1..=4).contains(number))
        && let Some(next) = tokens.get(at + 1)
        && next.join == Join::Tight
        && let Some(year) = next
            .lower
            .strip_prefix('q')
            .and_then(|rest| rest.parse::<i32>().ok())
        && (0..70).contains(&year)
    {
        return Span::quarter(2000 + year, number).map(|span| (span, at + 2));
    }
    // `the last quarter of 2020`; without a year it is the one before today.
    if token.is_any(&["last", "closing"])
        && tokens.get(at + 1).is_some_and(|next| next.is("quarter"))
        && let Some((year, next)) = year_after(at + 2)
    {
        return Span::quarter(year, 4).map(|span| (span, next));
    }
    if let Some((number, next)) = quarter_number(tokens, at) {
        if let Some((year, next)) = year_after(next) {
            return Span::quarter(year, number).map(|span| (span, next));
        }
        let year = i32::from(today.date().year());
        let span = Span::quarter(year, number)?;
        let span = if span.last <= today {
            span
        } else {
            Span::quarter(year - 1, number)?
        };
        return Some((
            Span {
                is_assumed: true,
                ..span
            },
            next,
        ));
    }
    let half = match token.lower.as_str() {
        "h1" => Some((1, at + 1)),
        "h2" => Some((2, at + 1)),
        _ => ordinal(token)
            .filter(|half| *half <= 2)
            .filter(|_| tokens.get(at + 1).is_some_and(|next| next.is("half")))
            .map(|half| (half, at + 2)),
    };
    let (half, next) = half?;
    if let Some((year, next)) = year_after(next) {
        return Span::half(year, half).map(|span| (span, next));
    }
    // The first half of a month.
    let mut place = next;
    while tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["of", "in"]))
    {
        place += 1;
    }
    let (month, next) = dates::month(tokens, place, today)?;
    let middle = month.first.plus(14);
    let span = if half == 1 {
        Span::new(month.first, middle, SpanUnit::Stretch)
    } else {
        Span::new(middle.plus(1), month.last, SpanUnit::Stretch)
    };
    Some((span, next))
}

/// `the first six months of 2021`, `the last three months of 2020`.
pub(super) fn months_of_year(tokens: &[Token<'_>], at: usize) -> Option<(Span, usize)> {
    let is_first = tokens[at].is_any(&["first", "opening"]);
    if !is_first && !tokens[at].is_any(&["last", "final", "closing"]) {
        return None;
    }
    let count = tokens.get(at + 1)?;
    let months = count
        .whole()
        .map(f64::from)
        .or_else(|| numbers::numeral(&count.lower))
        .filter(|months| (1.0..=11.0).contains(months))? as i32;
    if !tokens.get(at + 2)?.is_any(&["months", "month"])
        || !tokens.get(at + 3)?.is_any(&["of", "in"])
    {
        return None;
    }
    let place = at + 4 + usize::from(tokens.get(at + 4).is_some_and(|token| token.is("the")));
    let year = Span::year(year_of(tokens.get(place)?)?)?;
    let span = if is_first {
        let last = dates::last_of_month(dates::add_months(year.first, months - 1));
        Span::new(year.first, last, SpanUnit::Stretch)
    } else {
        let first = dates::add_months(year.first, 12 - months);
        Span::new(first, year.last, SpanUnit::Stretch)
    };
    Some((span, place + 1))
}

/// `spring 2020`, `the summer of 2021`: three months, by northern seasons. A winter falls in two years and is not read.
pub(super) fn season(tokens: &[Token<'_>], at: usize) -> Option<(Span, usize)> {
    let first = match tokens[at].lower.as_str() {
        "spring" => 3,
        "summer" => 6,
        "autumn" => 9,
        "fall" if at > 0 && tokens[at - 1].is_any(&["the", "in"]) => 9,
        _ => return None,
    };
    let mut place = at + 1;
    while tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["of", "in"]))
    {
        place += 1;
    }
    let year = year_of(tokens.get(place)?)?;
    let first = dates::ymd(year, first, 1)?;
    let last = dates::last_of_month(dates::add_months(first, 2));
    Some((Span::new(first, last, SpanUnit::Stretch), place + 1))
}

/// `the quarter ended 31 October 2024`, `the year to 31 January 2024`: the quarter or year that mostly falls there.
pub(super) fn ended(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Span, usize)> {
    // `the fiscal year ended January 2024`.
    let at = at + usize::from(tokens[at].is_any(&["fiscal", "financial", "business"]));
    let mut place = at + 1;
    let is_year = tokens.get(at)?.is("year");
    if !is_year && !tokens[at].is("quarter") || !tokens.get(place)?.is_any(&["ended", "ending"]) {
        return None;
    }
    place += 1;
    while tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["on", "in"]))
    {
        place += 1;
    }
    let (end, next) =
        dates::day(tokens, place, today).or_else(|| dates::month(tokens, place, today))?;
    let middle = end.last.plus(if is_year { -182 } else { -45 }).date();
    let year = i32::from(middle.year());
    let span = if is_year {
        Span::year(year)?
    } else {
        let last = dates::last_of_month(end.last.plus(-10));
        let first = dates::add_months(last.first_of_month(), -2);
        let calendar = Span::quarter(year, (i32::from(middle.month()) - 1) / 3 + 1)?;
        // `the quarter ended April 30`: those three months, not a calendar quarter.
        if end.is_day() && first != calendar.first {
            Span::new(first, last, SpanUnit::Quarter)
        } else {
            calendar
        }
    };
    Some((span, next))
}

/// `the week of 14 March 2024`, `the week ended 14 March`.
pub(super) fn week(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Span, usize)> {
    if !tokens[at].is("week") {
        return None;
    }
    let word = tokens.get(at + 1)?;
    if !word.is_any(&[
        "of",
        "ended",
        "ending",
        "to",
        "through",
        "starting",
        "beginning",
    ]) {
        return None;
    }
    let mut place = at + 2;
    while tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["on", "the"]) || month_day::is_weekday(token))
    {
        place += 1;
    }
    let (day, next) = dates::day(tokens, place, today)?;
    let monday = day.first.monday();
    Some((
        Span {
            is_assumed: day.is_assumed,
            ..Span::new(monday, monday.plus(6), SpanUnit::Week)
        },
        next,
    ))
}
