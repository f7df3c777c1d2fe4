//! Coins and decentralised finance.

use model::{Chain, CoinSnapshot, CryptoGlobal, Frequency, HourBar, Protocol, Timestamp};
use serde_json::{Value, json};

use super::fixtures::{day, market, symbol, time};
use super::markets::{close_to, get, put_series, quote};
use crate::support::TestServer;

pub(super) const REPORTED_AT: &str = "2026-03-10T06:00:00Z";

pub(super) fn coin(ticker: &str, name: &str, cap: f64, rank: u32) -> CoinSnapshot {
    CoinSnapshot {
        symbol: symbol(ticker),
        name: name.to_owned(),
        price: Some(cap / 1e7),
        market_cap: Some(cap),
        market_cap_rank: Some(rank),
        volume_24h: Some(cap / 10.0),
        change_1h: Some(0.5),
        change_24h: Some(25.0),
        change_7d: Some(-3.0),
        change_30d: None,
        ath: Some(cap / 5e6),
        ath_date: None,
        circulating_supply: Some(1e7),
        at: time(REPORTED_AT),
        source: "CoinGecko".to_owned(),
    }
}

pub(super) async fn put<R: store::Record>(server: &TestServer, records: Vec<R>) {
    let at = time(REPORTED_AT);
    let mut transaction = server.state.store.market_transaction(at).await.unwrap();
    let records = records.into_iter().map(|record| (record, at));
    transaction.put_records(records).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

pub(super) async fn server_with_reports() -> TestServer {
    let server = market().await;
    let coins = vec![
        coin("ETH", "Ethereum", 4e11, 2),
        coin("BTC", "Bitcoin", 1.6e12, 1),
        coin("SOL", "Solana", 1e11, 5),
    ];
    put(&server, coins).await;
    server
}

pub(super) fn reasons(body: &Value, field: &str) -> String {
    let all = body["data_status"].as_array().cloned().unwrap_or_default();
    all.iter()
        .filter(|one| one["field"] == field)
        .filter_map(|one| one["reason"].as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

#[tokio::test]
async fn coins_are_ranked_by_market_value() {
    let server = server_with_reports().await;
    let body = get(&server, "/crypto/top").await;
    let tokens = body["tokens"].as_array().unwrap();
    let symbols: Vec<&str> = tokens
        .iter()
        .filter_map(|one| one["symbol"].as_str())
        .collect();
    assert_eq!(symbols, ["BTC", "ETH", "SOL"]);
    assert_eq!(tokens[0]["name"], "Bitcoin");
    assert_eq!(tokens[0]["market_cap_formatted"], "$1.6T");
    assert_eq!(tokens[2]["market_cap_rank"], 5);
    assert_eq!(tokens[1]["change_24h"], 25.0);
    assert_eq!(tokens[1]["change_7d"], -3.0);
    assert_eq!(tokens[1]["price"], 40_000.0);
    let one = get(&server, "/crypto/top?limit=1").await;
    assert_eq!(one["tokens"].as_array().unwrap().len(), 1);
    for limit in ["0", "51", "x"] {
        let path = format!("/api/v1/crypto/top?limit={limit}");
        server
            .get(&path)
            .send()
            .await
            .expect_error(400, "invalid_request");
    }
    let before = get(&server, "/crypto/top?as_of=2026-03-10T05:59:59Z").await;
    assert_eq!(before["tokens"].as_array().unwrap().len(), 0);
    assert_eq!(before["data_status"][0]["field"], "tokens");
}

#[tokio::test]
async fn a_coin_is_shown_as_its_provider_reported_it() {
    let server = server_with_reports().await;
    for name in ["eth", "ETHEREUM", "ETH-USD", "CRYPTO:ETH"] {
        let body = get(&server, &format!("/crypto/{name}")).await;
        assert_eq!(body["symbol"], "ETH", "{name}");
    }
    let body = get(&server, "/crypto/ETH").await;
    assert_eq!(body["name"], "Ethereum");
    assert_eq!(body["price"], 40_000.0);
    assert_eq!(body["market_cap_formatted"], "$400B");
    assert_eq!(body["volume_24h_formatted"], "$40B");
    assert_eq!(body["change_1h"], 0.5);
    assert!(body["change_30d"].is_null());
    assert!(!reasons(&body, "change_30d").is_empty());
    assert_eq!(body["ath"], 80_000.0);
    close_to(&body["ath_change_pct"], -50.0);
    assert_eq!(body["market_cap_rank"], 2);
    let body = server.get("/api/v1/crypto/etereum").send().await;
    let body = body.expect_error(404, "unknown_symbol");
    assert_eq!(body["suggestions"][0], "ETH");
}

#[tokio::test]
async fn candles_speak_where_no_provider_does() {
    let server = market().await;
    let body = get(&server, "/crypto/BTC").await;
    // The coin rises by ten a day; the newest close is the 400th.
    let close = |back: f64| 60_000.0 + 10.0 * (399.0 - back);
    assert_eq!(body["price"], close(0.0));
    close_to(&body["change_24h"], (close(0.0) / close(1.0) - 1.0) * 100.0);
    close_to(&body["change_7d"], (close(0.0) / close(7.0) - 1.0) * 100.0);
    close_to(
        &body["change_30d"],
        (close(0.0) / close(30.0) - 1.0) * 100.0,
    );
    assert!(body["change_1h"].is_null() && !reasons(&body, "change_1h").is_empty());
    close_to(&body["ath"], close(0.0) * 1.005);
    assert!(reasons(&body, "ath").contains("history"));
    assert!(body["market_cap_formatted"].is_null() && body["market_cap_rank"].is_null());
    quote(
        &server,
        "crypto:BTC",
        70_000.0,
        close(0.0),
        "2026-03-10T11:00:00Z",
    )
    .await;
    let body = get(&server, "/crypto/BTC").await;
    assert_eq!(body["price"], 70_000.0);
    assert_eq!(body["ath"], 70_000.0);
    let then = get(&server, "/crypto/BTC?as_of=2026-03-10T11:30:00Z").await;
    assert_eq!(then["price"], close(0.0));
}

#[tokio::test]
async fn totals_are_summed_only_where_nobody_reported_them() {
    let server = server_with_reports().await;
    let body = get(&server, "/crypto").await;
    assert_eq!(body["total_market_cap_formatted"], "$2.1T");
    assert_eq!(body["total_volume_formatted"], "$210B");
    close_to(&body["btc_dominance"], 1.6 / 2.1 * 100.0);
    close_to(&body["eth_dominance"], 0.4 / 2.1 * 100.0);
    assert_eq!(body["active_cryptocurrencies"], 3);
    close_to(&body["market_cap_change_24h"], 25.0);
    let reason = reasons(&body, "total_market_cap_formatted");
    assert!(
        reason.contains("3 coins") && reason.contains("BTC, ETH, SOL"),
        "{reason}"
    );

    let global = CryptoGlobal {
        total_market_cap: Some(3.45e12),
        total_volume: Some(1.2e11),
        btc_dominance: Some(55.5),
        eth_dominance: None,
        active_cryptocurrencies: Some(17_000),
        market_cap_change_24h: Some(-1.5),
        at: time(REPORTED_AT),
        source: "CoinGecko".to_owned(),
    };
    put(&server, vec![global]).await;
    let body = get(&server, "/crypto").await;
    assert_eq!(body["total_market_cap_formatted"], "$3.45T");
    assert_eq!(body["btc_dominance"], 55.5);
    assert!(body["eth_dominance"].is_null());
    assert_eq!(body["active_cryptocurrencies"], 17_000);
    assert_eq!(body["source"], "CoinGecko");
    let empty = get(&server, "/crypto?as_of=2026-03-10T05:00:00Z").await;
    assert!(empty["total_market_cap_formatted"].is_null());
}

#[tokio::test]
async fn market_values_of_archives_rank_and_old_ones_do_not() {
    let server = TestServer::start().await;
    let daily = Frequency::Daily;
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            (
                "cap:BTC",
                "USD",
                daily,
                0,
                &[("2026-03-08", 1e12), ("2026-03-09", 1.1e12)],
            ),
            (
                "cap:ETH",
                "USD",
                daily,
                0,
                &[("2026-03-08", 2e11), ("2026-03-09", 2.2e11)],
            ),
            ("cap:OLD", "USD", daily, 0, &[("2021-03-08", 9e12)]),
            (
                "close:ETH-USD",
                "USD",
                daily,
                0,
                &[("2026-03-08", 2000.0), ("2026-03-09", 2100.0)],
            ),
        ],
    )
    .await;
    let body = get(&server, "/crypto/top").await;
    let tokens = body["tokens"].as_array().unwrap();
    assert_eq!(tokens.len(), 2);
    assert_eq!(tokens[1]["symbol"], "ETH");
    assert_eq!(tokens[1]["market_cap_rank"], 2);
    assert_eq!(tokens[1]["price"], 2100.0);
    close_to(&tokens[1]["change_24h"], 5.0);
    assert!(tokens[0]["price"].is_null());
    assert!(reasons(&body, "tokens").contains("1 other"));
    assert!(reasons(&body, "market_cap_rank").contains("2 coins"));
    let total = get(&server, "/crypto").await;
    close_to(&total["market_cap_change_24h"], 10.0);
    close_to(&total["btc_dominance"], 1.1 / 1.32 * 100.0);
    assert!(total["total_volume_formatted"].is_null());
    let chart = get(&server, "/crypto/ETH/chart?days=7").await;
    assert_eq!(chart["prices"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn charts_are_daily_and_say_so() {
    let server = market().await;
    for days in [7, 14, 30, 90, 180, 365] {
        let body = get(&server, &format!("/crypto/btc/chart?days={days}")).await;
        assert_eq!(body["prices"].as_array().unwrap().len(), days, "{days}");
        assert_eq!(body["resolution"], "daily");
        assert!(body["data_status"].is_null());
    }
    let body = get(&server, "/crypto/BTC/chart").await;
    let prices = body["prices"].as_array().unwrap();
    assert_eq!(prices.len(), 30);
    assert_eq!(prices[29]["date"], "2026-03-09");
    assert_eq!(prices[29]["price"], 63_990.0);
    assert_eq!(prices[0]["date"], "2026-02-08");
    quote(
        &server,
        "crypto:BTC",
        70_000.0,
        63_990.0,
        "2026-03-10T11:00:00Z",
    )
    .await;
    let body = get(&server, "/crypto/BTC/chart?days=1").await;
    assert_eq!(body["prices"][0]["date"], "2026-03-09");
    assert_eq!(body["prices"][1]["price"], 70_000.0);
    assert!(reasons(&body, "prices").contains("no hours"));
    // The next minute of the demo key.
    server.clock.advance(60_000);
    for days in ["2", "0", "366", "month"] {
        let path = format!("/api/v1/crypto/BTC/chart?days={days}");
        let body = server
            .get(&path)
            .send()
            .await
            .expect_error(400, "invalid_request");
        assert!(body["message"].as_str().unwrap().contains("days"));
    }
    let reply = server.get("/api/v1/crypto/NOPE/chart").send().await;
    reply.expect_error(404, "unknown_symbol");
}

/// Hours of BTC until 10 March 12:00, whose closes are 60,000 and one more for each.
async fn put_hours(server: &TestServer, count: i64) {
    let end = time("2026-03-10T12:00:00Z");
    let hour = |back: i64| HourBar {
        symbol: symbol("BTC"),
        at: end.plus_ms(-(back + 1) * Timestamp::HOUR_MS),
        open: 60_000.0,
        high: 60_200.0,
        low: 59_900.0,
        close: 60_000.0 + (count - back) as f64,
        volume: 10.0,
        source: "exchange".to_owned(),
    };
    let store = &server.state.store;
    let mut transaction = store.market_transaction(end).await.unwrap();
    let hours = (0..count).map(hour).map(|hour| {
        let known_at = hour.ends_at();
        (hour, known_at)
    });
    transaction.put_records(hours).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

#[tokio::test]
async fn a_day_is_charted_by_its_hours() {
    let server = market().await;
    put_hours(&server, 100).await;
    let body = get(&server, "/crypto/BTC/chart?days=1").await;
    assert_eq!(body["resolution"], "hourly");
    let prices = body["prices"].as_array().unwrap();
    assert_eq!(prices.len(), 24);
    assert_eq!(
        prices[0],
        json!({"date": "2026-03-09T13:00:00Z", "price": 60_077.0})
    );
    assert_eq!(
        prices[23],
        json!({"date": "2026-03-10T12:00:00Z", "price": 60_100.0})
    );
    assert!(body["data_status"].is_null());
    // An hour that is not over is not known.
    let then = get(
        &server,
        "/crypto/BTC/chart?days=1&as_of=2026-03-10T11:59:59Z",
    )
    .await;
    assert_eq!(then["prices"][23]["date"], "2026-03-10T11:00:00Z");
    // Before the hours begin there is the daily close, and in between what is missing is counted.
    let then = get(&server, "/crypto/BTC/chart?days=1&as_of=2026-03-05").await;
    assert_eq!(then["resolution"], "daily");
    let then = get(
        &server,
        "/crypto/BTC/chart?days=1&as_of=2026-03-06T13:00:00Z",
    )
    .await;
    assert_eq!(then["prices"].as_array().unwrap().len(), 5);
    assert!(reasons(&then, "prices").contains("19 of the last 24"));

    // The newest price is the close of the day; an hour before its end the close was 60,087.
    let coin = get(&server, "/crypto/BTC").await;
    close_to(&coin["change_1h"], (63_990.0 / 60_087.0 - 1.0) * 100.0);

    let path = "/ticker/BTC/candles?interval=1h&from=2026-03-10";
    let candles = get(&server, path).await;
    let bars = candles["candles"].as_array().unwrap();
    assert_eq!(bars.len(), 12);
    assert_eq!(bars[0]["date"], "2026-03-10T00:00:00Z");
    assert_eq!(
        (&bars[11]["close"], &bars[11]["high"]),
        (&json!(60_100.0), &json!(60_200.0))
    );
    assert_eq!(
        get(&server, "/ticker/BTC/candles?interval=1h").await["candle_count"],
        100
    );
    let share = get(&server, "/ticker/ACME/candles?interval=1h").await;
    assert_eq!(share["candle_count"], 0);
    assert!(reasons(&share, "candles").contains("coins only"));
}

#[tokio::test]
async fn a_change_of_a_day_is_of_a_day() {
    let server = market().await;
    put_hours(&server, 100).await;
    let at = "2026-03-10T11:00:00Z";
    quote(&server, "crypto:BTC", 70_000.0, 63_990.0, at).await;
    // Of the day before at eleven: the hour that ended then, not the close of eleven or thirteen hours away.
    let body = get(&server, "/crypto/BTC").await;
    assert_eq!(body["price"], 70_000.0);
    close_to(&body["change_24h"], (70_000.0 / 60_075.0 - 1.0) * 100.0);
    close_to(&body["change_1h"], (70_000.0 / 60_098.0 - 1.0) * 100.0);
    // A screen shows the price that its filters judged.
    let asked = json!({"filters": {"price_below": 65_000}, "asset_type": "crypto"});
    let screened = server.post("/api/v1/screener", &asked).send().await.json();
    let row = &screened["matches"][0];
    assert_eq!(row["price"], 63_990.0, "{screened}");
    assert_eq!(row["date"], "2026-03-09");
    close_to(&row["change_pct"], (63_990.0 / 63_980.0 - 1.0) * 100.0);
}

#[tokio::test]
async fn a_screen_shows_price_and_market_value_of_one_moment() {
    let server = server_with_reports().await;
    let top = get(&server, "/crypto/top?limit=1").await;
    let (price, cap) = (&top["tokens"][0]["price"], 1.6e12);
    assert_eq!(price, 160_000.0);
    // The newest close is 63,990: what was reported this morning counts, also for the filters.
    let asked = json!({"filters": {"price_above": 100_000}, "asset_type": "crypto"});
    let screened = server.post("/api/v1/screener", &asked).send().await.json();
    let row = &screened["matches"][0];
    assert_eq!(row["ticker"], "BTC", "{screened}");
    assert_eq!(&row["price"], price);
    assert_eq!(row["market_cap_b"], cap / 1e9);
    assert_eq!(row["date"], "2026-03-10");
    assert_eq!(row["change_pct"], 25.0);
    assert!(row["rsi_14"].is_number());
}

fn protocol(slug: &str, name: &str, category: &str, tvl: f64) -> Protocol {
    Protocol {
        slug: slug.to_owned(),
        name: name.to_owned(),
        category: category.to_owned(),
        tvl,
        change_1d: None,
        change_7d: Some(2.5),
        chains: vec!["Ethereum".to_owned()],
        at: time(REPORTED_AT),
        source: "DefiLlama".to_owned(),
    }
}

#[tokio::test]
async fn protocols_and_chains_are_ranked_by_value_locked() {
    let server = TestServer::start().await;
    let empty = get(&server, "/crypto/defi").await;
    assert!(empty["total_tvl_formatted"].is_null());
    let protocols = vec![
        protocol("lido", "Lido", "Liquid Staking", 3e10),
        protocol("aave-v3", "AAVE V3", "Lending", 4e10),
        protocol("binance-cex", "Binance CEX", "CEX", 9e11),
    ];
    put(&server, protocols).await;
    let body = get(&server, "/crypto/defi").await;
    assert_eq!(body["total_tvl_formatted"], "$70B");
    assert!(reasons(&body, "total_tvl_formatted").contains("twice"));
    let names: Vec<&str> = body["top_protocols"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["AAVE V3", "Lido"]);
    assert_eq!(body["top_protocols"][0]["category"], "Lending");
    assert!(body["top_protocols"][0]["change_1d"].is_null());
    let chain = |name: &str, tvl| Chain {
        name: name.to_owned(),
        tvl,
        at: time(REPORTED_AT),
        source: "DefiLlama".to_owned(),
    };
    put(
        &server,
        vec![chain("Solana", 1e10), chain("Ethereum", 5.5e10)],
    )
    .await;
    let body = get(&server, "/crypto/defi").await;
    assert_eq!(body["total_tvl_formatted"], "$65B");
    assert_eq!(body["chains"][0]["name"], "Ethereum");
    assert_eq!(body["chains"][0]["tvl_formatted"], "$55B");
    assert_eq!(server.get("/api/v1/crypto/defi").send().await.charged(), 2);
}

#[tokio::test]
async fn a_protocol_has_a_past() {
    let server = TestServer::start().await;
    put(
        &server,
        vec![protocol("aave-v3", "AAVE V3", "Lending", 4e10)],
    )
    .await;
    let rows = [("2026-03-08", 4e10), ("2026-03-09", 5e10)];
    put_series(
        &server,
        REPORTED_AT,
        &[("tvl:aave-v3", "USD", Frequency::Daily, 0, &rows)],
    )
    .await;
    for name in ["aave-v3", "AAVE%20V3", "Aave_V3"] {
        let body = get(&server, &format!("/crypto/defi/{name}")).await;
        assert_eq!(body["slug"], "aave-v3");
        assert_eq!(body["tvl_formatted"], "$40B");
        close_to(&body["change_1d"], 25.0);
        assert_eq!(body["change_7d"], 2.5);
        assert_eq!(body["chains"][0], "Ethereum");
        assert_eq!(body["tvl_history"][1]["date"], "2026-03-09");
        assert_eq!(body["tvl_history"][1]["tvl"], 5e10);
        assert!(body["data_status"].is_null());
    }
    let body = server.get("/api/v1/crypto/defi/aave").send().await;
    let body = body.expect_error(404, "not_found");
    assert_eq!(body["suggestions"][0], "aave-v3");
}

/// Total, shares and change from the rows of `/crypto/top`, against those of `/crypto`.
pub(super) async fn agree(server: &TestServer) -> Value {
    let top = get(server, "/crypto/top?limit=50").await;
    let tokens = top["tokens"].as_array().unwrap();
    assert_eq!(top["total"], tokens.len(), "every coin is in the list");
    let value = |token: &Value| token["market_cap"].as_f64().unwrap();
    let before = |token: &Value| {
        let change = token["change_24h"].as_f64().unwrap();
        value(token) / (1.0 + change / 100.0)
    };
    let total: f64 = tokens.iter().map(value).sum();
    let all = get(server, "/crypto").await;
    close_to(&all["total_market_cap"], total);
    let then: f64 = tokens.iter().map(before).sum();
    close_to(&all["market_cap_change_24h"], (total / then - 1.0) * 100.0);
    for (ticker, field) in [("BTC", "btc_dominance"), ("ETH", "eth_dominance")] {
        let coin = tokens.iter().find(|token| token["symbol"] == ticker);
        close_to(&all[field], value(coin.unwrap()) / total * 100.0);
        let one = get(server, &format!("/crypto/{ticker}")).await;
        assert_eq!(one["market_cap"], coin.unwrap()["market_cap"]);
        assert_eq!(one["change_24h"], coin.unwrap()["change_24h"]);
    }
    all
}

#[tokio::test]
async fn newer_prices_make_newer_values_totals_and_shares() {
    let server = server_with_reports().await;
    let global = CryptoGlobal {
        total_market_cap: Some(2.1e12),
        total_volume: Some(2.1e11),
        btc_dominance: Some(1.6 / 2.1 * 100.0),
        eth_dominance: Some(0.4 / 2.1 * 100.0),
        active_cryptocurrencies: Some(3),
        market_cap_change_24h: Some(25.0),
        at: time(REPORTED_AT),
        source: "CoinGecko".to_owned(),
    };
    put(&server, vec![global]).await;
    let all = agree(&server).await;
    assert_eq!(all["source"], "CoinGecko");
    // Bitcoin has risen by half since; ten million of them are in circulation.
    quote(
        &server,
        "crypto:BTC",
        240_000.0,
        160_000.0,
        "2026-03-10T11:00:00Z",
    )
    .await;
    let one = get(&server, "/crypto/BTC").await;
    close_to(&one["market_cap"], 2.4e12);
    assert_eq!(one["market_cap_formatted"], "$2.4T");
    let all = agree(&server).await;
    close_to(&all["total_market_cap"], 2.9e12);
    close_to(&all["btc_dominance"], 2.4 / 2.9 * 100.0);
    assert!(all["source"].is_null());
    let said = reasons(&all, "total_market_cap_formatted");
    assert!(
        said.contains("newer than the totals that CoinGecko reported"),
        "{said}"
    );
    assert!(
        said.contains("2026-03-10T06:00:00Z to 2026-03-10T11:00:00Z"),
        "{said}"
    );
    // As of the report it is what it was.
    let then = get(&server, "/crypto?as_of=2026-03-10T10:00:00Z").await;
    close_to(&then["total_market_cap"], 2.1e12);
}

#[tokio::test]
async fn the_coins_of_the_simulated_world_add_up_during_the_day() {
    use ::market::calendar;
    use sim::market::{MarketWorld, Session};

    let now = time("2026-03-10T12:00:00Z");
    let sessions = calendar::sessions(MarketWorld::FIRST_DAY, day("2026-04-30"))
        .filter_map(|day| {
            Some(Session {
                day,
                opens_at: calendar::opens_at(day)?,
                closes_at: calendar::closes_at(day)?,
            })
        })
        .collect();
    let world = MarketWorld::new(42, sessions)
        .with_history_from(day("2026-01-20"))
        .with_newswire_from(day("2026-03-01"))
        .with_hours_from(day("2026-03-08"));
    let all = world.between(Timestamp::from_ms(0), now);
    let server = TestServer::start().await;
    let coins = model::MarketBatch {
        instruments: MarketWorld::instruments(),
        candles: all
            .candles
            .into_iter()
            .filter(|(key, _)| key.market == model::Market::Crypto)
            .collect(),
        series: all.series,
        coins: all.coins,
        crypto_globals: all.crypto_globals,
        ..model::MarketBatch::default()
    };
    let store = &server.state.store;
    ingest::market::write_market(store, &coins, now)
        .await
        .unwrap();
    // At midnight, as reported; at noon, at the prices of noon.
    server.state.market.refresh().await.unwrap();
    let reported = agree(&server).await;
    let quotes = world.quotes(now);
    store.market().put_quotes(&quotes).await.unwrap();
    server.state.market.refresh().await.unwrap();
    let moved = agree(&server).await;
    assert_ne!(moved["total_market_cap"], reported["total_market_cap"]);
}
