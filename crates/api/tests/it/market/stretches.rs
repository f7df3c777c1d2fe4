//! Several symbols in one call, figures along time, and statements period by period.

use http::StatusCode;
use model::{Day, Filing, Frequency};
use serde_json::{Value, json};

use super::company::records::world;
use super::fixtures::{ACME, RECORDED, SESSIONS, acme, bolt, market, symbol, time};
use super::markets::{close_to, get, put_series};
use crate::support::TestServer;

#[tokio::test]
async fn several_prices_stand_in_the_order_of_the_request() {
    let server = market().await;
    let path = "/ticker/prices?symbols=BOLT,%20acme,NOSUCH,BTC,BOLT";
    let body = get(&server, path).await;
    let rows = body["prices"].as_array().unwrap();
    let tickers: Vec<&Value> = rows.iter().map(|row| &row["ticker"]).collect();
    assert_eq!(tickers, ["BOLT", "ACME", "BTC"]);
    close_to(&rows[0]["price"], bolt(SESSIONS - 1));
    close_to(&rows[1]["price"], acme(SESSIONS - 1));
    assert_eq!(rows[1]["date"], "2026-03-09");
    assert_eq!(rows[1]["stale"], false);
    assert_eq!(body["unknown"][0]["symbol"], "NOSUCH");
    assert_eq!(body["credits_used"], 1);
    // Each is what the price of one is.
    let alone = get(&server, "/ticker/BTC/price").await;
    for field in [
        "price",
        "change_pct",
        "currency",
        "updated_at",
        "market_state",
    ] {
        assert_eq!(rows[2][field], alone[field], "{field}");
    }

    let member = server.unlimited().await;
    let ask = async |path: &str| {
        let asked = server.get(&format!("/api/v1{path}")).bearer(&member.key);
        asked.send().await
    };
    let one = ask("/ticker/prices?symbols=ACME").await;
    assert_eq!(one.charged(), 1);
    let unknown = ask("/ticker/prices?symbols=ACNE").await;
    assert_eq!(unknown.charged(), 0);
    let unknown = unknown.expect_error(404, "unknown_symbol");
    assert_eq!(unknown["suggestions"][0], "ACME");
    for list in ["", "?symbols=", "?symbols=,%20,"] {
        let none = ask(&format!("/ticker/prices{list}")).await;
        none.expect_error(400, "invalid_request");
    }
    let many: Vec<String> = (0..51).map(|number| format!("A{number}")).collect();
    let many = ask(&format!("/ticker/prices?symbols={}", many.join(","))).await;
    many.expect_error(400, "invalid_request");
}

#[tokio::test]
async fn candles_of_several_symbols_are_those_of_each() {
    let server = market().await;
    let window = "range=1mo&interval=1wk&adjust=none";
    let body = get(
        &server,
        &format!("/ticker/candles?symbols=FUND,ACME&{window}"),
    )
    .await;
    assert_eq!(
        (&body["adjust"], &body["credits_used"]),
        (&json!("none"), &json!(2))
    );
    let mut expected = Vec::new();
    for ticker in ["FUND", "ACME"] {
        let alone = get(&server, &format!("/ticker/{ticker}/candles?{window}")).await;
        for candle in alone["candles"].as_array().unwrap() {
            let mut row = candle.clone();
            row["ticker"] = json!(ticker);
            row["currency"] = json!("USD");
            expected.push(row);
        }
    }
    assert_eq!(body["candles"], Value::Array(expected));
}

#[tokio::test]
async fn indicators_along_a_range_end_with_the_latest() {
    let server = market().await;
    let body = get(&server, "/ticker/ACME/technicals?range=1mo&series=true").await;
    let rows = body["series"].as_array().unwrap();
    let candles = get(&server, "/ticker/ACME/candles?range=1mo").await;
    let days = |rows: &Value| -> Vec<Value> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row["date"].clone()).collect()
    };
    assert_eq!(days(&body["series"]), days(&candles["candles"]));
    let last = rows.last().unwrap().as_object().unwrap();
    for (name, value) in last.iter().filter(|(name, _)| *name != "date") {
        assert_eq!(*value, body["latest"][name], "{name}");
    }
    assert!(!last.contains_key("fibonacci"));
    // A row is what was known that evening.
    let row = &rows[rows.len() - 6];
    let then = row["date"].as_str().unwrap();
    let path = format!("/ticker/ACME/technicals?range=1mo&as_of={then}T23:00:00Z");
    let known = get(&server, &path).await;
    for name in [
        "rsi_14",
        "sma_200",
        "macd",
        "adx_14",
        "ichimoku",
        "parabolic_sar",
    ] {
        assert_eq!(row[name], known["latest"][name], "{name}");
    }
    let plain = get(&server, "/ticker/ACME/technicals?range=1mo").await;
    assert!(plain.get("series").is_none());
}

#[tokio::test]
async fn pairs_commodities_and_indicators_have_a_past() {
    let server = TestServer::start().await;
    let rates = [
        ("2025-01-02", 1.03),
        ("2026-02-20", 1.10),
        ("2026-03-06", 1.12),
        ("2026-03-09", 1.155),
    ];
    let gold = [("2026-01-01", 4_000.0), ("2026-02-01", 4_100.0)];
    let prices = [("2025-12-01", 320.0), ("2026-01-01", 321.0)];
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            ("fx:EURUSD", "USD per EUR", Frequency::Daily, 0, &rates),
            (
                "commodity:gold/spot",
                "USD per ounce",
                Frequency::Monthly,
                0,
                &gold,
            ),
            ("macro:CPIAUCSL", "index", Frequency::Monthly, 0, &prices),
        ],
    )
    .await;
    let history = async |path: &str| -> Vec<(String, f64)> {
        let body = get(&server, path).await;
        let rows = body["history"].as_array().unwrap().iter();
        rows.map(|row| {
            let date = row["date"].as_str().unwrap().to_owned();
            (date, row["value"].as_f64().unwrap())
        })
        .collect()
    };
    let wanted = |rows: &[(&str, f64)]| -> Vec<(String, f64)> {
        rows.iter()
            .map(|(day, value)| ((*day).to_owned(), *value))
            .collect()
    };
    assert_eq!(
        history("/forex/EURUSD?range=1mo").await,
        wanted(&rates[1..])
    );
    let path = "/forex/EURUSD?from=2025-01-01&to=2026-03-06";
    assert_eq!(history(path).await, wanted(&rates[..3]));
    let path = "/forex/EURUSD?range=1mo&as_of=2026-03-08";
    assert_eq!(history(path).await, wanted(&rates[1..3]));
    let path = "/commodities/gold?range=1y";
    assert_eq!(history(path).await, wanted(&gold));
    assert!(get(&server, "/forex/EURUSD").await.get("history").is_none());
    let none = get(&server, "/forex/EURUSD?from=2027-01-01").await;
    assert_eq!(none["history"], json!([]));
    assert_eq!(
        none["data_status"][0]["newest_available"],
        "2026-03-10T00:00:00Z"
    );
    // Nothing is known of this one at all.
    let none = get(&server, "/forex/GBPUSD?range=1y").await;
    assert_eq!(none["history"], json!([]));

    let past = get(&server, "/economy/cpi?from=2025-11-01&to=2025-12-31").await;
    assert_eq!(
        past["observations"],
        json!([{"date": "2025-12-01", "value": 320.0}])
    );
    assert_eq!(past["latest"]["date"], "2026-01-01");
}

#[tokio::test]
async fn statements_are_listed_by_period() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/statements?period=year").await;
    assert_eq!(
        (&body["currency"], &body["period"]),
        (&json!("USD"), &json!("year"))
    );
    let rows = body["statements"].as_array().unwrap();
    let [newest, before] = &rows[..] else {
        panic!("{body}")
    };
    assert_eq!(newest["period_start"], "2025-01-01");
    assert_eq!(newest["period_end"], "2025-12-31");
    assert_eq!(newest["filed_date"], "2026-02-10");
    assert_eq!(
        (&newest["revenue"], &newest["eps"]),
        (&json!(12e9), &json!(6.0))
    );
    close_to(&newest["profit_margin"], 10.0);
    close_to(&newest["return_on_equity"], 30.0);
    close_to(&newest["debt_to_equity"], 0.25);
    close_to(&newest["revenue_growth"], 20.0);
    // Growth from a loss has no sense.
    assert_eq!(newest["net_income_growth"], Value::Null);
    assert_eq!(
        (&newest["assets"], &newest["free_cash_flow"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(before["net_income"], -1e9);
    // The newer report was accepted in the evening.
    let path = "/ticker/ACME/statements?period=year&as_of=2026-02-10T21:29:59Z";
    let then = get(&server, path).await;
    assert_eq!(then["statements"], json!([before]));
    let quarters = get(&server, "/ticker/ACME/statements").await;
    assert_eq!(quarters["statements"], json!([]));
    for (ticker, word) in [("BTC", "equities only"), ("BOLT", "no filing")] {
        let none = get(&server, &format!("/ticker/{ticker}/statements")).await;
        let reason = none["data_status"][0]["reason"].as_str().unwrap();
        assert!(reason.contains(word), "{reason}");
        assert!(none.get("currency").is_none());
    }
}

/// An announcement of results after the close, and the report a day later.
fn results(date: &str) -> [Filing; 2] {
    let filing = |form: &str, description: &str, at: &str| Filing {
        accession: format!("{form}-{date}"),
        symbol: Some(symbol(ACME)),
        cik: 1,
        company_name: "Acme Instruments".to_owned(),
        form_type: form.to_owned(),
        filed_date: Day::of(time(at)),
        accepted_at: Some(time(at)),
        period_of_report: None,
        filing_url: String::new(),
        description: description.to_owned(),
        other_parties: Vec::new(),
    };
    [
        filing("8-K", "Items 2.02, 9.01", &format!("{date}T21:05:00Z")),
        filing("10-Q", "Quarterly report", &format!("{date}T21:55:00Z")),
    ]
}

#[tokio::test]
async fn the_next_report_is_projected_from_those_before() {
    let server = market().await;
    let days = [
        "2024-11-07",
        "2025-02-06",
        "2025-05-08",
        "2025-08-07",
        "2025-11-06",
        "2026-02-05",
    ];
    let mut transaction = server
        .state
        .store
        .market_transaction(time(RECORDED))
        .await
        .unwrap();
    let records = days.iter().flat_map(|day| results(day));
    let records = records.map(|filing| {
        let at = filing.accepted_at.unwrap();
        (filing, at)
    });
    transaction.put_records(records).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();

    let body = get(&server, "/ticker/ACME/earnings").await;
    assert_eq!(body["earnings_date"], "2026-05-07");
    assert_eq!(body["earnings_status"], "estimated");
    assert_eq!(body["usual_time"], "after_market");
    assert!(body.get("fiscal_quarter").is_none());
    let reason = body["data_status"][0]["reason"].as_str().unwrap();
    assert!(reason.ends_with("2025-05-08"), "{reason}");
    // A year ago three reports were no rhythm yet.
    let then = get(&server, "/ticker/ACME/earnings?as_of=2025-06-01").await;
    assert!(then.get("earnings_date").is_none());

    let path = "/events/calendar?type=earnings&from=2026-05-01&to=2026-05-31";
    let listed = get(&server, &format!("{path}&tickers=ACME,BOLT")).await;
    let event = &listed["events"][0];
    assert_eq!(
        (&event["date"], &event["ticker"]),
        (&json!("2026-05-07"), &json!("ACME"))
    );
    assert_eq!(event["status"], "estimated");
    assert_eq!(listed["total"], 1);
    // Of all companies only what sources say is listed.
    assert_eq!(get(&server, path).await["total"], 0);
    assert_eq!(
        server
            .get("/api/v1/ticker/FUND/earnings")
            .send()
            .await
            .status,
        StatusCode::OK
    );
}
