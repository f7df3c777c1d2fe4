//! The length of a period, before what it is said of: `5 year return`, `six-month performance`, `1y chart`.

use std::ops::Range;

use verify::figures::Length;

use crate::words::Word;

/// What a length may be said of. A yield, an average or a high of so many years is no period.
const OF: [&str; 13] = [
    "performance",
    "performances",
    "return",
    "returns",
    "chart",
    "charts",
    "history",
    "change",
    "changes",
    "trend",
    "development",
    "growth",
    "comparison",
];
/// What may come between a length and what it is said of.
const BETWEEN: [&str; 5] = ["price", "prices", "share", "stock", "percentage"];
/// The longest period that is meant.
pub(super) const MOST: f64 = 400.0;

/// How many units a period is long, and the words that say so.
pub(super) fn find(words: &[Word]) -> Option<(u32, Length, Range<usize>)> {
    (0..words.len()).find_map(|at| {
        let (count, unit, next) = length(words, at)?;
        let is_between = words.get(next).is_some_and(|word| word.is_any(&BETWEEN));
        let of = words.get(next + usize::from(is_between))?;
        let is_ahead = at
            .checked_sub(1)
            .is_some_and(|before| words[before].is("next"));
        let is_whole = count.fract() == 0.0 && (1.0..=MOST).contains(&count);
        (of.is_any(&OF)
            && is_whole
            && !is_ahead
            && !words[at..next].iter().skip(1).any(|word| word.is_parted))
        .then(|| {
            (
                count as u32,
                unit,
                words[at].bytes.start..words[next - 1].bytes.end,
            )
        })
    })
}

/// A number with a unit of time, and the place behind it: `5 year`, `five years`, `5y`.
pub(super) fn length(words: &[Word], at: usize) -> Option<(f64, Length, usize)> {
    let first = &words[at].lower;
    let digits = first.len()
        - first
            .trim_start_matches(|one: char| one.is_ascii_digit())
            .len();
    let (number, rest) = first.split_at(digits);
    if digits > 0 && !rest.is_empty() {
        return Some((number.parse().ok()?, unit(rest)?, at + 1));
    }
    let count = number.parse().ok().or_else(|| model::cardinal(first))?;
    Some((count, unit(&words.get(at + 1)?.lower)?, at + 2))
}

pub(super) fn unit(word: &str) -> Option<Length> {
    Some(match word {
        "d" | "day" | "days" => Length::Days,
        "w" | "wk" | "week" | "weeks" => Length::Weeks,
        "mo" | "mth" | "month" | "months" => Length::Months,
        "q" | "quarter" | "quarters" => Length::Quarters,
        "y" | "yr" | "yrs" | "year" | "years" => Length::Years,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::cut;

    #[test]
    fn a_length_is_said_of_what_is_asked_about_it() {
        for (text, expected) in [
            ("nvda 5 year return", Some((5, Length::Years))),
            ("AAPL 3-month performance", Some((3, Length::Months))),
            (
                "the six month price change of gold",
                Some((6, Length::Months)),
            ),
            ("MSFT 5y chart", Some((5, Length::Years))),
            ("5yr returns of MSFT", Some((5, Length::Years))),
            ("one-week change of oil", Some((1, Length::Weeks))),
            ("biggest one-day gain of AMD", None),
            ("BTC 15m chart", None),
            ("10 year yield", None),
            ("200 day moving average", None),
            ("52 week high", None),
            ("next 5 year return", None),
            ("revenue of Q3, year, change", None),
        ] {
            let found = find(&cut(text)).map(|(count, unit, _)| (count, unit));
            assert_eq!(found, expected, "{text}");
        }
    }
}
