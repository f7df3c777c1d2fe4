//! Times counted from today, and what the words before a time say about it.

use model::Day;

use super::{Length, Period, Role, Span, SpanUnit, is_seq};
use crate::figures::dates::{self, add_months, last_of_month, month_day, ymd};
use crate::figures::numbers;
use crate::figures::subject::is_of_bonds;
use crate::figures::token::{Join, Token};

/// The day meant by `the end of` or `the start of` a span if something begins there.
pub(super) fn edge(span: Span, before: &[Token<'_>]) -> Span {
    let any = |words: &[&str]| before.iter().any(|token| token.is_any(words));
    if span.is_day() {
        span
    } else if any(&["end", "close", "year-end"]) {
        Span {
            is_assumed: span.is_assumed,
            ..Span::day(span.last)
        }
    } else if any(&["start", "beginning", "outset"]) {
        Span {
            is_assumed: span.is_assumed,
            ..Span::day(span.first.plus(-1))
        }
    } else {
        span
    }
}

/// Periods counted from today.
pub(super) fn relative(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Period, usize)> {
    let token = &tokens[at];
    let next = tokens.get(at + 1);
    let span = |span: Option<Span>, next: usize| {
        span.map(|span| {
            (
                Period::In(Span {
                    is_assumed: true,
                    ..span
                }),
                next,
            )
        })
    };
    let year = i32::from(today.date().year());
    let month = i32::from(today.date().month());
    match token.lower.as_str() {
        "today" => return span(Some(Span::day(today)), at + 1),
        "yesterday" => return span(Some(Span::day(today.plus(-1))), at + 1),
        "now" | "currently" | "latest" | "nowadays" | "presently" => {
            return Some((Period::Latest, at + 1));
        }
        "ytd" => {
            return span(
                Some(Span::new(ymd(year, 1, 1)?, today, SpanUnit::Stretch)),
                at + 1,
            );
        }
        // `since the start of the year`, `since the beginning of this year`.
        "since" => {
            let open = usize::from(next.is_some_and(|next| next.is("the")));
            let edge = tokens.get(at + 1 + open)?;
            let names_year = ["the", "this"]
                .iter()
                .any(|article| is_seq(tokens, at + 2 + open, &["of", article, "year"]));
            let last = at + 4 + open;
            if edge.is_any(&["start", "beginning", "outset"])
                && names_year
                && !tokens[last].possessive
            {
                let so_far = Span::new(ymd(year, 1, 1)?, today, SpanUnit::Stretch);
                return span(Some(so_far), last + 1);
            }
            return None;
        }
        "most" if next.is_some_and(|next| next.is_any(&["recent", "recently"])) => {
            return Some((Period::Latest, at + 2));
        }
        "at" if is_seq(tokens, at, &["at", "present"]) || is_seq(tokens, at, &["at", "last"]) => {
            return Some((Period::Latest, at + 2));
        }
        "year" if is_seq(tokens, at, &["year", "to", "date"]) => {
            return span(
                Some(Span::new(ymd(year, 1, 1)?, today, SpanUnit::Stretch)),
                at + 3,
            );
        }
        _ => {}
    }
    let is_this = token.is_any(&["this", "current"]);
    if (is_this || token.is_any(&["last", "previous"]))
        && let Some(unit) = next
        && !unit.possessive
    {
        let back = i32::from(!is_this);
        let found = match unit.lower.as_str() {
            "week" => {
                let monday = today.monday().plus(-7 * back);
                Some(Span::new(monday, monday.plus(6), SpanUnit::Week))
            }
            "month" => {
                let first = add_months(today.first_of_month(), -back);
                Some(Span::new(first, last_of_month(first), SpanUnit::Month))
            }
            "quarter" => {
                let first = ymd(year, (month - 1) / 3 * 3 + 1, 1)?;
                let first = add_months(first, -3 * back);
                Some(Span::new(
                    first,
                    last_of_month(add_months(first, 2)),
                    SpanUnit::Quarter,
                ))
            }
            "year" => Span::year(year - back),
            _ => None,
        };
        if let Some(found) = found {
            // If it is not over, the time so far is meant.
            let last = found.last.min(today);
            return span(Some(Span { last, ..found }), at + 2);
        }
        // `last Friday`.
        if let Some(weekday) = month_day::weekday(unit) {
            let mut day = today.plus(-1);
            while day.weekday() != weekday {
                day = day.plus(-1);
            }
            return span(Some(Span::day(day)), at + 2);
        }
    }
    if let Some(weekday) = month_day::weekday(token)
        && dates::day(tokens, at + 1, today).is_none()
    {
        let mut day = today;
        while day.weekday() != weekday {
            day = day.plus(-1);
        }
        return span(Some(Span::day(day)), at + 1);
    }
    past(tokens, at)
}

/// `the past month`, `the last 12 months`, `in three weeks`, `for a month`, `over one year`.
fn past(tokens: &[Token<'_>], at: usize) -> Option<(Period, usize)> {
    let token = &tokens[at];
    let is_past = token.is_any(&["past", "last", "trailing", "previous", "prior"]);
    let is_for = token.is_any(&["for", "over", "within", "in"]);
    if !is_past && !is_for {
        return None;
    }
    let mut place = at + 1;
    let mut says_past = is_past;
    while tokens.get(place).is_some_and(|token| {
        token.is_any(&[
            "the", "past", "last", "previous", "prior", "trailing", "more", "than", "at", "least",
            "about", "full", "whole",
        ])
    }) {
        says_past |= tokens[place].is_any(&["past", "last", "previous", "prior", "trailing"]);
        place += 1;
    }
    let count_token = tokens.get(place)?;
    let written = count_token
        .whole()
        .map(f64::from)
        .or_else(|| numbers::numeral(&count_token.lower))
        .or_else(|| count_token.is_any(&["a", "an"]).then_some(1.0));
    let (count, place) = match written {
        Some(count) => (count, place + 1),
        None if says_past => (1.0, place),
        None => return None,
    };
    let mut place = place;
    let mut is_session = false;
    while tokens.get(place).is_some_and(|token| {
        token.is_any(&[
            "trading",
            "straight",
            "consecutive",
            "calendar",
            "full",
            "running",
        ])
    }) {
        is_session |= tokens[place].is_any(&["trading", "straight", "consecutive"]);
        place += 1;
    }
    let length = match tokens.get(place)?.lower.as_str() {
        "days" | "day" if is_session => Length::Sessions,
        "sessions" | "session" => Length::Sessions,
        "days" | "day" => Length::Days,
        "weeks" | "week" => Length::Weeks,
        "months" | "month" => Length::Months,
        "quarters" => Length::Quarters,
        "years" | "year" => Length::Years,
        "decade" => return says_past.then_some((Period::Past(10, Length::Years), place + 1)),
        _ => return None,
    };
    // `for the two-year note`.
    let is_maturity =
        tokens[place].join == Join::Hyphen && tokens.get(place + 1).is_some_and(is_of_bonds);
    if is_maturity {
        return None;
    }
    // `in a day's trading`, and `a year ago`, mean other things.
    if tokens
        .get(place + 1)
        .is_some_and(|token| token.is_any(&["ago", "earlier", "before"]))
    {
        return None;
    }
    if !(1.0..=400.0).contains(&count) {
        return None;
    }
    Some((Period::Past(count as u32, length), place + 1))
}

/// What the words before a period say, and where they begin.
pub(super) fn role(tokens: &[Token<'_>], at: usize) -> (Role, usize) {
    let mut first = at;
    let mut role = Role::Main;
    while let Some(before) = first.checked_sub(1) {
        let token = &tokens[before];
        // `for all of 2020`, `the whole of March`: every value is meant.
        if token.is("of")
            && before > 0
            && tokens[before - 1].is_any(&["all", "whole", "most", "much"])
        {
            break;
        }
        if tokens[first].join == Join::Stop {
            break;
        }
        role = match token.lower.as_str() {
            "since" => Role::Since,
            "from" if role == Role::Main || role == Role::End || role == Role::Start => Role::From,
            "until" | "through" | "till" | "thru" | "to" => Role::To,
            "than" | "versus" | "vs" | "against" => Role::Base,
            "with" if before > 0 && tokens[before - 1].is_any(&["compared", "compare"]) => {
                Role::Base
            }
            "end" | "year-end" if matches!(role, Role::Main) => Role::End,
            // `the last trading day of 2022`.
            "day" | "session"
                if role == Role::Main
                    && tokens[before.saturating_sub(2)..before]
                        .iter()
                        .any(|token| token.is_any(&["last", "final"])) =>
            {
                Role::End
            }
            "trading" | "last" | "final" if role == Role::End => Role::End,
            "close"
                if role == Role::Main
                    && before > 0
                    && tokens[before - 1].is_any(&["the", "at", "market"]) =>
            {
                Role::End
            }
            "ended" | "closed" | "finished"
                if matches!(role, Role::Main) && tokens[first].join != Join::Break =>
            {
                // The verb is left to be read as one.
                let is_base = before > 1
                    && tokens[before - 1].is_any(&["it", "they"])
                    && tokens[before - 2].is_any(&["than", "where"]);
                return (if is_base { Role::Base } else { Role::End }, first);
            }
            // `closed out 2025`, `rounded off the year`.
            "out" | "off" | "up"
                if matches!(role, Role::Main)
                    && tokens[first].join != Join::Break
                    && before > 0
                    && matches!(
                        (tokens[before - 1].lower.as_str(), token.lower.as_str()),
                        ("closed" | "closes" | "rounded", "out")
                            | ("rounded", "off")
                            | ("wrapped", "up")
                    ) =>
            {
                return (Role::End, first);
            }
            "start" | "beginning" | "outset" if matches!(role, Role::Main) => Role::Start,
            "of" | "the" | "in" | "on" | "during" | "for" | "at" | "by" | "as" | "over"
            | "calendar" | "year" | "its" | "full" | "within" | "dated" | "ending" | "between" => {
                role
            }
            word if month_day::is_weekday(token) && !word.is_empty() => role,
            _ => break,
        };
        first = before;
        if matches!(role, Role::Since | Role::From | Role::Base)
            && token.is_any(&["since", "from", "than", "versus", "vs"])
        {
            break;
        }
    }
    (role, first)
}
