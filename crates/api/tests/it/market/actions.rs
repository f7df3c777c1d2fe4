//! Corporate actions: what is listed of them, and that prices and reported figures are in one scale on every day.

use http::StatusCode;
use model::{ActionKind, AssetType, CorporateAction, Instrument};
use serde_json::Value;

use super::company::records::world;
use super::fixtures::{ACME, SESSIONS, acme, day, symbol, time};
use crate::support::TestServer;

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = server.get(&format!("/api/v1{path}")).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

fn action(kind: ActionKind, on: &str) -> CorporateAction {
    CorporateAction {
        symbol: symbol(ACME),
        kind,
        ex_date: day(on),
        ratio: None,
        amount: None,
        currency: None,
        new_symbol: None,
        announced: None,
        no_later_than: None,
        source: "actions".to_owned(),
    }
}

async fn put(server: &TestServer, actions: Vec<CorporateAction>) {
    let store = &server.state.store;
    let recorded = time("2026-03-09T23:00:00Z");
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    let acme = Instrument::bare(symbol(ACME), AssetType::Equity);
    transaction.touch(&acme);
    let records = actions.into_iter().map(|action| {
        let announced = action.announced.map(|day| day.plus(1).starts_at());
        let known_at = announced.unwrap_or(action.ex_date.starts_at());
        (action, known_at)
    });
    transaction.put_records(records).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

fn split(ratio: f64) -> CorporateAction {
    CorporateAction {
        ratio: Some(ratio),
        announced: Some(day("2026-02-16")),
        ..action(ActionKind::Split, "2026-02-27")
    }
}

fn close_to(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found}"));
    assert!(
        (found / wanted - 1.0).abs() < 1e-9,
        "{found} is not {wanted}"
    );
}

fn close_on(body: &Value, date: &str) -> Value {
    let candles = body["candles"].as_array().unwrap();
    let found = candles.iter().find(|candle| candle["date"] == date);
    found.unwrap_or_else(|| panic!("no {date}: {body}"))["close"].clone()
}

#[tokio::test]
async fn price_and_earnings_are_in_one_scale_before_and_after_a_split() {
    let server = world().await;
    let price = acme(SESSIONS - 1);
    put(&server, vec![split(2.0)]).await;
    // The filings of February report the old number of shares, the prices contain the split.
    let now = get(&server, "/ticker/ACME/financials").await;
    close_to(&now["eps"], 3.0);
    close_to(&now["pe_ratio"], price / 3.0);
    close_to(&now["market_cap"], price * 4e8);
    close_to(&now["dividend_yield"], 0.75 / price * 100.0);
    // Before it, as it was then: twice the price, the reported earnings, the same ratio.
    let then = "2026-02-20T22:00:00Z";
    let before = get(&server, &format!("/ticker/ACME/financials?as_of={then}")).await;
    let shown = get(&server, &format!("/ticker/ACME/price?as_of={then}")).await;
    close_to(&before["eps"], 6.0);
    let paid = shown["price"].as_f64().unwrap();
    close_to(&before["pe_ratio"], paid / 6.0);
    close_to(&before["market_cap"], paid * 2e8);
    let adjusted = get(&server, "/ticker/ACME/candles").await;
    close_to(&close_on(&adjusted, "2026-02-20"), paid / 2.0);
    // The same in the screener's rows.
    let screen = serde_json::json!({"filters": {"market_cap_above": 1}, "sort": "market_cap"});
    let found = server.post("/api/v1/screener", &screen).send().await.json();
    let row = &found["matches"][0];
    assert_eq!(row["ticker"], ACME);
    close_to(&row["pe_ratio"], price / 3.0);
    close_to(&row["market_cap_b"], price * 0.4);
}

#[tokio::test]
async fn candles_are_served_as_traded_and_with_dividends_taken_off() {
    let server = world().await;
    let dividend = CorporateAction {
        amount: Some(1.0),
        currency: Some("USD".to_owned()),
        ..action(ActionKind::Dividend, "2026-03-04")
    };
    put(&server, vec![split(2.0), dividend]).await;
    let splits = get(&server, "/ticker/ACME/candles").await;
    let none = get(&server, "/ticker/ACME/candles?adjust=none").await;
    let all = get(&server, "/ticker/ACME/candles?adjust=all").await;
    let close = |body: &Value, date: &str| close_on(body, date).as_f64().unwrap();
    let words = [&splits, &none, &all].map(|body| body["adjust"].as_str().unwrap().to_owned());
    assert_eq!(words, ["splits", "none", "all"]);
    close_to(
        &close_on(&none, "2026-02-26"),
        2.0 * close(&splits, "2026-02-26"),
    );
    close_to(&close_on(&none, "2026-02-27"), close(&splits, "2026-02-27"));
    let kept = 1.0 - 1.0 / close(&splits, "2026-03-03");
    close_to(
        &close_on(&all, "2026-03-03"),
        kept * close(&splits, "2026-03-03"),
    );
    close_to(&close_on(&all, "2026-03-04"), close(&splits, "2026-03-04"));
    let between = get(
        &server,
        "/ticker/ACME/candles?from=2026-02-26&to=2026-03-03",
    )
    .await;
    assert_eq!(between["candle_count"], 4);
    let reply = server.get("/api/v1/ticker/ACME/candles?adjust=both").send();
    assert_eq!(reply.await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn actions_are_listed_as_known_then_and_new_names_lead_on() {
    let server = world().await;
    let renamed = CorporateAction {
        symbol: symbol("OLDACME"),
        new_symbol: Some(symbol(ACME)),
        ..action(ActionKind::SymbolChange, "2025-06-02")
    };
    put(&server, vec![split(2.0), renamed]).await;
    let body = get(&server, "/ticker/ACME/actions").await;
    let one = &body["actions"][0];
    assert_eq!(
        (
            &one["type"],
            &one["ex_date"],
            &one["ratio"],
            &one["inferred"]
        ),
        (
            &"split".into(),
            &"2026-02-27".into(),
            &2.0.into(),
            &false.into()
        )
    );
    // Announced on the 16th, known at the end of that day.
    let count = async |as_of: &str| {
        let path = format!("/ticker/ACME/actions?as_of={as_of}");
        let body = get(&server, &path).await;
        body["actions"].as_array().unwrap().len()
    };
    assert_eq!(count("2026-02-16T23:59:59Z").await, 0);
    assert_eq!(count("2026-02-17T00:00:00Z").await, 1);
    let none = get(&server, "/ticker/ACME/actions?type=dividend").await;
    assert_eq!(none["data_status"][0]["field"], "actions");
    let old = get(&server, "/ticker/OLDACME/price").await;
    assert_eq!(old["ticker"], ACME);
}

#[tokio::test]
async fn a_gap_of_two_months_is_not_the_change_of_a_day() {
    let server = TestServer::start().await;
    let candle = |on: &str, close: f64| super::fixtures::bar(day(on), close, close, 1e6);
    let candles = [candle("2026-01-05", 200.0), candle("2026-03-09", 20.0)];
    let gaps = Instrument::bare(symbol("GAPS"), AssetType::Equity);
    let store = &server.state.store;
    let recorded = time("2026-03-09T23:00:00Z");
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    transaction.put_candles(&gaps, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let price = get(&server, "/ticker/GAPS/price").await;
    assert_eq!(price["price"], 20.0);
    assert!(price.get("change_pct").is_none(), "{price}");
    let movers = get(&server, "/market/movers").await;
    assert_eq!(movers["losers"].as_array().unwrap().len(), 0);
}
