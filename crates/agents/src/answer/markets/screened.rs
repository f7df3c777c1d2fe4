//! What is written of a screen.

use super::LISTED;
use crate::answer::disclosures::table;
use crate::answer::{Page, Sheet, side_by_side};
use crate::figures::{self, change, count, day, one, quoted, sentence};
use crate::view::View;

pub(super) fn screener(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(screener) = page.get("screener") else {
        return;
    };
    let matches = screener.list("matches");
    let total = screener.whole("total_matches").unwrap_or_default();
    let scanned = screener.whole("total_scanned").unwrap_or_default();
    let read: Vec<&str> = screener
        .list("explanation")
        .into_iter()
        .filter_map(|one| one.0.as_str())
        .collect();
    let not_understood: Vec<&str> = screener
        .list("not_understood")
        .into_iter()
        .filter_map(|one| one.0.as_str())
        .collect();
    let has_filters = screener
        .at("filters_applied")
        .and_then(|all| all.0.as_object())
        .is_some_and(|all| !all.is_empty());
    let is_sorted = read.iter().any(|one| one.contains(": sort "));
    if !has_filters && !is_sorted && !not_understood.is_empty() || scanned == 0 {
        // A list of everything answers nothing that was not understood.
        let reasons = screener.reasons();
        match (&not_understood[..], reasons.first()) {
            ([], Some(reason)) => sheet.lead(sentence(reason)),
            ([], None) => {
                sheet.lead("The question names no condition by which shares could be picked.");
            }
            _ => sheet.lead(format!(
                "Shares cannot be picked by this: {}.",
                quoted(&not_understood.join(", "))
            )),
        }
        sheet.lead("Ask with a figure, such as “energy stocks with a dividend yield above 4%” or “oversold tech stocks”.");
        return;
    }
    if total == 0 {
        sheet.lead(format!(
            "Nothing matches among {} scanned.",
            count(scanned, "instrument", "instruments")
        ));
    } else {
        let of_what = if not_understood.is_empty() {
            ""
        } else {
            " the part that was understood"
        };
        sheet.lead(format!(
            "**{}**{of_what} of {} scanned.",
            count(total, "instrument matches", "instruments match"),
            count(scanned, "instrument", "instruments")
        ));
        if !not_understood.is_empty() {
            sheet.lead(format!(
                "**Not applied**: {}.",
                quoted(&not_understood.join(", "))
            ));
        }
    }
    if !read.is_empty() {
        sheet.lead(format!("Read as: {}.", quoted(&read.join("; "))));
    }
    for status in screener.list("data_status") {
        // Dashes in the table say which figures of matches are missing.
        let is_of_matches = status
            .text("field")
            .is_some_and(|field| field.starts_with("matches."));
        if !is_of_matches && let Some(reason) = status.text("reason") {
            sheet.unknown(sentence(reason));
        }
    }
    let dash = || "–".to_owned();
    let listed = page.reading.at_most.unwrap_or(LISTED);
    let newest = matches.iter().filter_map(|one| one.text("date")).max();
    if let Some(newest) = newest {
        sheet.lead(side_by_side::prices_of(newest));
    }
    let price = |one: &View<'_>| {
        let price = figures::money(one.number("price")?, one.text("currency").unwrap_or(""));
        let older = one.text("date").filter(|date| Some(*date) != newest);
        Some(older.map_or_else(|| price.clone(), |date| format!("{price} ({})", day(date))))
    };
    let shown = matches.len().min(listed);
    if (shown as u64) < total {
        sheet.lead(format!("The table shows the first {shown} of {total}."));
    }
    let rows: Vec<String> = matches
        .iter()
        .take(shown)
        .filter_map(|one_match| {
            let why: Vec<&str> = one_match
                .list("match_reasons")
                .into_iter()
                .filter_map(|why| why.0.as_str())
                .collect();
            Some(format!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                one_match.text("ticker")?,
                quoted(one_match.text("entity_name").unwrap_or("–")),
                price(one_match).unwrap_or_else(dash),
                one_match.number("change_pct").map_or_else(dash, change),
                one_match.number("rsi_14").map_or_else(dash, one),
                one_match.number("pe_ratio").map_or_else(dash, one),
                quoted(&why.join("; "))
            ))
        })
        .collect();
    table(
        sheet,
        "| Symbol | Name | Price | Change | RSI | P/E | Why |\n|---|---|---:|---:|---:|---:|---|",
        &rows,
    );
}
