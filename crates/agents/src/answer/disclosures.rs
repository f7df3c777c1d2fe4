//! Rows of disclosures: trades of insiders and lawmakers, filings.

use super::Sheet;
use crate::figures::{day, large, quoted, whole};
use crate::view::View;

/// Rows of a list of disclosures.
pub(super) const LISTED: usize = 8;

/// Adds a table, unless it has no rows.
pub(super) fn table(sheet: &mut Sheet, head: &str, rows: &[String]) {
    if !rows.is_empty() {
        sheet.blocks.push(format!("{head}\n{}", rows.join("\n")));
    }
}

pub(super) const CONGRESS_HEAD: &str =
    "| Disclosed | Member | Symbol | Trade | Amount |\n|---|---|---|---|---|";
pub(super) const FILING_HEAD: &str = "| Filed | Form | What | Document |\n|---|---|---|---|";

/// One trade of an insider; with its symbol where several are listed.
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

pub(super) fn congress_row(trade: View<'_>) -> Option<String> {
    Some(format!(
        "| {} | {} ({}, {}) | {} | {} | {} |",
        day(trade.text("disclosure_date")?),
        quoted(trade.text("member")?),
        quoted(trade.text("party").unwrap_or("–")),
        trade.text("chamber").unwrap_or("–"),
        trade.text("symbol").unwrap_or("–"),
        trade.text("transaction_type").unwrap_or("–"),
        quoted(trade.text("amount_range").unwrap_or("–"))
    ))
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
