//! The technical analyst: the price, its averages, its momentum and the levels around it.

use crate::reports::charts;
use crate::reports::facts::Facts;
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::price_history::{self as past, session};
use crate::reports::words::{count, day, number, pct, signed};

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    if draft.asks(facts.series.len() > 21) {
        draft.say(past::closing(facts).unwrap_or_default());
        draft.say(joined(past::moves(facts), past::against_market(facts)));
        draft.turn();
        if let Some(chart) = charts::prices(facts) {
            draft.show(chart);
        }
        if let Some(sentence) = past::largest_day(facts) {
            draft.say(sentence);
        }
        draft.say(joined(past::risk(facts), past::volume(facts)));
        draft.turn();
    }
    findings(facts, &mut draft);
    draft.say(joined(averages(facts), levels(facts)));
    draft.say(joined(momentum(facts), votes(facts)));
    draft.finish("technical", "Technical analysis")
}

/// The arguments of price and indicators.
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
            (_, true, true) => format!("momentum is positive and building (RSI {rsi:.0})"),
            (_, true, false) => format!(
                "momentum is positive but slowing (RSI {rsi:.0}, MACD under its signal line)"
            ),
            (_, false, true) => format!(
                "momentum is negative but turning (RSI {rsi:.0}, MACD over its signal line)"
            ),
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
    let market = quarter.and_then(|own| {
        let base = facts.market.close_on_or_before(own.from_day)?;
        Some((facts.market.last()?.close / base - 1.0) * 100.0)
    });
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

/// The trend by the long average: on which side, since when, and where the average itself goes.
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
        (true, true, _, 120..) => format!(
            "it has not closed below its rising {words} average since {since} and stands {gap_shown} over it"
        ),
        (true, true, _, _) => {
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

/// Ahead of the market or behind it, in this quarter and the one before.
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
        (true, _) => format!(
            "the quarter's {} puts it {points} ahead of the market",
            signed(own)
        ),
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

/// How price and averages stand to each other.
fn averages(facts: &Facts) -> Option<String> {
    let latest = facts.of("technicals").at("latest")?;
    let last = facts.series.last()?.close;
    let (short, middle, long) = (
        latest.number("sma_20")?,
        latest.number("sma_50")?,
        latest.number("sma_200"),
    );
    let Some(long) = long else {
        let side = if last > middle { "above" } else { "below" };
        return Some(format!(
            "There is no 200-day average yet; the price is {side} the 50-day one ({}) and {} it from the 20-day ({}).",
            facts.price(middle),
            signed((last / short - 1.0) * 100.0),
            facts.price(short)
        ));
    };
    let (near, mid, far) = (facts.price(short), facts.price(middle), facts.price(long));
    let gap = pct((last / long - 1.0) * 100.0);
    let ago = facts
        .series
        .side_of_average(50)
        .map_or_else(String::new, |(_, sessions, _)| match sessions {
            0..=5 => " within the week".to_owned(),
            6..=20 => format!(" {} ago", session(facts, sessions)),
            _ => " some time ago".to_owned(),
        });
    let text = match (last > short, last > middle, last > long, middle > long) {
        (true, true, true, true) => format!(
            "All averages lie below the price and in rising order, 200-day {far}, 50-day {mid} (crossed{ago}), 20-day {near}: an intact uptrend"
        ),
        (true, true, true, false) => format!(
            "The price has climbed over all three averages ({near}, {mid}, {far}), but the 50-day still runs below the 200-day"
        ),
        (false, true, true, true) => format!(
            "The uptrend stands, {gap} above the 200-day average at {far}, though the price has slipped under its 20-day ({near})"
        ),
        (_, false, true, true) => format!(
            "The price lost its 50-day average ({mid}){ago} and has {gap} of room above the 200-day at {far}"
        ),
        (_, false, true, false) => format!(
            "Only the 200-day average ({far}) still lies below the price; the 50-day ({mid}) has turned into a lid"
        ),
        (false, true, true, false) => format!(
            "Between a 20-day average at {near} overhead and the 200-day at {far} below, the trend is undecided"
        ),
        (true, true, false, false) => format!(
            "A recovery has carried the price over its 20- and 50-day averages ({near}, {mid}); the 200-day at {far} is {gap} away"
        ),
        (true, true, false, true) => format!(
            "The price is over its short averages but {gap} under the 200-day ({far}), which the 50-day has yet to lose"
        ),
        (true, false, false, _) => format!(
            "It has regained the 20-day average ({near}) and no more: the 50-day ({mid}) and the 200-day ({far}) are overhead"
        ),
        (false, true, false, _) => format!(
            "The averages give no order: the price sits between the 50-day ({mid}) and the 20-day ({near}), {gap} below the 200-day"
        ),
        (false, false, false, true) => format!(
            "The price fell below its 50-day average{ago} and is under all of them now, while that average ({mid}) is still above the 200-day ({far}), as early in a decline"
        ),
        (false, false, false, false) => format!(
            "All averages lie above the price and in falling order, 200-day {far}, 50-day {mid}, 20-day {near}: an intact downtrend"
        ),
    };
    let cross = facts
        .series
        .cross()
        .map_or_else(String::new, |(on, up, ago)| match (ago, up) {
            (..=15, true) => format!(
                "; the 50-day crossed above the 200-day as recently as {}",
                day(on)
            ),
            (..=15, false) => format!(
                "; the 50-day fell through the 200-day as recently as {}",
                day(on)
            ),
            (..=120, true) => format!(
                "; the upward cross of the two dates from {}, {} ago",
                day(on),
                session(facts, ago)
            ),
            (..=120, false) => format!(
                "; the downward cross of the two dates from {}, {} ago",
                day(on),
                session(facts, ago)
            ),
            (_, true) => format!(
                "; the 50-day has been the higher of the two since {}",
                day(on)
            ),
            (_, false) => format!(
                "; the 50-day has been the lower of the two since {}",
                day(on)
            ),
        });
    Some(format!("{text}{cross}."))
}

/// RSI, MACD and how strong the trend is.
fn momentum(facts: &Facts) -> Option<String> {
    let latest = facts.of("technicals").at("latest")?;
    let (rsi, histogram) = (latest.number("rsi_14")?, latest.number("macd/histogram")?);
    let line = latest.number("macd/macd")?;
    let text = match (rsi, histogram > 0.0) {
        (..30.0, true) => {
            format!("An RSI of {rsi:.0} is oversold, and the MACD has begun to turn up")
        }
        (..30.0, false) => format!(
            "An RSI of {rsi:.0} is oversold while the MACD still points down: no sign of a floor yet"
        ),
        (..42.0, true) => {
            format!("Momentum is weak but mending (RSI {rsi:.0}, MACD back over its signal line)")
        }
        (..42.0, false) => {
            format!("Sellers have the momentum: RSI {rsi:.0}, MACD under its signal line")
        }
        (..50.0, true) => format!("The RSI, {rsi:.0}, lags a MACD that has turned up"),
        (..50.0, false) => {
            format!("Momentum leans down without pressure (RSI {rsi:.0}, MACD below its signal)")
        }
        (..58.0, true) => {
            format!("Momentum leans up without heat (RSI {rsi:.0}, MACD above its signal)")
        }
        (..58.0, false) => {
            format!("The MACD has slipped below its signal although the RSI holds at {rsi:.0}")
        }
        (..70.0, true) => {
            format!("Buyers have the momentum: RSI {rsi:.0}, MACD above its signal line")
        }
        (..70.0, false) => {
            format!("An RSI of {rsi:.0} still shows strength, which the MACD no longer confirms")
        }
        (_, true) => {
            format!("An RSI of {rsi:.0} is overbought, and the MACD shows no fatigue so far")
        }
        (_, false) => {
            format!("An RSI of {rsi:.0} is overbought and the MACD has begun to roll over")
        }
    };
    let trend = latest
        .number("adx_14")
        .map_or_else(String::new, |adx| match (adx, line > 0.0) {
            (..15.0, _) => format!("; with an ADX of {adx:.0} there is no trend to speak of"),
            (..22.0, _) => format!("; the ADX, {adx:.0}, calls whatever trend there is weak"),
            (..32.0, true) => format!("; an ADX of {adx:.0} gives the advance some substance"),
            (..32.0, false) => format!("; an ADX of {adx:.0} gives the decline some substance"),
            (_, true) => format!("; an ADX of {adx:.0} stands for a strong advance"),
            (_, false) => format!("; an ADX of {adx:.0} stands for a strong decline"),
        });
    let money = latest.number("mfi_14").map_or_else(String::new, |flow| {
        let gap = flow - rsi;
        match gap {
            15.0.. => format!(" and the money flow index, {flow:.0}, says more is being bought than the price shows"),
            ..-15.0 => format!(" and the money flow index, {flow:.0}, says the volume does not back the price"),
            _ => String::new(),
        }
    });
    Some(format!("{text}{trend}{money}{}.", among_peers(facts, rsi)))
}

/// Where its momentum stands among its peers.
fn among_peers(facts: &Facts, rsi: f64) -> String {
    let others: Vec<f64> = facts.peers.iter().filter_map(|peer| peer.rsi).collect();
    if others.len() < 4 {
        return String::new();
    }
    let stronger = others.iter().filter(|other| **other > rsi).count();
    match (stronger, others.len() - stronger) {
        (0, _) => ", the strongest among its peers".to_owned(),
        (_, 0) => ", the weakest among its peers".to_owned(),
        (1..=2, _) => format!(", near the top of its {} peers", count(others.len())),
        (_, 1..=2) => format!(", near the bottom of its {} peers", count(others.len())),
        (above, below) if above > below => format!(
            "; {} of {} peers are stronger",
            count(above),
            count(others.len())
        ),
        _ => format!(", in the better half of its {} peers", count(others.len())),
    }
}

/// The watched prices around the current one, in average days.
pub(in crate::reports) fn levels(facts: &Facts) -> Option<String> {
    let latest = facts.of("technicals").at("latest")?;
    let (last, range) = (
        facts.series.last()?.close,
        latest.number("atr_14").filter(|range| *range > 0.0)?,
    );
    let below = facts
        .of("analysis")
        .number("levels/support")
        .filter(|level| *level < last);
    let above = facts
        .of("analysis")
        .number("levels/resistance")
        .filter(|level| *level > last);
    let days = |level: f64| (level - last).abs() / range;
    let text = match (below, above) {
        (Some(low), Some(high)) => {
            let (under, over) = (days(low), days(high));
            let (low, high) = (facts.price(low), facts.price(high));
            if under < 0.5 && over < 0.5 {
                format!(
                    "It is wedged between {low} and {high}, each less than half an average day away"
                )
            } else if under < over * 0.6 {
                format!(
                    "Support at {low} is close, {} of an average day's range, resistance at {high} further off ({})",
                    number(under, 1),
                    number(over, 1)
                )
            } else if over < under * 0.6 {
                format!(
                    "Resistance at {high} comes first, {} average daily ranges up; support waits at {low}, {} down",
                    number(over, 1),
                    number(under, 1)
                )
            } else {
                format!(
                    "Support at {low} and resistance at {high} are about equally far, {} and {} average daily ranges",
                    number(under, 1),
                    number(over, 1)
                )
            }
        }
        (Some(low), None) => format!(
            "No watched level is left above; the first below is {}, {} average daily ranges away",
            facts.price(low),
            number(days(low), 1)
        ),
        (None, Some(high)) => format!(
            "No watched level is left below; the first above is {}, {} average daily ranges away",
            facts.price(high),
            number(days(high), 1)
        ),
        (None, None) => return None,
    };
    let band = latest
        .number("bollinger/upper")
        .zip(latest.number("bollinger/lower"))
        .map_or_else(String::new, |(upper, lower)| {
            let width = (upper - lower) / last * 100.0;
            if last > upper {
                format!(
                    "; it trades outside the upper Bollinger band ({}), which seldom lasts",
                    facts.price(upper)
                )
            } else if last < lower {
                format!(
                    "; it trades outside the lower Bollinger band ({}), which seldom lasts",
                    facts.price(lower)
                )
            } else if width < 6.0 {
                format!(
                    "; the Bollinger bands have tightened to {} of the price",
                    pct(width)
                )
            } else {
                String::new()
            }
        });
    Some(format!("{text}{}{band}.", landmarks(facts, below, above)))
}

/// What else runs where a watched level is, and how far an ordinary day goes.
fn landmarks(facts: &Facts, below: Option<f64>, above: Option<f64>) -> String {
    let (Some(latest), Some(last)) = (
        facts.of("technicals").at("latest"),
        facts.series.last().map(|bar| bar.close),
    ) else {
        return String::new();
    };
    let near = |level: f64| {
        [
            ("sma_20", "20-day average"),
            ("sma_50", "50-day average"),
            ("sma_200", "200-day average"),
            ("vwap", "volume-weighted average of half a year"),
        ]
        .into_iter()
        .find(|(key, _)| {
            latest
                .number(key)
                .is_some_and(|mean| (mean / level - 1.0).abs() < 0.006)
        })
        .map(|(_, words)| words)
    };
    let range = latest
        .number("atr_14")
        .map_or(0.0, |range| range / last * 100.0);
    let ordinary = match range {
        ..1.2 => format!("; its days are short, {} on average", pct(range)),
        4.0.. => format!("; an ordinary day covers as much as {}", pct(range)),
        _ => String::new(),
    };
    match (below.and_then(near), above.and_then(near)) {
        (Some(under), Some(over)) if under != over => {
            format!(", where the {under} and the {over} run as well{ordinary}")
        }
        (Some(under), _) => format!("; below, the {under} runs at the same place{ordinary}"),
        (None, Some(over)) => format!("; above, the {over} runs at the same place{ordinary}"),
        (None, None) => ordinary,
    }
}

/// Two sentences as one.
pub(in crate::reports) fn joined(first: Option<String>, second: Option<String>) -> String {
    match (first, second) {
        (Some(first), Some(second)) => {
            let first = first.trim_end_matches('.');
            let mut letters = second.chars();
            let small: String = letters
                .next()
                .map(|one| one.to_lowercase().chain(letters.clone()).collect())
                .unwrap_or_default();
            let keeps = second.split_whitespace().next().is_some_and(|word| {
                word.chars().skip(1).any(char::is_uppercase)
                    || word.starts_with(|one: char| one.is_ascii_digit())
            });
            format!("{first}; {}", if keeps { second } else { small })
        }
        (first, second) => first.or(second).unwrap_or_default(),
    }
}

/// How the indicators vote.
fn votes(facts: &Facts) -> Option<String> {
    let summary = facts.of("technicals").at("signal_summary")?;
    let (buy, sell, total) = (
        summary.whole("buy")?,
        summary.whole("sell")?,
        summary.whole("total")?,
    );
    let neutral = total.saturating_sub(buy + sell);
    let year = facts
        .series
        .over(facts.year().min(facts.series.len().saturating_sub(1)))?;
    let [buy, sell, neutral] = [buy, sell, neutral].map(|votes| votes as usize);
    let text = match (buy as i64 - sell as i64, year.pct >= 0.0) {
        (6.., true) => format!(
            "{} of {total} indicators vote to buy and {} to sell, in line with the longer trend",
            number(buy as f64, 0),
            count(sell)
        ),
        (6.., false) => format!(
            "{} of {total} indicators vote to buy, {} to sell: the short term disagrees with the fall since {}",
            number(buy as f64, 0),
            count(sell),
            day(year.from_day)
        ),
        (2..=5, _) => format!(
            "Of {total} indicators, {} lean to buying, {} to selling, and {} take no side",
            count(buy),
            count(sell),
            count(neutral)
        ),
        (-1..=1, _) => format!(
            "The indicators cancel out: {} to buy, {} to sell, {} neither",
            count(buy),
            count(sell),
            count(neutral)
        ),
        (-5..=-2, _) => format!(
            "Selling has a slight majority among the {total} indicators, {} to {} with {} abstaining",
            count(sell),
            count(buy),
            count(neutral)
        ),
        (_, false) => format!(
            "{} of {total} indicators vote to sell and {} to buy, in line with the longer trend",
            number(sell as f64, 0),
            count(buy)
        ),
        (_, true) => format!(
            "{} of {total} indicators vote to sell, {} to buy, although the price is above that of {}",
            number(sell as f64, 0),
            count(buy),
            day(year.from_day)
        ),
    };
    Some(format!("{}.", crate::reports::words::capital(&text)))
}
