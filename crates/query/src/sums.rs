//! Sums of money and numbers of shares: what a question wants converted or valued.
//!
//! A sum in one of two currencies is to be converted to the other. A number of shares is valued at its price, compared
//! with what was paid for it or, if the question goes back to the time of a purchase, with the price then.

mod conversions;
mod positions;

use std::ops::Range;

use model::{Day, Symbol};
use verify::figures::{Amount, Unit};

pub(crate) use self::conversions::{conversions, wanted};
pub(crate) use self::positions::Positions;
use crate::subjects::covered;
use crate::words::Word;

/// A sum in one currency to convert to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// How much; 1 if the question does not say.
    pub amount: f64,
    /// Whether the question says how much.
    pub is_said: bool,
    /// ISO 4217 code of the sum.
    pub from: &'static str,
    /// ISO 4217 code of the target currency.
    pub to: &'static str,
}

/// An amount of one coin to convert to another.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinConversion {
    /// How many; 1 if the question does not say.
    pub amount: f64,
    /// The coin converted from.
    pub from: Symbol,
    /// The coin converted to.
    pub to: Symbol,
}

/// How much of something somebody has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// A number of shares, units or coins.
    Units(f64),
    /// As much as a sum in a currency buys.
    Money(f64, &'static str),
    /// Not said.
    Unsaid,
}

/// Something that somebody has, had or might have had.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Its symbol.
    pub symbol: Symbol,
    /// How much.
    pub size: Size,
    /// The price paid per unit, if the question says it.
    pub paid: Option<f64>,
    /// The days on one of which it was bought, if the price then is wanted.
    pub bought: Option<(Day, Day)>,
    /// The days on one of which it was sold; otherwise it is still held.
    pub sold: Option<(Day, Day)>,
    /// The days on one of which its value is wanted; otherwise its current value is.
    pub valued: Option<(Day, Day)>,
    /// The price per unit that the question gives for its end.
    pub given: Option<GivenEnd>,
}

/// A price at which a position ends, by the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GivenEnd {
    /// It was sold at this price.
    Sold(f64),
    /// What it is worth if the price is this.
    At(f64),
    /// What it is worth if the newest price changes by so many percent.
    By(f64),
}

impl Position {
    /// The days whose price it ends with, if that is not the newest.
    pub fn end(&self) -> Option<(Day, Day)> {
        self.sold.or(self.valued)
    }
}

/// A number in the question, and which words it is.
pub(crate) type Counted = (Amount, Range<usize>);

/// The numbers of a question as words, without those in its times.
pub(crate) fn counted(words: &[Word], amounts: &[(Amount, Range<usize>)]) -> Vec<Counted> {
    let amounts = amounts.iter();
    amounts
        .map(|(amount, bytes)| (*amount, covered(words, bytes)))
        .filter(|(amount, range)| !range.is_empty() && amount.value > 0.0)
        .collect()
}

/// The lowest value of a trade that a question asks for: `more than $1m`.
pub(crate) fn least_value(words: &[Word], counted: &[Counted]) -> Option<f64> {
    let beyond = [
        "more",
        "over",
        "above",
        "least",
        "exceeding",
        "than",
        "bigger",
        "larger",
        "minimum",
    ];
    let under = ["less", "under", "below", "most", "smaller", "fewer"];
    counted.iter().find_map(|(amount, range)| {
        let before = &words[range.start.saturating_sub(4)..range.start];
        let says = |list: &[&str]| before.iter().any(|word| word.is_any(list));
        let is_large = matches!(amount.unit, Unit::Money(_))
            || amount.unit == Unit::Bare && amount.value >= 10_000.0;
        (is_large && says(&beyond) && !says(&under)).then_some(amount.value)
    })
}
