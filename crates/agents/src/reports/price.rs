//! The price and its history: where it closed, how usual its moves are, how it compares with the market, how much it
//! fluctuates.

mod days;
mod market;
mod path;
mod risk;
mod table;

pub(super) use days::largest as largest_day;
pub(super) use table::table;

use super::document::Sentence;
use super::facts::{Facts, Kind};
use super::points::{Point, named, sentences};
use super::words::{self, day};

/// `five sessions` or, for a coin, `five days`.
pub(super) fn session(facts: &Facts, number: usize) -> String {
    let (one, many) = if facts.kind == Kind::Coin {
        ("day", "days")
    } else {
        ("session", "sessions")
    };
    words::counted(number, one, many)
}

pub(super) fn plural(facts: &Facts) -> &'static str {
    if facts.kind == Kind::Coin {
        "days"
    } else {
        "sessions"
    }
}

/// Mean size of a daily move in the last quarter, in percent.
pub(super) fn daily(facts: &Facts) -> f64 {
    facts.series.volatility(60, 1.0).unwrap_or(1.5).max(0.05)
}

/// What stands out about the price, strongest first.
pub(super) fn told(facts: &Facts, most: usize) -> Vec<Sentence> {
    let mut points: Vec<Point> = Vec::new();
    points.extend(path::points(facts));
    points.extend(market::points(facts));
    points.extend(risk::points(facts));
    named(sentences(points, 3, most), &facts.name)
}

/// Says that the newest price is old.
pub(super) fn stale(facts: &Facts) -> Option<String> {
    let last = facts.series.last()?;
    let age = facts.now.since(last.day);
    facts.has_old_price().then(|| {
        format!(
            "The newest price of {} on record, {}, is of {}, {age} days before this report, so what is said of the price describes that time and not today.",
            facts.name,
            facts.price(last.close),
            day(last.day)
        )
    })
}
