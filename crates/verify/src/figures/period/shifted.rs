//! Times counted from another time in the sentence: `two days later`, `the year before`.

use super::{Found, Length, Period, Role, Span, SpanUnit};
use crate::figures::dates::{add_months, last_of_month};
use crate::figures::numbers;
use crate::figures::token::{Join, Token};

/// The time that begins with a token and is counted from the last one before it; `None` if there is none to count from.
pub(super) fn shifted(tokens: &[Token<'_>], at: usize, before: &[Found]) -> Option<Found> {
    let (count, length, next) = counted(tokens, at).or_else(|| neighbour(tokens, at))?;
    let anchor = before.last()?;
    let Period::In(span) = anchor.period else {
        return None;
    };
    if !matches!(anchor.role, Role::Main | Role::End | Role::Start) {
        return None;
    }
    let span = moved(span, count, length)?;
    let role = match anchor.role {
        role @ (Role::End | Role::Start) => role,
        _ => Role::Main,
    };
    Some(Found {
        period: Period::In(span),
        role,
        first: at,
        next,
    })
}

/// `a year later`, `two days earlier`, `three months on`.
fn counted(tokens: &[Token<'_>], at: usize) -> Option<(i32, Length, usize)> {
    let token = &tokens[at];
    let count = if token.is_any(&["a", "an"]) {
        1
    } else {
        let numeral = || numbers::numeral(&token.lower).map(|count| count as i32);
        token.whole().or_else(numeral)?
    };
    let mut place = at + 1;
    let mut is_session = false;
    while tokens
        .get(place)
        .is_some_and(|token| token.is_any(&["trading", "full"]))
    {
        is_session = true;
        place += 1;
    }
    let length = length(tokens.get(place)?)?;
    let word = tokens.get(place + 1)?;
    let ends = ends_at(tokens, place + 2);
    let sign = match word.lower.as_str() {
        "later" | "afterwards" => 1,
        "on" | "after" if ends => 1,
        "earlier" => -1,
        "before" if ends => -1,
        _ => return None,
    };
    // `to $430 million from $317 million a year earlier`: what it is compared with.
    let is_base = sign < 0
        && tokens[at.saturating_sub(5)..at]
            .iter()
            .any(|token| token.is_any(&["from", "than", "against", "versus", "compared", "vs"]));
    let is_near = (1..=100).contains(&count) && !is_session;
    let is_compared = at
        .checked_sub(1)
        .is_some_and(|before| tokens[before].is_any(&["than", "from"]));
    (is_near && !is_compared && !is_base).then_some((sign * count, length, place + 2))
}

/// `the next day`, `the following year`, `the month before`, `the day after`.
fn neighbour(tokens: &[Token<'_>], at: usize) -> Option<(i32, Length, usize)> {
    let is_compared = at
        .checked_sub(1)
        .is_some_and(|before| tokens[before].is_any(&["than", "from", "below", "above"]));
    if !tokens[at].is("the") || is_compared {
        return None;
    }
    let word = tokens.get(at + 1)?;
    let sign = match word.lower.as_str() {
        "next" | "following" => 1,
        "previous" | "prior" | "preceding" => -1,
        _ => 0,
    };
    if sign != 0 {
        let unit = tokens.get(at + 2)?;
        return Some((sign, length(unit).filter(|_| !unit.possessive)?, at + 3));
    }
    let length = length(word)?;
    let sign = match tokens.get(at + 2)?.lower.as_str() {
        "after" | "afterwards" => 1,
        "before" => -1,
        _ => return None,
    };
    ends_at(tokens, at + 3).then_some((sign, length, at + 3))
}

/// Whether nothing follows here that belongs to the preceding words.
fn ends_at(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_none_or(|token| {
        matches!(token.join, Join::Break | Join::Stop) || token.is_any(&["and", "but", "while"])
    })
}

fn length(token: &Token<'_>) -> Option<Length> {
    Some(match token.lower.as_str() {
        "day" | "days" => Length::Days,
        "week" | "weeks" => Length::Weeks,
        "month" | "months" => Length::Months,
        "quarter" | "quarters" => Length::Quarters,
        "year" | "years" => Length::Years,
        _ => return None,
    })
}

/// A span this number of units later. A year is only moved by years, and a month not by days, because the meaning would
/// be unclear.
fn moved(span: Span, count: i32, length: Length) -> Option<Span> {
    let months = match length {
        Length::Days | Length::Weeks => {
            let days = if length == Length::Weeks { 7 } else { 1 } * count;
            let moved = Span {
                first: span.first.plus(days),
                last: span.last.plus(days),
                ..span
            };
            return (span.unit == SpanUnit::Day).then_some(moved);
        }
        Length::Months => count,
        Length::Quarters => 3 * count,
        Length::Years => 12 * count,
        Length::Sessions => return None,
    };
    let is_fit = match span.unit {
        SpanUnit::Day | SpanUnit::Month => true,
        SpanUnit::Quarter => months % 3 == 0,
        SpanUnit::Half => months % 6 == 0,
        SpanUnit::Year => months % 12 == 0,
        SpanUnit::FiscalYear(year) => {
            let moved = Span {
                first: add_months(span.first, months),
                last: last_of_month(add_months(span.last, months)),
                unit: SpanUnit::FiscalYear(year + months / 12),
                ..span
            };
            return (months % 12 == 0).then_some(moved);
        }
        _ => false,
    };
    let last = add_months(span.last, months);
    is_fit.then_some(Span {
        first: add_months(span.first, months),
        last: if span.unit == SpanUnit::Day {
            last
        } else {
            last_of_month(last)
        },
        ..span
    })
}
