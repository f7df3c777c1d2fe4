//! Several instruments together: comparisons, correlations, portfolios.

use query::{Holding, Intent};

use super::derived::is_against;
use super::{Page, Sheet, comparison};
use crate::figures::{change, count, day, money, percent};
use crate::view::View;

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    if page.wants(Intent::Comparison) {
        comparison::write(page, sheet);
    }
    if page.wants(Intent::Portfolio) {
        portfolio(page, sheet);
    }
    if let Some(correlation) = page.get("correlation") {
        correlated(page, correlation, sheet);
    }
}

/// The newest day for which an instrument of the question has a price.
pub(super) fn newest_price<'a>(page: &Page<'a>) -> Option<&'a str> {
    let instruments = page.reading.instruments.iter();
    instruments
        .filter_map(|one| page.of("analysis", one.symbol.as_str())?.text("price_date"))
        .max()
}

/// The date of the prices in a table.
pub(super) fn prices_of(newest: &str) -> String {
    format!(
        "Prices are from {} unless another date is shown.",
        day(newest)
    )
}

/// A price, with its day if it is not the newest one.
pub(super) fn dated_price(
    analysis: View<'_>,
    currency: &str,
    newest: Option<&str>,
) -> Option<String> {
    let price = money(analysis.number("price")?, currency);
    let date = analysis
        .text("price_date")
        .filter(|date| Some(*date) != newest);
    Some(match date {
        Some(date) => format!("{price} ({})", day(date)),
        None => price,
    })
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
        let line = "They share too few sessions for a correlation.";
        if page.wants(Intent::Correlation) {
            sheet.lead(line);
        } else {
            sheet.unknown(line);
        }
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

/// The combined performance of the holdings over the period that is asked about.
pub(super) fn together(page: &Page<'_>, sheet: &mut Sheet) {
    if !page.reading.weighs_performance() {
        return;
    }
    let Some(found) = page.get("portfolio_performance") else {
        sheet.unknown(
            "What the holdings did together is not computed: their prices do not all cover the same time, or are in several currencies.",
        );
        return;
    };
    let (Some(from), Some(to), Some(changed)) = (
        found.text("from"),
        found.text("to"),
        found.number("change_pct"),
    ) else {
        return;
    };
    let span = format!("from {} to {}", day(from), day(to));
    let values = (found.number("start_value"), found.number("end_value"));
    if let ((Some(start), Some(end)), Some(currency)) = (values, found.text("currency")) {
        sheet.lead(format!(
            "Together the holdings made **{}** {span}: they went from {} to {}.",
            change(changed),
            money(start, currency),
            money(end, currency)
        ));
    } else {
        sheet.lead(format!(
            "Together the holdings made **{}** {span}: the sum of each weight, as it was at the beginning, times the change of its price.",
            change(changed)
        ));
    }
    if let Some(rest) = found.number("rest_pct") {
        sheet.lead(format!(
            "The other {} of the portfolio is counted as unchanged.",
            percent(rest)
        ));
    }
    if found.text("currency").is_none() {
        sheet.unknown(
            "The changes are each in the currency of the price; exchange rates are not counted.",
        );
    }
    let row = |part: View<'_>| {
        let is_short = part.text("direction") == Some("short");
        Some(format!(
            "| {} | {}{} | {} | {} |",
            part.text("ticker")?,
            percent(part.number("weight_pct")?),
            if is_short { " short" } else { "" },
            change(part.number("change_pct")?),
            change(part.number("contribution_pct")?)
        ))
    };
    let rows: Vec<String> = found.list("parts").into_iter().filter_map(row).collect();
    sheet.blocks.push(format!(
        "| Holding | Weight at the beginning | Change | Contribution |\n|---|---:|---:|---:|\n{}",
        rows.join("\n")
    ));
}

/// From this weight on, a single holding decides what a portfolio does.
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

/// The weight of a holding in percent: by its value if that is known, otherwise as it was given, or an equal share.
fn weight_pct(page: &Page<'_>, holding: &Holding) -> f64 {
    page.of("position", holding.symbol.as_str())
        .and_then(|one| one.number("weight_pct"))
        .unwrap_or(holding.weight * 100.0)
}

/// The heaviest of several holdings and its weight in percent, if it is half as much again as an equal share.
fn heaviest<'a>(page: &Page<'a>) -> Option<(&'a str, f64)> {
    let holdings = &page.reading.holdings;
    let weighed = holdings
        .iter()
        .map(|one| (one.symbol.as_str(), weight_pct(page, one)));
    weighed
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, share)| holdings.len() > 1 && *share >= 150.0 / holdings.len() as f64)
}

/// Says what share of the portfolio its heaviest holding has.
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
