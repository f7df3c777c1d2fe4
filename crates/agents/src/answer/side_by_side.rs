//! Several instruments beside each other: comparisons, correlations, portfolios.

use query::{Holding, Intent};
use serde_json::Value;

use super::derived::is_against;
use super::{Page, Sheet};
use crate::figures::{change, count, day, money, one, percent, quoted};
use crate::view::View;

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    if page.wants(Intent::Comparison) {
        comparison(page, sheet);
    }
    if page.wants(Intent::Portfolio) {
        portfolio(page, sheet);
    }
    if let Some(correlation) = page.get("correlation") {
        correlated(page, correlation, sheet);
    }
}

/// One column of the comparison.
struct Compared<'a> {
    symbol: &'a str,
    score: Option<u64>,
    /// First day, last day and change of the stretch of time that was asked about.
    period: Option<Period<'a>>,
    cells: Vec<String>,
}

/// What is compared.
const ROWS: [&str; 11] = [
    "",
    "Price",
    "Change",
    "Over the time asked about",
    "Signal (score of 100)",
    "Sentiment (0.5 neutral)",
    "P/E",
    "Profit margin",
    "Market value",
    "Dividend yield",
    "Company figures to",
];

/// The row of the sentiment.
const SENTIMENT: usize = 5;

/// The newest day that a price of the question's instruments is of.
fn newest_price<'a>(page: &Page<'a>) -> Option<&'a str> {
    let instruments = page.reading.instruments.iter();
    instruments
        .filter_map(|one| page.of("analysis", one.symbol.as_str())?.text("price_date"))
        .max()
}

/// Of when the prices of a table are.
fn prices_of(newest: &str) -> String {
    format!(
        "Prices are of {} unless another day stands beside them.",
        day(newest)
    )
}

/// A price, with its day where it is not that of the newest.
fn dated_price(analysis: View<'_>, currency: &str, newest: Option<&str>) -> Option<String> {
    let price = money(analysis.number("price")?, currency);
    let date = analysis
        .text("price_date")
        .filter(|date| Some(*date) != newest);
    Some(match date {
        Some(date) => format!("{price} ({})", day(date)),
        None => price,
    })
}

fn comparison(page: &Page<'_>, sheet: &mut Sheet) {
    let newest = newest_price(page);
    let mut all = Vec::new();
    for instrument in &page.reading.instruments {
        let symbol = instrument.symbol.as_str();
        let Some(analysis) = page.of("analysis", symbol) else {
            continue;
        };
        let financials = page.of("financials", symbol);
        let figure = |field: &str| financials.and_then(|financials| financials.number(field));
        let text = |field: &str| financials.and_then(|financials| financials.text(field));
        let dash = || "–".to_owned();
        let score = analysis
            .at("trade_signal")
            .and_then(|signal| signal.whole("score"));
        let signal = analysis.at("trade_signal").and_then(|signal| {
            Some(format!(
                "{} ({})",
                signal.text("action")?.replace('_', " "),
                signal.whole("score")?
            ))
        });
        let performance = page.of("performance", symbol);
        let period = performance.and_then(|performance| {
            Some((
                performance.text("from")?,
                performance.text("to")?,
                performance.number("change_pct")?,
            ))
        });
        all.push(Compared {
            symbol,
            score,
            period,
            cells: vec![
                format!("{} ({symbol})", quoted(&instrument.name)),
                dated_price(analysis, &instrument.currency, newest).unwrap_or_else(dash),
                analysis.number("change_pct").map_or_else(dash, change),
                period.map_or_else(dash, |(.., changed)| change(changed)),
                signal.unwrap_or_else(dash),
                analysis
                    .number("sentiment/score")
                    .map_or_else(dash, |value| format!("{value:.2}")),
                figure("pe_ratio")
                    .or_else(|| analysis.number("fundamentals/pe_ratio"))
                    .map_or_else(dash, one),
                figure("profit_margin")
                    .or_else(|| analysis.number("fundamentals/profit_margin"))
                    .map_or_else(dash, percent),
                text("market_cap_formatted").map_or_else(dash, str::to_owned),
                figure("dividend_yield").map_or_else(dash, |value| format!("{value:.2}%")),
                match (text("period_end"), figure("pe_ratio")) {
                    (Some(end), _) => day(end),
                    (None, Some(_)) => "not said by their table".to_owned(),
                    (None, None) => dash(),
                },
            ],
        });
    }
    if all.is_empty() {
        return;
    }
    let mut periods: Vec<(&str, Period<'_>)> = all
        .iter()
        .filter_map(|one| Some((one.symbol, one.period?)))
        .collect();
    periods.extend(periods_of_series(page));
    over_time(periods, sheet);
    verdict(&all, sheet);
    if let Some(newest) = newest {
        sheet.lead(prices_of(newest));
    }
    let mut table = Vec::new();
    for (place, title) in ROWS.iter().enumerate() {
        let cells: Vec<&str> = all.iter().map(|one| one.cells[place].as_str()).collect();
        // A row in which nobody has a figure says nothing.
        if place > 0 && cells.iter().all(|cell| *cell == "–") {
            continue;
        }
        table.push(format!("| {title} | {} |", cells.join(" | ")));
        if place == 0 {
            table.push(format!("|---|{}", "---:|".repeat(cells.len())));
        }
    }
    sheet.blocks.push(table.join("\n"));
    for one in &all {
        if one.cells[SENTIMENT] == "–" {
            sheet.unknown(format!(
                "{}: no brief of the last seven days, so sentiment takes no part in its signal.",
                one.symbol
            ));
        }
    }
}

/// First and last day, and the change between them in percent.
type Period<'a> = (&'a str, &'a str, f64);

/// What commodities did that stand beside an instrument in the question.
fn periods_of_series<'a>(page: &Page<'a>) -> Vec<(&'a str, Period<'a>)> {
    let found = || {
        let (periods, named) = (page.get("period")?, page.get("commodities")?);
        let all = periods.0.as_object()?.iter();
        let of = |(code, period): (&String, &'a Value)| {
            let period = View(period);
            Some((
                named.at(code)?.text("name")?,
                (
                    period.text("from")?,
                    period.text("to")?,
                    period.number("change_pct")?,
                ),
            ))
        };
        Some(all.filter_map(of).collect())
    };
    found().unwrap_or_default()
}

/// Who did better over the time that was asked about.
fn over_time(mut known: Vec<(&str, Period<'_>)>, sheet: &mut Sheet) {
    known.sort_by(|(_, left), (_, right)| right.2.total_cmp(&left.2));
    let [
        (first, (from, to, most)),
        ..,
        (last, (other_from, other_to, least)),
    ] = known[..]
    else {
        return;
    };
    let span = |from: &str, to: &str| format!("from {} to {}", day(from), day(to));
    if (from, to) == (other_from, other_to) {
        sheet.lead(format!(
            "{}: **{first}** did best with {}, **{last}** worst with {}.",
            crate::figures::sentence(&span(from, to)).trim_end_matches('.'),
            change(most),
            change(least)
        ));
        return;
    }
    let each: Vec<String> = known
        .iter()
        .map(|(symbol, (from, to, changed))| {
            format!("**{symbol}** {} {}", change(*changed), span(from, to))
        })
        .collect();
    if to == other_to {
        sheet.lead(format!("**{first}** did best: {}.", each.join("; ")));
    } else {
        // Prices that end on different days are not ranked.
        sheet.lead(format!(
            "Their prices end on different days: {}.",
            each.join("; ")
        ));
    }
}

/// Who stands better by the rules, said with the distance.
fn verdict(all: &[Compared<'_>], sheet: &mut Sheet) {
    let mut scored: Vec<(u64, &str)> = all
        .iter()
        .filter_map(|one| Some((one.score?, one.symbol)))
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored[..] {
        [(best, first), .., (last, worst)] if best > last => sheet.lead(format!(
            "By the rules of the trade signal **{first}** scores highest with {best} out of 100, **{worst}** lowest with {last}. The rules weigh technicals, sentiment, events and fundamentals; they are neither advice nor a forecast."
        )),
        [(score, _), _, ..] => sheet.lead(format!(
            "By the rules of the trade signal they stand equal, with a score of {score} out of 100."
        )),
        [(score, only)] => sheet.lead(format!(
            "Only **{only}** has a trade signal, with a score of {score} out of 100."
        )),
        [] => sheet.lead("None of them has a trade signal: too little is known."),
    }
}

fn correlated(page: &Page<'_>, correlation: View<'_>, sheet: &mut Sheet) {
    let mut pairs = correlation.list("pairs");
    pairs.sort_by(|left, right| {
        let value = |pair: &View<'_>| pair.number("correlation").unwrap_or_default().abs();
        value(right).total_cmp(&value(left))
    });
    let days = correlation.whole("days").unwrap_or_default();
    let observations = correlation.whole("observations").unwrap_or_default();
    let described = |pair: &View<'_>| {
        Some(format!(
            "{} and {} {:+.2} ({})",
            pair.text("a")?,
            pair.text("b")?,
            pair.number("correlation")?,
            pair.text("label")?.replace('_', " ")
        ))
    };
    let Some(strongest) = pairs.first().and_then(described) else {
        sheet.unknown("They share too few sessions for a correlation.");
        return;
    };
    let basis = match (correlation.text("from"), correlation.text("to")) {
        (Some(from), Some(to)) => format!(
            "{observations} shared sessions from {} to {}",
            day(from),
            day(to)
        ),
        _ => format!("{observations} shared sessions of {days} days"),
    };
    if page.wants(Intent::Correlation) {
        sheet.lead(format!(
            "Correlation of daily returns over {basis}: **{strongest}**{}.",
            if pairs.len() > 1 {
                " is the strongest"
            } else {
                ""
            }
        ));
        let rows: Vec<String> = pairs
            .iter()
            .filter_map(|pair| {
                Some(format!(
                    "| {} | {} | {:+.2} | {} |",
                    pair.text("a")?,
                    pair.text("b")?,
                    pair.number("correlation")?,
                    pair.text("label")?.replace('_', " ")
                ))
            })
            .collect();
        if rows.len() > 1 {
            sheet.blocks.push(format!(
                "| | | Correlation | |\n|---|---|---:|---|\n{}",
                rows.join("\n")
            ));
        }
    } else {
        let moves_together = pairs
            .first()
            .and_then(|pair| pair.number("correlation"))
            .is_some_and(|value| value >= 0.5);
        let line = format!("Closest pair over {basis}: {strongest}.");
        if moves_together {
            sheet
                .against
                .push(format!("{line} They do little to spread the risk."));
        } else {
            sheet
                .supports
                .push(format!("{line} The holdings move rather independently."));
        }
    }
}

/// From here on a holding decides what a portfolio does.
const DOMINANT_PCT: f64 = 60.0;

fn portfolio(page: &Page<'_>, sheet: &mut Sheet) {
    let holdings = &page.reading.holdings;
    if holdings.is_empty() {
        sheet.lead("The question names no holding that is listed here.");
        return;
    }
    let newest = newest_price(page);
    let mut rows = Vec::new();
    let mut weak: Vec<(u64, &str)> = Vec::new();
    for holding in holdings {
        let symbol = holding.symbol.as_str();
        let mut instruments = page.reading.instruments.iter();
        let currency = instruments
            .find(|one| one.symbol == holding.symbol)
            .map_or("", |one| one.currency.as_str());
        let analysis = page.of("analysis", symbol);
        let signal = analysis.and_then(|analysis| analysis.at("trade_signal"));
        let score = signal.and_then(|signal| signal.whole("score"));
        let action = signal.and_then(|signal| signal.text("action"));
        if let Some(score) = score.filter(|score| is_against(*score, holding.is_short)) {
            weak.push((score, symbol));
        }
        let earnings = page.of("earnings", symbol);
        let date = earnings.and_then(|earnings| earnings.text("earnings_date"));
        if let Some(date) = date {
            let is_estimated =
                earnings.and_then(|one| one.text("earnings_status")) == Some("estimated");
            sheet.ahead.push(format!(
                "{symbol} reports on {}{}.",
                day(date),
                if is_estimated {
                    " (estimated date)"
                } else {
                    ""
                }
            ));
        }
        let dash = || "–".to_owned();
        rows.push(format!(
            "| {symbol} | {}{} | {} | {} | {} |",
            percent(weight_pct(page, holding)),
            if holding.is_short { " short" } else { "" },
            analysis
                .and_then(|one| dated_price(one, currency, newest))
                .unwrap_or_else(dash),
            analysis
                .and_then(|one| one.number("change_pct"))
                .map_or_else(dash, change),
            match (action, score) {
                (Some(action), Some(score)) => format!("{} ({score})", action.replace('_', " ")),
                _ => dash(),
            }
        ));
    }
    concentration(page, sheet);
    weak.sort_unstable();
    let signals = rows.iter().filter(|row| !row.ends_with("| – |")).count();
    sheet.lead(match weak[..] {
        [] if signals == 0 => "No holding has a trade signal: too little is known.".to_owned(),
        [] if signals < rows.len() => format!(
            "None of the {} with a trade signal has it against the position.",
            count(signals as u64, "holding", "holdings")
        ),
        [] => "No holding has a signal against it.".to_owned(),
        [(score, symbol)] => {
            format!("**{symbol}** deserves attention first: its signal stands against the position, with a score of {score} out of 100.")
        }
        [(score, symbol), ..] => format!(
            "{} have a signal against the position; **{symbol}** the clearest, with a score of {score} out of 100.",
            count(weak.len() as u64, "holding", "holdings")
        ),
    });
    if let Some(feed) = page.get("portfolio") {
        let briefs = feed.list("briefs");
        match briefs.len() {
            0 => sheet.unknown("No brief of the last seven days mentions a holding."),
            number => sheet.lead(format!(
                "{} the holdings.",
                count(
                    number as u64,
                    "brief of the last seven days mentions",
                    "briefs of the last seven days mention"
                )
            )),
        }
        for brief in briefs.iter().take(5) {
            let matched: Vec<&str> = brief
                .list("portfolio_relevance/matched_holdings")
                .into_iter()
                .filter_map(|holding| holding.text("ticker"))
                .collect();
            if let Some(line) = super::news::line(*brief) {
                sheet.news.push(if matched.is_empty() {
                    line
                } else {
                    format!("{line} – {}", matched.join(", "))
                });
            }
        }
    }
    if rows.len() > 1 || page.of("analysis", holdings[0].symbol.as_str()).is_some() {
        if let Some(newest) = newest {
            sheet.lead(prices_of(newest));
        }
        sheet.blocks.push(format!(
            "| Holding | Weight | Price | Change | Signal (score of 100) |\n|---|---:|---:|---:|---|\n{}",
            rows.join("\n")
        ));
    }
}

/// The weight of a holding in percent: by its value where that is known, else as it was said or one of equals.
fn weight_pct(page: &Page<'_>, holding: &Holding) -> f64 {
    page.of("position", holding.symbol.as_str())
        .and_then(|one| one.number("weight_pct"))
        .unwrap_or(holding.weight * 100.0)
}

/// The heaviest of several holdings and its weight in percent, where that is half as much again as of equal ones.
fn heaviest<'a>(page: &Page<'a>) -> Option<(&'a str, f64)> {
    let holdings = &page.reading.holdings;
    let weighed = holdings
        .iter()
        .map(|one| (one.symbol.as_str(), weight_pct(page, one)));
    weighed
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, share)| holdings.len() > 1 && *share >= 150.0 / holdings.len() as f64)
}

/// Says how much of the portfolio its heaviest holding is.
fn concentration(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some((symbol, share)) = heaviest(page) {
        if share >= DOMINANT_PCT {
            sheet.lead(format!(
                "The largest risk is concentration: **{symbol}** is {} of the portfolio.",
                percent(share)
            ));
        } else {
            sheet.against.push(format!(
                "{symbol} alone is {} of the portfolio.",
                percent(share)
            ));
        }
    }
}
