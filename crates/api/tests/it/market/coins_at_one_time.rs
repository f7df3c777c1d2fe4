//! Coins of which archives and reports end at different times: lists, ranks, totals and shares are of one.

use model::{CoinSnapshot, CryptoGlobal, Frequency};
use serde_json::Value;

use super::crypto::{agree, coin, put, reasons, server_with_reports};
use super::fixtures::time;
use super::markets::{close_to, get, put_series, quote};
use crate::support::TestServer;

/// Ten coins and ETH, with closes and market values until 20 February: 1,000 coins of each are in circulation.
const COINS: [(&str, f64); 11] = [
    ("BTC", 50_000.0),
    ("ETH", 3_000.0),
    ("USDT", 1_000.0),
    ("AAA", 900.0),
    ("BBB", 800.0),
    ("CCC", 700.0),
    ("DDD", 600.0),
    ("EEE", 500.0),
    ("FFF", 400.0),
    ("GGG", 300.0),
    ("HHH", 200.0),
];

async fn with_archives() -> TestServer {
    let server = TestServer::start().await;
    for (ticker, price) in COINS {
        let closes = [("2026-02-19", price / 1.25), ("2026-02-20", price)];
        let caps = closes.map(|(day, close)| (day, close * 1_000.0));
        let (close, cap) = (format!("close:{ticker}-USD"), format!("cap:{ticker}"));
        let daily = Frequency::Daily;
        let closes = (close.as_str(), "USD", daily, 0, &closes[..]);
        let caps = (cap.as_str(), "USD", daily, 0, &caps[..]);
        put_series(&server, "2026-02-21T00:00:00Z", &[closes, caps]).await;
    }
    server
}

fn report(at: &str, total: f64) -> CryptoGlobal {
    CryptoGlobal {
        total_market_cap: Some(total),
        total_volume: Some(1e6),
        btc_dominance: Some(40.0),
        eth_dominance: Some(18.0),
        active_cryptocurrencies: Some(10_000),
        market_cap_change_24h: Some(-9.0),
        at: time(at),
        source: "CoinGecko".to_owned(),
    }
}

fn rows(top: &Value) -> &Vec<Value> {
    top["tokens"].as_array().unwrap()
}

#[tokio::test]
async fn one_report_of_another_time_moves_neither_the_list_nor_the_totals() {
    let server = with_archives().await;
    let all = agree(&server).await;
    let reported = |ticker: &str, rank, at: &str| CoinSnapshot {
        at: time(at),
        ..coin(ticker, ticker, 7e7, rank)
    };
    // A total and a coin of ten days before, and one coin of two weeks later.
    put(&server, vec![report("2026-02-10T06:00:00Z", 9e7)]).await;
    put(
        &server,
        vec![
            reported("BTC", 1, "2026-02-10T06:00:00Z"),
            reported("USDT", 3, "2026-03-09T06:00:00Z"),
        ],
    )
    .await;
    let after = agree(&server).await;
    for field in [
        "total_market_cap",
        "btc_dominance",
        "eth_dominance",
        "market_cap_change_24h",
        "active_cryptocurrencies",
        "updated_at",
    ] {
        assert_eq!(after[field], all[field], "{field}");
    }
    close_to(&after["market_cap_change_24h"], 25.0);
    assert!(after["source"].is_null() && after["total_volume"].is_null());
    let said = reasons(&after, "total_market_cap_formatted");
    assert!(
        said.contains("newer than the totals that CoinGecko reported for 2026-02-10"),
        "{said}"
    );

    // The next minute of the demo key.
    server.clock.advance(60_000);
    let top = get(&server, "/crypto/top?limit=50").await;
    assert_eq!(rows(&top).len(), COINS.len());
    for (row, place) in rows(&top).iter().zip(1..) {
        assert_eq!(row["market_cap_rank"], place, "{row}");
        assert_eq!(row["updated_at"], "2026-02-21T00:00:00Z", "{row}");
    }
    let said = reasons(&top, "market_cap_rank");
    assert!(said.contains("11 coins"), "{said}");
    // By itself a coin is shown as it is known last, with its place among the others.
    let one = get(&server, "/crypto/USDT").await;
    assert_eq!(one["updated_at"], "2026-03-09T06:00:00Z");
    assert_eq!(one["market_cap_rank"], 3);
    // The volume of 24 hours that was reported with another price is not that of this one.
    let one = get(&server, "/crypto/BTC").await;
    assert_eq!(one["price"], 50_000.0);
    assert!(one["volume_24h"].is_null());
    assert!(reasons(&one, "volume_24h_formatted").contains("24 hours before"));
}

#[tokio::test]
async fn a_coin_of_another_time_has_no_rank_among_those_of_one() {
    let server = with_archives().await;
    let old = CoinSnapshot {
        at: time("2026-01-10T06:00:00Z"),
        ..coin("OLD", "Old Coin", 7e7, 3)
    };
    put(&server, vec![old]).await;
    let one = get(&server, "/crypto/OLD").await;
    assert_eq!(one["market_cap"], 7e7);
    assert!(one["market_cap_rank"].is_null(), "{one}");
    let said = reasons(&one, "market_cap_rank");
    assert!(said.contains("of another time"), "{said}");
    let top = get(&server, "/crypto/top").await;
    assert_eq!(rows(&top)[2]["symbol"], "USDT");
    assert_eq!(rows(&top)[2]["market_cap_rank"], 3);
}

#[tokio::test]
async fn a_total_that_counts_far_more_than_is_known_stays_and_says_its_time() {
    let server = with_archives().await;
    put(&server, vec![report("2026-02-20T06:00:00Z", 9e9)]).await;
    let all = get(&server, "/crypto").await;
    assert_eq!(all["total_market_cap"], 9e9);
    assert_eq!(all["source"], "CoinGecko");
    let said = reasons(&all, "total_market_cap_formatted");
    assert!(
        said.contains("reported for 2026-02-20T06:00:00Z")
            && said.contains("of 2026-02-21T00:00:00Z"),
        "{said}"
    );
}

#[tokio::test]
async fn reported_ranks_go_with_the_values_of_now() {
    let server = server_with_reports().await;
    // Bitcoin falls below ether; what lies between it and the third is not known here.
    let at = "2026-03-10T11:00:00Z";
    quote(&server, "crypto:BTC", 30_000.0, 160_000.0, at).await;
    let top = get(&server, "/crypto/top").await;
    let ranks: Vec<(&str, u64)> = rows(&top)
        .iter()
        .map(|row| {
            let symbol = row["symbol"].as_str().unwrap();
            (symbol, row["market_cap_rank"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(ranks, [("ETH", 1), ("BTC", 2), ("SOL", 5)]);
    assert_eq!(get(&server, "/crypto/BTC").await["market_cap_rank"], 2);
    assert_eq!(reasons(&top, "market_cap_rank"), "");
}
