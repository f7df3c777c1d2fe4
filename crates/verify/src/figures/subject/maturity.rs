//! Treasury yields by maturity, and the difference between two of them.

use super::{Found, NOT_HELD};
use crate::figures::claim::Subject;
use crate::figures::numbers::numeral;
use crate::figures::token::{Join, Token};

/// Words after a maturity: `10-year note`.
const YIELD_WORDS: [&str; 16] = [
    "treasury",
    "treasuries",
    "note",
    "notes",
    "bond",
    "bonds",
    "bill",
    "bills",
    "yield",
    "yields",
    "ust",
    "t",
    "government",
    "rate",
    "us",
    "u.s",
];

/// Whether a word says that the maturity before it is a bond's.
pub(in crate::figures) fn is_of_bonds(token: &Token<'_>) -> bool {
    token.is_any(&YIELD_WORDS)
}

/// Treasury maturities: `10-year Treasury yield`, `yield on the 10-year note`, `10y`, and the difference between two.
pub(super) fn maturity(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let (months, mut next) = maturity_at(tokens, at)?;
    // `10-year/2-year spread`, `10Y-2Y`, `10-year minus 2-year`, `10-year and 2-year yields`.
    let mut place = next;
    while tokens.get(place).is_some_and(|token| {
        token.is_any(&[
            "minus",
            "and",
            "over",
            "treasury",
            "treasuries",
            "yield",
            "yields",
            "less",
            "note",
            "the",
            "to",
        ])
    }) {
        place += 1;
    }
    if let Some((other, after)) = maturity_at(tokens, place) {
        let rest = tokens
            .get(after..(after + 5).min(tokens.len()))
            .unwrap_or_default();
        let before = tokens.get(at.saturating_sub(8)..at).unwrap_or_default();
        let difference = [
            "spread",
            "curve",
            "inverted",
            "inversion",
            "gap",
            "difference",
            "differential",
            "slope",
            "segment",
        ];
        let is_difference = rest
            .iter()
            .chain(before)
            .any(|token| token.is_any(&difference))
            || tokens[next..place]
                .iter()
                .any(|token| token.is_any(&["minus", "less"]));
        if is_difference {
            let (long, short) = if months > other {
                (months, other)
            } else {
                (other, months)
            };
            let code = spread_code(long, short);
            let mut next = after;
            while tokens.get(next).is_some_and(|token| {
                token.is_any(&[
                    "treasury",
                    "yield",
                    "yields",
                    "spread",
                    "curve",
                    "spreads",
                    "gap",
                    "difference",
                    "note",
                    "notes",
                    "treasuries",
                    "segment",
                    "part",
                ]) && token.join != Join::Break
            }) {
                next += 1;
            }
            return Some(Found {
                subject: Subject::Series(code),
                first: at,
                next,
                also: None,
            });
        }
    }
    let mut says_yield = false;
    while tokens
        .get(next)
        .is_some_and(|token| is_of_bonds(token) && !matches!(token.join, Join::Break | Join::Stop))
    {
        says_yield = true;
        next += 1;
    }
    let before = tokens.get(at.saturating_sub(7)..at).unwrap_or_default();
    says_yield |= before
        .iter()
        .any(|token| token.is_any(&["yield", "yields", "treasury", "treasuries"]));
    let code = yield_code(months)?;
    says_yield.then_some(Found {
        subject: Subject::Series(code),
        first: at,
        next,
        also: None,
    })
}

/// The months of `10-year`, `10y`, `ten-year`, `3-month`, `3m`.
fn maturity_at(tokens: &[Token<'_>], at: usize) -> Option<(i32, usize)> {
    let token = tokens.get(at)?;
    let count = token
        .whole()
        .or_else(|| numeral(&token.lower).map(|value| value as i32))?;
    let unit = tokens.get(at + 1)?;
    if matches!(unit.join, Join::Break | Join::Stop) {
        return None;
    }
    let factor = match unit.lower.as_str() {
        "year" | "yr" => 12,
        // `10-years` are notes, `10 years` is a time.
        "years" if unit.join == Join::Hyphen => 12,
        "y" if unit.join == Join::Tight => 12,
        "month" | "mo" => 1,
        "m" if unit.join == Join::Tight => 1,
        _ => return None,
    };
    ((1..=30).contains(&count)).then_some((count * factor, at + 2))
}

fn yield_code(months: i32) -> Option<&'static str> {
    Some(match months {
        1 => "ust_1m",
        2 => "ust_2m",
        3 => "ust_3m",
        4 => "ust_4m",
        6 => "ust_6m",
        12 => "ust_1y",
        24 => "ust_2y",
        36 => "ust_3y",
        60 => "ust_5y",
        84 => "ust_7y",
        120 => "ust_10y",
        240 => "ust_20y",
        360 => "ust_30y",
        _ => return None,
    })
}

fn spread_code(long: i32, short: i32) -> &'static str {
    match (long, short) {
        (120, 24) => "spread_10y_2y",
        (120, 3) => "spread_10y_3m",
        (360, 60) => "spread_30y_5y",
        (360, 120) => "spread_30y_10y",
        (360, 24) => "spread_30y_2y",
        (60, 24) => "spread_5y_2y",
        (120, 60) => "spread_10y_5y",
        (120, 12) => "spread_10y_1y",
        (24, 3) => "spread_2y_3m",
        _ => NOT_HELD,
    }
}
