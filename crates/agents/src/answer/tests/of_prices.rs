//! What is written about prices below zero, levels, two prices, and moves that are counted in points.

use serde_json::{Value, json};

use super::{answered, summary};

fn seen(date: &str, value: f64) -> Value {
    json!({"date": date, "value": value})
}

fn oil(history: &[(&str, f64)]) -> Value {
    let history: Vec<Value> = history
        .iter()
        .map(|(date, value)| seen(date, *value))
        .collect();
    json!({"name": "Crude Oil (WTI)", "price": 48.52, "unit": "USD per barrel", "frequency": "daily",
        "date": "2020-12-31", "history": history})
}

const APRIL: [(&str, f64); 4] = [
    ("2020-04-16", 20.0),
    ("2020-04-17", 18.25),
    ("2020-04-20", -37.0),
    ("2020-04-21", 10.0),
];

#[test]
fn the_worst_day_of_oil_is_told_in_dollars() {
    let text = summary(
        "worst day of oil in 2020",
        json!({"commodities": {"crude": oil(&APRIL)}}),
    );
    assert!(
        text.contains("was 20 Apr 2020: **down 55.25** (USD per barrel) from the value before, from 18.25 to -37.00."),
        "{text}"
    );
    assert!(text.contains("A percentage has no meaning"), "{text}");
    assert!(
        text.contains("that of 17 Apr 2020 comes first with -8.75%"),
        "{text}"
    );
}

#[test]
fn a_move_to_a_price_below_zero_has_no_percentage() {
    let now = json!({"name": "Crude Oil (WTI)", "price": -37.0, "change": -55.25, "unit": "USD per barrel",
        "frequency": "daily", "date": "2020-04-20"});
    let then = json!({"price": 18.25, "date": "2020-04-17"});
    let text = summary(
        "oil price from 18 April 2020 to 20 April 2020",
        json!({"commodities": {"crude": now}, "commodities_before": {"crude": then}}),
    );
    assert!(text.contains("down 55.25 from the value before"), "{text}");
    assert!(
        text.contains("From 18.25 on 17 Apr 2020 to -37.00 on 20 Apr 2020: **down 55.25**."),
        "{text}"
    );
    assert_eq!(
        text.matches("A percentage has no meaning").count(),
        1,
        "{text}"
    );
    assert!(!text.contains('%'), "{text}");
}

#[test]
fn whether_a_commodity_closed_below_a_level_is_told_by_its_days() {
    let below = |question: &str| summary(question, json!({"commodities": {"crude": oil(&APRIL)}}));
    for question in [
        "Did oil close below zero in April 2020?",
        "Did crude go negative in April 2020?",
        "when did oil close below $0 in April 2020",
    ] {
        let text = below(question);
        assert!(
            text.contains("closed below 0.00 on **20 Apr 2020**, at **-37.00** USD per barrel."),
            "{question}: {text}"
        );
        assert!(!text.contains("48.52"), "{question}: {text}");
        let is_yes_or_no = question.starts_with("Did");
        assert_eq!(text.contains("Yes: **"), is_yes_or_no, "{question}: {text}");
    }
    let text = below("how often did oil close below 19 in April 2020");
    assert!(
        text.contains("closed below 19.00 on **3** of 4 days with a value"),
        "{text}"
    );
    let text = below("Did oil close above 30 in April 2020?");
    assert!(
        text.contains("never closed above 30.00 from 16 Apr 2020 to 21 Apr 2020."),
        "{text}"
    );
    assert!(
        text.contains("The highest close over that period was **20.00**"),
        "{text}"
    );
}

#[test]
fn a_level_is_compared_with_closes_of_its_currency() {
    let month = [("2020-08-03", 1_976.0), ("2020-08-31", 1_968.0)];
    let history: Vec<Value> = month
        .iter()
        .map(|(date, value)| json!({"date": date, "value": value, "high": 2_050.0}))
        .collect();
    let gold = json!({"name": "Gold", "price": 1_968.0, "currency": "USD", "unit": "USD per troy ounce",
        "frequency": "daily", "date": "2020-08-31", "history": history});
    let told = |question: &str| summary(question, json!({"commodities": {"gold": gold}}));
    let text = told("Did gold close above 2000 in August 2020?");
    assert!(text.contains("No: **Gold** never closed above"), "{text}");
    let text = told("Did gold hit 2000 in August 2020?");
    assert!(text.contains("**Gold** never closed above"), "{text}");
    assert!(!text.contains("No: "), "{text}");
    assert!(text.contains("closes are compared"), "{text}");
    let text = told("Did gold close above 1800 euros in August 2020?");
    assert!(text.contains("is not worked out"), "{text}");
    assert!(!text.contains("closed above"), "{text}");
}

#[test]
fn a_ratio_that_cannot_be_worked_out_is_said_not_to_be() {
    let found = answered("What is the gold/silver ratio?", json!({"between": {}}));
    assert!(
        found.summary.contains("could not be determined"),
        "{}",
        found.summary
    );
    assert!(found.at_most.is_some_and(|sure| sure < 0.45));
    let ounce = |value: f64| json!({"unit": "USD per troy ounce", "frequency": "daily", "history": [seen("2020-01-02", value)]});
    let text = summary(
        "gold/silver ratio on 2 January 2020",
        json!({"between": {"gold": ounce(1_500.0), "silver": ounce(20.0)}}),
    );
    assert!(
        text.contains(
            "was **75.00** on 2 Jan 2020: 1,500.00 USD per troy ounce to 20.00 USD per troy ounce."
        ),
        "{text}"
    );
}

#[test]
fn a_yield_over_a_time_is_told_in_points() {
    let yields = json!({"name": "10-Year Treasury Yield", "unit": "percent", "frequency": "daily",
        "observations": [seen("2022-12-30", 3.88), seen("2022-01-03", 1.63), seen("2021-12-31", 1.52)]});
    let text = summary(
        "How much did the 10-year yield rise in 2022?",
        json!({"economy": {"treasury_10y": yields}}),
    );
    assert!(
        text.contains(
            "For 31 Dec 2021 it was 1.52: up **2.36 percentage points** (236 basis points) since."
        ),
        "{text}"
    );
}

#[test]
fn basis_points_are_of_yields_and_policy_rates() {
    let rate = |name: &str| {
        json!({"name": name, "unit": "percent", "frequency": "monthly",
            "observations": [seen("2022-12-01", 3.5), seen("2022-01-01", 4.0), seen("2021-12-01", 3.9)]})
    };
    let text = summary(
        "How much did unemployment fall in 2022?",
        json!({"economy": {"unemployment": rate("Unemployment Rate")}}),
    );
    assert!(!text.contains("basis point"), "{text}");
}

#[test]
fn a_time_that_begins_with_a_day_counts_from_its_close() {
    let close = |date: &str, close: f64| json!({"date": date, "open": close, "high": close, "low": close, "close": close, "volume": 1.0});
    let candles = json!({"candles": [close("2025-02-18", 50.0), close("2025-02-19", 100.0), close("2025-03-21", 66.0)]});
    let told = |question: &str| summary(question, json!({ "candles": candles }));
    let text = told("how did Apple do from 19 February 2025 to 21 March 2025");
    assert!(text.contains("-34.00%"), "{text}");
    // For a month, the close before it.
    let text = told("how did Apple do in March 2025");
    assert!(text.contains("-34.00%"), "{text}");
    let text = told("how did Apple do from 20 February 2025 to 21 March 2025");
    assert!(text.contains("-34.00%"), "{text}");
}

#[test]
fn jobs_of_a_past_month_are_counted_against_the_month_before_it() {
    let jobs = json!({"name": "Nonfarm Payroll", "unit": "thousands of persons", "frequency": "monthly",
        "observations": [seen("2020-05-01", 133_000.0), seen("2020-04-01", 130_426.0), seen("2020-03-01", 150_895.0)]});
    let text = summary(
        "How many jobs were lost in April 2020?",
        json!({"economy": {"nonfarm_payroll": jobs}}),
    );
    assert!(
        text.contains("**20,469 thousand fewer** than for March 2020"),
        "{text}"
    );
}

#[test]
fn the_lowest_rate_of_a_currency_has_its_digits() {
    let pair = json!({"pair": "GBPUSD", "label": "British Pound / US Dollar", "rate": 1.2,
        "history": [seen("2022-01-03", 1.3482), seen("2022-09-28", 1.059_622), seen("2022-12-30", 1.2026)]});
    let text = summary("GBPUSD low in 2022", json!({"forex": {"GBPUSD": pair}}));
    assert!(text.contains("was **1.0596**, on 28 Sep 2022."), "{text}");
}
