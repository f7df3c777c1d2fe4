//! What a claim says about its figure: levels, changes, multiples, extremes, comparisons.

mod comparisons;
mod manner;
mod numbers;
mod words;

use super::amount::{Amount, Bound, Unit};
use super::claim::{Assertion, Direction, Measure, Over};
use super::items::{Item, What};
use super::parts::Parts;
use super::period::SpanUnit;
use super::times::Times;
use super::token::Token;

/// What was said.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about one sentence"
)]
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) measure: Option<Measure>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) over: Over,
    pub(super) is_negated: bool,
    /// Whether a second subject is used.
    pub(super) takes_other: bool,
    pub(super) has_direction: bool,
    pub(super) has_from: bool,
    /// Whether the figure it came from stands before the one it went to.
    pub(super) begins_with_from: bool,
    pub(super) is_between_times: bool,
    pub(super) wants_extreme: bool,
    /// The spans of which the best or worst is meant.
    pub(super) best_of: Option<SpanUnit>,
    /// Whether this could only be said of a figure: a number with a direction, a level.
    pub(super) is_figure: bool,
    pub(super) unclear: Option<&'static str>,
}

/// The direction of a relation.
fn direction(code: &str) -> Option<Direction> {
    match code {
        "up" => Some(Direction::Up),
        "down" => Some(Direction::Down),
        "flat" => Some(Direction::Flat),
        _ => None,
    }
}

fn relation(item: &Item) -> Option<&'static str> {
    match item.what {
        What::Relation(code) => Some(code),
        _ => None,
    }
}

/// `None` if nothing is said about a figure.
pub(super) fn of(items: &[Item], tokens: &[Token<'_>], parts: &Parts) -> Option<Said> {
    let mut said = Said::default();
    let reader = Reader {
        items,
        tokens,
        parts,
    };
    reader.measures(&mut said);
    reader.manner(&mut said);
    let amounts: Vec<usize> = (0..items.len())
        .filter(|place| matches!(items[*place].what, What::Amount(_)))
        .collect();
    let mut used = vec![false; items.len()];
    if reader.versus(&mut said, &mut used) {
        said.is_figure = true;
        return Some(said);
    }
    reader.multiples(&mut said, &mut used);
    let mut skip = None;
    for place in amounts {
        if Some(place) == skip || used[place] {
            continue;
        }
        skip = reader.amount(place, &mut said, &mut used);
    }
    reader.directions(&mut said, &used);
    reader.extremes(&mut said);
    reader.signs(&mut said);
    if said.assertions.is_empty() {
        return None;
    }
    reader.companies_that_grow(&mut said);
    Some(said)
}

/// Attaches times to the assertions that need them.
pub(super) fn place_in_time(
    assertions: &mut Vec<Assertion>,
    times: &Times,
    best_of: Option<SpanUnit>,
) {
    if let Some(on) = times.on {
        for assertion in assertions.iter_mut() {
            if let Assertion::Extreme { highest, .. } = assertion {
                *assertion = match best_of {
                    Some(unit) => Assertion::BestSpan {
                        best: *highest,
                        unit,
                        on,
                    },
                    None => Assertion::ExtremeOn {
                        highest: *highest,
                        on,
                    },
                };
            }
        }
    }
    for assertion in assertions {
        if let Assertion::Extreme { since, .. } = assertion {
            *since = times.since;
        }
    }
}

/// The currency of the first number that has one.
pub(super) fn money(assertions: &[Assertion]) -> Option<&'static str> {
    assertions.iter().find_map(|assertion| match assertion {
        Assertion::Value(bound) | Assertion::From(bound) => match bound.amount().unit {
            Unit::Money(code) => Some(code),
            _ => None,
        },
        _ => None,
    })
}

/// `from its July 2021 high of $308.53, it lost four fifths`: the number is the one it moved from.
pub(super) fn from_extreme(assertions: &mut [Assertion], times: &Times) {
    let moves = assertions
        .iter()
        .any(|one| matches!(one, Assertion::Change { size: Some(_), .. }));
    if times.base_over == Over::Unsaid || !moves {
        return;
    }
    for one in assertions {
        if let Assertion::Value(bound) = *one
            && bound.is_equality()
        {
            *one = Assertion::From(bound);
        }
    }
}

/// Levels as they are written, but read no more roughly than in steps of this size.
pub(super) fn in_steps(assertions: &mut [Assertion], step: f64) {
    for one in assertions {
        if let Assertion::Value(Bound::Equal(amount)) = one {
            amount.step = amount.step.min(step);
        }
    }
}

/// `minus 37 %`: a price that is a negative percentage is a fall of that size. `lost more than a quarter, 26.4 %`: also
/// a fall.
pub(super) fn signed_moves(assertions: &mut [Assertion]) {
    let moved: Vec<Direction> = assertions
        .iter()
        .filter_map(|one| match one {
            Assertion::Change { direction, .. } => Some(*direction),
            _ => None,
        })
        .collect();
    for one in assertions {
        if let (Assertion::Value(bound), [direction]) = (&*one, &moved[..])
            && bound.amount().unit == Unit::Percent
            && bound.amount().value > 0.0
            && bound.is_equality()
        {
            *one = Assertion::Change {
                direction: *direction,
                size: Some(*bound),
            };
            continue;
        }
        if let Assertion::Value(bound) = *one
            && bound.amount().unit == Unit::Percent
            && bound.amount().value < 0.0
        {
            *one = Assertion::Change {
                direction: Direction::Down,
                size: Some(negated(bound)),
            };
        }
    }
}

/// Turns changes into values of the change from one session to the next, in percent; false if none is in percent.
pub(super) fn as_step(assertions: &mut [Assertion]) -> bool {
    let mut found = false;
    for assertion in assertions {
        if let Assertion::Multiple(bound) = *assertion {
            *assertion = Assertion::Value(bound.map(|times| Amount {
                value: (times.value - 1.0) * 100.0,
                unit: Unit::Percent,
                step: times.step * 100.0,
            }));
            found = true;
        } else if let Assertion::Change {
            direction,
            size: Some(bound),
        } = *assertion
            && matches!(bound.amount().unit, Unit::Percent | Unit::Fraction)
        {
            let bound = match bound {
                // A fraction stays as rough as fractions are.
                Bound::About(amount) if amount.unit == Unit::Fraction => {
                    let reach = amount.tolerance(true);
                    Bound::Word {
                        amount,
                        from: amount.value - reach,
                        to: amount.value + reach,
                    }
                }
                other => other,
            };
            let bound = bound.map(|amount| Amount {
                unit: Unit::Percent,
                ..amount
            });
            *assertion = Assertion::Value(if direction == Direction::Down {
                negated(bound)
            } else {
                bound
            });
            found = true;
        }
    }
    found
}

/// `lost $3.86 per share`, `lost $836 million`, `earned $2 a share`: a company's earnings over a quarter or year.
pub(super) fn earnings(
    assertions: &mut [Assertion],
    tokens: &[Token<'_>],
    times: &Times,
) -> Option<Measure> {
    let is_long = match times.period {
        super::Period::In(span) => span.last.since(span.first) > 80,
        _ => false,
    };
    let verb = tokens
        .iter()
        .any(|token| token.is_any(&["lost", "earned", "made"]));
    if !is_long || !verb {
        return None;
    }
    let per_share = says_per_share(tokens);
    for assertion in assertions {
        let (bound, sign) = match assertion {
            Assertion::Change {
                direction: Direction::Down,
                size: Some(bound),
            } => (*bound, -1.0),
            Assertion::Value(bound) => (*bound, 1.0),
            _ => continue,
        };
        let amount = bound.amount();
        let is_sum = amount.value.abs() >= 1e6;
        if matches!(amount.unit, Unit::Money(_)) && (per_share || is_sum) {
            *assertion = Assertion::Value(if sign < 0.0 { negated(bound) } else { bound });
            return Some(if per_share {
                Measure::Eps
            } else {
                Measure::NetIncome
            });
        }
    }
    None
}

/// Whether an amount is per share.
pub(super) fn says_per_share(tokens: &[Token<'_>]) -> bool {
    tokens
        .windows(2)
        .any(|pair| pair[0].is_any(&["per", "a"]) && pair[1].is("share"))
}

/// Whether every amount of money is per share: `a loss of $2.55 a share`, and not
/// `a loss of $836 million, $2.55 a share`.
pub(super) fn is_per_share(assertions: &[Assertion], tokens: &[Token<'_>]) -> bool {
    says_per_share(tokens) && are_small(assertions)
}

/// Whether every amount of money is smaller than the total value of any company or coin.
pub(super) fn are_small(assertions: &[Assertion]) -> bool {
    let mut sums = assertions.iter().filter_map(|one| match one {
        Assertion::Value(bound) if matches!(bound.amount().unit, Unit::Money(_)) => {
            Some(bound.amount().value.abs())
        }
        _ => None,
    });
    sums.clone().next().is_some() && sums.all(|sum| sum < 1e6)
}

struct Reader<'a> {
    items: &'a [Item],
    tokens: &'a [Token<'a>],
    parts: &'a Parts,
}

/// The same bound for a loss.
fn negated(bound: Bound) -> Bound {
    let minus = |amount: Amount| amount.times(-1.0);
    match bound {
        Bound::Above(amount) => Bound::Below(minus(amount)),
        Bound::Below(amount) => Bound::Above(minus(amount)),
        Bound::AtLeast(amount) => Bound::AtMost(minus(amount)),
        Bound::AtMost(amount) => Bound::AtLeast(minus(amount)),
        Bound::JustAbove(amount) => Bound::JustBelow(minus(amount)),
        Bound::JustBelow(amount) => Bound::JustAbove(minus(amount)),
        other => other.map(minus),
    }
}
