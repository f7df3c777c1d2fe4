//! The time a claim is about: a day, a month, a quarter, a year, the time between two of these, or a time counted back
//! from now.
//!
//! `today` is the day as of which the claim is read. A date without a year is the newest such date up to today; the
//! claim then says so through [`Span::is_assumed`]. Numeric dates that could be two days (`04/05/2024`) are refused,
//! not guessed.

mod fiscal;
mod relative;
mod shifted;

use model::Day;

use super::dates::{self, add_months, last_of_month, ymd};
use super::token::{Join, Token};
use fiscal::{ended, fiscal, months_of_year, quarter, season, week};
use relative::{edge, relative, role};
use shifted::shifted;

/// How long a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each unit names itself")]
pub enum SpanUnit {
    Day,
    Week,
    Month,
    Quarter,
    Half,
    Year,
    /// The fiscal year with that number.
    FiscalYear(i32),
    /// A quarter, 1 to 4, of the fiscal year with that number.
    FiscalQuarter(i32, u8),
    /// Anything else.
    Stretch,
}

/// Days from a first to a last one, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first day.
    pub first: Day,
    /// Its last day.
    pub last: Day,
    /// How long it is.
    pub unit: SpanUnit,
    /// Whether the year is missing from the claim.
    pub is_assumed: bool,
}

impl Span {
    /// The span between two days.
    pub const fn new(first: Day, last: Day, unit: SpanUnit) -> Self {
        Self {
            first,
            last,
            unit,
            is_assumed: false,
        }
    }

    /// One day.
    pub const fn day(day: Day) -> Self {
        Self::new(day, day, SpanUnit::Day)
    }

    /// A calendar month.
    pub fn month(year: i32, month: i32) -> Option<Self> {
        let first = ymd(year, month, 1)?;
        Some(Self::new(first, last_of_month(first), SpanUnit::Month))
    }

    /// A calendar quarter.
    pub fn quarter(year: i32, quarter: i32) -> Option<Self> {
        let first = ymd(year, quarter * 3 - 2, 1)?;
        let last = last_of_month(add_months(first, 2));
        Some(Self::new(first, last, SpanUnit::Quarter))
    }

    /// A calendar year.
    pub fn year(year: i32) -> Option<Self> {
        Some(Self::new(
            ymd(year, 1, 1)?,
            ymd(year, 12, 31)?,
            SpanUnit::Year,
        ))
    }

    /// The same days in another year.
    pub(super) fn moved_to(self, year: i32) -> Option<Self> {
        let months = (year - i32::from(self.first.date().year())) * 12;
        let last = add_months(self.last, months);
        let moved = Self {
            first: add_months(self.first, months),
            last: if self.unit == SpanUnit::Month {
                last_of_month(last)
            } else {
                last
            },
            is_assumed: false,
            ..self
        };
        // There may be no 29 February.
        let is_same =
            self.unit != SpanUnit::Day || moved.first.date().day() == self.first.date().day();
        let is_plain = is_same
            && matches!(
                self.unit,
                SpanUnit::Day | SpanUnit::Month | SpanUnit::Quarter
            );
        is_plain.then_some(moved)
    }

    fn half(year: i32, half: i32) -> Option<Self> {
        let first = ymd(year, half * 6 - 5, 1)?;
        let last = last_of_month(add_months(first, 5));
        Some(Self::new(first, last, SpanUnit::Half))
    }

    /// Whether it is one day.
    pub fn is_day(&self) -> bool {
        self.first == self.last
    }
}

/// Units of time that are counted back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each unit names itself")]
pub enum Length {
    Days,
    Sessions,
    Weeks,
    Months,
    Quarters,
    Years,
}

/// The time a claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Period {
    /// The claim does not say.
    #[default]
    Unsaid,
    /// Now, at the newest value.
    Latest,
    /// One span.
    In(Span),
    /// From one span to another.
    Between(Span, Span),
    /// From a span to now.
    Since(Span),
    /// This number of units up to now.
    Past(u32, Length),
}

/// The words before a period that say how it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Main,
    Since,
    From,
    To,
    /// What something is compared with: `than in 2022`, `compared with May`.
    Base,
    /// The highest or lowest value in a period, from which a change is measured: `from its 2021 peak`.
    Peak,
    Trough,
    /// `the end of`, `closed 2022`.
    End,
    /// `the start of`.
    Start,
}

/// A period among the tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) period: Period,
    pub(super) role: Role,
    pub(super) first: usize,
    pub(super) next: usize,
}

/// The periods of a claim, in order.
pub(super) fn find(tokens: &[Token<'_>], today: Day) -> Vec<Found> {
    all(tokens, today).0
}

/// The periods that are counted from others: `two days later`.
pub(super) fn counted(tokens: &[Token<'_>], today: Day) -> Vec<Found> {
    all(tokens, today).1
}

/// All periods, and those among them that are counted from others.
fn all(tokens: &[Token<'_>], today: Day) -> (Vec<Found>, Vec<Found>) {
    let mut counted: Vec<Found> = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(one) = shifted(tokens, at, &found) {
            at = one.next;
            found.push(one);
            counted.push(one);
            continue;
        }
        let read = one(tokens, at, today);
        let Some((period, next)) = read else {
            at += 1;
            continue;
        };
        let (role, first) = role(tokens, at);
        let period = match (period, role) {
            (Period::In(span), Role::Since | Role::From) => {
                Period::In(edge(span, &tokens[first..at]))
            }
            (period, _) => period,
        };
        found.push(Found {
            period,
            role,
            first,
            next,
        });
        at = next;
    }
    (found, counted)
}

/// The period that begins with a token, without the words before it.
fn one(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(Period, usize)> {
    let span = |(span, next): (Span, usize)| (Period::In(span), next);
    dates::day(tokens, at, today)
        .or_else(|| fiscal(tokens, at))
        .or_else(|| months_of_year(tokens, at))
        .or_else(|| quarter(tokens, at, today))
        .or_else(|| season(tokens, at))
        .or_else(|| dates::month(tokens, at, today))
        .or_else(|| week(tokens, at, today))
        .or_else(|| ended(tokens, at, today))
        .map(span)
        .or_else(|| relative(tokens, at, today))
        .or_else(|| years(tokens, at).map(span))
}

pub(super) fn is_seq(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    words
        .iter()
        .enumerate()
        .all(|(place, word)| tokens.get(at + place).is_some_and(|token| token.is(word)))
}

/// A four-digit year: 1800 to 2199.
pub(super) fn year_of(token: &Token<'_>) -> Option<i32> {
    let year = token.whole()?;
    (token.text.len() == 4 && (1800..2200).contains(&year)).then_some(year)
}

/// Years, decades and ranges of years: `2022`, `the 1990s`, `2020-2022`.
fn years(tokens: &[Token<'_>], at: usize) -> Option<(Span, usize)> {
    const VALUES: [&str; 34] = [
        "at",
        "above",
        "below",
        "over",
        "under",
        "than",
        "about",
        "around",
        "exactly",
        "hit",
        "reached",
        "topped",
        "near",
        "nearly",
        "crossed",
        "past",
        "was",
        "is",
        "were",
        "stood",
        "roughly",
        "approximately",
        "surpassed",
        "exceeded",
        "s&p",
        "russell",
        "euro",
        "broke",
        "touched",
        "approximately",
        "breached",
        "is",
        "some",
        "level",
    ];
    const HIGHS: [&str; 8] = [
        "high", "low", "level", "price", "peak", "value", "record", "reading",
    ];
    let token = &tokens[at];
    let year = year_of(token)?;
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let two_before = at.checked_sub(2).map(|before| &tokens[before]);
    if let Some(before) = before {
        let is_value = before.is_any(&VALUES)
            || before.is_any(&["$", "€", "£", "¥", "usd"])
            || before.is("of")
                && two_before.is_some_and(|token| token.is_any(&HIGHS))
                && !superlative(tokens, at)
                && !other_number(tokens, at);
        // `climbed 70 % over 2024`, `lost ground against the franc over 2022`: after a number or a move it is a time.
        let after_number = before.is_any(&["over", "past"])
            && (at == 1
                || tokens[at.saturating_sub(7)..at - 1]
                    .iter()
                    .any(|token| token.number.is_some())
                || before.is("over")
                    && (1950..2050).contains(&year)
                    && (0..at - 1).any(|place| {
                        let next = super::phrases::RELATION.at(tokens, place);
                        next.is_some_and(|(code, length)| {
                            matches!(code, "up" | "down") && place + length + 1 < at
                        })
                    })
                || before.is("over") && super::numbers::is_part_before(tokens, at - 1));
        if is_value && !after_number {
            return None;
        }
    }
    let after = tokens.get(at + 1);
    if after.is_some_and(|after| after.is("s") && after.join == Join::Tight) {
        let last = ymd(year + 9, 12, 31)?;
        let span = Span::new(ymd(year, 1, 1)?, last, SpanUnit::Stretch);
        return (year % 10 == 0).then_some((span, at + 2));
    }
    let has_unit = super::phrases::UNIT.at(tokens, at + 1).is_some_and(|_| {
        after.is_some_and(|after| !matches!(after.join, Join::Break | Join::Stop))
    });
    if has_unit {
        return None;
    }
    // `2020-2022`, `2020-22`.
    if let Some(after) = after.filter(|after| after.join == Join::Hyphen)
        && let Some(last) = year_of(after).or_else(|| {
            let short = after.whole().filter(|_| after.text.len() == 2)?;
            Some(year / 100 * 100 + short)
        })
        && last > year
    {
        let span = Span::new(ymd(year, 1, 1)?, ymd(last, 12, 31)?, SpanUnit::Stretch);
        return Some((span, at + 2));
    }
    // `in 2021 or 2022`: at some time in the two.
    if after.is_some_and(|after| after.is("or"))
        && let Some(last) = tokens.get(at + 2).and_then(year_of)
        && last == year + 1
    {
        let span = Span::new(ymd(year, 1, 1)?, ymd(last, 12, 31)?, SpanUnit::Stretch);
        return Some((span, at + 3));
    }
    Span::year(year).map(|span| (span, at + 1))
}

/// Whether another number follows that is not part of a date: then `the low of 2022` is the low of a year.
fn other_number(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at + 1..].iter().any(|token| {
        token
            .number
            .is_some_and(|number| number.decimals > 0 || number.grouped)
    })
}

/// Whether the preceding words say `highest … of`: then a year follows, not a value.
fn superlative(tokens: &[Token<'_>], at: usize) -> bool {
    const WORDS: [&str; 10] = [
        "highest",
        "lowest",
        "best",
        "worst",
        "biggest",
        "largest",
        "smallest",
        "strongest",
        "weakest",
        "busiest",
    ];
    tokens[at.saturating_sub(5)..at]
        .iter()
        .any(|token| token.is_any(&WORDS))
}
