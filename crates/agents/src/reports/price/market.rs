//! The price compared with the market.

use super::daily;
use crate::reports::facts::{Facts, MARKET};
use crate::reports::points::{Point, Theme};
use crate::reports::words::{day, pct, signed};

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    if facts.ticker == MARKET || facts.market.len() < 100 {
        return Vec::new();
    }
    gap(facts).into_iter().chain(tie(facts)).collect()
}

/// Its quarter compared with the market's; nothing if they are alike.
fn gap(facts: &Facts) -> Option<Point> {
    let own = facts.series.over(facts.quarter())?;
    let market = facts.market_since(own.from_day)?;
    let gap = own.pct - market;
    let size = gap.abs() / (daily(facts) * (facts.quarter() as f64).sqrt());
    if gap.abs() < 1.5 {
        return None;
    }
    let theirs = signed(market);
    let points = format!("{:.1} points", gap.abs());
    let since = day(own.from_day);
    let clause = match (own.pct >= 0.0, market >= 0.0, size) {
        (true, true, 1.0..) if gap > 0.0 => {
            format!("since {since} it has left the market far behind, by {points}")
        }
        (true, true, _) if gap > 0.0 => {
            format!("it has beaten a rising market by {points} since {since}")
        }
        (true, true, 0.5..) => {
            format!("it has been left {points} behind by a rising market since {since}")
        }
        (true, true, _) => {
            format!("it has kept up with most but not all of the market's {theirs} since {since}")
        }
        (true, false, _) => format!(
            "it has gained since {since} in a market that lost {}",
            pct(market)
        ),
        (false, true, 1.0..) => format!(
            "none of the market's {theirs} since {since} has reached it, for it stands {points} behind"
        ),
        (false, true, ..0.35) => {
            format!("it has slipped since {since} beside a market that made {theirs}")
        }
        (false, true, _) => format!("{MARKET} has done {points} better since {since}"),
        (false, false, _) if gap > 0.0 => {
            format!("it has fallen less than the market since {since}, by {points}")
        }
        (false, false, 1.0..) => {
            format!("it has fallen much further than a falling market since {since}, by {points}")
        }
        (false, false, _) => format!("it has lost {points} more than the market since {since}"),
    };
    Some(Point::new(
        Theme::Market,
        gap,
        (0.25 + size * 0.4).min(0.9),
        clause,
    ))
}

/// How its daily moves relate to those of the market, if that is out of the ordinary.
fn tie(facts: &Facts) -> Vec<Point> {
    let Some(year) = facts.series.together(&facts.market, facts.year()) else {
        return Vec::new();
    };
    let (correlation, beta) = (year.correlation, year.beta);
    let mut found = Vec::new();
    let clause = match (correlation, beta) {
        (..-0.1, _) => Some((
            0.7,
            format!(
                "it tends to move against the market (correlation {correlation:.2} over a year)"
            ),
        )),
        (..0.15, _) => Some((
            0.45,
            format!(
                "its days have next to nothing to do with the market's (correlation {correlation:.2} over a year)"
            ),
        )),
        (0.8.., _) => Some((
            0.45,
            format!(
                "its days follow the market's closely, at {beta:.1} times their size (correlation {correlation:.2})"
            ),
        )),
        (0.4.., 1.6..) => Some((
            0.5,
            format!("it swings {beta:.1} times as far as the market"),
        )),
        (0.3.., ..0.6) => Some((
            0.35,
            format!("it answers the market's moves with no more than {beta:.1} times their size"),
        )),
        _ => None,
    };
    found.extend(clause.map(|(weight, clause)| Point::new(Theme::Market, 0.0, weight, clause)));
    if let Some((up, down)) = facts.series.captures(&facts.market, facts.year())
        && correlation > 0.2
    {
        let clause = match (up - down, down) {
            (0.3.., ..0.0) => Some(
                "it has even tended to rise on the market's bad days over the past year".to_owned(),
            ),
            (0.3.., _) => Some(format!(
                "it has taken {up:.1} times the market's good days of the year but only {down:.1} times its bad ones"
            )),
            (..-0.3, _) if up >= 1.0 => Some(format!(
                "it has magnified the market's days of the year both ways, the bad ones {down:.1} times and the good ones {up:.1} times"
            )),
            (..-0.3, 1.0..) => Some(format!(
                "the market's bad days of the year hit it {down:.1} times over, while of the good ones it kept {up:.1}"
            )),
            (..-0.3, _) => Some(format!(
                "it has taken {down:.1} times the market's bad days of the year but only {up:.1} times its good ones"
            )),
            _ => None,
        };
        found.extend(clause.map(|clause| {
            Point::new(
                Theme::Market,
                up - down,
                0.3 + (up - down).abs() * 0.25,
                clause,
            )
        }));
    }
    if let Some(recent) = facts.series.together(&facts.market, 60) {
        let change = recent.correlation - correlation;
        let clause = match change {
            0.2.. => Some(format!(
                "its tie to the market has tightened in the past three months, to a correlation of {:.2} from {correlation:.2} over the year",
                recent.correlation
            )),
            ..-0.2 => Some(format!(
                "it has come loose from the market in the past three months, with a correlation of {:.2} after {correlation:.2} over the year",
                recent.correlation
            )),
            _ => None,
        };
        found.extend(
            clause.map(|clause| Point::new(Theme::Market, 0.0, 0.15 + change.abs(), clause)),
        );
    }
    found
}
