//! Earnings reports: how they compared with expectations, how the price reacted, and the next one.

use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::series::Reaction;
use crate::reports::words::{count, date, pct, signed};
use crate::view::View;

/// Past reports, without upcoming ones.
pub(super) fn past(facts: &Facts) -> Vec<Point> {
    [last_report(facts), record(facts), since_figures(facts)]
        .into_iter()
        .flatten()
        .map(|(side, weight, clause)| Point::new(Theme::Reports, side, weight, clause))
        .collect()
}

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    let last = last_report(facts);
    // The last report gives the latest surprise; the record need not repeat it.
    [
        last,
        record(facts),
        reactions(facts),
        next(facts),
        since_figures(facts),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Reports, side, weight, clause))
    .collect()
}

/// The next report alone.
pub(in crate::reports) fn next_report(facts: &Facts) -> Option<Point> {
    next(facts).map(|(side, weight, clause)| Point::new(Theme::Reports, side, weight, clause))
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

fn history(facts: &Facts) -> Vec<View<'_>> {
    facts.of("whole").list("earnings/surprise_history")
}

/// How much wider two-session moves are than one-session moves: the square root of two.
const TWO_SESSIONS: f64 = std::f64::consts::SQRT_2;

/// A session that moved this many times as far as an ordinary one was not calm.
const MOVED: f64 = 1.4;

/// The price moves in the sessions that can have reacted to a report.
fn reaction(facts: &Facts, report: View<'_>) -> Option<Reaction> {
    facts
        .series
        .reaction_to(model::Day::parse(report.text("date")?.get(..10)?)?)
}

/// Surprises in the last reports.
fn record(facts: &Facts) -> Found {
    let surprises: Vec<f64> = history(facts)
        .iter()
        .filter_map(|one| one.number("surprise_pct"))
        .collect();
    let all = surprises.len();
    if all < 3 {
        return None;
    }
    let beats = surprises.iter().filter(|one| **one > 0.0).count();
    let (best, worst) = surprises
        .iter()
        .fold((f64::MIN, f64::MAX), |(best, worst), one| {
            (best.max(*one), worst.min(*one))
        });
    let run = surprises.iter().take_while(|one| **one > 0.0).count();
    let misses = surprises.iter().take_while(|one| **one <= 0.0).count();
    Some(match (beats, run, misses) {
        (beats, ..) if beats == all => (
            1.0,
            0.6,
            format!(
                "it has beaten estimates in each of its last {} reports, by up to {}",
                count(all),
                pct(best)
            ),
        ),
        (0, ..) => (
            -1.0,
            0.7,
            format!(
                "it has missed estimates in each of its last {} reports, by up to {}",
                count(all),
                pct(worst)
            ),
        ),
        (_, _, 2..) => (
            -1.0,
            0.55,
            format!(
                "it has missed its estimates {} times in a row, after {} better reports",
                count(misses),
                count(beats)
            ),
        ),
        (_, 4.., _) => (
            1.0,
            0.4,
            format!(
                "it has beaten estimates {} times in a row since a miss of {}",
                count(run),
                pct(surprises[run])
            ),
        ),
        (beats, ..) if beats * 2 < all => (
            -1.0,
            0.45,
            format!(
                "it has missed more estimates than it beat, {} of {}",
                count(all - beats),
                count(all)
            ),
        ),
        (_, 0, _) => (
            -1.0,
            0.35,
            format!(
                "the latest report broke a run of better ones, {} of the last {} having beaten estimates",
                count(beats),
                count(all)
            ),
        ),
        (beats, ..) => (
            1.0,
            0.08,
            format!(
                "it has beaten estimates in {} of its last {} reports",
                count(beats),
                count(all)
            ),
        ),
    })
}

/// How the price usually reacts to its reports.
fn reactions(facts: &Facts) -> Found {
    let moves: Vec<f64> = history(facts)
        .iter()
        .filter_map(|one| Some(reaction(facts, *one)?.whole))
        .collect();
    if moves.len() < 3 {
        return None;
    }
    let all = moves.len();
    let ups = moves.iter().filter(|one| **one > 0.0).count();
    let size = moves.iter().map(|one| one.abs()).sum::<f64>() / all as f64;
    let sessions = 252.min(facts.series.len().saturating_sub(1));
    let usual = facts
        .series
        .volatility(sessions, 1.0)
        .unwrap_or(1.5)
        .max(0.1);
    let events = size / (usual * TWO_SESSIONS);
    match (ups, events) {
        (ups, _) if ups * 5 >= all * 4 => Some((
            1.0,
            0.5,
            format!(
                "the price rose within two sessions of {} of its last {} reports, by {} at best",
                count(ups),
                count(all),
                pct(moves.iter().copied().fold(f64::MIN, f64::max))
            ),
        )),
        (ups, _) if ups * 5 <= all => Some((
            -1.0,
            0.55,
            format!(
                "the price fell within two sessions of {} of its last {} reports, by {} at worst",
                count(all - ups),
                count(all),
                pct(moves.iter().copied().fold(f64::MAX, f64::min))
            ),
        )),
        (_, 2.0..) => Some((
            0.0,
            0.5,
            format!(
                "a report moves it {} within two sessions on average, {events:.1} times what is ordinary",
                pct(size)
            ),
        )),
        _ => None,
    }
}

/// The last report and the price reaction.
fn last_report(facts: &Facts) -> Found {
    let history = history(facts);
    let latest = history.first()?;
    let (surprise, reaction) = (latest.number("surprise_pct")?, reaction(facts, *latest)?);
    let on = date(latest.text("date")?);
    let daily = crate::reports::price::daily(facts);
    let moved = reaction.whole;
    let size = moved.abs() / (daily * TWO_SESSIONS);
    let by = pct(surprise);
    let is_in_line = by == "0.0%" || surprise.abs() < 0.5;
    if let Some(found) = swung(reaction, size, daily, surprise, &on) {
        return Some(found);
    }
    let clause = match (surprise > 0.0, moved > 0.0, size) {
        _ if is_in_line && size < 1.0 => return None,
        (_, true, _) if is_in_line => format!(
            "figures as expected on {on} were enough for a gain of {} within two sessions",
            pct(moved)
        ),
        (_, false, _) if is_in_line => format!(
            "figures as expected on {on} were not enough and cost {} within two sessions",
            pct(moved)
        ),
        (true, true, 1.0..) => format!(
            "the figures of {on} beat estimates by {by} and lifted the price by {} within two sessions",
            pct(moved)
        ),
        (true, false, 1.0..) => format!(
            "the price fell {} within two sessions of the figures of {on} although they beat estimates by {by}",
            pct(moved)
        ),
        (true, ..) => {
            format!("the figures of {on} beat estimates by {by} and left the price almost unmoved")
        }
        (false, false, 1.0..) => format!(
            "the figures of {on} missed estimates by {by} and cost {} within two sessions",
            pct(moved)
        ),
        (false, true, 1.0..) => format!(
            "the price rose {} within two sessions of the figures of {on} although they missed estimates by {by}",
            pct(moved)
        ),
        (false, ..) => format!("the figures of {on}, {by} short of estimates, were taken calmly"),
    };
    Some((
        // A price that did not move takes no side.
        if size < 1.0 { surprise } else { moved },
        if size < 1.0 {
            0.12 + surprise.abs() / 60.0
        } else {
            0.2 + size * 0.12 + surprise.abs() / 60.0
        }
        .min(0.8),
        clause,
    ))
}

/// A report whose sessions moved far and in opposite directions: their sum would suggest that little happened.
fn swung(reaction: Reaction, size: f64, daily: f64, surprise: f64, on: &str) -> Found {
    let times = reaction.largest().abs() / daily;
    if size >= 1.0 || times < MOVED {
        return None;
    }
    let figures = match surprise {
        0.5.. => format!("the figures of {on} beat estimates by {}", pct(surprise)),
        ..-0.5 => format!("the figures of {on} missed estimates by {}", pct(surprise)),
        _ => format!("the figures of {on} were as expected"),
    };
    let (own, after) = (reaction.on_the_day?, reaction.after);
    let clause = match (own >= 0.0, after >= 0.0) {
        (true, false) => format!(
            "{figures}, upon which the price gained {} that day and lost {} in the next session",
            pct(own),
            pct(after)
        ),
        (false, true) => format!(
            "{figures}, upon which the price lost {} that day and gained {} in the next session",
            pct(own),
            pct(after)
        ),
        _ => format!(
            "{figures} and moved the price in two steps, {} and {}",
            signed(own),
            signed(after)
        ),
    };
    Some((
        // A move up and down again takes no side.
        surprise,
        (0.2 + times * 0.1 + surprise.abs() / 60.0).min(0.8),
        clause,
    ))
}

/// The next report, if it is near or the expectations are high.
fn next(facts: &Facts) -> Found {
    let earnings = facts.of("earnings");
    let on = earnings.text("earnings_date")?;
    let days = model::Day::parse(on)?.since(facts.now);
    let quarter = earnings.text("fiscal_quarter").unwrap_or("the quarter");
    let estimate = earnings.number("eps_estimate");
    let past = facts
        .of("financials")
        .number("eps")
        .filter(|eps| *eps > 0.0);
    let pace = estimate
        .zip(past)
        .map(|(estimate, eps)| estimate / (eps / 4.0));
    let when = date(on);
    let shown = estimate.map(|eps| facts.price(eps)).unwrap_or_default();
    // A report that is months ahead is in the table, unless much is expected of it.
    let (asks, unusual) = match pace {
        Some(pace @ 1.12..) => (
            format!(
                ", when {shown} a share is expected, {pace:.1} times an average quarter of the past year"
            ),
            0.3,
        ),
        Some(pace @ ..0.88) => (
            format!(
                ", when {shown} a share is expected, {} less than in an average quarter of the past year",
                pct((1.0 - pace) * 100.0)
            ),
            0.3,
        ),
        Some(_) if days <= 45 => (
            format!(", when {shown} a share is expected, as in an average quarter"),
            0.0,
        ),
        _ => (String::new(), 0.0),
    };
    let (near, clause) = match days {
        ..0 => (
            0.7,
            format!(
                "the report for {quarter} was due on {when} and no figures of it are on record"
            ),
        ),
        0..=7 => (
            0.7,
            format!("figures for {quarter} come within days, on {when}{asks}"),
        ),
        8..=45 => (
            0.5,
            format!("the next hurdle is the report for {quarter} on {when}{asks}"),
        ),
        _ if unusual > 0.0 => (
            0.1,
            format!("the next figures, for {quarter}, come on {when}{asks}"),
        ),
        _ => return None,
    };
    Some((0.0, near + unusual, clause))
}

/// How far the price has moved since the last figures were closed.
fn since_figures(facts: &Facts) -> Found {
    let end = facts.of("financials").text("period_end")?;
    let then = facts.series.close_on_or_before(model::Day::parse(end)?)?;
    let moved = (facts.series.last()?.close / then - 1.0) * 100.0;
    let end = date(end);
    let clause = match moved {
        12.0.. => format!(
            "the price has run {} ahead since the last figures were closed on {end}",
            pct(moved)
        ),
        -12.0.. => return None,
        _ => format!(
            "the price has lost {} since the last figures were closed on {end}",
            signed(moved).trim_start_matches('−')
        ),
    };
    Some((moved, (moved.abs() / 40.0).min(0.7), clause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swing_is_no_calm() {
        let told = |on_the_day: Option<f64>, after: f64| {
            let whole = on_the_day.unwrap_or_default() + after;
            let reaction = Reaction {
                whole,
                on_the_day,
                after,
            };
            swung(
                reaction,
                whole.abs() / (2.0 * TWO_SESSIONS),
                2.0,
                4.9,
                "3 Nov 2026",
            )
        };
        let (_, _, clause) = told(Some(-3.4), 4.0).unwrap();
        assert_eq!(
            clause,
            "the figures of 3 Nov 2026 beat estimates by 4.9%, upon which the price lost 3.4% that day and gained 4.0% in the next session"
        );
        assert!(told(Some(-1.0), 1.2).is_none(), "an ordinary day");
        assert!(told(Some(1.0), 6.0).is_none(), "the sum tells it");
        assert!(told(None, 2.9).is_none());
    }
}
