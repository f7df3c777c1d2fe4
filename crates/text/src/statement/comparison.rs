//! Whether two statements are about the same thing, and whether their figures agree.

use std::sync::LazyLock;

use model::{DataPointKind, Timestamp, table};
use rustc_hash::FxHashSet;

use super::cues::Word;
use super::figures::{self, Bound};
use super::terms;
use crate::annotate::lexed::{Token, gap, lex, lower_hash, shape};
use crate::{date, features};

/// The number of words around a figure that indicate what it is about.
const AROUND: usize = 8;

/// One sentence from one member.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub(crate) member: usize,
    pub(crate) published_at: Timestamp,
    pub(crate) text: &'a str,
    pub(crate) is_headline: bool,
    /// Its terms, ascending.
    pub(crate) terms: &'a [(u32, f32)],
    /// Places that it names.
    pub(crate) places: Vec<String>,
    pub(crate) figures: &'a [Figure],
}

/// A figure with its context.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) kind: DataPointKind,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) printed: String,
    pub(crate) measure: Option<&'static str>,
    /// The measures that its clause names, one bit each.
    named: u64,
    bound: Bound,
    change: bool,
    /// What is counted, if it is narrower than people.
    counted: String,
    /// Terms around it, ascending.
    around: Vec<(u32, f32)>,
    /// Words that restrict it to a time, a part or a forecast, ascending.
    scope: Vec<u64>,
    /// Months named near it, ascending.
    months: Vec<u64>,
    /// The stems of the two words after it: the `hack` in `$15 million hack`.
    behind: Vec<u32>,
}

/// Words that restrict a figure. Two figures with different restrictions measure different things.
static SCOPE: LazyLock<FxHashSet<u64>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/compose/scope.txt"))
        .flat_map(str::split_whitespace)
        .map(lower_hash)
        .collect()
});

impl Statement<'_> {
    /// Whether the first name in one also occurs in the other, so that both may be about one sum.
    pub(crate) fn opens_like(&self, other: &Self) -> bool {
        self.opening_occurs_in(other) || other.opening_occurs_in(self)
    }

    /// Whether each begins with a name that the other gives later, as `A beats B` and `B loses to A` do. Opposite
    /// wording is then the same thing seen from the other side.
    pub(crate) fn mirrors(&self, other: &Self) -> bool {
        self.opening() != other.opening()
            && self.opening_occurs_in(other)
            && other.opening_occurs_in(self)
    }

    /// The stem of its first capitalised word.
    fn opening(&self) -> Option<u32> {
        self.text
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| word.chars().next().is_some_and(char::is_uppercase))
            .find_map(features::stem_hash)
    }

    fn opening_occurs_in(&self, other: &Self) -> bool {
        self.opening().is_some_and(|stem| {
            other
                .terms
                .binary_search_by_key(&stem, |term| term.0)
                .is_ok()
        })
    }

    /// Whether both name places, but none in common.
    pub(crate) fn is_elsewhere(&self, other: &Self) -> bool {
        !self.places.is_empty()
            && !other.places.is_empty()
            && !self.places.iter().any(|place| other.places.contains(place))
    }
}

/// The figures of a sentence that can be compared with others.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    let mut tokens = Vec::new();
    lex(text, &mut tokens);
    figures::of_sentence(text, &tokens)
        .into_iter()
        .filter(|figure| {
            // `from 8 %`: the previous value.
            let before = figure.first.checked_sub(1).map_or("", |at| tokens[at].text);
            !matches!(
                before,
                "from" | "by" | "another" | "additional" | "further" | "other"
            ) && !figure.printed.contains("additional")
                && tokens.get(figure.next).is_none_or(|next| {
                    !matches!(
                        next.text,
                        "more" | "new" | "additional" | "extra" | "other" | "further"
                    )
                })
        })
        .map(|figure| {
            let near = &tokens
                [figure.first.saturating_sub(AROUND)..(figure.next + AROUND).min(tokens.len())];
            let words: Vec<&str> = near.iter().map(|token| token.text).collect();
            let mut scope: Vec<u64> = near
                .iter()
                .map(|token| token.lower)
                .filter(|word| SCOPE.contains(word))
                .collect();
            scope.sort_unstable();
            scope.dedup();
            let mut months: Vec<u64> = near
                .iter()
                .filter(|token| is_month(token))
                .map(|token| token.lower)
                .collect();
            months.sort_unstable();
            let counted = figure
                .printed
                .rsplit(' ')
                .next()
                .filter(|word| word.chars().all(char::is_alphabetic))
                .map(str::to_lowercase)
                .filter(|word| {
                    !matches!(
                        word.as_str(),
                        "people" | "persons" | "person" | "victims" | "others"
                    )
                })
                .unwrap_or_default();
            Figure {
                kind: figure.kind,
                value: figure.value,
                unit: figure.unit,
                printed: figure.printed.to_owned(),
                measure: figure.measure,
                named: figure.named,
                bound: figure.bound,
                change: figure.change,
                counted: if figure.kind == DataPointKind::Count {
                    counted
                } else {
                    String::new()
                },
                around: terms::distinct(&words.join(" ")),
                scope,
                months,
                behind: tokens[figure.next.min(tokens.len())..]
                    .iter()
                    .take(2)
                    .take_while(|token| !token.after(gap::BREAK))
                    .map_while(|token| features::stem_hash(token.text))
                    .collect(),
            }
        })
        .collect()
}

impl Figure {
    /// Whether it counts what happened to people, which is recounted again and again.
    pub(crate) fn is_toll(&self) -> bool {
        matches!(
            self.measure,
            Some("killed" | "injured" | "missing" | "arrested" | "displaced")
        )
    }

    /// Whether both measure the same thing with the same scope.
    pub(crate) fn is_comparable(&self, other: &Self) -> bool {
        let sum = self.kind == DataPointKind::Money && self.measure.is_none();
        let settled = sum
            || self
                .measure
                .is_some_and(|measure| Word::Settled.is(measure));
        if !settled
            || self.measure != other.measure
            || self.kind != other.kind
            || self.unit != other.unit && self.kind != DataPointKind::Count
            || self.change != other.change && self.kind != DataPointKind::Count
            || self.counted != other.counted
            || self.scope != other.scope
            || self.is_of_another_month(other)
            || self.is_of_another_thing(other)
        {
            return false;
        }
        let (smaller, larger) = (
            self.value.abs().min(other.value.abs()),
            self.value.abs().max(other.value.abs()),
        );
        let common = self
            .around
            .iter()
            .filter(|(hash, _)| {
                other
                    .around
                    .binary_search_by_key(hash, |term| term.0)
                    .is_ok()
            })
            .count();
        let least = self.around.len().min(other.around.len());
        match self.kind {
            DataPointKind::Count => common >= 2 && common * 3 >= least && larger < 5.0 * smaller,
            DataPointKind::Money if sum => {
                smaller >= 1e6 && larger < 2.0 * smaller && common >= 4 && common * 5 >= least * 3
            }
            DataPointKind::Money => {
                smaller >= 10_000.0 && larger < 2.5 * smaller && common >= 2 && common * 3 >= least
            }
            _ => larger < 2.0 * smaller && common >= 3 && common * 2 >= least,
        }
    }

    /// Whether both measure the same thing in the same unit, whatever the scope.
    fn is_like(&self, other: &Self) -> bool {
        self.measure.is_some()
            && self.measure == other.measure
            && self.kind == other.kind
            && self.unit == other.unit
            && self.change == other.change
            && self.counted == other.counted
    }

    /// Whether a third of the words around one, and at least two, are also around the other.
    fn shares_words(&self, other: &Self) -> bool {
        let common = terms::common(&self.around, &other.around);
        common >= 2 && common * 3 >= self.around.len().min(other.around.len())
    }

    /// Whether both appear next to months, but none in common. What held in July is compared with August, not
    /// contradicted.
    fn is_of_another_month(&self, other: &Self) -> bool {
        !self.months.is_empty()
            && !other.months.is_empty()
            && !self.months.iter().any(|month| other.months.contains(month))
    }

    /// Whether both sums are followed by words, and by different ones: a debt and a chalet. Rates measure different
    /// things if each clause names a measure that the other does not: growth in profit and growth in revenue.
    fn is_of_another_thing(&self, other: &Self) -> bool {
        if self.kind == DataPointKind::Percent {
            return self.named & !other.named != 0 && other.named & !self.named != 0;
        }
        self.kind == DataPointKind::Money
            && !self.behind.is_empty()
            && !other.behind.is_empty()
            && !self.behind.iter().any(|stem| other.behind.contains(stem))
    }

    /// Whether both can be true: equal, rounded, or within what `at least` and `about` allow.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let about = self.bound == Bound::About || other.bound == Bound::About;
        let apart = (self.value - other.value).abs();
        // A rate is printed as precisely as it is meant: 2.1 may be 2.12, and 2.25 is not 2.5.
        let rounding = 0.5 * step(&self.printed).max(step(&other.printed));
        let tolerance = match self.kind {
            DataPointKind::Money => 0.06,
            DataPointKind::Percent if !about => {
                return apart <= rounding * 1.000_001 || self.bounds(other);
            }
            _ if self.value.abs().max(other.value.abs()) >= 1_000.0 => 0.03,
            _ => 0.0,
        };
        let tolerance = if about { 0.15 } else { tolerance };
        let larger = self.value.abs().max(other.value.abs());
        apart <= tolerance * larger || self.bounds(other)
    }

    /// Whether one is within what `at least` or `up to` allows for the other.
    fn bounds(&self, other: &Self) -> bool {
        let allows = |this: &Self, that: &Self| match this.bound {
            Bound::AtLeast => that.value >= this.value || that.bound == Bound::AtLeast,
            Bound::AtMost => that.value <= this.value,
            _ => false,
        };
        allows(self, other) || allows(other, self)
    }

    /// What it counts, as shown to readers.
    pub(crate) fn noun(&self) -> String {
        match self.measure {
            Some("killed") => "the number of people killed".to_owned(),
            Some("injured") => "the number of people injured".to_owned(),
            Some("missing") => "the number of people missing".to_owned(),
            Some("arrested") => "the number of arrests".to_owned(),
            Some("displaced") => "the number of people displaced".to_owned(),
            Some("jobs cut") => "the number of jobs cut".to_owned(),
            Some("deal" | "funding" | "loan") => "the amount".to_owned(),
            Some("stolen") => "the sum stolen".to_owned(),
            // The rate of whatever the clause is about.
            Some("interest rate") => "the rate".to_owned(),
            Some(measure) => format!("the {measure}"),
            None => match self.kind {
                DataPointKind::Money => "the sum",
                DataPointKind::Percent => "the percentage",
                DataPointKind::Count | DataPointKind::Quantity => "the number",
            }
            .to_owned(),
        }
    }
}

fn is_month(token: &Token<'_>) -> bool {
    let is_word = token.is(shape::CAPITAL) && (3..=9).contains(&token.text.len());
    is_word && date::is_month(&token.text.to_lowercase())
}

/// The place value of the last digit of a printed number: 0.1 for `2.1 %` and `2,1 %`, 1 for `2 %` and `2,100 %`.
fn step(printed: &str) -> f64 {
    let counted = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count();
    let decimals = match printed.split_once('.') {
        Some((_, rest)) => counted(rest),
        None => printed
            .split_once(',')
            .map_or(0, |(_, rest)| counted(rest) % 3),
    };
    0.1_f64.powi(decimals as i32)
}

/// How many pairs of voices give the same figure.
pub(crate) fn confirmations(statements: &[Statement<'_>]) -> usize {
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    for (index, right) in statements.iter().enumerate() {
        for left in statements[..index]
            .iter()
            .filter(|left| left.member != right.member)
        {
            let same = left.figures.iter().any(|here| {
                right.figures.iter().any(|there| {
                    here.kind == there.kind
                        && here.unit == there.unit
                        && here.measure.is_some()
                        && here.measure == there.measure
                        && here.agrees(there)
                })
            });
            if same {
                pairs.insert((left.member, right.member));
            }
        }
    }
    pairs.len()
}

/// Whether two voices give different figures for what may be the same thing: one measure with one scope, in sentences
/// that share words. That is too little for a contradiction (a price moves within hours), but enough not to count the
/// voices as agreeing.
pub(crate) fn is_unsettled(statements: &[Statement<'_>]) -> bool {
    let gives = |member: usize, figure: &Figure| {
        statements
            .iter()
            .filter(|statement| statement.member == member)
            .flat_map(|statement| statement.figures)
            .any(|other| other.is_like(figure) && other.agrees(figure))
    };
    statements.iter().enumerate().any(|(index, right)| {
        statements[..index]
            .iter()
            .filter(|left| left.member != right.member && !left.is_elsewhere(right))
            .any(|left| {
                left.figures.iter().any(|here| {
                    right.figures.iter().any(|there| {
                        here.is_like(there)
                            && here.scope == there.scope
                            && here.shares_words(there)
                            && !here.agrees(there)
                            && !gives(right.member, here)
                            && !gives(left.member, there)
                    })
                })
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contradict(left: &str, right: &str) -> bool {
        let (left, right) = (figures(left), figures(right));
        left.iter().any(|here| {
            right
                .iter()
                .any(|there| here.is_comparable(there) && !here.agrees(there))
        })
    }

    #[test]
    fn only_the_same_measure_of_the_same_scope_is_held_against_another() {
        assert!(contradict(
            "Ferry fire near Nordvik kills 12 people",
            "Ferry fire near Nordvik kills 15 people"
        ));
        // Bounds, rounding, other scopes and other currencies are compatible.
        assert!(!contradict(
            "Ferry fire near Nordvik kills at least 12 people",
            "Ferry fire near Nordvik kills 15 people"
        ));
        assert!(!contradict(
            "Ferry fire near Nordvik kills 12 people",
            "Ferry fire near Nordvik kills 12 people today, 15 in total"
        ));
        assert!(!contradict(
            "Ferry fire near Nordvik kills 12 children",
            "Ferry fire near Nordvik kills 15 people"
        ));
        assert!(!contradict(
            "Northwind buys Acme in a deal worth $1.2 billion",
            "Northwind buys Acme in a deal worth €1.6 billion"
        ));
        assert!(contradict(
            "Northwind buys Acme in a deal worth $1.2 billion",
            "Northwind buys Acme in a deal worth $1.9 billion"
        ));
    }

    #[test]
    fn figures_of_two_months_are_no_contradiction() {
        let july = "At 2.9%, inflation in Sweden was 0.2 points below the 3.1% of July";
        assert!(!contradict(
            july,
            "Inflation in Sweden slowed to 2.9% in August, official figures showed"
        ));
        let of =
            |rate: &str, month: &str| format!("Annual inflation in Sweden was {rate}% in {month}");
        assert!(contradict(&of("2.9", "August"), &of("3.1", "August")));
        assert!(!contradict(&of("2.9", "August"), &of("3.1", "July")));
    }

    #[test]
    fn voices_with_other_figures_for_one_measure_are_not_agreed() {
        let unsettled = |left: &str, right: &str| {
            let read = [left, right].map(|text| (text, terms::distinct(text), figures(text)));
            let mut statements = Vec::new();
            for (member, (text, terms, figures)) in read.iter().enumerate() {
                statements.push(Statement {
                    member,
                    published_at: Timestamp::from_ms(0),
                    text,
                    is_headline: true,
                    terms,
                    places: Vec::new(),
                    figures,
                });
            }
            is_unsettled(&statements)
        };
        assert!(unsettled(
            "Northwind profit jumps 50% in record quarter",
            "Northwind profit jumps 58% in record quarter",
        ));
        assert!(!unsettled(
            "Northwind profit jumps 58% in record quarter",
            "Northwind profit jumps 58% in record quarter",
        ));
        // Rounded, and for another measure.
        assert!(!unsettled(
            "Northwind profit jumps 58% in record quarter",
            "Northwind profit jumps 58.3% in record quarter",
        ));
        assert!(!unsettled(
            "Northwind profit jumps 50% in record quarter",
            "Northwind revenue jumps 58% in record quarter",
        ));
    }

    #[test]
    fn rates_agree_as_far_as_they_are_rounded() {
        let says = |value: &str| {
            format!("The Velden central bank cut its key interest rate to {value}% today")
        };
        for (left, right, expected) in [
            ("2.00", "3.00", true),
            ("2.25", "2.5", true),
            ("2.00", "2", false),
            ("2.1", "2.12", false),
            ("2.9", "3", false),
        ] {
            assert_eq!(
                contradict(&says(left), &says(right)),
                expected,
                "{left} {right}"
            );
        }
        assert!(contradict(&says("2,25"), &says("2,5")));
        assert!(!contradict(&says("2,25"), &says("2.25")));
        // Growth of one thing is not growth of another.
        let grew = |what: &str, value: &str| {
            format!("Northwind reports growth in {what} of {value}% for spring")
        };
        assert!(contradict(&grew("profit", "5"), &grew("profit", "7")));
        assert!(!contradict(&grew("profit", "5"), &grew("revenue", "7")));
    }
}
