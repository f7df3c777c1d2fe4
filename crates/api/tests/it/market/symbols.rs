//! Whatever symbol an answer hands out is one that every endpoint of tickers takes.

use http::StatusCode;
use model::{AssetType, Frequency, Instrument};
use serde_json::{Value, json};

use super::fixtures::{
    ACME, BOLT, COIN, FUND, OAKS, YOUNG, bars, instrument, market, sessions, time,
};
use super::markets::put_series;
use crate::support::{TestMember, TestServer};

/// A share that stopped trading, and a coin of the letters of a share.
const GONE: &str = "GONE";
const INDEX: &str = "^GSPC";

/// The small market with an index, a share that is gone, and a coin that shares its letters with a share.
async fn world() -> (TestServer, TestMember) {
    let server = market().await;
    let days = sessions();
    let levels: Vec<(String, f64)> = days
        .iter()
        .enumerate()
        .map(|(at, day)| (day.to_string(), 6_000.0 + 5.0 * at as f64 + (at % 7) as f64))
        .collect();
    let levels: Vec<(&str, f64)> = levels
        .iter()
        .map(|(day, level)| (day.as_str(), *level))
        .collect();
    let index = format!("index:{INDEX}");
    let series = [(index.as_str(), "index", Frequency::Daily, 0, &levels[..])];
    put_series(&server, "2026-03-09T22:00:00Z", &series).await;
    let early = &days[..days.len() - 60];
    let gone = Instrument {
        delisted: early.last().copied(),
        ..instrument(GONE, AssetType::Equity, "Gone Works", Some("Utilities"))
    };
    let coin = instrument("ACME", AssetType::Crypto, "Acme Coin", None);
    let store = &server.state.store;
    let mut transaction = store
        .market_transaction(time("2026-03-09T23:00:00Z"))
        .await
        .unwrap();
    for (instrument, candles) in [
        (gone, bars(early, 1e6, |at| 20.0 + (at % 5) as f64)),
        (coin, bars(&days, 1e6, |at| 1.0 + (at % 5) as f64)),
    ] {
        let list = std::slice::from_ref(&instrument);
        transaction.put_instruments(list).await.unwrap();
        transaction
            .put_candles(&instrument, &candles)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let member = server.unlimited().await;
    (server, member)
}

/// The paths below a symbol, from the document of the interface.
fn routes() -> Vec<String> {
    let document = serde_json::to_value(api::document()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let found: Vec<String> = paths
        .iter()
        .filter(|(_, item)| item.get("get").is_some())
        .filter_map(|(path, _)| path.strip_prefix("/api/v1/ticker/{symbol}"))
        .map(str::to_owned)
        .collect();
    assert!(found.len() >= 18, "{found:?}");
    found
}

async fn read(world: &(TestServer, TestMember), path: &str) -> (StatusCode, Value) {
    let asked = world.0.get(&format!("/api/v1{path}"));
    let reply = asked.bearer(&world.1.key).send().await;
    (reply.status, reply.json())
}

#[tokio::test]
async fn every_endpoint_of_tickers_takes_every_symbol() {
    let world = world().await;
    for symbol in [
        ACME, BOLT, OAKS, FUND, COIN, YOUNG, GONE, INDEX, "%5EGSPC", "%5egspc", "ACME-USD",
    ] {
        for route in routes() {
            let path = format!("/ticker/{symbol}{route}");
            let (status, body) = read(&world, &path).await;
            assert_eq!(status, StatusCode::OK, "{path}: {body}");
            // What is empty or missing says why.
            let lists: Vec<&Vec<Value>> = body
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| *name != "data_status")
                .filter_map(|(_, value)| value.as_array())
                .collect();
            let is_empty = !lists.is_empty() && lists.iter().all(|list| list.is_empty());
            let reasons = body["data_status"].as_array().map_or(0, Vec::len);
            assert!(!is_empty || reasons > 0, "{path} says nothing: {body}");
        }
    }
}

#[tokio::test]
async fn an_index_has_prices_and_indicators_and_says_what_it_has_not() {
    let world = world().await;
    let path = |route: &str| format!("/ticker/%5EGSPC{route}");
    let (_, record) = read(&world, &path("")).await;
    assert_eq!(
        (
            &record["ticker"],
            &record["entity_name"],
            &record["asset_type"]
        ),
        (&INDEX.into(), &"S&P 500".into(), &"index".into())
    );
    let level = 6_000.0 + 5.0 * 299.0 + f64::from(299 % 7);
    assert_eq!(record["price"]["current"], level);
    let (_, price) = read(&world, &path("/price")).await;
    assert_eq!(price["price"], level);
    let (_, candles) = read(&world, &path("/candles?range=1y")).await;
    let rows = candles["candles"].as_array().unwrap();
    assert!(rows.len() > 240, "{}", rows.len());
    assert_eq!(rows.last().unwrap()["close"], level);
    let (_, technicals) = read(&world, &path("/technicals")).await;
    let latest = &technicals["latest"];
    assert!(latest["sma_200"].is_number() && latest["rsi_14"].is_number());
    let (_, score) = read(&world, &path("/score")).await;
    assert!(score["components"]["momentum"].is_object(), "{score}");
    for (route, field, words) in [
        (
            "/earnings",
            "earnings_date",
            "earnings are of companies; ^GSPC is an index",
        ),
        ("/insider", "insider_trades", "^GSPC is an index"),
        ("/competitors", "competitors", "^GSPC is an index"),
        ("/actions", "actions", "^GSPC is an index"),
        ("/filings", "filings", "^GSPC is an index"),
        ("/financials", "financials", "equities only"),
    ] {
        let (_, body) = read(&world, &path(route)).await;
        let reasons = body["data_status"].as_array().unwrap();
        let found = reasons.iter().find(|one| one["field"] == field);
        let reason = found.unwrap_or_else(|| panic!("{route}: {body}"))["reason"].as_str();
        assert!(reason.unwrap().contains(words), "{route}: {body}");
    }
    // In lists and comparisons as well.
    let (_, several) = read(&world, "/ticker/prices?symbols=ACME,%5EGSPC").await;
    assert_eq!(several["prices"][1]["price"], level);
    let asked = json!({"tickers": [ACME, INDEX], "days": 90});
    let reply = world
        .0
        .post("/api/v1/correlation", &asked)
        .bearer(&world.1.key);
    let body = reply.send().await.json();
    assert!(body["pairs"][0]["correlation"].is_number(), "{body}");
}

#[tokio::test]
async fn symbols_of_answers_lead_back_to_what_they_name() {
    let world = world().await;
    // Of a share and a coin of the same letters the screener spells one so that it is found again.
    let asked = json!({"filters": {}, "asset_type": "crypto"});
    let reply = world
        .0
        .post("/api/v1/screener", &asked)
        .bearer(&world.1.key);
    let body = reply.send().await.json();
    let mut tickers: Vec<&str> = body["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["ticker"].as_str().unwrap())
        .collect();
    tickers.sort_unstable();
    assert_eq!(tickers, ["ACME-USD", COIN]);
    for ticker in tickers {
        let (_, record) = read(&world, &format!("/ticker/{ticker}")).await;
        assert_eq!(record["asset_type"], "crypto", "{ticker}");
    }
    let (_, summary) = read(&world, "/market/summary").await;
    let symbol = summary["indices"][0]["symbol"].as_str().unwrap();
    assert_eq!(symbol, INDEX);
    // What is no instrument says where it is.
    for (symbol, place) in [
        ("EURUSD", "/api/v1/forex/EURUSD"),
        ("eur-usd", "/api/v1/forex/EURUSD"),
        ("crude", "/api/v1/commodities/crude"),
    ] {
        let (status, body) = read(&world, &format!("/ticker/{symbol}/price")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        let message = body["message"].as_str().unwrap();
        assert!(message.ends_with(place), "{message}");
    }
}

#[tokio::test]
async fn a_share_that_trades_no_more_says_so_first() {
    let world = world().await;
    let days = sessions();
    let last = days[days.len() - 61].to_string();
    let words = format!("{GONE} was delisted; its last session was {last}");
    for route in ["", "/price", "/full", "/analysis"] {
        let (_, body) = read(&world, &format!("/ticker/{GONE}{route}")).await;
        assert_eq!(body["delisted"], last, "{route}: {body}");
        assert_eq!(body["data_status"][0]["reason"], words, "{route}: {body}");
    }
    let (_, analysis) = read(&world, &format!("/ticker/{GONE}/analysis")).await;
    let summary = analysis["summary"].as_str().unwrap();
    assert!(summary.starts_with(&format!("{words}. ")), "{summary}");
    let (_, several) = read(&world, &format!("/ticker/prices?symbols={ACME},{GONE}")).await;
    let rows = &several["prices"];
    assert!(rows[0].get("delisted").is_none(), "{several}");
    assert_eq!(rows[1]["delisted"], last);
    assert_eq!(rows[1]["stale"], true);
    // Named once.
    let notes = several["data_status"].as_array().unwrap();
    assert!(
        notes.iter().any(|note| note["reason"] == words),
        "{several}"
    );
    let (_, score) = read(&world, &format!("/ticker/{GONE}/score")).await;
    assert_eq!(score["data_status"][0]["reason"], words, "{score}");
    assert_eq!(score["components"]["momentum"]["value"], Value::Null);
    assert_eq!(score["components"]["momentum"]["direction"], Value::Null);
    // It was listed still.
    let path = format!("/ticker/{GONE}/price?as_of={last}T23:00:00Z");
    let (_, then) = read(&world, &path).await;
    assert!(then.get("delisted").is_none(), "{then}");
    let (_, other) = read(&world, &format!("/ticker/{ACME}")).await;
    assert!(other.get("delisted").is_none(), "{other}");
}
