//! What each view of a symbol shows.

use serde_json::{Value, json};

use super::TickerView;
use crate::cell::Kind;
use crate::search::BRIEFS;
use crate::table::{Column, column};
use crate::view::{Rows, View};

/// How a view is printed.
pub(super) const fn of(view: TickerView) -> View {
    let (facts, rows): (&'static [Column], Option<Rows>) = match view {
        TickerView::Overview => (&OVERVIEW, None),
        TickerView::Price => (&PRICE, None),
        TickerView::Technicals => (&SIGNALS, None),
        TickerView::Earnings => (&EARNINGS, None),
        TickerView::Financials => (&FINANCIALS, None),
        TickerView::News => (&[], Some(table("briefs", &BRIEFS, "no brief mentions it"))),
        TickerView::Insider => (
            &[],
            Some(table("insider_trades", &INSIDER, "no insider trades")),
        ),
        TickerView::Filings => (&[], Some(table("filings", &FILINGS, "no filings"))),
        TickerView::Analysts => (
            &CONSENSUS,
            Some(table("recent_ratings", &RATINGS, "no ratings")),
        ),
        TickerView::Institutions => (&[], Some(table("holders", &HOLDERS, "no holders"))),
        TickerView::Candles => (&[], Some(table("candles", &CANDLES, "no candles"))),
        TickerView::History => (
            &[],
            Some(table("history", &HISTORY, "no briefs in this period")),
        ),
        TickerView::Competitors => (
            &SECTOR,
            Some(table("competitors", &COMPETITORS, "no competitors")),
        ),
    };
    View { facts, rows }
}

const fn table(key: &'static str, columns: &'static [Column], empty: &'static str) -> Rows {
    Rows {
        key,
        columns,
        empty,
    }
}

const OVERVIEW: [Column; 11] = [
    column("price/current", "price", Kind::Price),
    column("price/change_pct", "change", Kind::Change),
    column("price/currency", "currency", Kind::Name),
    column("price/market_state", "market", Kind::Name),
    column("price/updated_at", "updated", Kind::Time),
    column("exchange", "exchange", Kind::Name),
    column("asset_type", "kind", Kind::Word),
    column("sector", "sector", Kind::Text),
    column("sentiment_score", "sentiment", Kind::Number(2)),
    column("briefs_24h", "briefs in 24 h", Kind::Count),
    column("trending", "trending", Kind::Word),
];

const PRICE: [Column; 5] = [
    column("price", "price", Kind::Price),
    column("change_pct", "change", Kind::Change),
    column("currency", "currency", Kind::Name),
    column("market_state", "market", Kind::Name),
    column("updated_at", "updated", Kind::Time),
];

const SIGNALS: [Column; 6] = [
    column("date", "session", Kind::Name),
    column("latest/price", "price", Kind::Price),
    column("signal_summary/overall", "overall", Kind::Word),
    column("signal_summary/buy", "buy", Kind::Count),
    column("signal_summary/sell", "sell", Kind::Count),
    column("signal_summary/neutral", "neutral", Kind::Count),
];

/// The indicators as a table.
pub(super) const INDICATORS: [Column; 2] = [
    column("indicator", "INDICATOR", Kind::Name),
    column("value", "VALUE", Kind::Price),
];

const EARNINGS: [Column; 5] = [
    column("earnings_date", "next report", Kind::Name),
    column("earnings_status", "date is", Kind::Word),
    column("fiscal_quarter", "quarter", Kind::Name),
    column("eps_estimate", "EPS estimate", Kind::Price),
    column("revenue_estimate_formatted", "revenue estimate", Kind::Name),
];

const FINANCIALS: [Column; 12] = [
    column("market_cap_formatted", "market value", Kind::Name),
    column("pe_ratio", "P/E", Kind::Number(1)),
    column("eps", "EPS", Kind::Number(2)),
    column("dividend_yield", "dividend yield", Kind::Percent),
    column("revenue_formatted", "revenue", Kind::Name),
    column("profit_margin", "profit margin", Kind::Percent),
    column("debt_to_equity", "debt to equity", Kind::Number(2)),
    column("beta", "beta", Kind::Number(2)),
    column("fifty_two_week_high", "52-week high", Kind::Price),
    column("fifty_two_week_low", "52-week low", Kind::Price),
    column("period_end", "period to", Kind::Name),
    column("basis", "basis", Kind::Word),
];

const INSIDER: [Column; 7] = [
    column("date", "DATE", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("title", "TITLE", Kind::Text).if_room(),
    column("transaction_type", "TYPE", Kind::Word),
    column("shares", "SHARES", Kind::Count),
    column("value", "VALUE USD", Kind::Count),
    column("filing_url", "FILING", Kind::Text).in_csv(),
];

const FILINGS: [Column; 5] = [
    column("filed_date", "FILED", Kind::Name),
    column("form_type", "FORM", Kind::Name),
    column("period_of_report", "PERIOD", Kind::Name).if_room(),
    column("description", "DESCRIPTION", Kind::Text),
    column("filing_url", "ADDRESS", Kind::Name).if_room(),
];

const CONSENSUS: [Column; 5] = [
    column("consensus", "consensus", Kind::Word),
    column("num_analysts", "analysts", Kind::Count),
    column("avg_target", "mean target", Kind::Price),
    column("high_target", "highest target", Kind::Price),
    column("low_target", "lowest target", Kind::Price),
];

const RATINGS: [Column; 5] = [
    column("date", "DATE", Kind::Name),
    column("firm", "FIRM", Kind::Text),
    column("analyst", "ANALYST", Kind::Text).if_room(),
    column("rating", "RATING", Kind::Word),
    column("target", "TARGET", Kind::Price),
];

const HOLDERS: [Column; 6] = [
    column("institution", "INSTITUTION", Kind::Text),
    column("shares", "SHARES", Kind::Count),
    column("value", "VALUE USD", Kind::Count),
    column("portfolio_pct", "OF PORTFOLIO", Kind::Percent).if_room(),
    column("change_pct", "CHANGE", Kind::Change),
    column("report_date", "REPORTED", Kind::Name).if_room(),
];

const CANDLES: [Column; 6] = [
    column("date", "DATE", Kind::Name),
    column("open", "OPEN", Kind::Price),
    column("high", "HIGH", Kind::Price),
    column("low", "LOW", Kind::Price),
    column("close", "CLOSE", Kind::Price),
    column("volume", "VOLUME", Kind::Count),
];

const HISTORY: [Column; 6] = [
    column("date", "DATE", Kind::Name),
    column("avg_sentiment", "MEAN", Kind::Number(2)),
    column("min_sentiment", "LOWEST", Kind::Number(2)),
    column("max_sentiment", "HIGHEST", Kind::Number(2)),
    column("brief_count", "BRIEFS", Kind::Count),
    column("avg_confidence", "CONFIDENCE", Kind::Number(2)),
];

const SECTOR: [Column; 1] = [column("sector", "sector", Kind::Text)];

const COMPETITORS: [Column; 8] = [
    column("ticker", "TICKER", Kind::Name),
    column("entity_name", "NAME", Kind::Text),
    column("price", "PRICE", Kind::Price),
    column("change_pct", "CHANGE", Kind::Change),
    column("rsi_14", "RSI", Kind::Number(1)).if_room(),
    column("sentiment_score", "SENTIMENT", Kind::Number(2)).if_room(),
    column("briefs_7d", "BRIEFS 7D", Kind::Count).if_room(),
    column("market_cap_b", "VALUE BN", Kind::Number(1)),
];

/// The indicators of an answer, a row each: `macd.signal` for one inside another.
pub(super) fn indicators(answer: &Value) -> Vec<Value> {
    let mut rows = Vec::new();
    let latest = answer.get("latest").and_then(Value::as_object);
    for (name, value) in latest.into_iter().flatten() {
        match value {
            Value::Object(parts) => rows.extend(parts.iter().map(
                |(part, value)| json!({"indicator": format!("{name}.{part}"), "value": value}),
            )),
            value if name != "price" => rows.push(json!({"indicator": name, "value": value})),
            _ => {}
        }
    }
    rows
}
