//! Price and indicators in figures, including ordinary ones.

use super::path::spans;
use crate::reports::document::Block;
use crate::reports::facts::{Facts, MARKET};
use crate::reports::words::{day, number, pct, signed};

/// The table; nothing if there are too few prices.
pub(in crate::reports) fn table(facts: &Facts) -> Option<Block> {
    let series = &facts.series;
    let mut rows: Vec<[String; 3]> = Vec::new();
    for span in spans(facts) {
        let market = facts
            .market_since(span.moved.from_day)
            .filter(|_| facts.ticker != MARKET)
            .map(|market| format!("{MARKET} {}", signed(market)));
        let rank = span
            .moved
            .rank
            .map(|rank| format!("better than {:.0}% of its {}s", rank * 100.0, span.words));
        let notes: Vec<String> = market.into_iter().chain(rank).collect();
        rows.push([
            format!("One {}", span.words),
            signed(span.moved.pct),
            notes.join(" · "),
        ]);
    }
    if let Some(((high, top, _), (low, bottom, _))) = series.extremes(facts.year()) {
        rows.push([
            "Closes of the year".to_owned(),
            format!("{} to {}", facts.price(low), facts.price(high)),
            format!("{} to {}", day(bottom), day(top)).replacen(" to ", " and ", 1),
        ]);
    }
    let per_year = facts.per_year();
    let sessions = facts.year().min(series.len().saturating_sub(1));
    if let (Some(month), Some(year)) = (
        series.volatility(20, per_year),
        series.volatility(sessions, per_year),
    ) {
        rows.push([
            "Volatility, annualised".to_owned(),
            pct(month),
            format!("{} over the year", pct(year)),
        ]);
    }
    if let Some(fall) = series.deepest_fall(facts.year()) {
        rows.push([
            "Deepest fall of the year".to_owned(),
            signed(fall.pct),
            format!("{} and {}", day(fall.peak_day), day(fall.low_day)),
        ]);
    }
    if let Some(tie) = series
        .together(&facts.market, facts.year())
        .filter(|_| facts.ticker != MARKET)
    {
        rows.push([
            format!("Beta to {MARKET}"),
            format!("{:.2}", tie.beta),
            format!("correlation {:.2}", tie.correlation),
        ]);
    }
    if let Some(latest) = facts.of("technicals").at("latest") {
        let averages: Vec<String> = ["sma_20", "sma_50", "sma_200"]
            .into_iter()
            .filter_map(|key| Some(facts.price(latest.number(key)?)))
            .collect();
        if averages.len() == 3 {
            rows.push([
                "Averages".to_owned(),
                averages.join(" · "),
                "20, 50 and 200 days".to_owned(),
            ]);
        }
        if let Some(rsi) = latest.number("rsi_14") {
            let adx = latest
                .number("adx_14")
                .map_or_else(String::new, |adx| format!("ADX {adx:.0}"));
            rows.push(["RSI".to_owned(), number(rsi, 0), adx]);
        }
    }
    let (support, resistance) = facts.levels();
    if support.is_some() || resistance.is_some() {
        let shown = |level: Option<f64>| {
            level.map_or_else(|| "none".to_owned(), |level| facts.price(level))
        };
        rows.push([
            "Support and resistance".to_owned(),
            format!("{} and {}", shown(support), shown(resistance)),
            String::new(),
        ]);
    }
    (rows.len() > 2).then(|| Block::Table {
        caption: "The price in figures".to_owned(),
        head: ["Measure", "Now", "Beside it"].map(str::to_owned).to_vec(),
        rows: rows
            .into_iter()
            .map(crate::reports::document::filled)
            .collect(),
    })
}
