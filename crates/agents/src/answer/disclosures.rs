//! Rows of disclosures: insider trades, trades by lawmakers, filings.

use super::{Page, Sheet};
use crate::figures::{day, large, quoted, whole};
use crate::view::View;

/// The most rows in a list of disclosures.
pub(super) const LISTED: usize = 8;

/// Adds a table, unless it has no rows.
pub(super) fn table(sheet: &mut Sheet, head: &str, rows: &[String]) {
    if !rows.is_empty() {
        sheet.blocks.push(format!("{head}\n{}", rows.join("\n")));
    }
}

const CONGRESS_HEAD: &str =
    "| Disclosed | Member | Symbol | Trade | Amount |\n|---|---|---|---|---|";
pub(super) const FILING_HEAD: &str = "| Filed | Form | What | Document |\n|---|---|---|---|";

/// One insider trade; with its symbol if several are listed.
pub(super) fn insider_row(trade: View<'_>, symbol: Option<&str>) -> Option<String> {
    let symbol = symbol.map(|symbol| format!(" {symbol} |"));
    let value = trade.number("value").map(|value| large(value, "USD"));
    Some(format!(
        "| {} |{} {} ({}) | {} | {} | {} |",
        day(trade.text("date")?),
        symbol.unwrap_or_default(),
        quoted(trade.text("name")?),
        quoted(trade.text("title").unwrap_or("insider")),
        trade.text("transaction_type").unwrap_or("–"),
        trade.number("shares").map_or_else(|| "–".to_owned(), whole),
        value.as_deref().unwrap_or("–")
    ))
}

/// What was done, in words.
fn traded(kind: &str) -> &str {
    match kind {
        "sell_full" => "sale, in full",
        "sell_partial" => "sale, in part",
        "sell" => "sale",
        "buy" => "purchase",
        "receive" => "receipt",
        other => other,
    }
}

fn congress_row(trade: View<'_>) -> Option<String> {
    Some(format!(
        "| {} | {} ({}, {}) | {} | {} | {} |",
        day(trade.text("disclosure_date")?),
        quoted(trade.text("member")?),
        quoted(trade.text("party").unwrap_or("–")),
        trade.text("chamber").unwrap_or("–"),
        trade.text("symbol").unwrap_or("–"),
        trade.text("transaction_type").map_or("–", traded),
        quoted(trade.text("amount_range").unwrap_or("–"))
    ))
}

/// The first of these trades by lawmakers, at most this many.
pub(super) fn congress_table(sheet: &mut Sheet, trades: &[View<'_>], most: usize) {
    let rows = trades.iter().take(most);
    let rows: Vec<String> = rows.filter_map(|trade| congress_row(*trade)).collect();
    table(sheet, CONGRESS_HEAD, &rows);
}

pub(super) fn filing_row(filing: View<'_>) -> Option<String> {
    let link = filing
        .text("filing_url")
        .filter(|url| url.starts_with("https://") && !url.contains([')', '(', '|', ' ']))
        .map(|url| format!("[open]({url})"));
    Some(format!(
        "| {} | {} | {} | {} |",
        day(filing.text("filed_date")?),
        quoted(filing.text("form_type")?),
        quoted(filing.text("description").unwrap_or("–")),
        link.as_deref().unwrap_or("–")
    ))
}

/// The insider trades that a question asks for: on its side, of at least its value, within its time.
pub(super) fn picked<'a>(page: &Page<'_>, trades: Vec<View<'a>>) -> Vec<View<'a>> {
    let reading = page.reading;
    let when = &reading.when;
    let from = when
        .from
        .filter(|_| !when.is_ahead)
        .map(|day| day.to_string());
    let to = when
        .to
        .filter(|_| !when.is_ahead)
        .map(|day| day.to_string());
    let is_asked = |trade: &View<'_>| {
        let date = trade.text("date").unwrap_or_default();
        reading
            .side
            .is_none_or(|side| trade.text("transaction_type") == Some(side.as_str()))
            && reading
                .least_value
                .is_none_or(|least| trade.number("value").is_some_and(|value| value >= least))
            && from.as_deref().is_none_or(|from| date >= from)
            && to.as_deref().is_none_or(|to| date <= to)
    };
    let mut asked: Vec<View<'a>> = trades.into_iter().filter(is_asked).collect();
    if reading.foremost == Some(query::Foremost::Largest) {
        let value = |trade: &View<'_>| trade.number("value").unwrap_or_default();
        asked.sort_by(|left, right| value(right).total_cmp(&value(left)));
    }
    asked
}

/// The filter in words: ` who bought, of at least $1.00 million, from 1 Nov 2026 on`.
pub(super) fn picks(page: &Page<'_>) -> String {
    let reading = page.reading;
    let when = &reading.when;
    let mut words = String::new();
    match reading.side {
        Some(query::Side::Buy) => words.push_str(" who bought"),
        Some(query::Side::Sell) => words.push_str(" who sold"),
        None => {}
    }
    if let Some(least) = reading.least_value {
        words.push_str(" for at least ");
        words.push_str(&large(least, "USD"));
    }
    if let Some(from) = when.from.filter(|_| !when.is_ahead) {
        words.push_str(" since ");
        words.push_str(&day(&from.to_string()));
    }
    words
}
