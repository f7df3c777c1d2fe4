//! Reads one number with its scale, currency and unit.

use std::sync::LazyLock;

use model::{CARDINALS, DataPointKind};
use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Token, gap, lower_hash, shape};
use crate::annotate::phrases::rows;

/// The number of descriptive words allowed between a number and what it counts.
const DESCRIBING: usize = 3;
/// Groups of three digits after the first digits of a number. More than this is a row of numbers.
const GROUPS: usize = 4;

/// A number as it appears in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) unit: Unit,
    /// Byte range in the sentence, from the currency sign to the end of the unit.
    pub(super) begin: usize,
    pub(super) end: usize,
    /// Index after its last word.
    pub(super) next: usize,
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A currency by its code, or `None` if it is given only by a word that several currencies share.
    Money(&'static str),
    Percent,
    PercentagePoints,
    BasisPoints,
    /// Counted or measured things.
    Things(DataPointKind, &'static str),
    /// Nothing next to it.
    Bare,
}

static UNITS: LazyLock<FxHashMap<u64, (DataPointKind, &'static str)>> = LazyLock::new(|| {
    rows(include_str!("../../../data/figures/units.tsv"))
        .filter_map(|mut row| {
            let (word, kind, unit) = (row.next()?, row.next()?, row.next()?);
            Some((lower_hash(word), (kind.parse().ok()?, unit)))
        })
        .collect()
});

static NUMERALS: LazyLock<FxHashMap<u64, f64>> = LazyLock::new(|| {
    // `one` is more often a pronoun than a number, and `hundred` is a scale.
    let english = CARDINALS
        .iter()
        .filter(|(_, value)| (2.0..100.0).contains(value));
    english
        .chain(&[("deux", 2.0), ("trois", 3.0)])
        .map(|(word, value)| (lower_hash(word), *value))
        .collect()
});

/// Where a part of a sentence begins within it.
pub(super) fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Whether a number may begin with this word.
pub(super) fn is_start(token: &Token<'_>) -> bool {
    token.is(shape::NUMBER)
        || (token.text.len() <= 7
            && NUMERALS.contains_key(&token.lower)
            && !token.is(shape::ALL_CAPS))
}

/// The number that begins at a word. `None` for parts of dates, times, scores, ranges and names.
pub(super) fn parse(text: &str, tokens: &[Token<'_>], at: usize) -> Option<Number> {
    let token = tokens.get(at)?;
    let start = offset(text, token.text);
    let (value, digits) = if token.is(shape::NUMBER) {
        digits(text.get(start..)?)?
    } else {
        (*NUMERALS.get(&token.lower)?, token.text.len())
    };
    let mut number = Number {
        value,
        unit: Unit::Bare,
        begin: start,
        end: start + digits,
        next: at + 1,
    };
    while tokens
        .get(number.next)
        .is_some_and(|token| offset(text, token.text) < number.end)
    {
        number.next += 1;
    }
    if is_part_of_more(text, number.begin, number.end) {
        return None;
    }
    let before = currency_before(text, tokens, at);
    if let Some((code, begin)) = before {
        number.unit = Unit::Money(code);
        number.begin = begin;
        if range_before(text, begin) {
            return None;
        }
    }
    let suffix = token.text.get(digits..).unwrap_or("");
    let suffixed = token.is(shape::NUMBER) && !suffix.is_empty();
    if suffixed && !attach(&mut number, text, suffix, tokens) {
        return None;
    }
    scale_words(&mut number, text, tokens);
    unit_after(&mut number, text, tokens);
    number.value.is_finite().then_some(number)
}

/// The value of the leading digits, and how many bytes they take.
fn digits(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut plain = String::new();
    let (mut at, mut pointed, mut is_grouped) = (0, false, false);
    while at < bytes.len() && at < 40 {
        match bytes[at] {
            digit if digit.is_ascii_digit() => plain.push(char::from(digit)),
            b',' if !pointed && at == plain.len() && is_decimal_comma(text, at) => {
                pointed = true;
                plain.push('.');
            }
            b',' if !pointed && is_digit(at + 1) && is_digit(at + 2) => {
                let group = (at + 1..bytes.len()).take_while(|at| is_digit(*at)).count();
                if !(2..=3).contains(&group) {
                    break;
                }
            }
            b'.' if !pointed && is_digit(at + 1) => {
                pointed = true;
                plain.push('.');
            }
            _ if !pointed && (is_grouped || plain.len() <= 3 && at == plain.len()) => {
                let Some(space) = group_after_space(&text[at..]) else {
                    break;
                };
                is_grouped = true;
                at += space;
                continue;
            }
            _ => break,
        }
        at += 1;
    }
    Some((plain.parse().ok()?, at))
}

/// The length of the space at the start of a text, if it separates the thousands of a number: `60 000 $`. A plain space
/// does so only before a currency. A narrow or non-breaking space separates nothing else.
fn group_after_space(text: &str) -> Option<usize> {
    let first = text.chars().next()?.len_utf8();
    let mut rest = text;
    for _ in 0..GROUPS {
        let space = rest.chars().next()?;
        if !matches!(space, ' ' | '\u{a0}' | '\u{202f}') {
            return None;
        }
        let group = &rest[space.len_utf8()..];
        let after = group.trim_start_matches(|sign: char| sign.is_ascii_digit());
        if group.len() - after.len() != 3 {
            return None;
        }
        let unit = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let is_money = unit.starts_with(['€', '$', '£'])
            || ["euro", "dollar"].iter().any(|word| unit.starts_with(word));
        if space != ' ' || is_money {
            return Some(first);
        }
        rest = after;
    }
    None
}

/// Whether a comma is the decimal separator, as in most of Europe: one or two digits follow it, then a percent sign or
/// a scale (`13,5 milliards`).
fn is_decimal_comma(text: &str, comma: usize) -> bool {
    let rest = &text[comma + 1..];
    let after = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if !(1..=2).contains(&(rest.len() - after.len())) {
        return false;
    }
    let unit = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let word = unit
        .split(|sign: char| !sign.is_alphabetic())
        .next()
        .unwrap_or_default();
    unit.starts_with('%') || word.len() >= 2 && scale_of(&word.to_lowercase()).is_some()
}

/// Dates, times, scores, ranges, fractions, and names such as `Covid-19` or `F-16`.
fn is_part_of_more(text: &str, begin: usize, end: usize) -> bool {
    let mut before = text[..begin].chars().rev();
    let joined = match before.next() {
        Some('-' | '–' | '/' | ':' | '.' | '’' | '\'' | '#' | '+' | '_') => {
            before.next().is_some_and(char::is_alphanumeric)
                || text[..begin].ends_with(['#', '\'', '’'])
        }
        Some(character) => character.is_alphabetic() && !character.is_uppercase(),
        None => false,
    };
    let mut after = text[end..].chars();
    let continued = match after.next() {
        Some('-' | '–' | '/' | ':') => after
            .next()
            .is_some_and(|next| next.is_ascii_digit() || "$€£".contains(next)),
        _ => false,
    };
    joined || continued || text[end..].starts_with(" to $")
}

/// `$2-$3 billion`: the sign belongs to the second half of a range.
fn range_before(text: &str, begin: usize) -> bool {
    let mut before = text[..begin].chars().rev();
    matches!(before.next(), Some('-' | '–')) && before.next().is_some_and(char::is_alphanumeric)
}

/// Reads letters directly after the digits. Returns false if they make it something else.
fn attach(number: &mut Number, text: &str, suffix: &str, tokens: &[Token<'_>]) -> bool {
    let money = matches!(number.unit, Unit::Money(_));
    let followed = || {
        tokens
            .get(number.next)
            .is_some_and(|next| !next.after(gap::BREAK) && UNITS.contains_key(&next.lower))
            || text[number.end + suffix.len()..].starts_with(['€', '£', '$'])
    };
    match suffix.to_ascii_lowercase().as_str() {
        "pc" | "pct" => {
            if !money {
                number.unit = Unit::Percent;
            }
        }
        "bps" | "bp" => number.unit = Unit::BasisPoints,
        "m" | "b" | "k" | "t" if !money && !followed() => return false,
        scale => match scale_of(scale) {
            Some(factor) => number.value = scaled(number.value, factor),
            None => match UNITS.get(&lower_hash(scale)) {
                Some((kind, unit)) => number.unit = Unit::Things(*kind, unit),
                None => return false,
            },
        },
    }
    number.end += suffix.len();
    true
}

/// A number in whole units: `16.4` billion is exactly 16,400,000,000, not slightly less as binary fractions make it.
fn scaled(value: f64, factor: f64) -> f64 {
    let product = value * factor;
    let whole = product.round();
    if (product - whole).abs() <= 1e-12 * product.abs() {
        whole
    } else {
        product
    }
}

fn scale_of(word: &str) -> Option<f64> {
    Some(match word {
        "trillion" | "trillions" | "tn" | "trn" | "t" => 1e12,
        "billion" | "billions" | "bn" | "b" | "bln" | "milliard" | "milliards" => 1e9,
        "crore" | "crores" | "cr" => 1e7,
        "million" | "millions" | "mn" | "m" | "mln" => 1e6,
        "lakh" | "lakhs" => 1e5,
        "thousand" | "k" => 1e3,
        "hundred" => 1e2,
        _ => return None,
    })
}

fn scale_words(number: &mut Number, text: &str, tokens: &[Token<'_>]) {
    for _ in 0..2 {
        let Some(token) = tokens
            .get(number.next)
            .filter(|token| !token.after(gap::BREAK) && token.text.len() >= 2)
        else {
            return;
        };
        let Some(factor) = scale_of(&token.text.to_ascii_lowercase()) else {
            return;
        };
        number.value = scaled(number.value, factor);
        number.end = offset(text, token.text) + token.text.len();
        number.next += 1;
    }
}

fn unit_after(number: &mut Number, text: &str, tokens: &[Token<'_>]) {
    let last = number
        .next
        .checked_sub(1)
        .and_then(|last| tokens.get(last))
        .copied();
    if last.is_some_and(|last| last.is(shape::PERCENT)) {
        number.unit = Unit::Percent;
        number.end = text[number.end..]
            .find('%')
            .map_or(number.end, |at| number.end + at + 1);
        return;
    }
    let rest = &text[number.end..];
    let money = matches!(number.unit, Unit::Money(_));
    if let Some((sign, code)) = SIGNS
        .iter()
        .find(|(sign, _)| rest.trim_start_matches([' ', '\u{a0}']).starts_with(sign) && !money)
    {
        let space = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
        // `5 $10 bills`: a sign before another number does not belong to this one.
        let beyond = &rest[space + sign.len()..];
        if !beyond.starts_with(|next: char| next.is_ascii_digit()) {
            number.unit = Unit::Money(code);
            number.end += space + sign.len();
            return;
        }
    }
    let mut next = number.next;
    let word = |at: usize| {
        tokens
            .get(at)
            .filter(|token| !token.after(gap::BREAK))
            .map(|token| token.text.to_lowercase())
    };
    if matches!(word(next).as_deref(), Some("de" | "d")) {
        next += 1;
    }
    let (Some(first), second) = (word(next), word(next + 1)) else {
        return;
    };
    let end_of = |at: usize| {
        tokens
            .get(at)
            .map_or(0, |token| offset(text, token.text) + token.text.len())
    };
    let two = |number: &mut Number, unit: Unit| {
        number.unit = unit;
        number.end = end_of(next + 1);
        number.next = next + 2;
    };
    let one = |number: &mut Number, unit: Unit| {
        number.unit = unit;
        number.end = end_of(next);
        number.next = next + 1;
    };
    match (first.as_str(), second.as_deref()) {
        ("per", Some("cent")) => two(number, Unit::Percent),
        ("percent" | "pct" | "percents", _) => one(number, Unit::Percent),
        ("percentage", Some("points" | "point")) => two(number, Unit::PercentagePoints),
        ("basis", Some("points" | "point")) => two(number, Unit::BasisPoints),
        ("bps" | "bp", _) => one(number, Unit::BasisPoints),
        _ if money => {}
        (qualifier, Some("dollars" | "dollar")) => {
            let code = match qualifier {
                "australian" => "AUD",
                "canadian" => "CAD",
                "hong" => "HKD",
                "singapore" => "SGD",
                _ => "USD",
            };
            two(number, Unit::Money(code));
        }
        (word, _) => {
            if let Some(code) = named_currency(word, number.value) {
                one(number, Unit::Money(code));
            } else {
                things(number, text, tokens, next);
            }
        }
    }
}

/// The counted thing after the number, ignoring descriptive words. It is `people` if the number stands for people on
/// its own.
fn things(number: &mut Number, text: &str, tokens: &[Token<'_>], next: usize) {
    let found = tokens
        .iter()
        .enumerate()
        .skip(next)
        .take(DESCRIBING + 1)
        .take_while(|(_, token)| !token.after(gap::BREAK) && !token.is(shape::NUMBER))
        .take_while(|(_, token)| !is_little(token.text))
        .find_map(|(at, token)| UNITS.get(&token.lower).map(|found| (at, *found)));
    let Some((at, (kind, unit))) = found else {
        return;
    };
    number.unit = Unit::Things(kind, unit);
    // Descriptive words are left out of the printed text.
    if at == next {
        number.end = offset(text, tokens[at].text) + tokens[at].text.len();
        number.next = at + 1;
    }
    let rate = tokens
        .get(at + 1..at + 3)
        .is_some_and(|words| matches!((words[0].text, words[1].text), ("per" | "a", "day")));
    if unit == "barrels" && rate {
        number.unit = Unit::Things(kind, "barrels per day");
    }
}

fn is_little(word: &str) -> bool {
    matches!(
        word,
        "of" | "in"
            | "to"
            | "and"
            | "or"
            | "for"
            | "on"
            | "at"
            | "by"
            | "as"
            | "from"
            | "with"
            | "is"
            | "was"
            | "were"
            | "are"
            | "the"
            | "that"
            | "after"
            | "against"
            | "have"
            | "has"
            | "had"
    )
}

const SIGNS: [(&str, &str); 13] = [
    ("US$", "USD"),
    ("HK$", "HKD"),
    ("NZ$", "NZD"),
    ("NT$", "TWD"),
    ("AU$", "AUD"),
    ("CA$", "CAD"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("S$", "SGD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("₹", "INR"),
];

/// The currency in front of a number, and where its sign begins.
fn currency_before(text: &str, tokens: &[Token<'_>], at: usize) -> Option<(&'static str, usize)> {
    let start = offset(text, tokens[at].text);
    let before = text[..start].trim_end_matches([' ', '\u{a0}']);
    if before.len() + 2 >= start {
        for (sign, code) in SIGNS.iter().chain(&[("$", "USD")]) {
            if let Some(rest) = before.strip_suffix(sign) {
                return Some((code, rest.len()));
            }
        }
    }
    let previous = at
        .checked_sub(1)
        .and_then(|previous| tokens.get(previous))?;
    if tokens[at].after(gap::BREAK & !gap::OTHER) {
        return None;
    }
    let code = match previous.text {
        "Rs" | "rs" | "Rs." | "INR" => "INR",
        "USD" => "USD",
        "EUR" => "EUR",
        "GBP" => "GBP",
        "JPY" => "JPY",
        "CHF" => "CHF",
        "CNY" | "RMB" => "CNY",
        "AUD" => "AUD",
        "CAD" => "CAD",
        "SEK" => "SEK",
        "NOK" => "NOK",
        "AED" => "AED",
        _ => return None,
    };
    let adjacent = text[offset(text, previous.text) + previous.text.len()..start]
        .chars()
        .all(|between| between == '.' || between.is_whitespace());
    adjacent.then(|| (code, offset(text, previous.text)))
}

fn named_currency(word: &str, value: f64) -> Option<&'static str> {
    Some(match word {
        "dollars" | "dollar" | "usd" => "USD",
        "euros" | "euro" | "eur" => "EUR",
        // Small numbers of pounds are weights.
        "pounds" if value >= 1e6 => "GBP",
        "gbp" => "GBP",
        "yen" => "JPY",
        "yuan" | "rmb" | "renminbi" => "CNY",
        "rupees" | "rupee" | "inr" => "INR",
        "rubles" | "roubles" => "RUB",
        "won" if value >= 1e6 => "KRW",
        "francs" => "CHF",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_part_thousands_before_a_currency() {
        for (text, value) in [
            ("60 000 $", 60_000.0),
            ("60\u{a0}000 habitants", 60_000.0),
            ("1\u{202f}250\u{202f}000 euros", 1_250_000.0),
            ("1 250 000 euros", 1_250_000.0),
            ("60 000 people", 60.0),
            ("2026 500 $", 2026.0),
            ("60 00 $", 60.0),
            ("60 $", 60.0),
            ("1 000 000 000 000 $", 1e12),
            ("1 000 000 000 000 000 $", 1.0),
        ] {
            let found = digits(text).map(|(value, _)| value);
            assert_eq!(found, Some(value), "{text}");
        }
    }

    #[test]
    fn a_row_of_groups_is_read_to_its_fourth() {
        let row = format!("1{} $", " 000".repeat(15_000));
        assert_eq!(digits(&row).map(|(value, _)| value), Some(1.0));
    }

    #[test]
    fn a_scaled_number_is_whole() {
        for (value, factor, expected) in [
            (16.4, 1e9, 16_400_000_000.0),
            (8.2, 1e6, 8_200_000.0),
            (2.07, 1e6, 2_070_000.0),
            (0.125, 1e2, 12.5),
        ] {
            assert_eq!(
                scaled(value, factor).to_bits(),
                f64::to_bits(expected),
                "{value}"
            );
        }
    }
}
