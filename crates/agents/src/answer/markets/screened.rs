//! Writes about a screen.

use super::LISTED;
use crate::answer::disclosures::table;
use crate::answer::{Page, Sheet, side_by_side};
use crate::figures::{self, change, count, day, one, percent, quoted, sentence};
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
        // A list of everything does not answer something that was not understood.
        let reasons = screener.reasons();
        match (&not_understood[..], reasons.first()) {
            ([], Some(reason)) => sheet.lead(sentence(reason)),
            ([], None) => {
                sheet.lead("The question names no condition by which shares could be picked.");
            }
            _ => sheet.lead(format!(
                "Shares cannot be screened by this: {}.",
                quoted(&not_understood.join(", "))
            )),
        }
        sheet.lead("Ask with a condition or an order, such as “oversold tech stocks” or “the highest dividend yield in energy”.");
        return;
    }
    let order = screener
        .text("understood/sort")
        .filter(|_| is_sorted)
        .and_then(Order::find);
    if let (Some(order), Some(first)) = (order, matches.first()) {
        order.lead(*first, screener.text("understood/order"), sheet);
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
        // Dashes in the table show which figures of matches are missing.
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
            let ordered =
                order
                    .filter(|order| order.has_column)
                    .map_or_else(String::new, |order| {
                        let value = one_match.number("sort_value");
                        format!(" {} |", value.map_or_else(dash, order.written))
                    });
            Some(format!(
                "| {} | {} |{ordered} {} | {} | {} | {} | {} |",
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
    let (title, rule) = match order.filter(|order| order.has_column) {
        Some(order) => (format!(" {} |", order.title), "---:|"),
        None => (String::new(), ""),
    };
    table(
        sheet,
        &format!(
            "| Symbol | Name |{title} Price | Change | RSI | P/E | Why |\n|---|---|{rule}---:|---:|---:|---:|---|"
        ),
        &rows,
    );
}

/// A sort order of the screener as it is worded.
#[derive(Clone, Copy)]
struct Order {
    /// The word of the wire contract.
    word: &'static str,
    /// The title of its column.
    title: &'static str,
    /// What the first match has if the lowest comes first, and if the highest does.
    utmost: [&'static str; 2],
    /// Whether no other column shows its values.
    has_column: bool,
    written: fn(f64) -> String,
}

const ORDERS: [Order; 13] = [
    Order {
        word: "dividend_yield",
        title: "Dividend yield",
        utmost: ["Lowest dividend yield", "Highest dividend yield"],
        has_column: true,
        written: percent,
    },
    Order {
        word: "change_ytd",
        title: "This year",
        utmost: [
            "Smallest gain or largest loss since the end of last year",
            "Largest gain since the end of last year",
        ],
        has_column: true,
        written: change,
    },
    Order {
        word: "change_1y",
        title: "Twelve months",
        utmost: [
            "Smallest gain or largest loss over twelve months",
            "Largest gain over twelve months",
        ],
        has_column: true,
        written: change,
    },
    Order {
        word: "market_cap",
        title: "Market value",
        utmost: ["Smallest market value", "Largest market value"],
        has_column: true,
        written: |billions| format!("${} billion", one(billions)),
    },
    Order {
        word: "volume",
        title: "Volume a day",
        utmost: ["Lowest mean daily volume", "Highest mean daily volume"],
        has_column: true,
        written: figures::whole,
    },
    Order {
        word: "pe_ratio",
        title: "P/E",
        utmost: ["Lowest P/E", "Highest P/E"],
        has_column: false,
        written: one,
    },
    Order {
        word: "rsi",
        title: "RSI",
        utmost: ["Lowest RSI", "Highest RSI"],
        has_column: false,
        written: one,
    },
    Order {
        word: "revenue_growth",
        title: "Revenue growth",
        utmost: ["Lowest revenue growth", "Highest revenue growth"],
        has_column: true,
        written: change,
    },
    Order {
        word: "eps_growth",
        title: "EPS growth",
        utmost: [
            "Lowest growth in earnings per share",
            "Highest growth in earnings per share",
        ],
        has_column: true,
        written: change,
    },
    Order {
        word: "profit_margin",
        title: "Net margin",
        utmost: ["Lowest net margin", "Highest net margin"],
        has_column: true,
        written: percent,
    },
    Order {
        word: "debt_to_equity",
        title: "Debt to equity",
        utmost: ["Lowest debt to equity", "Highest debt to equity"],
        has_column: true,
        written: |ratio| format!("{ratio:.2}"),
    },
    Order {
        word: "price",
        title: "Price",
        utmost: ["Lowest price", "Highest price"],
        has_column: false,
        written: figures::plain,
    },
    Order {
        word: "sentiment",
        title: "Sentiment",
        utmost: ["Lowest sentiment", "Highest sentiment"],
        has_column: true,
        written: |score| format!("{score:.2}"),
    },
];

impl Order {
    fn find(word: &str) -> Option<Self> {
        ORDERS.into_iter().find(|order| order.word == word)
    }

    /// What comes first, which is what a ranking asks for.
    fn lead(self, first: View<'_>, direction: Option<&str>, sheet: &mut Sheet) {
        let [lowest, highest] = self.utmost;
        let utmost = if direction == Some("asc") {
            lowest
        } else {
            highest
        };
        let Some(value) = first.number("sort_value") else {
            sheet.lead(format!(
                "**{utmost}**: no instrument that matches has such a figure on record."
            ));
            return;
        };
        sheet.lead(format!(
            "**{utmost}**: {} ({}) with **{}**.",
            quoted(first.text("entity_name").unwrap_or("–")),
            first.text("ticker").unwrap_or("–"),
            (self.written)(value)
        ));
    }
}
