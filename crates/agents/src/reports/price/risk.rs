//! How much the price fluctuates, how far it fell, and how much is traded.

use super::days::{Cause, cause};
use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::words::{day, foreign, pct, signed};

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    [
        swings(facts),
        fall(facts),
        turnover(facts),
        sides(facts),
        busiest(facts),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Volatility compared with its own past; nothing if it is ordinary.
fn swings(facts: &Facts) -> Option<Point> {
    let per_year = facts.per_year();
    let now = facts.series.volatility(20, per_year)?;
    let sessions = facts.year().min(facts.series.len().saturating_sub(1));
    let year = facts.series.volatility(sessions, per_year)?;
    let rank = facts.series.volatility_rank(20)?;
    let (shown, usual) = (pct(now), pct(year));
    let clause = match (now / year.max(0.01), rank) {
        (_, ..0.06) => format!(
            "it has rarely been as quiet, with annualised volatility of {shown} over a month and {usual} over the year"
        ),
        (..0.7, _) => {
            format!("volatility has come down to {shown} annualised from {usual} over the year")
        }
        (_, 0.94..) => format!(
            "it has rarely been as restless, with annualised volatility of {shown} over a month and {usual} over the year"
        ),
        (1.4.., _) => {
            format!("volatility has gone up to {shown} annualised from {usual} over the year")
        }
        (_, ..0.15) => format!("at {shown} annualised its volatility is low for it"),
        (_, 0.85..) => format!("at {shown} annualised its volatility is high for it"),
        _ => return None,
    };
    let weight =
        0.2 + ((rank - 0.5).abs() - 0.2).max(0.0) * 1.2 + (now / year.max(0.01)).ln().abs() * 0.3;
    Some(Point::new(Theme::Risk, 0.5 - rank, weight, clause))
}

/// The deepest fall of the year and what happened afterwards.
fn fall(facts: &Facts) -> Option<Point> {
    let fall = facts.series.deepest_fall(facts.year())?;
    let (peak, low, depth) = (day(fall.peak_day), day(fall.low_day), pct(fall.pct));
    let size = fall.pct.abs() / 25.0;
    let (side, weight, clause) = match (fall.recovered, Some(fall.low_day) == facts.day()) {
        (_, true) => (
            -1.0,
            0.5 + size * 0.3,
            format!(
                "it has never been as far below its peak in this year as now, {depth} under that of {peak}"
            ),
        ),
        (1.0.., _) => (
            1.0,
            0.1 + size * 0.13,
            format!(
                "the worst fall of the year, {depth} from {peak} to {low}, has been made up in full"
            ),
        ),
        (0.7.., _) => (
            1.0,
            0.1 + size * 0.25,
            format!(
                "all but {:.0}% of the year's worst fall, {depth} from {peak} to {low}, has been made up",
                (1.0 - fall.recovered) * 100.0
            ),
        ),
        (0.25.., _) => (
            0.0,
            0.1 + size * 0.2,
            format!(
                "it has won back {:.0}% of the {depth} that it lost between {peak} and {low}",
                fall.recovered * 100.0
            ),
        ),
        _ => (
            -1.0,
            0.2 + size * 0.3,
            format!(
                "little has been won back of the {depth} that it lost between {peak} and {low}"
            ),
        ),
    };
    Some(Point::new(Theme::Risk, side, weight.min(0.85), clause))
}

/// Whether more or less is traded than before; nothing if it is the same.
fn turnover(facts: &Facts) -> Option<Point> {
    let shift = facts.series.volume_shift(20, 60)?;
    if shift <= 0.0 {
        return None;
    }
    let change = signed((shift - 1.0) * 100.0);
    let clause = match shift {
        ..0.7 => format!(
            "interest has faded, with a month's average volume {change} against the three months before"
        ),
        ..0.85 => format!("less is traded than in the three months before ({change})"),
        ..1.2 => return None,
        ..1.5 => format!("turnover has picked up ({change} against the three months before)"),
        _ => format!("far more changes hands than in the three months before ({change})"),
    };
    Some(Point::new(
        Theme::Risk,
        0.0,
        (0.1 + shift.ln().abs()).min(0.8),
        clause,
    ))
}

/// Whether rising or falling days attract the volume.
fn sides(facts: &Facts) -> Option<Point> {
    let rises = facts.series.volume_of_rises(facts.quarter())?;
    let clause = match rises {
        1.3.. => format!(
            "buyers do the trading, since rising days draw {rises:.1} times the volume of falling ones"
        ),
        1.12.. => format!("rising days draw more volume than falling ones ({rises:.2} times)"),
        0.89.. => return None,
        0.77.. => {
            format!("falling days are the busier ones, with rises at {rises:.2} of their volume")
        }
        _ => format!(
            "sellers do the trading, since rising days draw no more than {rises:.2} times the volume of falling ones"
        ),
    };
    Some(Point::new(
        Theme::Risk,
        rises - 1.0,
        (0.1 + (rises - 1.0).abs() * 1.6).min(0.7),
        clause,
    ))
}

/// A day on which much more was traded than usual, if it is not the day with the largest move.
fn busiest(facts: &Facts) -> Option<Point> {
    let busiest = facts.series.busiest_day(facts.quarter())?;
    let times = busiest.volume_times.filter(|times| *times >= 2.0)?;
    if facts.series.largest_day(facts.quarter())?.day == busiest.day {
        return None;
    }
    let on = day(busiest.day);
    let volume = format!("{times:.1} times the usual volume");
    let size = pct(busiest.pct);
    let (noun, verb) = if busiest.pct > 0.0 {
        (format!("a gain of {size}"), format!("gained {size}"))
    } else {
        (format!("a loss of {size}"), format!("lost {size}"))
    };
    let clause = match cause(facts, &busiest) {
        Some(Cause::Story(brief)) => format!(
            "it {verb} on {volume} on {on}, around the report “{}”",
            foreign(&brief.headline, 110)
        ),
        Some(Cause::Figures(quarter)) => {
            format!("its figures for {quarter} drew {volume} and {noun} on {on}")
        }
        Some(Cause::Market(moved)) => format!(
            "it {verb} on {volume} on {on}, when the market moved {}",
            signed(moved)
        ),
        None if busiest.pct.abs() < 1.0 => {
            format!(
                "the busiest day of the quarter, {on}, left the price almost where it was on {volume}"
            )
        }
        None => format!("it {verb} on {volume} on {on}"),
    };
    Some(Point::new(
        Theme::Risk,
        busiest.pct,
        (0.2 + times * 0.08).min(0.7),
        clause,
    ))
}
