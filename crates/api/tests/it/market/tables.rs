//! Answers as CSV.

use http::Method;
use serde_json::json;

use super::fixtures::market;
use crate::support::{Reply, TestMember, TestServer};

const CSV: &str = "text/csv; charset=utf-8";

async fn read(server: &TestServer, member: &TestMember, path: &str, accept: &str) -> Reply {
    let path = format!("/api/v1{path}");
    let asked = server.get(&path).bearer(&member.key);
    asked.header("accept", accept).send().await
}

/// The lines of a table, each as its cells.
fn table(reply: &Reply) -> Vec<Vec<String>> {
    assert_eq!(reply.headers["content-type"], CSV, "{}", reply.text());
    let text = String::from_utf8(reply.body.clone()).unwrap();
    assert!(text.ends_with("\r\n"));
    let lines = text.split_terminator("\r\n");
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

#[tokio::test]
async fn candles_are_the_same_as_csv() {
    let server = market().await;
    let member = server.unlimited().await;
    let path = "/ticker/ACME/candles?range=1mo";
    let plain = read(&server, &member, path, "*/*").await;
    let candles = plain.json()["candles"].as_array().unwrap().clone();
    let reply = read(&server, &member, path, "text/csv").await;
    let lines = table(&reply);
    assert_eq!(lines.len(), candles.len() + 1);
    let names: Vec<&String> = candles[0].as_object().unwrap().keys().collect();
    for name in names {
        let at = lines[0].iter().position(|column| column == name).unwrap();
        for (line, candle) in lines[1..].iter().zip(&candles) {
            let expected = match &candle[name] {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Null => String::new(),
                other => other.to_string(),
            };
            assert_eq!(line[at], expected, "{name}");
        }
    }

    // Two representations have two tags, and a cache may not mix them up.
    assert_ne!(plain.headers["etag"], reply.headers["etag"]);
    let varies = reply.headers["vary"].to_str().unwrap().to_owned();
    assert!(varies.split(", ").any(|name| name == "Accept"), "{varies}");
    let tag = reply.headers["etag"].to_str().unwrap();
    let again = server
        .get(&format!("/api/v1{path}"))
        .bearer(&member.key)
        .header("accept", "text/csv")
        .header("if-none-match", tag)
        .send()
        .await;
    assert_eq!(again.status, 304);
}

#[tokio::test]
async fn bodies_are_answered_as_csv_and_charged_as_ever() {
    let server = market().await;
    let member = server.unlimited().await;
    let asked = |path: &str, body| {
        let asked = server.post(&format!("/api/v1{path}"), &body);
        asked.bearer(&member.key).header("accept", "text/csv")
    };
    let screened = asked("/screener", json!({"filters": {}})).send().await;
    let lines = table(&screened);
    assert!(lines[0].contains(&"symbol".to_owned()) || lines[0].contains(&"ticker".to_owned()));
    assert!(lines.len() > 2);
    assert!(screened.headers.contains_key("x-credits-charged"));

    let strategy = json!({"strategy": {"entry_filters": {"rsi_below": 60}, "exit_filters": {"rsi_above": 70}}, "period": "6mo"});
    let curve = table(&asked("/backtest", strategy).send().await);
    assert_eq!(curve[0][0], "date");
}

#[tokio::test]
async fn movers_are_one_table_and_trades_are_asked_for_by_name() {
    let server = market().await;
    let member = server.unlimited().await;
    let path = "/market/movers?change_above=-100";
    let plain = read(&server, &member, path, "application/json").await;
    let body = plain.json();
    let reply = read(&server, &member, path, "text/csv").await;
    let lines = table(&reply);
    assert_eq!(lines[0][..2], ["list", "symbol"]);
    let found: Vec<(&str, &str)> = lines[1..]
        .iter()
        .map(|line| (line[0].as_str(), line[1].as_str()))
        .collect();
    let mut wanted = Vec::new();
    for list in ["gainers", "losers", "most_active", "matching"] {
        let rows = body[list].as_array().unwrap().iter();
        wanted.extend(rows.map(|row| (list, row["symbol"].as_str().unwrap())));
    }
    assert!(wanted.len() > 8, "{body}");
    assert_eq!(found, wanted);
    let volumes = read(&server, &member, path, "text/csv; table=most_active").await;
    let lines = table(&volumes);
    assert_eq!(lines[0][0], "symbol");
    assert_eq!(
        lines.len(),
        body["most_active"].as_array().unwrap().len() + 1
    );
    assert_ne!(volumes.headers["etag"], reply.headers["etag"]);
    let nothing = read(&server, &member, path, "text/csv; table=nothing").await;
    assert_eq!(nothing.headers["content-type"], "application/json");

    let strategy = json!({"strategy": {"entry_filters": {"rsi_below": 60}, "exit_filters": {"rsi_above": 70}}});
    let asked = |accept| {
        let asked = server.post("/api/v1/backtest", &strategy);
        asked.bearer(&member.key).header("accept", accept).send()
    };
    let body = asked("application/json").await.json();
    let trades = body["trades"].as_array().unwrap();
    let lines = table(&asked("text/csv; table=trades").await);
    assert_eq!(lines.len(), trades.len() + 1);
    let column = |name: &str| lines[0].iter().position(|one| one == name).unwrap();
    for (line, trade) in lines[1..].iter().zip(trades) {
        assert_eq!(line[column("ticker")], trade["ticker"].as_str().unwrap());
        assert_eq!(line[column("return_pct")], trade["return_pct"].to_string());
    }
}

#[tokio::test]
async fn an_empty_table_has_its_header_and_what_is_no_table_is_json() {
    let server = market().await;
    let member = server.unlimited().await;
    let none = table(&read(&server, &member, "/alerts", "text/csv").await);
    assert_eq!(none.len(), 1);
    assert!(none[0].contains(&"threshold".to_owned()), "{none:?}");
    for path in ["/ticker/ACME/price", "/ticker/ACME/full"] {
        let reply = read(&server, &member, path, "text/csv").await;
        assert_eq!(
            (reply.status.as_u16(), &reply.headers["content-type"]),
            (200, &"application/json".parse().unwrap())
        );
    }
    let refused = read(
        &server,
        &member,
        "/ticker/ACME/candles?range=ever",
        "text/csv",
    )
    .await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.headers["content-type"], "application/json");
    let gone = server.ask(Method::GET, "/api/v1/ticker/NOSUCH/candles");
    let gone = gone
        .bearer(&member.key)
        .header("accept", "text/csv")
        .send()
        .await;
    assert_eq!(gone.status, 404);
}
