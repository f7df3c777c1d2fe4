//! Watchlists: whose they are, what fits into them, and their indicators.

use http::Method;
use serde_json::{Value, json};

use super::fixtures::market;
use super::trading::{post, says, texts};
use crate::news::fixtures::keys;
use crate::support::{TestMember, TestServer};

async fn made(server: &TestServer, member: &TestMember, body: Value) -> Value {
    let reply = post(server, member, "/watchlists", body).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.charged(), 0);
    reply.json()["watchlist"].clone()
}

async fn ask(
    server: &TestServer,
    member: &TestMember,
    method: Method,
    path: &str,
) -> crate::support::Reply {
    server
        .ask(method, &format!("/api/v1{path}"))
        .bearer(&member.key)
        .send()
        .await
}

#[tokio::test]
async fn a_list_lives_from_creation_to_deletion_under_both_spellings() {
    let server = market().await;
    let member = server.unlimited().await;
    let list = made(
        &server,
        &member,
        json!({"name": " Mine ", "tickers": ["bolt", "BOLT", "BTC-USD"]}),
    )
    .await;
    assert_eq!(
        keys(&list),
        ["created_at", "id", "name", "ticker_count", "tickers"]
    );
    assert_eq!(
        (&list["name"], &list["ticker_count"]),
        (&json!("Mine"), &json!(2))
    );
    assert_eq!(list["tickers"], json!(["BOLT", "BTC"]));
    let id = list["id"].as_str().unwrap();
    for root in ["/watchlists", "/watchlist"] {
        let all = ask(&server, &member, Method::GET, root).await.json();
        assert_eq!(
            (&all["total"], &all["watchlists"][0]),
            (&json!(1), &list),
            "{root}"
        );
        let one = ask(&server, &member, Method::GET, &format!("{root}/{id}"))
            .await
            .json();
        assert_eq!(one["watchlist"], list);
        let technicals = ask(
            &server,
            &member,
            Method::GET,
            &format!("{root}/{id}/technicals"),
        )
        .await;
        assert_eq!(
            (technicals.status.as_u16(), technicals.charged()),
            (200, 3),
            "{root}"
        );
    }
    let more = post(
        &server,
        &member,
        &format!("/watchlist/{id}/items"),
        json!({"ticker": "acme", "tickers": ["YNG", "BOLT"]}),
    )
    .await;
    assert_eq!(
        more.json()["watchlist"]["tickers"],
        json!(["BOLT", "BTC", "ACME", "YNG"]),
        "{}",
        more.text()
    );
    let less = ask(
        &server,
        &member,
        Method::DELETE,
        &format!("/watchlists/{id}/items/btc-usd"),
    )
    .await;
    assert_eq!(
        less.json()["watchlist"]["tickers"],
        json!(["BOLT", "ACME", "YNG"])
    );
    let gone = ask(
        &server,
        &member,
        Method::DELETE,
        &format!("/watchlists/{id}/items/BTC"),
    )
    .await;
    gone.expect_error(404, "not_found");
    let deleted = ask(
        &server,
        &member,
        Method::DELETE,
        &format!("/watchlist/{id}"),
    )
    .await
    .json();
    assert_eq!(deleted["status"], "ok");
    ask(&server, &member, Method::GET, &format!("/watchlists/{id}"))
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn nobody_else_sees_or_changes_a_list() {
    let server = market().await;
    let owner = server.unlimited().await;
    let other = server.unlimited().await;
    let list = made(
        &server,
        &owner,
        json!({"name": "Mine", "tickers": ["ACME"]}),
    )
    .await;
    let id = list["id"].as_str().unwrap();
    let all = ask(&server, &other, Method::GET, "/watchlists")
        .await
        .json();
    assert_eq!(all["watchlists"], json!([]));
    for (method, path) in [
        (Method::GET, format!("/watchlists/{id}")),
        (Method::DELETE, format!("/watchlists/{id}")),
        (Method::DELETE, format!("/watchlists/{id}/items/ACME")),
        (Method::GET, format!("/watchlist/{id}/technicals")),
    ] {
        ask(&server, &other, method, &path)
            .await
            .expect_error(404, "not_found");
    }
    let path = format!("/watchlists/{id}/items");
    post(&server, &other, &path, json!({"ticker": "BOLT"}))
        .await
        .expect_error(404, "not_found");
    let still = ask(&server, &owner, Method::GET, &format!("/watchlists/{id}"))
        .await
        .json();
    assert_eq!(still["watchlist"]["tickers"], json!(["ACME"]));
    server
        .get("/api/v1/watchlists")
        .send()
        .await
        .expect_error(401, "credential_required");
    server
        .get("/api/v1/watchlists?api_key=demo")
        .send()
        .await
        .expect_error(403, "demo_key_refused");
}

#[tokio::test]
async fn technicals_put_the_most_oversold_first_and_what_has_no_rsi_last() {
    let server = market().await;
    let member = server.unlimited().await;
    let list = made(
        &server,
        &member,
        json!({"name": "All", "tickers": ["YNG", "ACME", "BOLT", "BTC"]}),
    )
    .await;
    let path = format!("/watchlist/{}/technicals", list["id"].as_str().unwrap());
    let body = ask(&server, &member, Method::GET, &path).await.json();
    assert_eq!(
        (&body["watchlist_name"], &body["ticker_count"]),
        (&json!("All"), &json!(4))
    );
    assert_eq!(body["credits_used"], 3);
    let rows = body["technicals"].as_array().unwrap();
    assert_eq!(texts(&body["technicals"], "ticker").last(), Some(&"YNG"));
    let ratings: Vec<f64> = rows
        .iter()
        .filter_map(|row| row["rsi_14"].as_f64())
        .collect();
    assert!(ratings.len() == 3 && ratings.is_sorted(), "{ratings:?}");
    assert_eq!(
        keys(&rows[0]),
        [
            "bollinger",
            "change_pct",
            "currency",
            "date",
            "entity_name",
            "macd",
            "price",
            "rsi_14",
            "signal_summary",
            "sma_20",
            "sma_200",
            "sma_50",
            "stale",
            "ticker"
        ]
    );
    let single = server
        .get("/api/v1/ticker/ACME/technicals")
        .send()
        .await
        .json();
    let acme = rows.iter().find(|row| row["ticker"] == "ACME").unwrap();
    for field in ["rsi_14", "macd", "sma_20", "sma_50", "sma_200", "bollinger"] {
        assert_eq!(acme[field], single["latest"][field], "{field}");
    }
    assert_eq!(acme["signal_summary"], single["signal_summary"]);
    assert!(says(&body, "technicals.sma_200", "YNG"), "{body}");
    let empty = made(&server, &member, json!({"name": "Empty"})).await;
    let path = format!(
        "/watchlist/{}/technicals?as_of=2026-03-01",
        empty["id"].as_str().unwrap()
    );
    let body = ask(&server, &member, Method::GET, &path).await.json();
    assert_eq!(body["technicals"], json!([]));
}

#[tokio::test]
async fn bounds_hold_and_a_repeat_makes_one_list() {
    let server = market().await;
    let member = server.unlimited().await;
    let long = "x".repeat(81);
    let many: Vec<_> = (0..201).map(|_| "ACME").collect();
    for (body, named) in [
        (json!({}), "name"),
        (json!({"name": "  "}), "name"),
        (json!({"name": long}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"name": "a", "tickers": many}), "tickers"),
    ] {
        let error = post(&server, &member, "/watchlists", body)
            .await
            .expect_error(400, "invalid_request");
        assert!(
            error["message"].as_str().unwrap().contains(named),
            "{error}"
        );
    }
    post(
        &server,
        &member,
        "/watchlists",
        json!({"name": "a", "tickers": ["ACNE"]}),
    )
    .await
    .expect_error(404, "unknown_symbol");
    let ask = async || {
        server
            .post("/api/v1/watchlists", &json!({"name": "Once"}))
            .bearer(&member.key)
            .header("idempotency-key", "w1")
            .send()
            .await
            .json()
    };
    let first = ask().await;
    assert_eq!(first, ask().await);
    let id = first["watchlist"]["id"].as_str().unwrap();
    let path = format!("/watchlists/{id}/items");
    post(&server, &member, &path, json!({}))
        .await
        .expect_error(400, "invalid_request");
    for number in 1..50 {
        made(&server, &member, json!({"name": format!("list {number}")})).await;
    }
    let error = post(&server, &member, "/watchlists", json!({"name": "one more"}))
        .await
        .expect_error(400, "invalid_request");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("at most 50 watchlists")
    );
}
