//! The day of the quarter with the largest move: what was published, reported or traded then, and what happened
//! afterwards.

use super::daily;
use crate::reports::document::Sentence;
use crate::reports::facts::{Brief, Facts, MARKET};
use crate::reports::series::{Series, Session};
use crate::reports::words::{self, day, pct, signed};

/// The day in a sentence; nothing if no day stood out.
pub(in crate::reports) fn largest(facts: &mut Facts) -> Option<Sentence> {
    let largest = facts.series.largest_day(facts.quarter())?;
    let times = largest.pct.abs() / daily(facts);
    let cause = cause(facts, &largest);
    if times < 2.6 && cause.is_none() {
        return None;
    }
    let on = day(largest.day);
    let size = pct(largest.pct);
    let volume = match largest.volume_times {
        Some(times @ 2.0..) => format!(" on {times:.1} times the usual volume"),
        Some(..0.8) => " on thin trading".to_owned(),
        _ => String::new(),
    };
    let up = largest.pct > 0.0;
    let mut cites = Vec::new();
    let opening = match (&cause, up) {
        (Some(Cause::Story(brief)), _) => {
            cites = facts.cite_brief(brief);
            let headline = words::foreign(&brief.headline, 110);
            let word = if up { "gained" } else { "lost" };
            format!("It {word} {size}{volume} on {on}, around the report “{headline}”")
        }
        (Some(Cause::Figures(quarter)), true) => {
            format!("Its figures for {quarter} were welcomed with a gain of {size}{volume} on {on}")
        }
        (Some(Cause::Figures(quarter)), false) => {
            format!("Its figures for {quarter} were punished with a loss of {size}{volume} on {on}")
        }
        (Some(Cause::Market(moved)), true) => format!(
            "Its best day of the quarter, {on} ({size}{volume}), was also a good one for the market ({MARKET} {})",
            signed(*moved)
        ),
        (Some(Cause::Market(moved)), false) => format!(
            "Its worst day of the quarter, {on} ({size}{volume}), was also a bad one for the market ({MARKET} {})",
            signed(*moved)
        ),
        (None, true) if times >= 4.0 => {
            format!("A jump of {size}{volume} on {on} stands out from the quarter")
        }
        (None, false) if times >= 4.0 => {
            format!("A drop of {size}{volume} on {on} stands out from the quarter")
        }
        (None, _) => {
            let word = if up { "best" } else { "worst" };
            let moved = market_on(facts, &largest).map_or_else(String::new, |moved| {
                match (moved.abs() < 0.4, (moved > 0.0) == up) {
                    (true, _) => " while the market stood still".to_owned(),
                    (false, true) if largest.pct / moved >= 4.0 => format!(
                        ", {:.1} times the market's {}",
                        largest.pct / moved,
                        signed(moved)
                    ),
                    (false, true) if up => format!(" in a market that rose {}", pct(moved)),
                    (false, true) => format!(" in a market that fell {}", pct(moved)),
                    (false, false) if up => format!(" against a market that fell {}", pct(moved)),
                    (false, false) => format!(" against a market that rose {}", pct(moved)),
                }
            });
            format!(
                "The {word} day of the quarter was {on}, {}{volume}{moved}",
                signed(largest.pct)
            )
        }
    };
    Some(Sentence {
        text: format!("{opening}{}.", aftermath(&facts.series, &largest)),
        cites,
    })
}

/// What happened on a day, as far as it is on record.
pub(super) enum Cause {
    Story(Brief),
    /// The quarter that was reported.
    Figures(String),
    /// How far the market moved.
    Market(f64),
}

pub(super) fn cause(facts: &Facts, largest: &Session) -> Option<Cause> {
    let (on, before) = (largest.day.to_string(), largest.day.plus(-1).to_string());
    let near = |time: &str| {
        time.get(..10)
            .is_some_and(|date| date == on || date == before)
    };
    let fits = |brief: &&Brief| {
        brief.role == "subject"
            && near(&brief.published_at)
            && (brief.sentiment - 0.5) * largest.pct > 0.0
    };
    if let Some(brief) = facts.briefs.iter().find(fits) {
        return Some(Cause::Story(brief.clone()));
    }
    let history = facts.of("whole").list("earnings/surprise_history");
    let reported = history
        .iter()
        .find(|one| one.text("date").is_some_and(near));
    if let Some(reported) = reported {
        let quarter = reported.text("quarter").or(reported.text("fiscal_quarter"));
        let quarter = words::foreign(quarter.unwrap_or("the quarter"), 20);
        let beside = match reported.number("surprise_pct") {
            Some(surprise @ 0.5..) => format!(", {} above estimates,", pct(surprise)),
            Some(surprise @ ..-0.5) => format!(", {} below estimates,", pct(surprise)),
            Some(_) => ", in line with estimates,".to_owned(),
            None => String::new(),
        };
        return Some(Cause::Figures(format!("{quarter}{beside}")));
    }
    let moved = market_on(facts, largest)?;
    (moved * largest.pct > 0.0 && moved.abs() > 1.2).then_some(Cause::Market(moved))
}

/// How far the market moved on that day.
fn market_on(facts: &Facts, largest: &Session) -> Option<f64> {
    if facts.ticker == MARKET {
        return None;
    }
    let place = facts
        .market
        .0
        .binary_search_by_key(&largest.day, |bar| bar.day)
        .ok()?;
    let (last, earlier) = (
        facts.market.0.get(place)?,
        facts.market.0.get(place.checked_sub(1)?)?,
    );
    Some((last.close / earlier.close - 1.0) * 100.0)
}

/// The share of a high below which the price counts as having come back from it.
const RETREAT: f64 = 0.98;

/// What happened after the move.
fn aftermath(series: &Series, largest: &Session) -> String {
    let Some((last, today)) = series.last().map(|bar| (bar.close, bar.day)) else {
        return String::new();
    };
    let back = (last / largest.before - 1.0) * 100.0;
    let days = today.since(largest.day);
    let since = series.0.iter().filter(|bar| bar.day >= largest.day);
    let high = since
        .clone()
        .max_by(|left, right| left.close.total_cmp(&right.close));
    let low = since.min_by(|left, right| left.close.total_cmp(&right.close));
    let (Some(high), Some(low)) = (high, low) else {
        return String::new();
    };
    match (largest.pct > 0.0, back, back / largest.pct) {
        _ if days < 4 => String::new(),
        (true, ..0.0, _) => format!(
            ", a gain of which nothing is left, for the price is {} below where that day began",
            pct(back)
        ),
        (true, _, ..0.6) => format!(", a gain of which {} is left", signed(back)),
        (true, _, ..1.4) if low.close < largest.before => format!(
            ", a gain that was lost again by {} and has been won back since",
            day(low.day)
        ),
        (true, _, ..1.4) => ", and the price has held that level since".to_owned(),
        (true, _, ..2.5) if high.day == today => format!(
            ", and the newest close, {} in all, is the highest since then",
            signed(back)
        ),
        (true, _, ..2.5) if last < high.close * RETREAT => format!(
            ", and the rise went on until {} and still comes to {} in all",
            day(high.day),
            signed(back)
        ),
        (true, _, ..2.5) => format!(
            ", and the rise has gone on since, to {} in all",
            signed(back)
        ),
        (true, ..) => format!(
            ", the smaller part of a rise that has come to {} since that morning",
            signed(back)
        ),
        (false, 0.0.., _) => format!(", a loss since made good with {} to spare", pct(back)),
        (false, _, ..0.6) => format!(", a loss of which {} is still missing", pct(back)),
        (false, _, ..1.4) if high.close > largest.before => format!(
            ", a loss that was made good by {} and has come back since",
            day(high.day)
        ),
        (false, _, ..1.4) => ", and the price has not recovered since".to_owned(),
        (false, ..) if low.day == today => format!(
            ", and the newest close, {} in all, is the lowest since then",
            signed(back)
        ),
        (false, ..) if last * RETREAT > low.close => format!(
            ", and the decline went on until {} and still comes to {} in all",
            day(low.day),
            signed(back)
        ),
        (false, ..) => format!(
            ", and the decline has gone on since, to {} in all",
            signed(back)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::series::sample;

    #[test]
    fn what_became_of_a_day_follows_the_closes_after_it() {
        let check = |after: &[f64], expected: &str| {
            let mut closes = vec![100.0, 100.0, 105.0];
            closes.extend(after);
            let series = sample(&closes);
            let largest = series.largest_day(closes.len()).unwrap();
            assert_eq!(aftermath(&series, &largest), expected);
        };
        check(
            &[106.0, 107.0, 108.0, 109.0],
            ", and the newest close, +9.0% in all, is the highest since then",
        );
        check(
            &[108.0, 111.0, 110.0, 108.0],
            ", and the rise went on until 5 Jan 2025 and still comes to +8.0% in all",
        );
        check(
            &[107.0, 108.0, 109.0, 108.0],
            ", and the rise has gone on since, to +8.0% in all",
        );
        check(
            &[102.0, 99.0, 102.0, 105.0],
            ", a gain that was lost again by 5 Jan 2025 and has been won back since",
        );
        check(
            &[104.0, 103.0, 104.0, 105.0],
            ", and the price has held that level since",
        );
        check(&[106.0], "");
    }
}
