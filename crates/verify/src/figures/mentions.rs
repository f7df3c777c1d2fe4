//! What a text that is not a claim mentions of the things that figures are about: series, currencies, times.
//!
//! Questions are read with the same tables as claims, so that `oil`, `the ten-year yield` or `last March` mean the same
//! in both.

use std::ops::Range;

use model::Day;

use super::amount::{Amount, Unit};
use super::claim::{Assertion, FigureClaim, Measure, Subject, Undated};
use super::dates::is_ambiguous;
use super::numbers;
use super::period::{self, Period, Role};
use super::subject;
use super::token::{Token, cut};

/// A time that a text names.
#[derive(Clone, Debug, PartialEq)]
pub struct Dated {
    /// The period.
    pub period: Period,
    /// Whether the text begins there: `since March`, `from 2020`.
    pub is_start: bool,
    /// Whether the text ends there: `until March`.
    pub is_end: bool,
    /// Bytes of the text, including the words before the time.
    pub bytes: Range<usize>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mentions {
    /// Series and currencies in the order of the text, with their bytes.
    pub subjects: Vec<(Subject, Range<usize>)>,
    /// Times in the order of the text; empty if a numeric date could be two days.
    pub times: Vec<Dated>,
    /// Numbers with their units in the order of the text, with their bytes; times and ratios are not included.
    pub amounts: Vec<(Amount, Range<usize>)>,
}

/// A number that is said of something.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// `None` if only the number is looked for.
    subject: Option<Subject>,
    value: f64,
}

impl Level {
    /// The number that a text must name to decide what figures on record leave open; `None` if the claim has none, or is
    /// about what a company reports or about a named time, which texts tell in other numbers as well.
    pub fn of(claim: &FigureClaim) -> Option<Self> {
        let is_dated = claim.undated != Undated::Ever
            && !matches!(
                claim.period,
                Period::Unsaid | Period::Latest | Period::Past(..)
            );
        if is_dated || claim.measure.is_some_and(Measure::is_reported) {
            return None;
        }
        let value = claim.assertions.iter().find_map(|one| match one {
            Assertion::Value(bound)
            | Assertion::From(bound)
            | Assertion::Change {
                size: Some(bound), ..
            }
            | Assertion::Versus {
                by: Some(bound), ..
            } if bound.is_equality() || claim.undated == Undated::Ever => {
                Some(bound.amount().value)
            }
            _ => None,
        });
        Some(Self {
            subject: Some(claim.subject.clone()),
            value: value?,
        })
    }

    /// The same for a claim about a figure that is not understood, from its words.
    pub fn in_words(text: &str, today: Day) -> Option<Self> {
        let found = mentions(text, today);
        let is_figure = |amount: &Amount| amount.unit != Unit::Count;
        let (amount, _) = found.amounts.iter().find(|(amount, _)| is_figure(amount))?;
        Some(Self {
            subject: found
                .subjects
                .into_iter()
                .next()
                .map(|(subject, _)| subject),
            value: amount.value,
        })
    }

    /// Whether a text mentions both, in whatever words.
    pub fn stands_in(&self, text: &str) -> bool {
        // In lower case, so that a headline in title case names no other subject (`Gold Tops $5,000 an Ounce`).
        let lower = text.to_lowercase();
        let small = cut(&lower);
        let tokens = cut(text);
        let has_number = (0..tokens.len()).any(|at| {
            numbers::at(&tokens, at).is_some_and(|found| {
                let apart = (found.amount.value - self.value).abs();
                apart <= 1e-9 * self.value.abs().max(1.0)
            })
        });
        let is_written = |name: &str| {
            let name: Vec<String> = cut(name).into_iter().map(|one| one.lower).collect();
            !name.is_empty()
                && tokens.windows(name.len()).any(|part| {
                    part.iter()
                        .zip(&name)
                        .all(|(token, word)| token.lower == *word)
                })
        };
        let Some(own) = &self.subject else {
            return has_number;
        };
        let is_same = |other: &Subject| match (own, other) {
            (
                Subject::Named {
                    ticker: Some(one), ..
                },
                Subject::Named {
                    ticker: Some(other),
                    ..
                },
            ) => one == other,
            (
                Subject::Currency { base, quote, .. },
                Subject::Currency {
                    base: other_base,
                    quote: other_quote,
                    ..
                },
            ) => base == other_base && quote == other_quote,
            (one, other) => one == other,
        };
        let names_it = || {
            let is_name = match own {
                Subject::Named { text, ticker } => {
                    is_written(text) || ticker.as_deref().is_some_and(is_written)
                }
                _ => false,
            };
            let finds = |text: &str, tokens: &[Token]| {
                subject::find(text, tokens, &vec![false; tokens.len()])
                    .iter()
                    .any(|found| is_same(&found.subject))
            };
            is_name || finds(text, &tokens) || finds(&lower, &small)
        };
        has_number && names_it()
    }
}

/// The series, currencies and times mentioned in a text. `today` is the day as of which it is read.
pub fn mentions(text: &str, today: Day) -> Mentions {
    let tokens = cut(text);
    if tokens.is_empty() {
        return Mentions::default();
    }
    let bytes = |first: usize, next: usize| tokens[first].start..tokens[next - 1].end;
    let mut taken = vec![false; tokens.len()];
    let mut times = Vec::new();
    if !is_ambiguous(&tokens) {
        for found in period::find(&tokens, today) {
            taken[found.first..found.next].fill(true);
            times.push(Dated {
                period: found.period,
                is_start: matches!(found.role, Role::Since | Role::From),
                is_end: found.role == Role::To,
                bytes: bytes(found.first, found.next),
            });
        }
    }
    let mut subjects = Vec::new();
    for found in subject::find(text, &tokens, &taken) {
        if !matches!(found.subject, Subject::Named { .. }) {
            subjects.push((found.subject, bytes(found.first, found.next)));
        }
    }
    let mut amounts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(next) = numbers::ratio(&tokens, at) {
            at = next;
            continue;
        }
        let found = numbers::at(&tokens, at)
            .filter(|found| !taken[found.first..found.next].contains(&true));
        match found {
            Some(found) => {
                amounts.push((found.amount, bytes(found.first, found.next)));
                at = found.next.max(at + 1);
            }
            None => at += 1,
        }
    }
    Mentions {
        subjects,
        times,
        amounts,
    }
}

#[cfg(test)]
mod tests {
    use super::super::amount::Unit;
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let today: Day = Day::parse("2026-11-23").unwrap();
        mentions(text, today)
            .subjects
            .into_iter()
            .map(|(subject, bytes)| match subject {
                Subject::Series(code) => format!("{code}:{}", &text[bytes]),
                Subject::Currency { base, quote, .. } => format!("{base}{quote}:{}", &text[bytes]),
                Subject::Named { text, .. } => text,
            })
            .collect()
    }

    #[test]
    fn questions_name_series_in_any_case() {
        assert_eq!(named("where is gold trading"), ["gold:gold"]);
        assert_eq!(named("EUR/USD rate now?"), ["EURUSD:EUR/USD"]);
        assert_eq!(named("what about lunch"), [] as [&str; 0]);
    }

    #[test]
    fn amounts_are_found_with_their_units_and_without_times() {
        let today: Day = Day::parse("2026-11-23").unwrap();
        for (text, expected) in [
            ("100 euros in yen", &[(100.0, Unit::Money("EUR"))][..]),
            (
                "put $2.5k into gold in 2020",
                &[(2_500.0, Unit::Money("USD"))],
            ),
            (
                "200 shares at 31.5",
                &[(200.0, Unit::Count), (31.5, Unit::Bare)],
            ),
            ("a 3-for-1 split", &[]),
        ] {
            let amounts = mentions(text, today).amounts;
            let found: Vec<(f64, Unit)> = amounts
                .iter()
                .map(|(amount, _)| (amount.value, amount.unit))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_level_stands_where_its_subject_and_number_do() {
        use super::super::{Reading, read};
        let level = |text: &str| {
            let today: Day = Day::parse("2026-11-23").unwrap();
            match read(text, today) {
                Some(Reading::Claim(claim)) => Level::of(&claim),
                _ => None,
            }
        };
        assert_eq!(level("Tesla's revenue was $25 billion in 2024"), None);
        assert_eq!(level("Gold closed above $5,000 on 3 March 2026"), None);
        for (claim, text, expected) in [
            (
                "Gold never hit $5,000",
                "Employers in Sweden Add 5,000 Jobs",
                false,
            ),
            ("Gold never hit $5,000", "Gold Tops $5,000 an Ounce", true),
            ("Gold never hit $5,000", "Gold Falls to $4,000", false),
            (
                "Bitcoin has never traded below $60,000",
                "Bitcoin slid below $60,000 on Friday",
                true,
            ),
            (
                "Bitcoin has never traded below $60,000",
                "Tesla sold 60,000 cars",
                false,
            ),
            (
                "NVDA has never closed above $300",
                "Nvidia closed above $300",
                true,
            ),
        ] {
            assert_eq!(
                level(claim).unwrap().stands_in(text),
                expected,
                "{claim}: {text}"
            );
        }
    }

    #[test]
    fn times_are_found_with_the_words_before_them() {
        let today: Day = Day::parse("2026-11-23").unwrap();
        let text = "how did gold do since March 2024";
        let found = mentions(text, today).times;
        assert_eq!(found.len(), 1);
        assert!(found[0].is_start);
        assert_eq!(&text[found[0].bytes.clone()], "since March 2024");
        // A date that could be two days is ignored.
        assert_eq!(mentions("gold on 04/05/2024", today).times, []);
    }
}
