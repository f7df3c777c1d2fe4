//! The levels around the price: support and resistance, Bollinger bands, the daily range.

use super::indicators::Found;
use crate::reports::facts::Facts;
use crate::reports::words::{count, number, pct};

pub(super) fn all(facts: &Facts) -> [Found; 3] {
    [levels(facts), bands(facts), range(facts)]
}

/// Nearby price levels to watch, or none on one side.
fn levels(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    let last = facts.series.last()?.close;
    let range = latest.number("atr_14").filter(|range| *range > 0.0)?;
    let (below, above) = facts.levels();
    let days = |level: f64| (level - last).abs() / range;
    let (under, over) = (below.map(days), above.map(days));
    let (low, high) = (
        below.map(|low| facts.price(low)),
        above.map(|high| facts.price(high)),
    );
    match (under, over, low, high) {
        (Some(..0.35), Some(..0.35), Some(low), Some(high)) => Some((
            0.0,
            0.5,
            format!("it is wedged between support at {low} and resistance at {high}"),
        )),
        (Some(under), Some(over @ ..0.35), _, Some(high)) if under > over * 2.0 => Some((
            -1.0,
            0.45,
            format!(
                "resistance at {high}{} is within reach of a single day",
                runs(facts, above)
            ),
        )),
        (Some(under @ ..0.35), Some(over), Some(low), _) if over > under * 2.0 => Some((
            1.0,
            0.45,
            format!("support at {low}{} is close below", runs(facts, below)),
        )),
        (Some(under @ 2.5..), _, Some(low), _) => Some((
            -1.0,
            0.5,
            format!(
                "the nearest support, {low}, is {} average days away",
                number(under, 1)
            ),
        )),
        (_, Some(over @ 2.5..), _, Some(high)) => Some((
            1.0,
            0.5,
            format!(
                "the way up is clear to {high}, {} average days away",
                number(over, 1)
            ),
        )),
        (Some(_), None, Some(low), _) => Some((
            1.0,
            0.55,
            format!("no watched level is left above, and the first below is {low}"),
        )),
        (None, Some(_), _, Some(high)) => Some((
            -1.0,
            0.55,
            format!("no watched level is left below, and the first above is {high}"),
        )),
        _ => None,
    }
}

/// An average that is at a level.
fn runs(facts: &Facts, level: Option<f64>) -> String {
    let (Some(latest), Some(level)) = (facts.of("technicals").at("latest"), level) else {
        return String::new();
    };
    [
        ("sma_20", "20-day"),
        ("sma_50", "50-day"),
        ("sma_200", "200-day"),
    ]
    .into_iter()
    .find(|(key, _)| {
        latest
            .number(key)
            .is_some_and(|mean| (mean / level - 1.0).abs() < 0.006)
    })
    .map_or_else(String::new, |(_, words)| {
        format!(", where the {words} average runs as well,")
    })
}

/// A price outside its Bollinger bands, or bands that are tight.
fn bands(facts: &Facts) -> Found {
    let latest = facts.of("technicals").at("latest")?;
    let last = facts.series.last()?.close;
    let (upper, lower) = (
        latest.number("bollinger/upper")?,
        latest.number("bollinger/lower")?,
    );
    let range = latest.number("atr_14").filter(|range| *range > 0.0)?;
    let width = (upper - lower) / range;
    match (last, width) {
        (last, _) if last > upper => Some((
            -1.0,
            0.65,
            format!(
                "it trades above its upper Bollinger band ({})",
                facts.price(upper)
            ),
        )),
        (last, _) if last < lower => Some((
            1.0,
            0.65,
            format!(
                "it trades below its lower Bollinger band ({})",
                facts.price(lower)
            ),
        )),
        (_, ..2.6) => Some((
            0.0,
            0.5,
            format!(
                "the Bollinger bands have closed in to {} average days' range",
                count(width.round() as usize)
            ),
        )),
        _ => None,
    }
}

/// Days with a wide or narrow range.
fn range(facts: &Facts) -> Found {
    let range =
        facts.of("technicals").number("latest/atr_14")? / facts.series.last()?.close * 100.0;
    match range {
        ..1.0 => Some((
            0.0,
            0.35,
            format!("an ordinary day covers no more than {}", pct(range)),
        )),
        4.5.. => Some((
            0.0,
            0.45,
            format!("an ordinary day covers as much as {}", pct(range)),
        )),
        _ => None,
    }
}
