//! Records, prices, candles and indicators of one symbol.

use http::StatusCode;

use super::fixtures::{self, ACME, NEWEST, SESSIONS, acme, bar, day, instrument, market, time};
use model::AssetType;

fn close_to(found: &serde_json::Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
        "{found} is not {wanted}"
    );
}

#[tokio::test]
async fn a_record_tells_who_it_is_and_what_it_costs() {
    let server = market().await;
    let body = server.get("/api/v1/ticker/nasdaq:acme").send().await.json();
    assert_eq!(body["status"], "ok");
    assert_eq!(body["ticker"], ACME);
    assert_eq!(body["entity_name"], "Acme Instruments");
    assert_eq!(body["exchange"], "NASDAQ");
    assert_eq!(body["asset_type"], "equity");
    assert_eq!(body["sector"], "Information Technology");
    assert_eq!(body["briefs_24h"], 0);
    assert!(body["sentiment_score"].is_null());
    assert_eq!(body["trending"], false);
    close_to(&body["price"]["current"], acme(SESSIONS - 1));
    let change = (acme(SESSIONS - 1) / acme(SESSIONS - 2) - 1.0) * 100.0;
    close_to(&body["price"]["change_pct"], change);
    assert_eq!(body["price"]["market_state"], "PRE");
    assert_eq!(body["price"]["currency"], "USD");
    assert_eq!(body["price"]["updated_at"], "2026-03-09T20:00:00Z");
    assert_eq!(body["data_status"][0]["field"], "sentiment_score");
}

#[tokio::test]
async fn an_unknown_symbol_is_a_404_with_suggestions() {
    let server = market().await;
    for path in ["", "/price", "/candles", "/technicals"] {
        let reply = server
            .get(&format!("/api/v1/ticker/ACNE{path}"))
            .send()
            .await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        let body = reply.json();
        assert_eq!(body["error_code"], "unknown_symbol");
        assert_eq!(body["suggestions"][0], ACME, "{body}");
    }
    let reply = server.get("/api/v1/ticker/%F0%9F%92%A9").send().await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn candles_end_with_the_newest_session_and_follow_as_of() {
    let server = market().await;
    let body = server
        .get("/api/v1/ticker/ACME/candles?range=1mo")
        .send()
        .await
        .json();
    let candles = body["candles"].as_array().unwrap();
    assert_eq!(body["candle_count"], candles.len());
    assert_eq!(candles[0]["date"], "2026-02-09");
    let last = candles.last().unwrap();
    assert_eq!(last["date"], NEWEST);
    close_to(&last["close"], acme(SESSIONS - 1));
    close_to(&last["open"], acme(SESSIONS - 2));

    // A minute before Friday's close Thursday was the newest; at the close Friday is.
    for (time, newest) in [
        ("2026-03-06T20:59:00Z", "2026-03-05"),
        ("2026-03-06T21:00:00Z", "2026-03-06"),
    ] {
        let path = format!("/api/v1/ticker/ACME/candles?as_of={time}");
        let body = server.get(&path).send().await.json();
        let candles = body["candles"].as_array().unwrap();
        assert_eq!(candles.last().unwrap()["date"], newest, "{time}");
    }
    let weeks = server
        .get("/api/v1/ticker/ACME/candles?range=1mo&interval=1wk")
        .send()
        .await
        .json();
    assert_eq!(weeks["candles"][0]["date"], "2026-02-09");
    let long_ago = server
        .get("/api/v1/ticker/ACME/candles?as_of=2020-01-01")
        .send()
        .await
        .json();
    assert_eq!(long_ago["candle_count"], 0);
    assert_eq!(long_ago["data_status"][0]["field"], "candles");
}

#[tokio::test]
async fn a_correction_is_known_from_when_it_was_written() {
    let server = market().await;
    let instrument = instrument(ACME, AssetType::Equity, "Acme Instruments", None);
    let corrected = bar(day("2026-03-05"), 150.0, 151.0, 7.0);
    let mut transaction = server
        .state
        .store
        .market_transaction(time("2026-03-10T08:00:00Z"))
        .await
        .unwrap();
    let written = transaction
        .put_candles(&instrument, &[corrected])
        .await
        .unwrap();
    assert_eq!(written.corrected, 1);
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let close = async |as_of: &str| {
        let path = format!("/api/v1/ticker/ACME/candles?{as_of}");
        let body = server.get(&path).send().await.json();
        let candles = body["candles"].as_array().unwrap();
        let of_day = candles.iter().find(|one| one["date"] == "2026-03-05");
        of_day.unwrap()["close"].as_f64().unwrap()
    };
    assert_eq!(close("").await, 151.0);
    assert_eq!(close("as_of=2026-03-10T08:00:00Z").await, 151.0);
    assert_eq!(
        close("as_of=2026-03-10T07:59:59Z").await,
        acme(SESSIONS - 3)
    );
}

#[tokio::test]
async fn technicals_say_what_the_history_allows() {
    let server = market().await;
    let body = server
        .get("/api/v1/ticker/ACME/technicals")
        .send()
        .await
        .json();
    let latest = &body["latest"];
    let closes: Vec<f64> = (0..SESSIONS).map(acme).collect();
    close_to(
        &latest["sma_20"],
        closes[SESSIONS - 20..].iter().sum::<f64>() / 20.0,
    );
    assert_eq!(body["signal_summary"]["total"], 20);
    for level in ["r_0.236", "r_0.382", "r_0.5", "r_0.618", "r_0.786"] {
        assert!(latest["fibonacci"][level].is_f64(), "{level}");
    }
    let young = server
        .get("/api/v1/ticker/YNG/technicals")
        .send()
        .await
        .json();
    assert!(young["latest"]["sma_20"].is_null());
    assert!(young["latest"]["price"].is_f64());
    assert!(
        young["data_status"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("3 candles")
    );
    let flat = server
        .get(&format!("/api/v1/ticker/{}/technicals", fixtures::OAKS))
        .send()
        .await
        .json();
    assert_eq!(flat["signal_summary"]["overall"], "neutral");
    let reply = server
        .get("/api/v1/ticker/ACME/technicals?range=5y")
        .send()
        .await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_price_is_kept_for_as_long_as_the_plan_says() {
    let server = market().await;
    let member = server.unlimited().await;
    let paid = async || {
        let reply = server
            .get("/api/v1/ticker/ACME/price")
            .bearer(&member.key)
            .send()
            .await;
        reply.json()["price"].as_f64().unwrap()
    };
    let free = async || {
        let reply = server.get("/api/v1/ticker/ACME/price").send().await;
        reply.json()["price"].as_f64().unwrap()
    };
    let (first_paid, first_free) = (paid().await, free().await);
    assert_eq!(first_paid, first_free);
    let quote = model::Quote {
        price: 175.5,
        previous_close: Some(acme(SESSIONS - 1)),
        volume: Some(10.0),
        at: time("2026-03-10T12:00:00Z"),
    };
    let quotes = [("stock:ACME".to_owned(), quote)];
    server
        .state
        .store
        .market()
        .put_quotes(&quotes)
        .await
        .unwrap();
    server.state.market.refresh().await.unwrap();
    server.clock.advance(14_999);
    assert_eq!((paid().await, free().await), (first_paid, first_free));
    server.clock.advance(1);
    assert_eq!((paid().await, free().await), (175.5, first_free));
    server.clock.advance(45_000);
    assert_eq!(free().await, 175.5);
}
