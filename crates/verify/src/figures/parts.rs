//! The parts of a claim that are recognised by kind: subjects, basis, and how certain it is that the claim is about a
//! figure.

use super::claim::Subject;
use super::items::{Items, What};
use super::token::Token;
use super::{Basis, Derived, KnownSeries, SeriesKind};

/// The parts that are recognised by kind.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) subjects: Vec<Subject>,
    pub(super) basis: Option<Basis>,
    pub(super) is_certain: bool,
    pub(super) is_rate: bool,
}

impl Parts {
    pub(super) fn of(marks: &Items, tokens: &[Token<'_>]) -> Self {
        let mut parts = Self::default();
        let mut measured = false;
        for item in &marks.items {
            match &item.what {
                What::Subject(subject) => {
                    let known = parts
                        .subjects
                        .iter_mut()
                        .find(|known| is_same(known, subject));
                    if let Some(known) = known {
                        if is_inflation(subject) || says_more(known, subject) {
                            known.clone_from(subject);
                        }
                    } else {
                        parts.subjects.push(subject.clone());
                    }
                    // Letters in capitals alone may be anything.
                    let is_marked = tokens[item.first].is("$")
                        || tokens[item.first].is_any(&["nasdaq", "nyse"]);
                    parts.is_certain |= is_marked || !matches!(subject, Subject::Named { .. });
                }
                What::Basis(basis) => parts.basis = Some(*basis),
                What::Word(code) => {
                    let word = tokens[item.first].lower.as_str();
                    measured |= matches!(
                        word,
                        "price" | "prices" | "shares" | "stock" | "stocks" | "share"
                    ) || !matches!(
                        *code,
                        "price"
                            | "open"
                            | "high"
                            | "low"
                            | "change"
                            | "rank"
                            | "assets"
                            | "liabilities"
                            | "equity"
                            | "beta"
                            | "volume"
                    );
                    parts.is_certain |= matches!(
                        *code,
                        "market_value"
                            | "eps"
                            | "pe"
                            | "dividend_yield"
                            | "year_high"
                            | "year_low"
                            | "close"
                    );
                }
                What::Measure(_) => parts.is_certain = true,
                What::Relation(code) => {
                    let word = tokens[item.first].lower.as_str();
                    parts.is_certain |= *code == "close" && matches!(word, "closed" | "settled")
                        || *code == "trade" && word.starts_with("trad");
                }
                _ => {}
            }
        }
        // `the S&P 500's CAPE`: the ratio is the subject.
        let is_of_index = |subject: &Subject| {
            matches!(
                subject,
                Subject::Series("cape" | "spx_earnings" | "spx_dividend")
            )
        };
        if parts.subjects.iter().any(is_of_index) {
            parts
                .subjects
                .retain(|subject| *subject != Subject::Series("sp500"));
        }
        let says_share = tokens.iter().any(|token| {
            token.is_any(&["shares", "stock", "stocks", "share", "session", "sessions"])
        });
        let is_listed = parts.subjects.iter().any(is_listed);
        parts.is_certain |= !parts.subjects.is_empty() && says_share || is_listed && measured;
        parts.is_rate = match parts.subjects.first() {
            Some(Subject::Series(code)) => {
                KnownSeries::find(code).is_some_and(|known| known.kind == SeriesKind::Rate)
            }
            _ => false,
        };
        parts
    }
}

/// Whether a subject is a symbol or the name of a share or coin, even if it is also a word.
pub(super) fn is_listed(subject: &Subject) -> bool {
    match subject {
        Subject::Named {
            ticker: Some(_), ..
        } => true,
        Subject::Named { text, .. } => text::entities::traded(text).is_some(),
        _ => false,
    }
}

/// Whether a subject is the year-on-year change of an index.
fn is_inflation(subject: &Subject) -> bool {
    matches!(subject, Subject::Series(code) if KnownSeries::find(code).is_some_and(|known| known.derived == Derived::YearOnYear))
}

/// Whether two subjects are the same series under different names, such as an index and its inflation, or gas and its
/// spot price.
fn is_same(one: &Subject, other: &Subject) -> bool {
    let (Subject::Series(one_code), Subject::Series(other_code)) = (one, other) else {
        return one == other;
    };
    let (Some(one), Some(other)) = (KnownSeries::find(one_code), KnownSeries::find(other_code))
    else {
        return one_code == other_code;
    };
    let within =
        |one: &KnownSeries, other: &KnownSeries| one.ids.iter().all(|id| other.ids.contains(id));
    let is_difference = one.derived == Derived::Minus || other.derived == Derived::Minus;
    one_code == other_code || !is_difference && (within(one, other) || within(other, one))
}

/// Whether the second of two names for one series is more specific: its inflation, its spot price.
fn says_more(known: &Subject, other: &Subject) -> bool {
    let series = |subject: &Subject| match subject {
        Subject::Series(code) => KnownSeries::find(code),
        _ => None,
    };
    series(known)
        .zip(series(other))
        .is_some_and(|(known, other)| other.ids.len() < known.ids.len())
}
