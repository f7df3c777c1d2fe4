//! What is written about reported figures of fiscal periods, about sums that suppose a price, and about masses.

use serde_json::{Value, json};

use super::summary;

fn row(year: u16, quarter: Option<u8>, end: &str, revenue: f64, income: f64) -> Value {
    json!({
        "fiscal_year": year, "fiscal_quarter": quarter, "period_end": end, "filed_date": "2026-10-30",
        "revenue": revenue, "net_income": income, "eps": null, "revenue_growth": 12.5,
        "operating_margin": income / revenue * 100.0,
    })
}

fn statements(rows: &[Value]) -> Value {
    json!({"ticker": "AAPL", "currency": "USD", "statements": rows})
}

/// Fiscal years that end in September.
fn quarters() -> Value {
    statements(&[
        row(2026, Some(4), "2026-09-26", 102.0e9, 27.0e9),
        row(2026, Some(3), "2026-06-27", 94.0e9, 23.0e9),
        row(2026, Some(2), "2026-03-28", 95.0e9, 24.0e9),
        row(2025, Some(3), "2025-06-28", 85.0e9, 21.0e9),
    ])
}

#[test]
fn a_quarter_is_the_fiscal_one_and_the_calendar_one_stands_beside_it() {
    let text = summary(
        "Apple's revenue in Q3 2026",
        json!({"statements": quarters()}),
    );
    assert!(
        text.contains("in the third quarter of fiscal 2026 (three months to 27 Jun 2026): revenue **$94.00 billion** (+12.50% on the year), first filed on 30 Oct 2026."),
        "{text}"
    );
    assert!(
        text.contains("By the calendar, Q3 of 2026 mostly lies in the fourth quarter of fiscal 2026 (three months to 26 Sep 2026) of AAPL: revenue $102.00 billion"),
        "{text}"
    );
    let fiscal = summary(
        "Apple's revenue in the third quarter of fiscal 2026",
        json!({"statements": quarters()}),
    );
    assert!(!fiscal.contains("By the calendar"), "{fiscal}");
}

#[test]
fn a_period_without_a_statement_is_said_not_to_be_on_record() {
    let text = summary(
        "Apple's net income in Q1 2019",
        json!({"statements": quarters()}),
    );
    assert!(
        text.contains("no statement for the quarter Q1 of fiscal 2019 is on record; the newest one is of the period to 26 Sep 2026."),
        "{text}"
    );
    assert!(!text.contains("billion"), "{text}");
}

#[test]
fn two_quarters_are_compared_from_the_older_to_the_newer() {
    let text = summary(
        "Apple's revenue and operating margin in fiscal Q3 2026 and fiscal Q3 2025",
        json!({"statements": quarters()}),
    );
    assert!(
        text.contains("revenue was $94.00 billion in the third quarter of fiscal 2026 (three months to 27 Jun 2026), after $85.00 billion")
            && text.contains("(**+10.59%**)"),
        "{text}"
    );
    // Shares differ in points.
    assert!(text.contains("(**-0.2 points**)"), "{text}");
}

#[test]
fn of_two_companies_the_one_with_more_is_named() {
    let of = |income: f64| statements(&[row(2025, None, "2025-12-31", 400.0e9, income)]);
    let text = summary(
        "which had the higher net income in 2025, Apple or Nvidia",
        json!({"statements": {"AAPL": of(90.0e9), "NVDA": of(101.0e9)}}),
    );
    assert!(
        text.contains(
            "**NVDA** has the higher net income: $101.00 billion against $90.00 billion of AAPL."
        ),
        "{text}"
    );
}

fn price(value: f64) -> Value {
    json!({"price": value, "currency": "USD", "updated_at": "2026-11-20T21:00:00Z", "market_state": "CLOSED"})
}

#[test]
fn a_position_ends_with_the_price_that_the_question_supposes() {
    for (question, expected) in [
        (
            "If I own 100 shares of AAPL and it falls 15%, how much are they worth?",
            "would be worth **$17,000.00** at $170.00, -15.00% from the price of $200.00 on 20 Nov 2026.",
        ),
        (
            "if AAPL goes to 250 what are my 20 shares worth",
            "would be worth **$5,000.00** at $250.00, +25.00% from the price of $200.00",
        ),
        (
            "I bought 10 AAPL at 150 and sold at 180, what is my profit?",
            "fetched **$1,800.00** at $180.00, the price of the sale as the question has it. They cost $1,500.00, which makes a gain of **$300.00** (**+20.00%**).",
        ),
    ] {
        let text = summary(question, json!({"price": price(200.0)}));
        assert!(text.contains(expected), "{question}: {text}");
    }
}

#[test]
fn a_price_is_told_for_the_mass_that_is_named() {
    let gold = json!({"name": "Gold", "price": 3110.35, "unit": "USD per troy ounce", "frequency": "daily", "date": "2026-11-20"});
    let data = json!({"commodities": {"gold": gold}});
    let text = summary("gold price per gram", data.clone());
    assert!(text.contains("That is **100.00** USD per gram"), "{text}");
    let text = summary("gold price per ounce", data);
    assert!(!text.contains("That is"), "{text}");
}

#[test]
fn the_last_cut_is_the_newest_month_in_which_the_rate_fell() {
    let seen = |date: &str, value: f64| json!({"date": date, "value": value});
    let rate = json!({"name": "Federal Funds Rate", "unit": "percent", "frequency": "monthly", "observations": [
        seen("2026-10-01", 3.88), seen("2026-09-01", 3.63), seen("2026-08-01", 3.63), seen("2026-07-01", 3.88), seen("2026-06-01", 3.90),
    ]});
    let data = json!({"economy": {"fed_funds": rate}});
    let text = summary("when did the Fed last cut rates", data.clone());
    assert!(
        text.contains("last fell in **August 2026**, from 3.88 to 3.63"),
        "{text}"
    );
    let text = summary("when did the Fed last raise rates", data);
    assert!(text.contains("last rose in **October 2026**"), "{text}");
}
