//! A number in a claim, and when a stored value agrees with it.
//!
//! # When a value agrees
//!
//! A number is as exact as it is written: it agrees with every value that rounds to it, half a unit of its last digit
//! on either side, both ends included. `120` agrees with 119.5 to 120.5, `120.35` with 120.345 to 120.355, `3.2 %` with
//! 3.15 to 3.25, `1.2 trillion` with 1.15 to 1.25 trillion. Three zeros at the end of a whole number count as the word
//! `thousand` (`60,000` agrees with 59,500 to 60,500), but not if the number is said to be reached or comes after
//! `exactly`, and for a single day's close by at most 1 % of the number (`3,000` agrees with 2,970 to 3,030). Except
//! for percentages, half a unit is at most 5 % of the number (10 % below one), so that `1 trillion` does not agree with
//! 1.4 trillion. `About`, `nearly`, `some` widen it to 5 % of the number. `Above`, `below`, `at least`, `at most` and
//! `between` compare with the number as it stands; `just above` also requires the value to be within 5 % of it.
//!
//! Words for a size (`doubled`, `halved`, `lost a quarter`) mean at least about that much: a fraction counts from a
//! tenth of itself below, a multiple from 5 % below, each up to where the next larger word begins. A rise of 179 % has
//! doubled something, one of 240 % has tripled it.

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// No unit is given.
    Bare,
    /// Percent.
    Percent,
    /// Percentage points.
    Points,
    /// Hundredths of a percentage point.
    BasisPoints,
    /// Points of an index.
    IndexPoints,
    /// Money in a currency, given by its code; cents are hundredths of a dollar.
    Money(&'static str),
    /// A multiple.
    Times,
    /// A fraction of the whole, in percent.
    Fraction,
    /// Counted things: shares, jobs, contracts.
    Count,
}

/// A number with its unit and the size of its last digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// In whole units.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// One unit of its last digit.
    pub step: f64,
}

/// How a value is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// As it is written.
    Equal(Amount),
    /// `about`, `nearly`.
    About(Amount),
    /// `above`, `more than`.
    Above(Amount),
    /// `below`, `less than`.
    Below(Amount),
    /// `at least`.
    AtLeast(Amount),
    /// `at most`.
    AtMost(Amount),
    /// `just above`.
    JustAbove(Amount),
    /// `just below`.
    JustBelow(Amount),
    /// `between` two numbers, both included.
    Between(Amount, Amount),
    /// A word for a size, such as `doubled` or `a quarter`.
    Word {
        /// What the word says.
        amount: Amount,
        /// The smallest value for which the word may be used.
        from: f64,
        /// Where a larger word begins.
        to: f64,
    },
}

/// How far `about` reaches, as a fraction of the number.
const ABOUT: f64 = 0.05;
/// How far the zeros at the end of a close reach, as a fraction of it.
const CLOSE: f64 = 0.01;
/// How far a fraction reaches, relative to itself.
const FRACTION: f64 = 0.1;
/// Rounding error of binary fractions.
const GRAIN: f64 = 1e-9;

impl Amount {
    /// A number as it stands.
    pub const fn exact(value: f64, unit: Unit) -> Self {
        Self {
            value,
            unit,
            step: 0.0,
        }
    }

    /// How far a value that agrees with it may be from it.
    pub fn tolerance(&self, is_about: bool) -> f64 {
        let size = self.value.abs();
        let half = self.step / 2.0;
        let written = match self.unit {
            Unit::Fraction => FRACTION * size,
            Unit::Percent | Unit::Points | Unit::BasisPoints => half,
            // `$0.002` has only one digit.
            _ if size > 0.0 && size < 1.0 => half.min(2.0 * ABOUT * size),
            _ if size > 0.0 => half.min(ABOUT * size),
            _ => half,
        };
        if is_about && self.unit == Unit::Percent {
            // `About 47 %` may be used for 47.7.
            self.step.max(ABOUT * size)
        } else if is_about {
            written.max(ABOUT * size)
        } else {
            written
        }
    }

    /// The same number in a unit that is `factor` times smaller.
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            step: self.step * factor.abs(),
            ..self
        }
    }
}

/// Fractions for which there are words, in percent.
const PARTS: [f64; 9] = [
    10.0,
    20.0,
    25.0,
    100.0 / 3.0,
    40.0,
    50.0,
    200.0 / 3.0,
    75.0,
    100.0,
];

impl Bound {
    /// A fraction as expressed in words: `a quarter`.
    pub(super) fn part(amount: Amount) -> Self {
        let share = amount.value.abs();
        let larger = PARTS.into_iter().find(|part| *part > share + 1.0);
        let begins = (1.0 - FRACTION) * larger.unwrap_or(100.0);
        Self::Word {
            amount,
            from: (1.0 - FRACTION) * amount.value,
            to: amount.value.signum() * begins.max((1.0 + FRACTION) * share),
        }
    }

    /// A level that is said to be reached is a mark: zeros at its end are digits like any other, and 4,797 has not
    /// reached 5,000.
    pub(super) fn as_mark(self) -> Self {
        match self {
            Self::Equal(amount) if amount.step >= 1e3 => Self::Equal(Amount {
                step: 1.0,
                ..amount
            }),
            other => other,
        }
    }

    /// A close is known to the cent: the zeros at its end are rounded less than those in a count.
    pub(super) fn as_close(self) -> Self {
        match self {
            Self::Equal(amount) if amount.step >= 1e3 => Self::Equal(Amount {
                step: amount.step.min(2.0 * CLOSE * amount.value.abs()),
                ..amount
            }),
            other => other,
        }
    }

    /// A multiple as expressed in words: `doubled`, `halved`.
    pub(super) fn multiple(times: f64) -> Self {
        let (from, to) = if times < 1.0 {
            // Halved: down to the point at which it is quartered.
            (times / 2.0 / (1.0 - ABOUT), times / (1.0 - ABOUT))
        } else {
            ((1.0 - ABOUT) * times, (1.0 - ABOUT) * (times + 1.0))
        };
        Self::Word {
            amount: Amount::exact(times, Unit::Times),
            from,
            to,
        }
    }

    /// Whether a value agrees.
    pub fn holds(&self, truth: f64) -> bool {
        let grain = GRAIN * truth.abs().max(1.0);
        let near = |amount: &Amount, about| {
            (truth - amount.value).abs() <= amount.tolerance(about) + grain
        };
        match self {
            Self::Equal(amount) => near(amount, false),
            Self::About(amount) => near(amount, true),
            Self::Above(amount) => truth > amount.value + grain,
            Self::Below(amount) => truth < amount.value - grain,
            Self::AtLeast(amount) => truth >= amount.value - grain,
            Self::AtMost(amount) => truth <= amount.value + grain,
            Self::JustAbove(amount) => truth > amount.value + grain && near(amount, true),
            Self::JustBelow(amount) => truth < amount.value - grain && near(amount, true),
            Self::Between(low, high) => {
                truth >= low.value - low.tolerance(false) - grain
                    && truth <= high.value + high.tolerance(false) + grain
            }
            Self::Word { from, to, .. } => truth >= from - grain && truth <= to + grain,
        }
    }

    /// The number; for a range the lower one.
    pub const fn amount(&self) -> &Amount {
        match self {
            Self::Equal(amount)
            | Self::About(amount)
            | Self::Above(amount)
            | Self::Below(amount)
            | Self::AtLeast(amount)
            | Self::AtMost(amount)
            | Self::JustAbove(amount)
            | Self::JustBelow(amount)
            | Self::Between(amount, _)
            | Self::Word { amount, .. } => amount,
        }
    }

    /// Whether it requires a number rather than one side of it.
    pub const fn is_equality(&self) -> bool {
        matches!(self, Self::Equal(_) | Self::About(_) | Self::Word { .. })
    }

    /// The same bound with its numbers changed.
    pub fn map(self, change: impl Fn(Amount) -> Amount) -> Self {
        match self {
            Self::Equal(one) => Self::Equal(change(one)),
            Self::About(one) => Self::About(change(one)),
            Self::Above(one) => Self::Above(change(one)),
            Self::Below(one) => Self::Below(change(one)),
            Self::AtLeast(one) => Self::AtLeast(change(one)),
            Self::AtMost(one) => Self::AtMost(change(one)),
            Self::JustAbove(one) => Self::JustAbove(change(one)),
            Self::JustBelow(one) => Self::JustBelow(change(one)),
            Self::Between(one, other) => {
                let (one, other) = (change(one), change(other));
                if one.value <= other.value {
                    Self::Between(one, other)
                } else {
                    Self::Between(other, one)
                }
            }
            Self::Word { amount, from, to } => {
                let end = |value| change(Amount { value, ..amount }).value;
                let (one, other) = (end(from), end(to));
                Self::Word {
                    amount: change(amount),
                    from: one.min(other),
                    to: one.max(other),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::at;
    use super::super::token::cut;
    use super::*;

    fn read(text: &str) -> Option<(f64, Unit, f64)> {
        let tokens = cut(text);
        let found = (0..tokens.len()).find_map(|place| at(&tokens, place))?;
        Some((found.amount.value, found.amount.unit, found.amount.step))
    }

    #[test]
    fn amounts_are_read_with_unit_and_step() {
        for (text, value, unit, step) in [
            ("120", 120.0, Unit::Bare, 1.0),
            ("120.35", 120.35, Unit::Bare, 0.01),
            ("$120", 120.0, Unit::Money("USD"), 1.0),
            ("US$1.2bn", 1.2e9, Unit::Money("USD"), 1e8),
            ("$1.2 trillion", 1.2e12, Unit::Money("USD"), 1e11),
            ("1.2 trillion dollars", 1.2e12, Unit::Money("USD"), 1e11),
            ("USD 61,350.25", 61350.25, Unit::Money("USD"), 0.01),
            ("€3.5m", 3.5e6, Unit::Money("EUR"), 1e5),
            ("3.2 %", 3.2, Unit::Percent, 0.1),
            ("3.2 per cent", 3.2, Unit::Percent, 0.1),
            ("-3.2%", -3.2, Unit::Percent, 0.1),
            ("25 basis points", 25.0, Unit::BasisPoints, 1.0),
            ("25bps", 25.0, Unit::BasisPoints, 1.0),
            ("0.3 percentage points", 0.3, Unit::Points, 0.1),
            ("half a percentage point", 0.5, Unit::Points, 0.02),
            ("a quarter point", 0.25, Unit::Points, 0.02),
            ("a fifth", 20.0, Unit::Fraction, 1.0),
            ("two-thirds", 200.0 / 3.0, Unit::Fraction, 1.0),
            ("half", 50.0, Unit::Fraction, 1.0),
            ("three", 3.0, Unit::Bare, 1.0),
            ("twenty-five percent", 25.0, Unit::Percent, 1.0),
            (
                "one hundred and twenty dollars",
                120.0,
                Unit::Money("USD"),
                1.0,
            ),
            ("five thousand", 5000.0, Unit::Bare, 1.0),
            ("60,000", 60_000.0, Unit::Bare, 1000.0),
            ("272,000 jobs", 272_000.0, Unit::Count, 1000.0),
            ("4 million", 4e6, Unit::Bare, 1e6),
            ("10k", 10_000.0, Unit::Bare, 1000.0),
            ("5x", 5.0, Unit::Times, 1.0),
            ("89 cents", 0.89, Unit::Money("USD"), 0.01),
            ("110 yen", 110.0, Unit::Money("JPY"), 1.0),
        ] {
            let (found, found_unit, found_step) = read(text).unwrap_or_else(|| panic!("{text}"));
            assert!(
                (found - value).abs() < 1e-9 * value.abs().max(1.0),
                "{text}: {found}"
            );
            assert_eq!(found_unit, unit, "{text}");
            assert!(
                (found_step - step).abs() < 1e-9 * step.max(1.0),
                "{text}: {found_step}"
            );
        }
    }

    #[test]
    fn a_number_agrees_with_what_rounds_to_it() {
        let equal = |text: &str| {
            let (value, unit, step) = read(text).unwrap();
            Bound::Equal(Amount { value, unit, step })
        };
        for (text, agrees, differs) in [
            ("120", vec![119.5, 120.0, 120.5], vec![119.49, 120.51]),
            ("120.35", vec![120.345, 120.355], vec![120.34, 120.36]),
            ("3.2 %", vec![3.15, 3.25], vec![3.13, 3.27]),
            (
                "1.2 trillion",
                vec![1.15e12, 1.25e12],
                vec![1.14e12, 1.26e12],
            ),
            ("1 trillion", vec![0.95e12, 1.05e12], vec![0.94e12, 1.06e12]),
            ("60,000", vec![59_500.0, 60_500.0], vec![59_499.0, 60_501.0]),
            ("a fifth", vec![18.0, 22.0], vec![17.9, 22.1]),
            ("0", vec![0.4], vec![0.6]),
        ] {
            for value in agrees {
                assert!(equal(text).holds(value), "{text} and {value}");
            }
            for value in differs {
                assert!(!equal(text).holds(value), "{text} and {value}");
            }
        }
    }

    #[test]
    fn comparisons_are_strict() {
        let amount = Amount {
            value: 120.0,
            unit: Unit::Bare,
            step: 1.0,
        };
        for (bound, value, expected) in [
            (Bound::Above(amount), 120.0, false),
            (Bound::Above(amount), 120.01, true),
            (Bound::Below(amount), 120.0, false),
            (Bound::AtLeast(amount), 120.0, true),
            (Bound::AtMost(amount), 120.01, false),
            (Bound::JustAbove(amount), 126.0, true),
            (Bound::JustAbove(amount), 127.0, false),
            (Bound::JustBelow(amount), 114.5, true),
            (Bound::About(amount), 114.0, true),
            (Bound::About(amount), 113.9, false),
            (
                Bound::Between(
                    amount,
                    Amount {
                        value: 130.0,
                        ..amount
                    },
                ),
                130.4,
                true,
            ),
            (
                Bound::Between(
                    amount,
                    Amount {
                        value: 130.0,
                        ..amount
                    },
                ),
                130.6,
                false,
            ),
        ] {
            assert_eq!(bound.holds(value), expected, "{bound:?} {value}");
        }
    }
}
