//! The technical analyst: the price, its averages, its momentum and the levels around it.

mod indicators;
mod marks;

use crate::reports::charts;
use crate::reports::document::Sentence;
use crate::reports::facts::Facts;
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::points::sentences;
use crate::reports::price::{self, session};
use crate::reports::words::{day, pct, signed};

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    if draft.asks(facts.series.len() > 21) {
        for sentence in price::told(facts, 5) {
            draft.say(sentence);
        }
        if let Some(sentence) = price::largest_day(facts) {
            draft.say(sentence);
        }
        draft.turn();
        draft.blocks.extend(charts::prices(facts));
    }
    findings(facts, &mut draft);
    for sentence in sentences(indicators::points(facts), 2, 4) {
        draft.say(sentence);
    }
    draft.turn();
    draft.blocks.extend(price::table(facts));
    draft.finish("technical", "Technical analysis")
}

/// The arguments from price and indicators.
pub(in crate::reports) fn findings(facts: &Facts, draft: &mut Draft) {
    let latest = facts.of("technicals").at("latest");
    let value = |path: &str| latest.and_then(|latest| latest.number(path));
    if let Some(last) = facts.series.last().map(|bar| bar.close) {
        let base = value("sma_200")
            .map(|mean| (mean, "200-day"))
            .or(value("sma_50").map(|mean| (mean, "50-day")));
        if draft.asks(base.is_some())
            && let Some((mean, words)) = base
        {
            let gap = (last / mean - 1.0) * 100.0;
            draft.find(Topic::Trend, gap / 15.0, trend(facts, gap, words));
        }
    }
    if draft.asks(value("rsi_14").is_some())
        && let (Some(rsi), Some(histogram)) = (value("rsi_14"), value("macd/histogram"))
    {
        let lean = match rsi {
            ..30.0 => 0.35,
            70.0.. => -0.35,
            _ => histogram.signum() * 0.2 + (rsi - 50.0) / 60.0,
        };
        let line = value("macd/macd").unwrap_or_default();
        let words = match (rsi, line > 0.0, histogram > 0.0) {
            (..30.0, ..) => format!("an RSI of {rsi:.0} marks it as oversold"),
            (70.0.., ..) => format!("an RSI of {rsi:.0} marks it as overbought"),
            (60.0.., true, true) => format!("momentum is strong and building (RSI {rsi:.0})"),
            (_, true, true) => format!("momentum is positive and building (RSI {rsi:.0})"),
            (55.0.., true, false) => format!(
                "strong momentum has begun to fade (RSI {rsi:.0}, MACD under its signal line)"
            ),
            (_, true, false) => format!(
                "momentum is positive but slowing (RSI {rsi:.0}, MACD under its signal line)"
            ),
            (..42.0, false, true) => {
                format!("weak momentum has begun to mend (RSI {rsi:.0}, MACD over its signal line)")
            }
            (_, false, true) => format!(
                "momentum is negative but turning (RSI {rsi:.0}, MACD over its signal line)"
            ),
            (..42.0, false, false) => format!("momentum is weak and getting weaker (RSI {rsi:.0})"),
            (_, false, false) => format!("momentum is negative and worsening (RSI {rsi:.0})"),
        };
        let strength = value("adx_14").map_or_else(String::new, |adx| match adx {
            ..16.0 => format!(" in a market without a trend (ADX {adx:.0})"),
            28.0.. => format!(" within a strong trend (ADX {adx:.0})"),
            _ => String::new(),
        });
        let words = format!("{words}{strength}");
        draft.find(Topic::Momentum, lean, words);
    }
    let quarter = facts.series.over(facts.quarter());
    let market = quarter.and_then(|own| facts.market_since(own.from_day));
    if draft.asks(quarter.is_some())
        && let Some(own) = quarter
    {
        let (gap, clause) = match market.filter(|_| facts.ticker != super::super::facts::MARKET) {
            Some(market) => (own.pct - market, lead(facts, own.pct, market)),
            None => (own.pct, format!("the quarter brought {}", signed(own.pct))),
        };
        draft.find(Topic::Relative, gap / 20.0, clause);
    }
    if let Some(rises) = facts.series.volume_of_rises(facts.quarter()) {
        let clause = if rises >= 1.0 {
            format!("rising days draw {rises:.2} times the volume of falling ones")
        } else {
            format!("rising days draw only {rises:.2} times the volume of falling ones")
        };
        draft.find(Topic::Volume, (rises - 1.0) * 1.8, clause);
    }
}

/// The trend by the long average: on which side the price is, since when, and where the average itself is heading.
fn trend(facts: &Facts, gap: f64, words: &str) -> String {
    let length = if words == "200-day" { 200 } else { 50 };
    let Some((since, sessions, slope)) = facts.series.side_of_average(length) else {
        let side = if gap >= 0.0 { "above" } else { "below" };
        return format!("the price stands {} {side} its {words} average", pct(gap));
    };
    let (gap_shown, since) = (pct(gap), day(since));
    match (gap >= 0.0, slope > 0.4, slope < -0.4, sessions) {
        (true, _, _, ..=10) => format!(
            "the price has been back above its {words} average for only {} ({gap_shown})",
            session(facts, sessions)
        ),
        (true, true, ..) if gap < 2.5 => {
            format!("it is close to its rising {words} average, {gap_shown} above it")
        }
        (true, true, _, 120..) if gap > 15.0 => format!(
            "it has run {gap_shown} ahead of a {words} average above which it has been since {since}"
        ),
        (true, true, ..) if gap > 15.0 => {
            format!("it has run {gap_shown} ahead of its rising {words} average since {since}")
        }
        (true, true, _, 120..) => format!(
            "it has not closed below its rising {words} average since {since} and stands {gap_shown} over it"
        ),
        (true, true, ..) if gap > 9.0 => format!(
            "it has drawn {gap_shown} away from a rising {words} average that it has held since {since}"
        ),
        (true, true, _, ..45) => {
            format!("it regained its rising {words} average on {since} and is {gap_shown} above it")
        }
        (true, true, ..) => {
            format!("since {since} it has held above a rising {words} average, now by {gap_shown}")
        }
        (true, _, true, _) => {
            format!("it stands {gap_shown} above a {words} average that is still falling")
        }
        (true, _, _, _) => format!("it stands {gap_shown} above a flat {words} average"),
        (false, _, _, ..=10) => format!(
            "it lost its {words} average {} ago and is {gap_shown} below it",
            session(facts, sessions)
        ),
        (false, _, true, 120..) => format!(
            "it has been under a falling {words} average since {since}, at present by {gap_shown}"
        ),
        (false, _, true, _) => {
            format!("since {since} it has traded below a falling {words} average ({gap_shown})")
        }
        (false, true, _, _) => {
            format!("it has dropped {gap_shown} below a {words} average that is still rising")
        }
        (false, _, _, _) => format!("it lies {gap_shown} below a flat {words} average"),
    }
}

/// Ahead of the market or behind it, in this quarter and in the one before.
fn lead(facts: &Facts, own: f64, market: f64) -> String {
    let gap = own - market;
    let points = format!("{:.1} points", gap.abs());
    let before = || {
        let series = &facts.series;
        let end = series
            .0
            .get(series.len().checked_sub(facts.quarter() + 1)?)?;
        let start = series
            .0
            .get(series.len().checked_sub(2 * facts.quarter() + 1)?)?;
        let theirs = facts.market.close_on_or_before(end.day)?
            / facts.market.close_on_or_before(start.day)?;
        Some((end.close / start.close - theirs) * 100.0)
    };
    match (gap >= 0.0, before()) {
        (true, Some(earlier @ 3.0..)) => format!(
            "it is ahead of the market for the second quarter running, by {points} after {earlier:.1}"
        ),
        (true, Some(earlier @ ..-3.0)) => format!(
            "after {:.1} points lost to the market in the quarter before it is now {points} ahead",
            earlier.abs()
        ),
        (true, _) => {
            let rank = facts.series.over(facts.quarter()).and_then(|own| own.rank);
            match rank {
                Some(rank @ 0.66..) => format!(
                    "the quarter's {}, better than {:.0}% of its own, puts it {points} ahead of the market",
                    signed(own),
                    rank * 100.0
                ),
                Some(..0.5) => format!(
                    "a modest quarter of {} has been enough to be {points} ahead of the market",
                    signed(own)
                ),
                _ => format!(
                    "the quarter's {} puts it {points} ahead of the market",
                    signed(own)
                ),
            }
        }
        (false, Some(earlier @ ..-3.0)) => format!(
            "it is behind the market for the second quarter running, by {points} after {:.1}",
            earlier.abs()
        ),
        (false, Some(earlier @ 3.0..)) => format!(
            "it has given back {points} to the market after leading by {earlier:.1} in the quarter before"
        ),
        (false, _) => format!(
            "the quarter's {} leaves it {points} behind the market",
            signed(own)
        ),
    }
}

/// What comes next, for a report without a section of its own: the next figures of the company, and what indicators and
/// levels say.
pub(in crate::reports) fn ahead(facts: &Facts, most: usize) -> Vec<Sentence> {
    let mut points = indicators::points(facts);
    points.extend(super::fundamental::next_report(facts));
    sentences(points, 2, most)
}
