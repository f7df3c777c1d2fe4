//! What is written about the values of a period, about a day that is not on record, and about what was asked but not
//! answered.

use model::Day;
use query::{Names, read};
use serde_json::{Value, json};

use super::{Answer, answered, summary};
use crate::answer::found;

fn seen(date: &str, value: f64) -> Value {
    json!({"date": date, "value": value})
}

#[test]
fn the_lowest_price_of_a_year_is_none_of_its_last_day() {
    let oil = json!({"name": "Crude Oil (WTI)", "price": 66.0, "unit": "USD per barrel", "frequency": "daily", "date": "2026-11-20",
        "history": [seen("2020-01-02", 61.17), seen("2020-04-20", -36.98), seen("2020-12-31", 48.52)],
        "data_status": [{"field": "price", "reason": "the newest price is old", "stale": true}]});
    let data = json!({"commodities": {"crude": oil}});
    let Answer {
        summary, at_most, ..
    } = answered("lowest WTI oil price in 2020", data);
    assert!(
        summary.starts_with(
            "The lowest value of **Crude Oil (WTI)** from 2 Jan 2020 to 31 Dec 2020 (3 values) was **-36.98** (USD per barrel), on 20 Apr 2020."
        ),
        "{summary}"
    );
    // The newest price does not belong to that time.
    assert!(!summary.contains("66.00"), "{summary}");
    assert!(!summary.contains("is old"), "{summary}");
    assert_eq!(at_most, None);
}

#[test]
fn the_mean_of_an_indicator_counts_its_values() {
    let yields = json!({"name": "10-Year Treasury Yield", "unit": "percent", "frequency": "daily",
        "observations": [seen("2022-12-30", 3.88), seen("2022-06-14", 3.49), seen("2022-01-03", 1.63)]});
    let text = summary(
        "average of the 10-year yield in 2022",
        json!({"economy": {"treasury_10y": yields}}),
    );
    assert!(
        text.starts_with(
            "The mean of **10-Year Treasury Yield** from 3 Jan 2022 to 30 Dec 2022 (3 values) was **3.00** (percent)."
        ),
        "{text}"
    );
}

#[test]
fn the_highest_level_of_an_index_is_one_of_its_closes() {
    let close = |date: &str, close: f64| json!({"date": date, "high": close + 3.0, "low": close, "close": close});
    let text = summary(
        "highest VIX close in 2020",
        json!({"levels": {"^VIX": {"candles": [close("2020-03-16", 82.69), close("2020-12-31", 22.75)]}}}),
    );
    assert!(text.contains("was **82.69**, on 16 Mar 2020."), "{text}");
    // The values of the year begin only in March.
    assert!(
        text.contains("no value before 16 Mar 2020 was compared"),
        "{text}"
    );
}

#[test]
fn what_is_asked_of_values_that_are_not_there_is_said_to_be_open() {
    let gold = json!({"name": "Gold", "price": 4_000.0, "unit": "USD per ounce", "date": "2026-11-20", "history": []});
    let Answer {
        summary, at_most, ..
    } = answered(
        "highest gold price in 2020",
        json!({"commodities": {"gold": gold}}),
    );
    assert!(summary.starts_with("The highest value of"), "{summary}");
    let unknown = summary.split("**Not known**").nth(1).unwrap_or_default();
    assert!(unknown.contains("could not be determined"), "{summary}");
    assert_eq!(at_most, Some(0.4));
}

#[test]
fn the_close_of_a_session_that_is_not_held_is_no_close_of_another() {
    let price = json!({"price": 209.95, "currency": "USD", "updated_at": "2025-07-07T20:00:00Z"});
    let bar = json!({"date": "2025-07-07", "open": 212.0, "high": 216.0, "low": 208.0, "close": 209.95, "volume": 5e7});
    let data = || json!({"price": price, "candles": {"candles": [bar]}});
    let Answer {
        summary, at_most, ..
    } = answered("AAPL close on 2025-07-09", data());
    let line = "No close of **Apple (AAPL)** on 9 Jul 2025 is on record; the nearest earlier one is from 7 Jul 2025.";
    assert_eq!(summary.matches(line).count(), 1, "{summary}");
    assert!(
        !summary.contains("its newest session of that time"),
        "{summary}"
    );
    let unknown = summary.split("**Not known**").nth(1).unwrap_or_default();
    assert!(
        unknown.contains("The close of Apple (AAPL) on 9 Jul 2025 is not on record."),
        "{summary}"
    );
    assert_eq!(at_most, Some(0.4));
    // The day is on record.
    let Answer {
        summary, at_most, ..
    } = answered("AAPL close on 2025-07-07", data());
    assert!(!summary.contains("No close"), "{summary}");
    assert_eq!(at_most, None);
}

#[test]
fn on_a_day_without_a_session_the_one_before_it_is_shown() {
    let price = json!({"price": 213.55, "currency": "USD", "updated_at": "2025-07-03T20:00:00Z"});
    for (day, said) in [("2025-07-04", "4 Jul 2025"), ("2025-07-06", "6 Jul 2025")] {
        let Answer {
            summary, at_most, ..
        } = answered(&format!("price of AAPL on {day}"), json!({"price": price}));
        let line = format!("There was no session on {said}; the one before it is shown.");
        assert!(summary.contains(&line), "{summary}");
        assert_eq!(at_most, None);
    }
}

#[test]
fn the_yields_of_a_day_are_those_published_on_the_next() {
    let of = |date: &str, value: f64| json!({"yields": [{"maturity": "10y", "name": "10-Year Treasury", "yield_pct": value, "date": date}]});
    let asked = |newest: Value| {
        summary(
            "10 year treasury yield on 19 October 2023",
            json!({"yields": newest, "yields_before": of("2023-10-18", 4.91)}),
        )
    };
    let text = asked(of("2023-10-19", 4.98));
    assert!(text.contains("**4.98%** on 19 Oct 2023"), "{text}");
    // If a source is known at once, the newest value of the next day is a different one.
    let text = asked(of("2023-10-20", 4.93));
    assert!(text.contains("**4.91%** on 18 Oct 2023"), "{text}");
}

#[test]
fn a_part_without_an_answer_stands_among_what_is_not_known() {
    let gold =
        json!({"name": "Gold", "price": 4_000.0, "unit": "USD per ounce", "date": "2026-11-25"});
    let Answer {
        summary, at_most, ..
    } = answered(
        "What is the price of gold and who is the president of France?",
        json!({"commodities": {"gold": gold}}),
    );
    assert!(summary.starts_with("**Gold** stands at"), "{summary}");
    let unknown = summary.split("**Not known**").nth(1).unwrap_or_default();
    assert!(
        unknown.contains("“who is the president of France” is not answered"),
        "{summary}"
    );
    assert_eq!(at_most, Some(0.7));
}

#[test]
fn a_clear_question_of_what_is_not_held_is_told_so() {
    let text = summary("What is the capital of France?", json!({}));
    assert!(
        text.starts_with("The answer to this is not on record here."),
        "{text}"
    );
    let text = summary("asdfgh qwerty", json!({}));
    assert!(text.starts_with("No question could be read"), "{text}");
}

#[test]
fn a_source_without_the_figure_that_is_asked_for_counts_as_one_that_answers_with_nothing() {
    let names = Names::new([query::Listed {
        symbol: model::Symbol::parse("AAPL").unwrap(),
        name: "Apple".to_owned(),
        kind: query::Kind::Share,
        currency: "USD".to_owned(),
        size: 1.0,
    }]);
    let of = |question: &str, key: &str, data: Value| {
        let reading = read(question, Day::parse("2026-11-26").unwrap(), &names);
        found(&reading, key, &data)
    };
    for (question, key, data, expected) in [
        ("AAPL market cap", "financials", json!({"beta": 1.1}), 0.4),
        (
            "AAPL market cap",
            "financials",
            json!({"market_cap_formatted": "$3T"}),
            1.0,
        ),
        (
            "P/E and market cap of AAPL",
            "financials",
            json!({"pe_ratio": 30.0}),
            0.7,
        ),
        (
            "fundamentals of AAPL",
            "financials",
            json!({"beta": 1.1}),
            1.0,
        ),
        ("dividend of AAPL", "dividends", json!({"actions": []}), 0.4),
        (
            "which stock fell most today",
            "movers",
            json!({"gainers": [], "losers": []}),
            0.4,
        ),
        (
            "how much cash does AAPL have",
            "statements",
            json!({"statements": [{"period_end": "2026-09-30", "revenue": 1.0}]}),
            0.4,
        ),
    ] {
        let share = of(question, key, data);
        assert!((share - expected).abs() < 1e-9, "{question}: {share}");
    }
}

#[test]
fn those_that_are_named_are_ranked_by_their_day_where_no_time_is_named() {
    let analysis =
        |change: f64| json!({"price": 100.0, "price_date": "2026-11-25", "change_pct": change});
    let text = summary(
        "which of AAPL and NVDA fell the most",
        json!({"analysis": {"AAPL": analysis(-1.0), "NVDA": analysis(-4.0)}}),
    );
    assert!(
        text.contains("**AAPL** did best with -1.00%, **NVDA** worst with -4.00%"),
        "{text}"
    );
}
