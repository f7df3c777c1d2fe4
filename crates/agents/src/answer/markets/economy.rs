//! Indicators, yields, currencies, commodities, coins, and the newest disclosures of everybody.

use super::LISTED;
use crate::answer::disclosures::{
    CONGRESS_HEAD, FILING_HEAD, congress_row, filing_row, insider_row, table,
};
use crate::answer::{Page, Sheet};
use crate::figures::{self, change, count, day, moved, percent, plain, quoted, sentence};
use crate::view::View;

pub(super) fn economy(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(economy) = page.get("economy") else {
        return;
    };
    if let Some(indicators) = economy.at("indicators").and_then(|list| list.0.as_array()) {
        let rows: Vec<String> = indicators
            .iter()
            .map(View)
            .filter_map(|one| {
                Some(format!(
                    "| {} | {} | {} | {} |",
                    one.text("name")?,
                    plain(one.number("latest_value")?),
                    quoted(one.text("unit").unwrap_or("")),
                    day(one.text("latest_date")?)
                ))
            })
            .collect();
        sheet.lead(format!(
            "The latest values of {}:",
            count(rows.len() as u64, "indicator", "indicators")
        ));
        table(
            sheet,
            "| Indicator | Latest | Unit | Of |\n|---|---:|---|---|",
            &rows,
        );
        return;
    }
    for one in economy
        .0
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
        .map(View)
    {
        let (Some(name), Some(value), Some(date)) = (
            one.text("name"),
            one.number("latest/value"),
            one.text("latest/date"),
        ) else {
            if let Some(name) = one.text("name") {
                sheet.unknown(format!("{name}: no value is on record."));
            }
            continue;
        };
        let unit = one.text("unit").unwrap_or("");
        sheet.lead(format!(
            "**{name}**: **{}** ({}) for {}.",
            plain(value),
            quoted(unit),
            day(date)
        ));
        let observations = one.list("observations");
        let at = |place: usize| {
            let seen = observations.get(place)?;
            Some((seen.text("date")?, seen.number("value")?))
        };
        if let Some((before, earlier)) = at(1) {
            let word = if plain(value) == plain(earlier) {
                "unchanged from"
            } else if value > earlier {
                "up from"
            } else if value < earlier {
                "down from"
            } else {
                "unchanged from"
            };
            sheet.lead(format!(
                "That is {word} {} for {}.",
                plain(earlier),
                day(before)
            ));
        }
        if let Some((then, earlier)) = at(12).filter(|_| one.text("frequency") == Some("monthly")) {
            sheet.lead(format!(
                "A year before, for {}, it was {}.",
                day(then),
                plain(earlier)
            ));
        }
        for reason in one.reasons() {
            sheet.unknown(sentence(reason));
        }
    }
}

pub(super) fn yields(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(yields) = page.get("yields") else {
        return;
    };
    let all = yields.list("yields");
    let rows: Vec<String> = all
        .iter()
        .filter_map(|one| {
            Some(format!(
                "| {} | {:.2}% | {} |",
                one.text("name")?,
                one.number("yield_pct")?,
                day(one.text("date")?)
            ))
        })
        .collect();
    if rows.is_empty() {
        sheet.unknown("No Treasury yield is on record.");
        return;
    }
    if let Some(spread) = yields.number("spread_10y_2y") {
        let word = if yields.flag("inverted") {
            "is inverted"
        } else {
            "is not inverted"
        };
        sheet.lead(format!(
            "The Treasury yield curve **{word}**: the 10-year yield lies {:.2} percentage points {} the 2-year yield.",
            spread.abs(),
            if spread < 0.0 { "below" } else { "above" }
        ));
    }
    table(sheet, "| Treasury | Yield | Of |\n|---|---:|---|", &rows);
}

pub(super) fn pairs(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(forex) = page.get("forex") else {
        return;
    };
    if forex.at("pairs").is_some() {
        let rows: Vec<String> = forex
            .list("pairs")
            .into_iter()
            .filter_map(|pair| {
                Some(format!(
                    "| {} | {} | {} | {} |",
                    pair.text("label")?,
                    rate(pair.number("rate")?),
                    pair.number("change_pct")
                        .map_or_else(|| "–".to_owned(), change),
                    pair.text("date").map(day).unwrap_or_default()
                ))
            })
            .collect();
        if rows.is_empty() {
            sheet.unknown("No exchange rate is on record.");
        } else {
            sheet.lead(format!(
                "Exchange rates of {}:",
                count(rows.len() as u64, "pair", "pairs")
            ));
        }
        table(
            sheet,
            "| Pair | Rate | Change | Of |\n|---|---:|---:|---|",
            &rows,
        );
        return;
    }
    for pair in forex
        .0
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
        .map(View)
    {
        let Some(value) = pair.number("rate") else {
            sheet.unknown(format!(
                "No rate of {} is on record.",
                pair.text("label").unwrap_or("the pair")
            ));
            continue;
        };
        let (base, quote) = pair
            .text("pair")
            .and_then(|code| code.split_at_checked(3))
            .unwrap_or_default();
        sheet.lead(format!(
            "**1 {base} = {} {quote}**{}{}.",
            rate(value),
            pair.text("date")
                .map(|date| format!(" on {}", day(date)))
                .unwrap_or_default(),
            pair.number("change_pct")
                .map(|change| format!(", {} from the day before", moved(change)))
                .unwrap_or_default()
        ));
    }
}

/// Exchange rates have four decimals, those of the yen two.
fn rate(value: f64) -> String {
    if value >= 20.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.4}")
    }
}

pub(super) fn commodities(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(commodities) = page.get("commodities") else {
        return;
    };
    if commodities.at("commodities").is_some() {
        let rows: Vec<String> = commodities
            .list("commodities")
            .into_iter()
            .filter_map(|one| {
                Some(format!(
                    "| {} | {} | {} | {} | {} |",
                    one.text("name")?,
                    plain(one.number("price")?),
                    one.number("change_pct")
                        .map_or_else(|| "–".to_owned(), change),
                    one.text("unit")
                        .or_else(|| one.text("currency"))
                        .unwrap_or(""),
                    one.text("date").map(day).unwrap_or_default()
                ))
            })
            .collect();
        if rows.is_empty() {
            sheet.unknown("No price of a commodity is on record.");
        } else {
            sheet.lead(format!(
                "Prices of {}:",
                count(rows.len() as u64, "commodity", "commodities")
            ));
        }
        table(
            sheet,
            "| Commodity | Price | Change | Unit | Of |\n|---|---:|---:|---|---|",
            &rows,
        );
        return;
    }
    for one in commodities
        .0
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
        .map(View)
    {
        let name = one.text("name").unwrap_or("The commodity");
        let Some(price) = one.number("price") else {
            sheet.unknown(format!("{name}: no price is on record."));
            continue;
        };
        sheet.lead(format!(
            "**{name}** stands at **{}** ({}){}{}.",
            plain(price),
            one.text("unit")
                .or_else(|| one.text("currency"))
                .unwrap_or("USD"),
            one.text("date")
                .map(|date| format!(" on {}", day(date)))
                .unwrap_or_default(),
            one.number("change_pct")
                .map(|change| format!(", {} from the value before", moved(change)))
                .unwrap_or_default()
        ));
        for reason in one.reasons() {
            sheet.unknown(sentence(reason));
        }
    }
}

pub(super) fn crypto(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some(crypto) = page.get("crypto")
        && let Some(total) = crypto.text("total_market_cap_formatted")
    {
        let changed = crypto
            .number("market_cap_change_24h")
            .map(|change| format!(", {} over 24 hours", moved(change)));
        sheet.lead(format!(
            "All coins together are worth **{total}**{}.",
            changed.unwrap_or_default()
        ));
        if let (Some(btc), Some(eth)) = (
            crypto.number("btc_dominance"),
            crypto.number("eth_dominance"),
        ) {
            sheet.lead(format!(
                "Bitcoin makes up {} of it, Ethereum {}.",
                percent(btc),
                percent(eth)
            ));
        }
    }
    if let Some(coins) = page.get("coins") {
        let dash = || "–".to_owned();
        let rows: Vec<String> = coins
            .list("tokens")
            .into_iter()
            .take(LISTED)
            .filter_map(|coin| {
                Some(format!(
                    "| {} | {} | {} | {} | {} |",
                    coin.text("symbol")?,
                    figures::money(coin.number("price")?, "USD"),
                    coin.number("change_24h").map_or_else(dash, change),
                    coin.number("change_7d").map_or_else(dash, change),
                    coin.text("market_cap_formatted").unwrap_or("–")
                ))
            })
            .collect();
        table(
            sheet,
            "| Coin | Price | 24 hours | 7 days | Market value |\n|---|---:|---:|---:|---:|",
            &rows,
        );
    }
}

pub(super) fn defi(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(defi) = page.get("defi") else {
        return;
    };
    let Some(total) = defi.text("total_tvl_formatted") else {
        sheet.unknown("No figure on decentralised finance is on record.");
        return;
    };
    sheet.lead(format!("**{total}** is locked in decentralised finance."));
    let rows: Vec<String> = defi
        .list("top_protocols")
        .into_iter()
        .take(LISTED)
        .filter_map(|one| {
            Some(format!(
                "| {} | {} | {} | {} |",
                quoted(one.text("name")?),
                quoted(one.text("category").unwrap_or("–")),
                one.text("tvl_formatted")?,
                one.number("change_1d")
                    .map_or_else(|| "–".to_owned(), change)
            ))
        })
        .collect();
    table(
        sheet,
        "| Protocol | Category | Locked | 1 day |\n|---|---|---:|---:|",
        &rows,
    );
}

/// Trades and filings of everybody.
pub(super) fn disclosures(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some(insider) = page.get("insider") {
        let trades = insider.list("trades");
        if trades.is_empty() {
            sheet.lead("No trade of an insider is on record.");
        } else {
            sheet.lead(format!(
                "The newest {} of insiders on record:",
                count(trades.len() as u64, "trade", "trades")
            ));
        }
        let rows: Vec<String> = trades
            .iter()
            .take(LISTED)
            .filter_map(|trade| insider_row(*trade, trade.text("symbol")))
            .collect();
        table(
            sheet,
            "| Date | Symbol | Who | Trade | Shares | Value |\n|---|---|---|---|---:|---:|",
            &rows,
        );
    }
    if let Some(congress) = page.get("congress") {
        let trades = congress.list("trades");
        if trades.is_empty() {
            sheet.lead("No trade of a member of Congress is on record.");
        } else {
            sheet.lead(format!(
                "The newest {} of members of Congress:",
                count(trades.len() as u64, "disclosed trade", "disclosed trades")
            ));
        }
        let rows: Vec<String> = trades
            .iter()
            .take(LISTED)
            .filter_map(|trade| congress_row(*trade))
            .collect();
        table(sheet, CONGRESS_HEAD, &rows);
    }
    if let Some(filings) = page.get("filings") {
        let list = filings.list("filings");
        if list.is_empty() {
            for reason in filings.reasons() {
                sheet.unknown(sentence(reason));
            }
        } else {
            sheet.lead(format!(
                "{} found:",
                count(list.len() as u64, "filing", "filings")
            ));
        }
        let rows: Vec<String> = list
            .iter()
            .take(LISTED)
            .filter_map(|filing| filing_row(*filing))
            .collect();
        table(sheet, FILING_HEAD, &rows);
    }
}
