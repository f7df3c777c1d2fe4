//! What the source of a price says, and what it does not: closes without bars, prices without volumes, prices that were
//! adjusted before they came, and symbols in several currencies.

use std::fmt::Write as _;

use http::StatusCode;
use ingest::market::write_market;
use model::{AssetType, Frequency, Instrument};
use providers::import::market::files::{FileOptions, MarketFile, parse};
use serde_json::{Value, json};

use super::fixtures::{
    ACME, BOLT, FUND, acme, bars, day, instrument, market, sessions, time, write,
};
use super::markets::put_series;
use crate::support::{TestMember, TestServer};

/// A fund of which only closes are held.
const CLOSED: &str = "XLQ";

/// The small market, with closes of a fund.
async fn with_closes() -> (TestServer, TestMember) {
    let server = market().await;
    let days = sessions();
    let closes: Vec<(String, f64)> = days
        .iter()
        .enumerate()
        .map(|(at, day)| (day.to_string(), acme(at) / 4.0))
        .collect();
    let closes: Vec<(&str, f64)> = closes
        .iter()
        .map(|(day, one)| (day.as_str(), *one))
        .collect();
    let id = format!("close:{CLOSED}");
    let series = [(id.as_str(), "USD", Frequency::Daily, 0, &closes[..])];
    put_series(&server, "2026-03-09T22:00:00Z", &series).await;
    let member = server.unlimited().await;
    (server, member)
}

async fn get(world: &(TestServer, TestMember), path: &str) -> Value {
    let asked = world.0.get(&format!("/api/v1{path}"));
    let reply = asked.bearer(&world.1.key).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

async fn post(world: &(TestServer, TestMember), path: &str, body: &Value) -> Value {
    let asked = world.0.post(&format!("/api/v1{path}"), body);
    let reply = asked.bearer(&world.1.key).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

fn reason(body: &Value, field: &str) -> String {
    let reasons = body["data_status"].as_array().into_iter().flatten();
    let mut found = reasons.filter(|one| one["field"] == field);
    let found = found.next().unwrap_or_else(|| panic!("no {field}: {body}"));
    found["reason"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn closes_are_no_bars() {
    let world = with_closes().await;
    let candles = get(&world, &format!("/ticker/{CLOSED}/candles?range=1mo")).await;
    for candle in candles["candles"].as_array().unwrap() {
        assert_eq!(candle["closes_only"], true);
        assert_eq!(candle["high"], candle["close"]);
    }
    assert!(reason(&candles, "candles.closes_only").contains("only closes"));
    let of_bars = get(&world, &format!("/ticker/{FUND}/candles?range=1mo")).await;
    assert!(of_bars["candles"][0].get("closes_only").is_none());

    let technicals = get(&world, &format!("/ticker/{CLOSED}/technicals")).await;
    let latest = &technicals["latest"];
    for known in ["sma_20", "sma_200", "ema_12", "rsi_14", "roc_12", "trix"] {
        assert!(latest[known].is_number(), "{known}: {latest}");
    }
    for absent in [
        "stochastic",
        "atr_14",
        "adx_14",
        "obv",
        "vwap",
        "williams_r_14",
        "cci_20",
        "mfi_14",
        "parabolic_sar",
        "donchian",
        "fibonacci",
    ] {
        assert!(latest[absent].is_null(), "{absent}: {latest}");
    }
    assert!(latest["ichimoku"]["tenkan"].is_null());
    assert_eq!(technicals["signal_summary"]["total"], 8);
    assert!(reason(&technicals, "latest").contains("only closes of XLQ are held"));
    let full = get(&world, &format!("/ticker/{CLOSED}/full")).await;
    assert!(full["price"]["volume"].is_null(), "{full}");
}

#[tokio::test]
async fn funds_of_closes_take_part_in_screens_and_backtests() {
    let world = with_closes().await;
    let asked = json!({"filters": {"rsi_above": 1}, "asset_type": "etf"});
    let screened = post(&world, "/screener", &asked).await;
    let tickers: Vec<&str> = screened["matches"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["ticker"].as_str())
        .collect();
    assert!(
        tickers.contains(&CLOSED) && tickers.contains(&FUND),
        "{tickers:?}"
    );
    // Nobody says what was traded of it.
    let asked = json!({"filters": {"volume_above": 1, "rsi_above": 1}, "asset_type": "etf"});
    let traded = post(&world, "/screener", &asked).await;
    assert_eq!(traded["total_matches"], 1, "{traded}");
    let strategy = json!({"entry_filters": {}, "exit_filters": {}, "asset_type": "etf"});
    let tried = post(&world, "/backtest", &json!({"strategy": strategy})).await;
    assert_eq!(tried["settings"]["symbols"], 2);
    let trades = tried["trades"].as_array().unwrap();
    assert!(trades.iter().any(|one| one["ticker"] == CLOSED), "{tried}");
    // Movers are shares.
    let movers = get(&world, "/market/movers").await;
    assert!(!movers.to_string().contains(CLOSED));
}

#[tokio::test]
async fn a_table_of_indicators_has_the_newest_session() {
    let world = (market().await, ());
    let member = world.0.unlimited().await;
    let read = async |path: &str| {
        let asked = world.0.get(&format!("/api/v1{path}")).bearer(&member.key);
        let reply = asked.header("accept", "text/csv").send().await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        let text = String::from_utf8(reply.body.clone()).unwrap();
        let lines = text.split_terminator("\r\n");
        lines
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect::<Vec<Vec<String>>>()
    };
    let lines = read(&format!("/ticker/{ACME}/technicals")).await;
    assert_eq!(lines.len(), 2, "{lines:?}");
    let cell = |name: &str| {
        let at = lines[0].iter().position(|column| column == name);
        lines[1][at.unwrap_or_else(|| panic!("no {name}: {lines:?}"))].clone()
    };
    assert_eq!(cell("date"), "2026-03-09");
    assert_eq!(cell("price").parse(), Ok(acme(299)));
    assert!(cell("macd.histogram").parse::<f64>().is_ok());
    assert!(cell("fibonacci.r_0.5").parse::<f64>().is_ok());
    let series = read(&format!("/ticker/{ACME}/technicals?series=true&range=1mo")).await;
    assert!(series.len() > 15, "{}", series.len());
    assert_eq!(series[0], lines[0]);
}

/// A file of bars of one share of two months, and actions.
async fn import(server: &TestServer, kind: MarketFile, name: &str, text: &str) {
    let options = FileOptions::new(day("2026-03-10"));
    let read = parse(kind, name, text.as_bytes(), &options).unwrap();
    let at = time("2026-03-09T23:00:00Z");
    write_market(&server.state.store, &read.batch, at)
        .await
        .unwrap();
    server.state.market.refresh().await.unwrap();
}

#[tokio::test]
async fn what_was_paid_is_not_guessed_from_adjusted_prices() {
    let server = market().await;
    let member = server.unlimited().await;
    let days = sessions();
    let mut file = String::from("Date,Open,High,Low,Close,Volume\n");
    for day in &days[days.len() - 40..] {
        writeln!(file, "{day},124,126,122,125,1000").unwrap();
    }
    import(&server, MarketFile::Candles, "SPLT.csv", &file).await;
    let world = (server, member);
    let path = "/ticker/SPLT/candles?range=1mo&adjust=none";
    let unknown = get(&world, path).await;
    // Only the newest session contains no split of later.
    assert_eq!(unknown["candle_count"], 1, "{unknown}");
    assert_eq!(unknown["candles"][0]["date"], "2026-03-09");
    assert!(reason(&unknown, "candles").contains("it is not known at which price"));
    let adjusted = get(&world, "/ticker/SPLT/candles?range=1mo").await;
    assert!(adjusted["candle_count"].as_u64().unwrap() > 15);
    let actions = "date,action,ticker,value\n2026-03-02,split,SPLT,20\n";
    import(&world.0, MarketFile::Actions, "actions.csv", actions).await;
    let known = get(&world, path).await;
    assert_eq!(known["candle_count"], adjusted["candle_count"]);
    let close = |date: &str| {
        let rows = known["candles"].as_array().unwrap();
        let row = rows.iter().find(|one| one["date"] == date).unwrap();
        row["close"].as_f64().unwrap()
    };
    assert_eq!((close("2026-02-27"), close("2026-03-02")), (2_500.0, 125.0));
    // Closes alone do not say what they contain.
    let world = with_closes().await;
    let closes = get(&world, &format!("/ticker/{CLOSED}/candles?adjust=none")).await;
    assert_eq!(closes["candle_count"], 0);
    assert!(!reason(&closes, "candles").is_empty());
}

#[tokio::test]
async fn a_period_that_ends_before_it_begins_is_an_error_everywhere() {
    let (server, member) = with_closes().await;
    for path in [
        format!("/ticker/{ACME}/candles?from=2026-03-05&to=2026-03-01"),
        format!("/ticker/candles?symbols={ACME},{BOLT}&from=2026-03-05&to=2026-03-01"),
        "/economy/cpi?from=2026-03-05&to=2026-03-01".to_owned(),
        "/forex/EURUSD?from=2026-03-05&to=2026-03-01".to_owned(),
        "/commodities/gold?from=2026-03-05&to=2026-03-01".to_owned(),
        "/events/calendar?from=2026-03-05&to=2026-03-01".to_owned(),
        "/search?q=rates&from=2026-03-05&to=2026-03-01".to_owned(),
    ] {
        let asked = server.get(&format!("/api/v1{path}")).bearer(&member.key);
        let body = asked.send().await.expect_error(400, "invalid_request");
        let message = body["message"].as_str().unwrap();
        assert!(
            message.contains("from must not be after to"),
            "{path}: {message}"
        );
    }
}

#[tokio::test]
async fn what_ended_in_the_past_is_not_old() {
    let server = market().await;
    let days = sessions();
    let early = &days[..days.len() - 60];
    let gone = instrument("GONE", AssetType::Equity, "Gone Works", Some("Energy"));
    write(
        &server,
        vec![(gone, bars(early, 1e6, |at| 20.0 + (at % 5) as f64))],
    )
    .await;
    let member = server.unlimited().await;
    let world = (server, member);
    let last = early.last().unwrap();
    let is_stale = |body: &Value| {
        let reasons = body["data_status"].as_array().into_iter().flatten();
        reasons.filter(|one| one["stale"] == true).count() > 0
    };
    let past = get(
        &world,
        &format!("/ticker/GONE/candles?from=2025-09-01&to={last}"),
    )
    .await;
    assert!(!is_stale(&past), "{past}");
    let now = get(&world, "/ticker/GONE/candles").await;
    assert!(is_stale(&now), "{now}");
    let strategy = json!({"entry_filters": {}, "exit_filters": {}});
    let asked = json!({"strategy": strategy, "from": "2025-06-02", "to": "2025-11-03"});
    let tried = post(&world, "/backtest", &asked).await;
    assert!(!is_stale(&tried), "{tried}");
}

#[tokio::test]
async fn a_backtest_counts_in_one_currency() {
    let server = market().await;
    let days = sessions();
    let abroad = |ticker: &str, currency: &str, sector: &str| Instrument {
        currency: Some(currency.to_owned()),
        ..instrument(ticker, AssetType::Equity, ticker, Some(sector))
    };
    let series = || bars(&days, 1e6, |at| 20.0 + (at % 5) as f64);
    write(
        &server,
        vec![
            (abroad("EURO.DE", "EUR", "Energy"), series()),
            (abroad("POND.L", "GBP", "Energy"), series()),
            (abroad("YENS.T", "JPY", "Materials"), series()),
        ],
    )
    .await;
    let member = server.unlimited().await;
    let world = (server, member);
    let strategy = |sector: Option<&str>| {
        let mut strategy = json!({"entry_filters": {}, "exit_filters": {}});
        if let Some(sector) = sector {
            strategy["sector"] = sector.into();
        }
        strategy
    };
    let all = post(&world, "/backtest", &json!({"strategy": strategy(None)})).await;
    assert_eq!(all["settings"]["currency"], "USD");
    let left_out = reason(&all, "settings.symbols");
    assert!(left_out.contains("EURO.DE, POND.L, YENS.T"), "{left_out}");
    let yen = json!({"strategy": strategy(Some("Materials")), "benchmark": ACME});
    let yen = post(&world, "/backtest", &yen).await;
    assert_eq!(yen["settings"]["currency"], "JPY");
    assert!(reason(&yen, "benchmark").contains("priced in USD"));
    let charged = async |body: &Value| {
        let asked = world.0.post("/api/v1/backtest", body).bearer(&world.1.key);
        let reply = asked.send().await;
        let charged = reply.headers.get("x-credits-charged");
        let charged = charged.map(|value| value.to_str().unwrap().to_owned());
        (reply.status.as_u16(), charged.unwrap_or_default())
    };
    let mixed = json!({"strategy": strategy(Some("Energy"))});
    assert_eq!(charged(&mixed).await, (400, "0".to_owned()));
    let unknown = json!({"strategy": strategy(None), "benchmark": "NOSUCH"});
    assert_eq!(charged(&unknown).await, (404, "0".to_owned()));
}
