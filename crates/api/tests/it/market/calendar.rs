//! The calendar of events.

use model::{Earnings, EarningsStatus, ReportTime};
use serde_json::Value;

use super::fixtures::{day, market, symbol, time};
use super::markets::get;
use crate::support::TestServer;

fn earnings(ticker: &str, date: &str, status: EarningsStatus) -> Earnings {
    Earnings {
        symbol: symbol(ticker),
        fiscal_quarter: "Q1 2026".to_owned(),
        date: day(date),
        status,
        time: Some(ReportTime::AfterMarket),
        eps_estimate: Some(1.25),
        revenue_estimate: None,
        eps_actual: None,
        revenue_actual: None,
        source: "simulated".to_owned(),
    }
}

async fn with_earnings() -> TestServer {
    let server = market().await;
    let store = &server.state.store;
    let mut transaction = store
        .market_transaction(time("2026-03-09T22:00:00Z"))
        .await
        .unwrap();
    let known = [
        (
            earnings("ACME", "2026-03-20", EarningsStatus::Estimated),
            time("2026-02-01T00:00:00Z"),
        ),
        (
            earnings("ACME", "2026-03-24", EarningsStatus::Confirmed),
            time("2026-03-05T00:00:00Z"),
        ),
        (
            earnings("BOLT", "2026-03-24", EarningsStatus::Estimated),
            time("2026-02-01T00:00:00Z"),
        ),
    ];
    transaction.put_records(known).await.unwrap();
    transaction.commit().await.unwrap();
    server
}

fn dates(body: &Value) -> Vec<String> {
    body["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| {
            let word = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", word("date"), word("type"), word("ticker"))
        })
        .collect()
}

#[tokio::test]
async fn earnings_are_those_known_at_the_time() {
    let server = with_earnings().await;
    let body = get(&server, "/events/calendar?type=earnings").await;
    assert_eq!(
        dates(&body),
        ["2026-03-24 earnings ACME", "2026-03-24 earnings BOLT"]
    );
    assert_eq!(
        (&body["from"], &body["to"]),
        (&"2026-03-10".into(), &"2026-04-09".into())
    );
    let event = &body["events"][0];
    assert_eq!(event["title"], "Acme Instruments Q1 2026 earnings");
    assert_eq!(event["status"], "confirmed");
    assert_eq!(event["details"]["eps_estimate"], 1.25);
    assert_eq!(event["details"]["usual_time"], "after_market");
    assert!(event["time"].is_null());
    assert_eq!(body["events"][1]["status"], "estimated");
    let path = "/events/calendar?type=earnings&tickers=acme,ACME&as_of=2026-03-04T00:00:00Z";
    let then = get(&server, path).await;
    assert_eq!(dates(&then), ["2026-03-20 earnings ACME"]);
    assert_eq!(then["from"], "2026-03-04");
}

#[tokio::test]
async fn holidays_half_days_and_releases_follow_their_rules() {
    let server = with_earnings().await;
    let body = get(
        &server,
        "/events/calendar?from=2026-11-24&to=2026-11-30&tickers=ACME",
    )
    .await;
    assert_eq!(
        dates(&body),
        [
            "2026-11-25 economic -",
            "2026-11-26 holiday -",
            "2026-11-27 half_day -"
        ]
    );
    assert_eq!(body["events"][1]["title"], "Thanksgiving Day");
    assert_eq!(body["events"][1]["status"], "confirmed");
    assert_eq!(body["events"][2]["time"], "2026-11-27T18:00:00Z");
    assert_eq!(body["events"][0]["status"], "estimated");
    assert_eq!(body["events"][0]["time"], "2026-11-25T13:30:00Z");
    let body = get(
        &server,
        "/events/calendar?from=2026-03-02&to=2026-04-03&type=economic",
    )
    .await;
    let employment: Vec<&Value> = body["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["title"].as_str().unwrap().contains("payroll"))
        .map(|event| &event["date"])
        .collect();
    assert_eq!(employment, ["2026-03-06", "2026-04-03"]);
    let limited = get(
        &server,
        "/events/calendar?from=2026-01-01&to=2026-06-30&type=holiday&limit=2",
    )
    .await;
    assert_eq!(
        dates(&limited),
        ["2026-01-01 holiday -", "2026-01-19 holiday -"]
    );
    assert_eq!(limited["total"], 6);
}

#[tokio::test]
async fn bad_periods_and_words_are_named() {
    let server = with_earnings().await;
    for (query, named) in [
        ("from=2026-13-01", "from"),
        ("to=2026-03-09", "to"),
        ("from=2026-01-01&to=2026-07-01", "180"),
        ("type=party", "type"),
        ("limit=501", "limit"),
    ] {
        let path = format!("/api/v1/events/calendar?{query}");
        let body = server
            .get(&path)
            .send()
            .await
            .expect_error(400, "invalid_request");
        assert!(body["message"].as_str().unwrap().contains(named), "{body}");
    }
    let path = "/api/v1/events/calendar?tickers=ACME,ACNE";
    let body = server
        .get(path)
        .send()
        .await
        .expect_error(404, "unknown_symbol");
    assert_eq!(body["suggestions"][0], "ACME");
    let widest = get(&server, "/events/calendar?from=2026-01-01&to=2026-06-30").await;
    assert_eq!(widest["to"], "2026-06-30");
}
