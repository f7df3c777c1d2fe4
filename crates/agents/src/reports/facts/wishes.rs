//! Which operations are called for a report, by kind and tier.

use serde_json::{Value, json};

use super::{Kind, MARKET};
use crate::reports::tier::Tier;

/// The most briefs to read.
const MOST_BRIEFS: u64 = 30;

/// An operation to call: the name here, its name there, its arguments, and a description in words.
type Wish = (&'static str, &'static str, Value, &'static str);

/// The operations to call for a report.
pub(super) fn wishes(ticker: &str, kind: Kind, tier: Tier) -> Vec<Wish> {
    let of = |extra: Value| {
        let mut arguments = json!({"symbol": ticker});
        if let (Some(into), Value::Object(extra)) = (arguments.as_object_mut(), extra) {
            into.extend(extra);
        }
        arguments
    };
    let mut wishes: Vec<Wish> = vec![
        (
            "record",
            "show_ticker",
            of(json!({})),
            "the record of the symbol",
        ),
        (
            "candles",
            "list_candles",
            of(json!({"range": "5y"})),
            "daily prices",
        ),
        (
            "technicals",
            "show_technicals",
            of(json!({})),
            "technical indicators",
        ),
        ("analysis", "analyze_ticker", of(json!({})), "the signal"),
        (
            "score",
            "score_ticker",
            of(json!({})),
            "the composite score",
        ),
        (
            "news",
            "list_ticker_news",
            of(json!({"limit": MOST_BRIEFS, "days": 30})),
            "news coverage of the last 30 days",
        ),
        (
            "sentiment",
            "list_sentiment_history",
            of(json!({"days": 90})),
            "daily sentiment of the last 90 days",
        ),
        (
            "impact",
            "measure_news_impact",
            of(json!({"days": 30})),
            "price moves after the news",
        ),
    ];
    if ticker != MARKET {
        let arguments = json!({"symbol": MARKET, "range": "5y"});
        wishes.push(("market", "list_candles", arguments, "prices of the market"));
    }
    if kind == Kind::Share {
        wishes.extend([
            (
                "financials",
                "show_financials",
                of(json!({})),
                "company figures",
            ),
            (
                "earnings",
                "list_earnings",
                of(json!({})),
                "the next earnings report",
            ),
            ("competitors", "list_competitors", of(json!({})), "peers"),
            (
                "whole",
                "show_ticker_in_full",
                of(json!({})),
                "earnings history",
            ),
        ]);
    }
    if kind == Kind::Coin {
        wishes.push(("coin", "show_coin", of(json!({})), "figures of the coin"));
    }
    wishes.push((
        "yields",
        "show_treasury_yields",
        json!({}),
        "Treasury yields",
    ));
    if tier == Tier::Quick {
        return wishes;
    }
    wishes.extend([
        (
            "shifts",
            "list_sentiment_signals",
            of(json!({"days": 60, "threshold": 0.12})),
            "shifts of sentiment",
        ),
        (
            "sectors",
            "list_sectors",
            json!({"days": 7}),
            "sentiment of sectors",
        ),
        (
            "inflation",
            "show_economic_indicator",
            json!({"indicator": "cpi", "limit": 14}),
            "consumer prices",
        ),
        (
            "funds_rate",
            "show_economic_indicator",
            json!({"indicator": "fed_funds", "limit": 7}),
            "the federal funds rate",
        ),
        (
            "jobless",
            "show_economic_indicator",
            json!({"indicator": "unemployment", "limit": 7}),
            "unemployment",
        ),
        (
            "ten_year",
            "show_economic_indicator",
            json!({"indicator": "treasury_10y", "limit": 64}),
            "the ten-year yield over time",
        ),
        (
            "calendar",
            "list_calendar_events",
            json!({"type": "economic", "limit": 20}),
            "coming economic releases",
        ),
        (
            "contradictions",
            "list_contradictions",
            json!({"period": "30d", "limit": 100}),
            "contradictions between outlets",
        ),
    ]);
    if kind == Kind::Share {
        wishes.extend([
            (
                "analysts",
                "show_analyst_ratings",
                of(json!({})),
                "ratings of analysts",
            ),
            (
                "insider",
                "list_insider_trades",
                of(json!({"days": 180, "limit": 50})),
                "insider trades of the last 180 days",
            ),
            (
                "statements",
                "list_statements",
                of(json!({"period": "quarter", "limit": 8})),
                "statements by quarter",
            ),
            (
                "filings",
                "list_filings",
                of(json!({"limit": 20})),
                "filings",
            ),
            (
                "institutions",
                "list_institutional_holders",
                of(json!({"limit": 20})),
                "institutional holders",
            ),
            (
                "congress",
                "list_congress_trades",
                of(json!({"limit": 20})),
                "trades of members of Congress",
            ),
        ]);
    }
    if kind == Kind::Coin {
        wishes.push((
            "coins",
            "show_crypto_market",
            json!({}),
            "the market of coins",
        ));
    }
    wishes
}
