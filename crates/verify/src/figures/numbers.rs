//! Finds the amounts among the tokens: digits, number words, fractions, with currency, scale and unit.

use super::amount::{Amount, Unit};
use super::phrases::UNIT;
use super::token::{Join, Token};

/// An amount among the tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) amount: Amount,
    pub(crate) first: usize,
    pub(crate) next: usize,
}

/// Fractions of a whole.
const PARTS: [(&str, f64); 18] = [
    ("half", 2.0),
    ("third", 3.0),
    ("thirds", 3.0),
    ("quarter", 4.0),
    ("quarters", 4.0),
    ("fourth", 4.0),
    ("fourths", 4.0),
    ("fifth", 5.0),
    ("fifths", 5.0),
    ("sixth", 6.0),
    ("sixths", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("eighths", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("tenths", 10.0),
    ("twentieth", 20.0),
];

/// Whether the words before a token contain a fraction of a whole: `half of its value`.
pub(super) fn is_part_before(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at.saturating_sub(6)..at]
        .iter()
        .any(|token| part(&token.lower).is_some())
}

/// The value of a number word.
pub(crate) fn numeral(word: &str) -> Option<f64> {
    model::cardinal(word).or(match word {
        "couple" => Some(2.0),
        "thousand" => Some(1e3),
        _ => None,
    })
}

/// Where a ratio that begins at a token ends: `20-for-1`, `three-for-two`, `3:2`, `4-to-1`, `2 for 1`, `2-1 split`. Its
/// numbers are not amounts.
pub(super) fn ratio(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let counts = |place: usize| {
        let token = tokens.get(place)?;
        let value = token.number.map(|number| number.value);
        value
            .or_else(|| numeral(&token.lower))
            .filter(|one| (1.0..=1e4).contains(one))
    };
    counts(at)?;
    let second = tokens.get(at + 1)?;
    // A colon between two numbers; a space after it would make it a list.
    if second.join == Join::Break
        && second.number.is_some()
        && second.start == tokens[at].end + 1
        && tokens[at].number.is_some()
    {
        return Some(at + 2);
    }
    let splits = |from: usize| {
        tokens
            .iter()
            .skip(from)
            .take(4)
            .any(|token| token.is_any(&["split", "splits"]))
    };
    if second.is_any(&["for", "to"]) {
        counts(at + 2)?;
        let is_joined = second.join == Join::Hyphen && tokens[at + 2].join == Join::Hyphen;
        return (is_joined || second.is("for") && splits(at + 3)).then_some(at + 3);
    }
    (second.join == Join::Hyphen && counts(at + 1).is_some() && splits(at + 2)).then_some(at + 2)
}

fn part(word: &str) -> Option<f64> {
    let found = PARTS.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| *value)
}

/// The amount that begins at a token.
pub(crate) fn at(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    if tokens
        .get(at)
        .is_some_and(|token| token.is_any(&["minus", "negative"]))
    {
        let found = number(tokens, at + 1)?;
        let first = at;
        return Some(Found {
            amount: found.amount.times(-1.0),
            first,
            ..found
        });
    }
    fraction(tokens, at)
        .or_else(|| fold(tokens, at))
        .or_else(|| twice(tokens, at))
        .or_else(|| parity(tokens, at))
        .or_else(|| number(tokens, at))
}

/// `a fifth`, `one third`, `two-thirds`, `half`, `three quarters of`.
fn fraction(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let token = tokens.get(at)?;
    let second = tokens.get(at + 1);
    let count = match token.lower.as_str() {
        "a" | "one" => 1.0,
        "two" => 2.0,
        "three" => 3.0,
        "four" => 4.0,
        _ => 0.0,
    };
    let (share, next) = if token.is("half") {
        (0.5, at + 1)
    } else if let Some(of) = second
        .filter(|_| count > 0.0)
        .and_then(|one| part(&one.lower))
    {
        (count / of, at + 2)
    } else {
        return None;
    };
    // `a third quarter` is a time, and so is `the first half`.
    let after = tokens.get(next);
    let is_time = after.is_some_and(|after| after.is_any(&["quarter", "year", "month", "week"]))
        || at > 0 && tokens[at - 1].is_any(&["first", "second", "last", "latter", "1st", "2nd"]);
    if is_time || share >= 1.0 {
        return None;
    }
    // Points and percent in words: `half a percentage point`, `a quarter point`.
    let mut rest = next;
    if tokens
        .get(rest)
        .is_some_and(|token| token.is_any(&["a", "of"]))
    {
        rest += 1;
        if tokens.get(rest).is_some_and(|token| token.is("a")) {
            rest += 1;
        }
    }
    if let Some((code, length)) = UNIT.at(tokens, rest)
        && matches!(code, "percent" | "points" | "index")
    {
        let unit = if code == "percent" {
            Unit::Percent
        } else {
            Unit::Points
        };
        return Some(Found {
            amount: Amount {
                value: share,
                unit,
                step: 0.02,
            },
            first: at,
            next: rest + length,
        });
    }
    Some(Found {
        amount: Amount {
            value: share * 100.0,
            unit: Unit::Fraction,
            step: 1.0,
        },
        first: at,
        next,
    })
}

/// `twice as much as`; `fell twice` counts.
fn twice(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let value = match tokens.get(at)?.lower.as_ref() {
        "twice" => 2.0,
        "thrice" => 3.0,
        _ => return None,
    };
    let next = tokens.get(at + 1)?;
    (next.is("as") && next.join == Join::Space).then(|| multiple(value, at))
}

/// A single word that says how many times.
const fn multiple(value: f64, at: usize) -> Found {
    Found {
        amount: Amount {
            value,
            unit: Unit::Times,
            step: 1.0,
        },
        first: at,
        next: at + 1,
    }
}

/// `tenfold`.
fn fold(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let value = numeral(tokens.get(at)?.lower.strip_suffix("fold")?)?;
    Some(multiple(value, at))
}

/// `parity`: one for one.
fn parity(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    tokens.get(at)?.is("parity").then_some(Found {
        amount: Amount {
            value: 1.0,
            unit: Unit::Bare,
            step: 0.01,
        },
        first: at,
        next: at + 1,
    })
}

/// A number in digits or words with its currency, scale and unit.
fn number(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let mut cursor = at;
    let mut currency = None;
    if let Some((code, length)) = currency_before(tokens, at) {
        currency = Some(code);
        cursor += length;
    }
    let token = tokens.get(cursor)?;
    let (value, mut step) = if let Some(digits) = token.number {
        let mut step = 0.1_f64.powi(i32::from(digits.decimals));
        let whole = digits.decimals == 0 && digits.value != 0.0;
        while whole && digits.value % (step * 1e3) == 0.0 {
            step *= 1e3;
        }
        cursor += 1;
        (digits.value, step)
    } else if token.is_any(&["a", "an"]) && scale(tokens, cursor + 1, true).is_some() {
        // `a million shares`.
        cursor += 1;
        (1.0, 1.0)
    } else {
        let (value, next) = words(tokens, cursor)?;
        cursor = next;
        (value, 1.0)
    };
    let mut value = value;
    let mut scaled = false;
    while let Some((factor, length)) = scale(tokens, cursor, currency.is_some()) {
        // `1,000 thousand` counts the thousand once as precision, not the zeros before it.
        if !scaled {
            step = step.min(1.0);
        }
        value *= factor;
        step *= factor;
        cursor += length;
        scaled = true;
    }
    let mut unit = currency.map_or(Unit::Bare, Unit::Money);
    let mut next = cursor;
    // `$1.2 billion dollars`, `120-dollar`, `five percent`.
    if let Some((code, length)) = UNIT.at(tokens, cursor)
        && !matches!(tokens[cursor].join, Join::Break | Join::Stop)
    {
        match (code, currency) {
            ("percent", None) => unit = Unit::Percent,
            ("points", None) => unit = Unit::Points,
            ("basis", None) => unit = Unit::BasisPoints,
            ("index", None) => unit = Unit::IndexPoints,
            // `27 times earnings` is a ratio, as its name says.
            ("times", None)
                if !tokens
                    .get(cursor + length)
                    .is_some_and(|next| next.is("earnings")) =>
            {
                unit = Unit::Times;
            }
            ("cents", None) => {
                unit = Unit::Money("USD");
                value /= 100.0;
                step /= 100.0;
            }
            ("shares" | "jobs" | "contracts", None) => unit = Unit::Count,
            (code, _) => {
                if let Some(code) = super::subject::currency(code) {
                    unit = Unit::Money(code);
                }
            }
        }
        if unit != Unit::Bare || currency.is_some() {
            next = cursor + length;
        }
    }
    value.is_finite().then_some(Found {
        amount: Amount { value, unit, step },
        first: at,
        next,
    })
}

/// A currency before a number: `$`, `US$`, `€`, `USD`.
fn currency_before(tokens: &[Token<'_>], at: usize) -> Option<(&'static str, usize)> {
    let token = tokens.get(at)?;
    let next = tokens.get(at + 1);
    let is_number = |token: Option<&Token<'_>>| token.is_some_and(|token| token.number.is_some());
    let code = match token.lower.as_str() {
        "$" | "usd" => "USD",
        "€" | "eur" => "EUR",
        "£" | "gbp" => "GBP",
        "¥" | "jpy" => "JPY",
        "us" | "a" | "c" | "nz"
            if next.is_some_and(|next| next.is("$") && next.join == Join::Tight)
                && is_number(tokens.get(at + 2)) =>
        {
            let code = match token.lower.as_str() {
                "us" => "USD",
                "a" => "AUD",
                "c" => "CAD",
                _ => "NZD",
            };
            return Some((code, 2));
        }
        "chf" => "CHF",
        "cad" => "CAD",
        "aud" => "AUD",
        "nzd" => "NZD",
        _ => return None,
    };
    is_number(next).then_some((code, 1))
}

/// A number written in words: `three`, `twenty-five`, `one hundred and twenty`, `five thousand`.
fn words(tokens: &[Token<'_>], at: usize) -> Option<(f64, usize)> {
    let mut next = at;
    let (mut total, mut group) = (0.0, 0.0);
    let mut read = false;
    while let Some(token) = tokens.get(next) {
        if next > at && matches!(token.join, Join::Break | Join::Stop) {
            break;
        }
        let Some(value) = numeral(&token.lower) else {
            let joins = token.is("and")
                && read
                && group >= 100.0
                && tokens
                    .get(next + 1)
                    .is_some_and(|after| numeral(&after.lower).is_some());
            if joins {
                next += 1;
                continue;
            }
            break;
        };
        match value {
            100.0 => group = if group == 0.0 { 100.0 } else { group * 100.0 },
            1e3 => {
                total += if group == 0.0 { 1e3 } else { group * 1e3 };
                group = 0.0;
            }
            value => group += value,
        }
        read = true;
        next += 1;
    }
    // A bare `one` or `couple` is rarely a number.
    let bare = next == at + 1
        && tokens
            .get(at)
            .is_some_and(|token| token.is_any(&["one", "couple", "thousand", "hundred"]));
    let has_unit = UNIT.at(tokens, next).is_some();
    (read && (!bare || has_unit)).then_some((total + group, next))
}

/// `million`, `bn`, `k`, `hundred`.
fn scale(tokens: &[Token<'_>], at: usize, is_money: bool) -> Option<(f64, usize)> {
    let token = tokens.get(at)?;
    if matches!(token.join, Join::Break | Join::Stop) {
        return None;
    }
    if token.is("hundred") {
        return Some((100.0, 1));
    }
    let (code, length) = UNIT.at(tokens, at)?;
    let factor = match code {
        "k" => 1e3,
        "m" => 1e6,
        "b" => 1e9,
        "t" => 1e12,
        _ => return None,
    };
    // A single letter counts only if it is attached to its number, or the number is money.
    let letter = token.lower.len() == 1;
    (!letter || token.join == Join::Tight || is_money && token.join == Join::Space)
        .then_some((factor, length))
}
