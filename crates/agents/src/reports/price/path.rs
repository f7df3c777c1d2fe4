//! Where the price is, and how it got there.

use super::{daily, plural, session};
use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::series::Move;
use crate::reports::words::{count, day, pct, signed};

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    let mut found = Vec::new();
    match extreme(facts) {
        Some(point) => found.push(point),
        None => found.extend(distance(facts)),
    }
    found.extend(run(facts));
    let spans = spans(facts);
    found.extend(pattern(&spans));
    found.extend(usual(facts, &spans));
    found
}

/// A close that has not been beaten for some time.
fn extreme(facts: &Facts) -> Option<Point> {
    let last = facts.series.last()?;
    let extreme = facts.series.extreme()?;
    let (close, on) = (facts.price(last.close), day(last.day));
    let number = session(facts, extreme.sessions);
    let clause = match (extreme.since, extreme.is_low, extreme.sessions) {
        (None, false, 60..) => {
            format!("its close of {close} on {on} is the highest of all {number} on record")
        }
        (None, true, 60..) => {
            format!("no close of the {number} on record was lower than that of {on}, {close}")
        }
        (None, _, _) => format!(
            "it has been quoted here for no more than {}, of which {on} brought the {} close, {close}",
            session(facts, extreme.sessions + 1),
            if extreme.is_low { "lowest" } else { "highest" }
        ),
        (Some(since), false, 120..) => format!(
            "the close of {on}, {close}, was the highest since {}",
            day(since)
        ),
        (Some(since), true, 120..) => format!(
            "it had not closed as low as {close}, its price on {on}, since {}",
            day(since)
        ),
        (Some(since), false, 45..) => format!(
            "at {close} it has worked its way back to where it was on {}",
            day(since)
        ),
        (Some(since), true, 45..) => format!(
            "at {close} it has fallen back to where it was on {}",
            day(since)
        ),
        (Some(_), false, _) => format!("it ended {on} at {close}, its best close in {number}"),
        (Some(_), true, _) => format!("it ended {on} at {close}, its poorest close in {number}"),
    };
    let side = if extreme.is_low { -1.0 } else { 1.0 };
    let weight = (0.4 + extreme.sessions as f64 / 350.0).min(1.0);
    Some(Point::new(Theme::Path, side, weight, clause))
}

/// How far the year's extremes are.
fn distance(facts: &Facts) -> Vec<Point> {
    let (Some(((high, top, since_top), (low, bottom, since_bottom))), Some(last)) = (
        facts.series.extremes(facts.year()),
        facts.series.last().map(|bar| bar.close),
    ) else {
        return Vec::new();
    };
    let (under, over) = ((1.0 - last / high) * 100.0, (last / low - 1.0) * 100.0);
    let swing = daily(facts) * (facts.year() as f64).sqrt();
    let (top, bottom) = (day(top), day(bottom));
    let below = match (under / swing, since_top) {
        (..0.08, _) => format!(
            "it trades within {} of the best close of the year, {} on {top}",
            pct(under),
            facts.price(high)
        ),
        (_, ..=15) => format!(
            "it has come off {} since the year's best close, only {} ago",
            pct(under),
            session(facts, since_top)
        ),
        (0.9.., 120..) => format!(
            "the year's best close, on {top}, lies {} above the price, more than it moves in an ordinary year",
            pct((high / last - 1.0) * 100.0)
        ),
        (_, 120..) => format!(
            "it would take a rise of {} to see the best close of the year again, that of {top}",
            pct((high / last - 1.0) * 100.0)
        ),
        _ => format!(
            "it has lost {} since the best close of the year on {top}",
            pct(under)
        ),
    };
    let above = match (over / swing, since_bottom) {
        (..0.08, _) => format!(
            "it trades within {} of the worst close of the year, {} on {bottom}",
            pct(over),
            facts.price(low)
        ),
        (_, ..=15) => format!(
            "it has bounced {} from the year's worst close, {} ago",
            pct(over),
            session(facts, since_bottom)
        ),
        (1.5.., _) => format!(
            "whoever bought at the year's worst close on {bottom} is {} ahead",
            pct(over)
        ),
        (_, 150..) => format!(
            "it has not been near the worst close of the year, {} below, since {bottom}",
            pct((1.0 - low / last) * 100.0)
        ),
        _ => format!(
            "it is {} above the worst close of the year, that of {bottom}",
            pct(over)
        ),
    };
    let of = |size: f64| {
        if size < 0.08 {
            0.55
        } else {
            (0.1 + size * 0.22).min(0.7)
        }
    };
    vec![
        Point::new(Theme::Path, -1.0, of(under / swing), below),
        Point::new(Theme::Path, 1.0, of(over / swing), above),
    ]
}

/// Gains or losses in a row.
fn run(facts: &Facts) -> Option<Point> {
    let (streak, rising) = (facts.series.streak(), facts.series.rising(10));
    let number = streak.unsigned_abs() as usize;
    let (side, weight, clause) = match (streak, rising) {
        (4.., _) => (
            1.0,
            0.12 * number as f64,
            format!("the last {} all ended higher", session(facts, number)),
        ),
        (..=-4, _) => (
            -1.0,
            0.12 * number as f64,
            format!("the last {} all ended lower", session(facts, number)),
        ),
        (_, 8..) => (
            1.0,
            0.45,
            format!(
                "{} of the last ten {} brought gains",
                count(rising),
                plural(facts)
            ),
        ),
        (_, ..=2) => (
            -1.0,
            0.45,
            format!(
                "only {} of the last ten {} brought a gain",
                count(rising),
                plural(facts)
            ),
        ),
        _ => return None,
    };
    Some(Point::new(Theme::Path, side, weight, clause))
}

/// A period and how far the price moved in it.
pub(super) struct Span {
    pub(super) words: &'static str,
    pub(super) moved: Move,
    /// Whether the move is too small to be a direction.
    is_flat: bool,
}

pub(super) fn spans(facts: &Facts) -> Vec<Span> {
    let daily = daily(facts);
    [
        ("week", facts.week()),
        ("month", facts.month()),
        ("quarter", facts.quarter()),
        ("year", facts.year()),
    ]
    .into_iter()
    .filter_map(|(words, sessions)| {
        let moved = facts.series.over(sessions)?;
        Some(Span {
            words,
            is_flat: moved.pct.abs() < 0.35 * daily * (sessions as f64).sqrt(),
            moved,
        })
    })
    .collect()
}

/// How the moves over several spans relate; nothing if none has a direction.
fn pattern(spans: &[Span]) -> Option<Point> {
    let of = |words: &str| spans.iter().find(|span| span.words == words);
    let way = |words: &str| {
        of(words).map_or(0, |span| {
            if span.is_flat {
                0
            } else {
                span.moved.pct.signum() as i32
            }
        })
    };
    let by = |words: &str| of(words).map_or_else(String::new, |span| signed(span.moved.pct));
    let size = |words: &str| of(words).map_or_else(String::new, |span| pct(span.moved.pct));
    let from = |words: &str| of(words).map_or_else(String::new, |span| day(span.moved.from_day));
    if spans.len() < 3 {
        return None;
    }
    let (week, month, quarter, year) = (way("week"), way("month"), way("quarter"), way("year"));
    let (side, weight, clause) = match (week, month, quarter, year) {
        (1, 1, 1, 1) => (
            1.0,
            0.75,
            format!(
                "it has risen over a week, a month, a quarter ({}) and a year ({})",
                by("quarter"),
                by("year")
            ),
        ),
        (-1, -1, -1, -1) => (
            -1.0,
            0.75,
            format!(
                "it has fallen over a week, a month, a quarter ({}) and a year ({})",
                by("quarter"),
                by("year")
            ),
        ),
        (-1, 1, 1, _) => (
            1.0,
            0.5,
            format!(
                "a week that cost {} has dented a quarter of {}",
                size("week"),
                by("quarter")
            ),
        ),
        (1, -1, -1, _) => (
            -1.0,
            0.5,
            format!(
                "a week of {} has eased a quarter of {}",
                by("week"),
                by("quarter")
            ),
        ),
        (_, 1, 1, 1) => (
            1.0,
            0.55,
            format!(
                "month, quarter and year have all been good to it, with {}, {} and {}",
                by("month"),
                by("quarter"),
                by("year")
            ),
        ),
        (_, -1, -1, -1) => (
            -1.0,
            0.55,
            format!(
                "month, quarter and year have all been losses, of {}, {} and {}",
                size("month"),
                size("quarter"),
                size("year")
            ),
        ),
        (-1, _, 1, 1) => (
            1.0,
            0.45,
            format!(
                "the past week took {} from a quarter of {} and a year of {}",
                size("week"),
                by("quarter"),
                by("year")
            ),
        ),
        (1, _, -1, -1) => (
            -1.0,
            0.45,
            format!(
                "the week's {} interrupts a decline of {} over the quarter and {} over the year",
                by("week"),
                size("quarter"),
                size("year")
            ),
        ),
        (_, -1, 1, _) => (
            -1.0,
            0.5,
            format!(
                "since {} it has handed back {} of what the quarter, still {}, had made",
                from("month"),
                size("month"),
                by("quarter")
            ),
        ),
        (_, 1, -1, _) => (
            1.0,
            0.5,
            format!(
                "the month has won back {} in a quarter that stands at {}",
                size("month"),
                by("quarter")
            ),
        ),
        (_, 1, 0, _) => (
            1.0,
            0.4,
            format!(
                "a month of {} has done no more than make good the two before it",
                by("month")
            ),
        ),
        (_, -1, 0, _) => (
            -1.0,
            0.4,
            format!(
                "the month's loss of {} has used up what the two before it had earned",
                size("month")
            ),
        ),
        (_, 1, 1, -1) => (
            1.0,
            0.5,
            format!(
                "a month of {} and a quarter of {} have begun to repair a year of {}",
                by("month"),
                by("quarter"),
                by("year")
            ),
        ),
        (_, _, 1, -1) => (
            1.0,
            0.45,
            format!(
                "the quarter's {} is the first good stretch in a year of {}",
                by("quarter"),
                by("year")
            ),
        ),
        (_, -1, -1, 1) => (
            -1.0,
            0.5,
            format!(
                "the quarter's loss of {} is still going on and leaves {} of the year",
                size("quarter"),
                by("year")
            ),
        ),
        (_, _, -1, 1) => (
            -1.0,
            0.45,
            format!(
                "the quarter has taken {} and left the year at {}",
                size("quarter"),
                by("year")
            ),
        ),
        (_, 0, 1, _) => (
            1.0,
            0.4,
            format!(
                "the quarter's gain of {} was made before {} and has been kept since",
                size("quarter"),
                from("month")
            ),
        ),
        (_, 0, -1, _) => (
            -1.0,
            0.4,
            format!(
                "the quarter's loss of {} was complete by {}",
                size("quarter"),
                from("month")
            ),
        ),
        (_, _, 0, 1) => (
            1.0,
            0.35,
            format!(
                "the gain of the year, {}, was made before {}",
                size("year"),
                from("quarter")
            ),
        ),
        (_, _, 0, -1) => (
            1.0,
            0.35,
            format!(
                "the loss of the year, {}, was suffered before {}",
                size("year"),
                from("quarter")
            ),
        ),
        (_, 1, ..) => (1.0, 0.3, format!("the month brought {}", by("month"))),
        (_, -1, ..) => (-1.0, 0.3, format!("the month cost {}", size("month"))),
        _ => (
            0.0,
            0.2,
            format!(
                "it has gone nowhere over a month ({}), a quarter ({}) or longer",
                by("month"),
                by("quarter")
            ),
        ),
    };
    Some(Point::new(Theme::Path, side, weight, clause))
}

/// How rare the rarest of these moves is in its own history; nothing if none is rare.
fn usual(facts: &Facts, spans: &[Span]) -> Option<Point> {
    let ranked = spans
        .iter()
        .filter_map(|span| Some((span, span.moved.rank?)));
    let (span, rank) =
        ranked.max_by(|left, right| (left.1 - 0.5).abs().total_cmp(&(right.1 - 0.5).abs()))?;
    let since = facts.series.first_day().map(day)?;
    let (windows, words) = (span.moved.windows, span.words);
    let moved = signed(span.moved.pct);
    let clause = match rank {
        ..0.005 => format!(
            "none of the {windows} earlier {words}s since {since} was worse than this one ({moved})"
        ),
        ..0.03 => format!(
            "only {:.0}% of its {words}s since {since} were worse than this one ({moved})",
            (rank * 100.0).ceil()
        ),
        ..0.1 => {
            format!("a {words} of {moved} is among the poorest tenth that it has had since {since}")
        }
        0.995.. => format!(
            "none of the {windows} earlier {words}s since {since} was better than this one ({moved})"
        ),
        0.97.. => format!(
            "only {:.0}% of its {words}s since {since} were better than this one ({moved})",
            ((1.0 - rank) * 100.0).ceil()
        ),
        0.9.. => {
            format!("a {words} of {moved} is among the best tenth that it has had since {since}")
        }
        _ => return None,
    };
    Some(Point::new(
        Theme::Path,
        rank - 0.5,
        ((rank - 0.5).abs() - 0.28) * 4.0,
        clause,
    ))
}
