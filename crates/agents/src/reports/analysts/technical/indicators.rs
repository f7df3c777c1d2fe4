//! Averages and momentum, as far as they stand out, with the levels around the price.

use super::marks;
use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::price::session;
use crate::reports::words::{day, number, pct};

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    [
        averages(facts),
        cross(facts),
        momentum(facts),
        strength(facts),
        money(facts),
        among_peers(facts),
        votes(facts),
    ]
    .into_iter()
    .chain(marks::all(facts))
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Chart, side, weight, clause))
    .collect()
}

/// Side, weight and clause.
pub(super) type Found = Option<(f64, f64, String)>;

/// How the price and its averages relate to each other.
fn averages(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    let last = facts.series.last()?.close;
    let (short, middle) = (latest.number("sma_20")?, latest.number("sma_50")?);
    let Some(long) = latest.number("sma_200") else {
        let side = if last > middle { "above" } else { "below" };
        return Some((
            last - middle,
            0.4,
            format!(
                "it stands {side} its 50-day average ({}) and is too young for a 200-day one",
                facts.price(middle)
            ),
        ));
    };
    let (near, mid, far) = (facts.price(short), facts.price(middle), facts.price(long));
    let gap = pct((last / long - 1.0) * 100.0);
    let sessions = facts
        .series
        .side_of_average(50)
        .map_or(99, |(_, sessions, _)| sessions);
    let fresh = sessions <= 20;
    let ago = session(facts, sessions);
    Some(
        match (last > short, last > middle, last > long, middle > long) {
            (true, true, true, true) if fresh => (
                1.0,
                0.55,
                format!(
                    "it took back its 50-day average ({mid}) {ago} ago and is above the 20- and the 200-day ones as well"
                ),
            ),
            (true, true, true, true) => (
                1.0,
                0.45,
                "the 20-, 50- and 200-day averages lie below the price in rising order, which is what an uptrend looks like".to_owned(),
            ),
            (true, true, true, false) => (
                1.0,
                0.5,
                format!(
                    "it has climbed over its 20-, 50- and 200-day averages before the 50-day could cross the 200-day ({far})"
                ),
            ),
            (false, true, true, true) => (
                1.0,
                0.35,
                format!("it has slipped under its 20-day average ({near}) and no other"),
            ),
            (_, false, true, true) if fresh => (
                -1.0,
                0.6,
                format!(
                    "it lost its 50-day average ({mid}) {ago} ago and has {gap} of room above the 200-day at {far}"
                ),
            ),
            (_, false, true, true) => (
                -1.0,
                0.45,
                format!(
                    "it has been under its 50-day average for {ago} and is {gap} above the 200-day at {far}"
                ),
            ),
            (_, false, true, false) => (
                -1.0,
                0.5,
                format!("of its averages only the 200-day ({far}) still lies below the price"),
            ),
            (false, true, true, false) => (
                0.0,
                0.4,
                format!(
                    "it hangs between the 20-day average overhead ({near}) and the 200-day below ({far})"
                ),
            ),
            (true, true, false, false) => (
                1.0,
                0.45,
                format!(
                    "it is over its 20- and 50-day averages, with the 200-day at {far} still {gap} away"
                ),
            ),
            (true, true, false, true) => (
                -1.0,
                0.5,
                format!("it is over its short averages but {gap} under the 200-day at {far}"),
            ),
            (true, false, false, _) => (
                -1.0,
                0.4,
                format!("it has regained the 20-day average ({near}) and no other"),
            ),
            (false, true, false, _) => (
                -1.0,
                0.4,
                format!(
                    "its averages are tangled, with the price between the 50-day ({mid}) and the 20-day ({near})"
                ),
            ),
            (false, false, false, true) => (
                -1.0,
                0.6,
                format!(
                    "it is under all its averages while the 50-day ({mid}) is still above the 200-day ({far}), as early in a decline"
                ),
            ),
            (false, false, false, false) if fresh => (
                -1.0,
                0.55,
                format!(
                    "it fell through its 50-day average ({mid}) {ago} ago and has all of them overhead again"
                ),
            ),
            (false, false, false, false) => (
                -1.0,
                0.45,
                "its averages lie above the price in falling order, which is what a downtrend looks like".to_owned(),
            ),
        },
    )
}

/// A recent cross of the 50-day and 200-day averages.
fn cross(facts: &Facts) -> Found {
    let (on, up, ago) = facts.series.cross()?;
    if ago > 60 {
        return None;
    }
    let side = if up { 1.0 } else { -1.0 };
    let weight = 0.7 - ago as f64 / 150.0;
    let way = if up { "above" } else { "below" };
    Some((
        side,
        weight,
        match ago {
            ..=15 => format!(
                "the 50-day average crossed {way} the 200-day as recently as {}",
                day(on)
            ),
            _ => format!(
                "the 50-day average has been {way} the 200-day since {}",
                day(on)
            ),
        },
    ))
}

/// RSI and MACD.
fn momentum(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    let (rsi, histogram) = (latest.number("rsi_14")?, latest.number("macd/histogram")?);
    let up = histogram > 0.0;
    let is_above_zero = latest.number("macd/macd").map(|line| line > 0.0);
    Some(match (rsi, up) {
        (..30.0, true) => (
            1.0,
            0.85,
            format!("an RSI of {rsi:.0} is oversold and the MACD has begun to turn up"),
        ),
        (..30.0, false) => (
            -1.0,
            0.85,
            format!("an RSI of {rsi:.0} is oversold with a MACD that still points down"),
        ),
        (..40.0, true) => (
            1.0,
            0.5,
            format!("momentum is weak but mending (RSI {rsi:.0}, MACD back over its signal line)"),
        ),
        (..40.0, false) => (
            -1.0,
            0.5,
            format!("sellers have the momentum (RSI {rsi:.0}, MACD under its signal line)"),
        ),
        (..50.0, true) => (
            1.0,
            0.22,
            format!("the MACD has turned up ahead of the RSI ({rsi:.0})"),
        ),
        (..50.0, false) => (
            -1.0,
            0.15,
            match (is_above_zero, rsi) {
                (Some(true), _) => format!(
                    "momentum is fading (RSI {rsi:.0}, MACD under its signal line but still above zero)"
                ),
                (_, 47.0..) => format!(
                    "sellers have a slight edge in momentum (RSI {rsi:.0}, MACD below its signal line)"
                ),
                (Some(false), ..43.0) => format!(
                    "downward momentum is building (RSI {rsi:.0}, MACD below zero and its signal line)"
                ),
                _ => format!("momentum leans down (RSI {rsi:.0}, MACD below its signal line)"),
            },
        ),
        (..60.0, true) => (
            1.0,
            0.15,
            match (is_above_zero, rsi) {
                (Some(false), _) => format!(
                    "momentum is recovering (RSI {rsi:.0}, MACD over its signal line but not yet above zero)"
                ),
                (_, ..53.0) => format!(
                    "buyers have a slight edge in momentum (RSI {rsi:.0}, MACD above its signal line)"
                ),
                (Some(true), 57.0..) => format!(
                    "upward momentum is building (RSI {rsi:.0}, MACD above zero and its signal line)"
                ),
                _ => format!("momentum leans up (RSI {rsi:.0}, MACD above its signal line)"),
            },
        ),
        (..60.0, false) => (
            -1.0,
            0.22,
            format!(
                "the MACD has slipped below its signal line although the RSI holds at {rsi:.0}"
            ),
        ),
        (..70.0, true) => (
            1.0,
            0.5,
            if rsi < 62.0 {
                format!("buyers have the momentum (RSI {rsi:.0}, MACD above its signal line)")
            } else {
                format!("the MACD bears out a strong RSI of {rsi:.0} that is not overbought yet")
            },
        ),
        (..70.0, false) => (
            -1.0,
            0.5,
            format!("the MACD no longer confirms the strength of the RSI ({rsi:.0})"),
        ),
        (_, true) => (
            -1.0,
            0.85,
            format!("an RSI of {rsi:.0} is overbought with a MACD that shows no fatigue"),
        ),
        (_, false) => (
            -1.0,
            0.85,
            format!("an RSI of {rsi:.0} is overbought and the MACD has begun to roll over"),
        ),
    })
}

/// A strong trend, or none.
fn strength(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    let (adx, line) = (latest.number("adx_14")?, latest.number("macd/macd")?);
    match (adx, line > 0.0) {
        (..13.0, _) => Some((
            0.0,
            0.45,
            format!("an ADX of {adx:.0} says that there is no trend to follow"),
        )),
        (30.0.., true) => Some((
            1.0,
            0.1 + adx / 80.0,
            format!("an ADX of {adx:.0} stands for a strong advance"),
        )),
        (30.0.., false) => Some((
            -1.0,
            0.1 + adx / 80.0,
            format!("an ADX of {adx:.0} stands for a strong decline"),
        )),
        _ => None,
    }
}

/// Volume-weighted momentum that differs from price momentum.
fn money(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    // Closes without volume have a money flow of zero.
    if facts.series.tail(20).iter().any(|bar| bar.volume <= 0.0) {
        return None;
    }
    let (rsi, flow) = (latest.number("rsi_14")?, latest.number("mfi_14")?);
    match flow - rsi {
        gap @ 18.0.. => Some((
            1.0,
            gap / 50.0,
            format!("a money flow index of {flow:.0} shows more buying than the price does"),
        )),
        gap @ ..-18.0 => Some((
            -1.0,
            -gap / 50.0,
            format!("a money flow index of {flow:.0} shows that volume does not back the price"),
        )),
        _ => None,
    }
}

/// First or last among its peers in momentum.
fn among_peers(facts: &Facts) -> Found {
    let rsi = facts.of("technicals").number("latest/rsi_14")?;
    let mut others: Vec<(f64, &str)> = facts
        .peers
        .iter()
        .filter_map(|peer| Some((peer.rsi?, &*peer.name)))
        .collect();
    if others.len() < 4 {
        return None;
    }
    others.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (weakest, strongest) = (others[0], others[others.len() - 1]);
    if rsi > strongest.0 {
        Some((
            1.0,
            0.6,
            format!(
                "it has the strongest momentum of its peers, ahead of {} (RSI {:.0})",
                strongest.1, strongest.0
            ),
        ))
    } else if rsi < weakest.0 {
        Some((
            -1.0,
            0.6,
            format!(
                "it has the weakest momentum of its peers, behind even {} (RSI {:.0})",
                weakest.1, weakest.0
            ),
        ))
    } else {
        None
    }
}

/// A clear vote of the indicators.
fn votes(facts: &Facts) -> Found {
    let summary = facts.of("technicals").at("signal_summary")?;
    let (buy, sell) = (summary.whole("buy")? as i64, summary.whole("sell")? as i64);
    let total = summary.whole("total")?;
    let year = facts.series.over(facts.year())?;
    let from = day(year.from_day);
    // How strong the vote is, and how it compares with the year.
    let vote = |most: i64, least: i64, word: &str, other: &str| {
        let most_of = format!(
            "{} of {total} indicators say {word}",
            number(most as f64, 0)
        );
        let vote = match least {
            0 => format!("{most_of} and none says {other}"),
            _ if most as f64 >= total as f64 * 0.75 => format!("as many as {most_of}"),
            _ => most_of,
        };
        let way = if year.pct >= 0.0 { "rise" } else { "fall" };
        match year.pct.abs() {
            25.0.. => format!("{vote} after a {way} of {} in a year", pct(year.pct)),
            8.0.. => format!("{vote}, in line with the longer trend"),
            _ => format!(
                "{vote}, more firmly than a {way} of {} in a year would suggest",
                pct(year.pct)
            ),
        }
    };
    match (buy - sell, year.pct >= 0.0) {
        (7.., true) => Some((1.0, 0.4, vote(buy, sell, "buy", "sell"))),
        (7.., false) => Some((
            1.0,
            0.5,
            format!(
                "{} of {total} indicators say buy in spite of the fall since {from}",
                number(buy as f64, 0)
            ),
        )),
        (..=-7, false) => Some((-1.0, 0.4, vote(sell, buy, "sell", "buy"))),
        (..=-7, true) => Some((
            -1.0,
            0.5,
            format!(
                "{} of {total} indicators say sell although the price is above that of {from}",
                number(sell as f64, 0)
            ),
        )),
        _ => None,
    }
}
