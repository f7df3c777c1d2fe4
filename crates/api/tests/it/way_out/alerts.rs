//! Alerts: created, fired once, listed, delivered, and tried on the past.

use http::Method;
use model::{AccountId, AlertType, Category, EntityKind, EntityRole, Timestamp};
use operations::Clock;
use serde_json::{Value, json};
use store::AlertTerms;
use wiremock::ResponseTemplate;

use super::world::{ALERTS, world};
use crate::news::fixtures::{BriefBuilder, narrow, publish};
use crate::receiver::{address, checked, header, received, receiver};
use crate::support::{TestMember, TestServer};

pub(super) async fn create(server: &TestServer, member: &TestMember, body: Value) -> Value {
    let reply = server.call(member, Method::POST, ALERTS, Some(body)).await;
    let found = (reply.status.as_u16(), reply.charged());
    assert_eq!(found, (200, 1), "{}", reply.text());
    reply.json()["alert"].clone()
}

fn above(threshold: f64) -> Value {
    json!({"ticker": "ACME", "alert_type": "price_above", "threshold": threshold})
}

pub(super) async fn triggered(server: &TestServer, member: &TestMember) -> Value {
    let path = format!("{ALERTS}/triggered");
    server.done(member, Method::GET, &path, None).await
}

/// A brief about ACME, published at the time of the clock.
pub(super) fn brief(number: u128, headline: &str, at: Timestamp) -> BriefBuilder {
    BriefBuilder::new(
        number,
        &format!("PR-2026-0310-{number:03}"),
        Category::Tech,
        headline,
    )
    .source("tribune.example", &at.to_string())
    .entity(
        "Acme Instruments",
        EntityKind::Organization,
        Some("ACME"),
        EntityRole::Subject,
        3,
    )
}

#[tokio::test]
async fn an_alert_fires_once_and_says_what_moved_it() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let now = server.clock.now();
    publish(
        &server,
        &brief(7, "Acme wins a large order", now.plus_ms(-60_000)).brief,
    )
    .await;
    let settings = json!({"ticker": "acme", "alert_type": "price_above", "threshold": 200,
        "callback_url": address(&receiver)});
    let reply = server
        .call(&member, Method::POST, ALERTS, Some(settings.clone()))
        .await
        .json();
    let (alert, secret) = (&reply["alert"], &reply["secret"]);
    assert!(alert["id"].as_str().unwrap().starts_with("alt_"));
    assert_eq!(
        (&alert["ticker"], &alert["status"], &alert["threshold"]),
        (&json!("ACME"), &json!("active"), &json!(200.0))
    );
    assert_eq!(
        alert["callback_url"],
        address(&receiver),
        "as its owner sent it"
    );
    // The same address has the same secret, which is not shown twice.
    let second = server
        .call(&member, Method::POST, ALERTS, Some(settings))
        .await
        .json();
    assert!(secret.is_string() && second.get("secret").is_none());

    assert_eq!(server.evaluate().await, 0, "it stands at the newest close");
    server.price("stock:ACME", 199.5, 3e5).await;
    assert_eq!(server.evaluate().await, 0);
    server.price("stock:ACME", 201.25, 4e5).await;
    assert_eq!(server.evaluate().await, 2);
    server.price("stock:ACME", 202.0, 5e5).await;
    assert_eq!(server.evaluate().await, 0, "once");

    let listed = triggered(&server, &member).await;
    assert_eq!(listed["total"], 2);
    let fired = listed["triggered"].as_array().unwrap();
    let one = fired.iter().find(|one| one["id"] == alert["id"]).unwrap();
    assert_eq!(
        (&one["alert_id"], &one["status"]),
        (&alert["id"], &json!("triggered"))
    );
    assert_eq!(one["trigger_value"], 201.25);
    let context = &one["context"];
    assert_eq!(context["headline"], "Acme wins a large order");
    assert_eq!(context["brief_id"], "PR-2026-0310-007");
    assert_eq!(context["price"]["current"], 201.25);
    assert_eq!(context["figure"]["name"], "price");
    // A key that sees other categories does not see the brief.
    let since = format!("{ALERTS}/triggered?since=2026-03-11T00:00:00Z");
    let none = server.done(&member, Method::GET, &since, None).await;
    assert_eq!(none["total"], 0);

    let delivered_at = server.clock.now();
    assert_eq!(server.worker().deliver_due().await.unwrap(), 2);
    assert_eq!(server.worker().deliver_due().await.unwrap(), 0);
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 2);
    let messages: Vec<Value> = requests
        .iter()
        .map(|request| checked(request, secret, delivered_at))
        .collect();
    assert_ne!(
        header(&requests[0], "webhook-id"),
        header(&requests[1], "webhook-id")
    );
    let message = messages
        .iter()
        .find(|message| message["data"]["alert"]["id"] == alert["id"])
        .unwrap();
    assert_eq!(message["type"], "alert.triggered");
    assert_eq!(message["timestamp"], one["triggered_at"]);
    assert_eq!(message["data"]["alert"]["context"], *context);
    assert_eq!(message["data"]["simulated"], true);
}

#[tokio::test]
async fn each_type_waits_for_its_own_figure() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    for (kind, threshold) in [
        ("price_below", 120.0),
        ("volume_spike", 3.0),
        ("sentiment_above", 0.5),
        ("sentiment_below", 0.1),
        ("rsi_cross", 50.0),
    ] {
        let body = json!({"ticker": "ACME", "alert_type": kind, "threshold": threshold});
        create(&server, &member, body).await;
    }
    assert_eq!(server.evaluate().await, 0);
    let fired = async || {
        let listed = triggered(&server, &member).await;
        let mut kinds: Vec<String> = listed["triggered"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["alert_type"].as_str().unwrap().to_owned())
            .collect();
        kinds.sort();
        kinds
    };
    server.price("stock:ACME", 150.0, 2.9e6).await;
    assert_eq!(server.evaluate().await, 0);
    server.price("stock:ACME", 150.0, 3e6).await;
    assert_eq!(
        (server.evaluate().await, fired().await),
        (1, vec!["volume_spike".to_owned()])
    );
    server.price("stock:ACME", 119.0, 3e6).await;
    assert_eq!(server.evaluate().await, 1);

    let now = server.clock.now();
    publish(
        &server,
        &brief(8, "Acme wins again", now.plus_ms(-1_000)).brief,
    )
    .await;
    assert_eq!(server.evaluate().await, 1);
    assert_eq!(
        fired().await,
        ["price_below", "sentiment_above", "volume_spike"]
    );

    // Two closes on either side of 50, both after the alert was made.
    let candles = crate::market::fixtures::falling_and_rising();
    let mut transaction = server
        .state
        .store
        .market_transaction(server.clock.now())
        .await
        .unwrap();
    let (instrument, candles) = &candles;
    transaction.put_candles(instrument, candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.clock.set("2026-03-20T22:00:00Z");
    server.state.market.refresh().await.unwrap();
    assert_eq!(server.evaluate().await, 1);
    let listed = triggered(&server, &member).await;
    let crossing = &listed["triggered"][0];
    assert_eq!(crossing["alert_type"], "rsi_cross");
    let figure = &crossing["context"]["figure"];
    let (before, now) = (
        figure["previous"].as_f64().unwrap(),
        figure["value"].as_f64().unwrap(),
    );
    assert!((before < 50.0) != (now < 50.0), "{figure}");
    assert_eq!(crossing["trigger_value"], figure["value"]);
}

#[tokio::test]
async fn an_alert_is_its_owners_alone() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let other = server.unlimited().await;
    let alert = create(&server, &member, above(1e6)).await;
    let path = format!("{ALERTS}/{}", alert["id"].as_str().unwrap());
    let theirs = server.call(&other, Method::DELETE, &path, None).await;
    theirs.expect_error(404, "not_found");
    assert_eq!(
        server.done(&other, Method::GET, ALERTS, None).await["total"],
        0
    );
    let mine = server.done(&member, Method::GET, ALERTS, None).await;
    assert_eq!((&mine["total"], &mine["alerts"][0]), (&json!(1), &alert));
    let of_status = async |status: &str| {
        let path = format!("{ALERTS}?status={status}");
        server.done(&member, Method::GET, &path, None).await["total"].clone()
    };
    assert_eq!(
        (of_status("active").await, of_status("triggered").await),
        (json!(1), json!(0))
    );
    for (method, path) in [
        (Method::GET, ALERTS),
        (Method::DELETE, &*path),
        (Method::GET, "/api/v1/alerts/triggered"),
    ] {
        let nobody = server.ask(method, path).send().await;
        nobody.expect_error(401, "credential_required");
    }
    server.done(&member, Method::DELETE, &path, None).await;
    server
        .call(&member, Method::DELETE, &path, None)
        .await
        .expect_error(404, "not_found");
    server.price("stock:ACME", 2e6, 1.0).await;
    assert_eq!(server.evaluate().await, 0, "it is gone");
}

#[tokio::test]
async fn a_message_of_a_deleted_alert_is_not_sent() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let mut body = above(1.0);
    body["callback_url"] = address(&receiver).into();
    let alert = create(&server, &member, body).await;
    assert_eq!(server.evaluate().await, 1, "its condition holds already");
    let path = format!("{ALERTS}/{}", alert["id"].as_str().unwrap());
    server.done(&member, Method::DELETE, &path, None).await;
    assert_eq!(server.worker().deliver_due().await.unwrap(), 0);
    assert!(received(&receiver).await.is_empty());
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let ask = async |body: Value| server.call(&member, Method::POST, ALERTS, Some(body)).await;
    for (body, named) in [
        (json!({}), "ticker"),
        (json!({"ticker": "ACME"}), "alert_type"),
        (
            json!({"ticker": "ACME", "alert_type": "price_above"}),
            "threshold",
        ),
        (
            json!({"ticker": " ", "alert_type": "price_above", "threshold": 1}),
            "ticker",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "price", "threshold": 1}),
            "alert_type",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 0}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "price_below", "threshold": -1}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "price_below", "threshold": 1e16}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "price_below", "threshold": "1"}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "sentiment_above", "threshold": 1.01}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "sentiment_below", "threshold": -0.01}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "rsi_cross", "threshold": 100.1}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "volume_spike", "threshold": 0}),
            "threshold",
        ),
        (
            json!({"ticker": "ACME", "alert_type": "volume_spike", "threshold": 1001}),
            "threshold",
        ),
    ] {
        let fault = ask(body.clone()).await.expect_error(400, "invalid_request");
        let message = fault["message"].as_str().unwrap();
        assert!(message.contains(named), "{body}: {message}");
    }
    for address in [
        "http://hooks.example/in",
        "https://10.0.0.8/in",
        "https://localhost:8443/in",
        "https://desk.localhost/in",
        "https://hooks.example/in\u{1}",
        "https://hooks.example/in\r\n",
        "https://hooks.example\\in",
        "",
    ] {
        let mut body = above(1.0);
        body["callback_url"] = address.into();
        let fault = ask(body).await.expect_error(400, "invalid_request");
        assert!(
            fault["message"]
                .as_str()
                .unwrap()
                .starts_with("callback_url"),
            "{fault}"
        );
    }
    let unknown = json!({"ticker": "NOSUCH", "alert_type": "price_above", "threshold": 1});
    ask(unknown).await.expect_error(404, "unknown_symbol");
    for query in ["status=fired", "limit=0", "limit=10001"] {
        let path = format!("{ALERTS}?{query}");
        let reply = server.call(&member, Method::GET, &path, None).await;
        reply.expect_error(400, "invalid_request");
    }
    for query in ["limit=51", "since=yesterday"] {
        let path = format!("{ALERTS}/triggered?{query}");
        let reply = server.call(&member, Method::GET, &path, None).await;
        reply.expect_error(400, "invalid_request");
    }
    // Sentiment draws on every category.
    let narrow = narrow(&server, &[Category::Tech]).await;
    let body = json!({"ticker": "ACME", "alert_type": "sentiment_above", "threshold": 0.5});
    let refused = server.call(&narrow, Method::POST, ALERTS, Some(body)).await;
    refused.expect_error(403, "category_not_allowed");
    let price = server
        .call(&narrow, Method::POST, ALERTS, Some(above(1e6)))
        .await;
    assert_eq!(price.status.as_u16(), 200);
    assert_eq!(
        server.done(&member, Method::GET, ALERTS, None).await["total"],
        0
    );
}

/// Writes alerts past the interface, as fast as the store takes them.
async fn many(server: &TestServer, owner: AccountId, count: usize, threshold: f64) {
    for number in 0..count {
        let terms = AlertTerms {
            id: format!("alt_{number}"),
            account: owner,
            ticker: "ACME".to_owned(),
            series: "stock:ACME".to_owned(),
            kind: AlertType::PriceAbove,
            threshold,
            receiver: None,
            categories: Vec::new(),
            created_at: server.clock.now(),
        };
        let alerts = server.state.store.alerts();
        alerts
            .insert(&terms, None, u64::MAX >> 1, None)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn ten_thousand_alerts_are_the_most_and_may_all_fire_at_one_tick() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    many(&server, member.account, 10_000, 500.0).await;
    let one_more = server
        .call(&member, Method::POST, ALERTS, Some(above(1.0)))
        .await;
    one_more.expect_error(409, "too_many_entries");
    assert_eq!(server.evaluate().await, 0);
    server.price("stock:ACME", 500.0, 1.0).await;
    assert_eq!(server.evaluate().await, 10_000);
    assert_eq!(triggered(&server, &member).await["total"], 10_000);
    assert_eq!(server.evaluate().await, 0);
    create(&server, &member, above(1e6)).await;
}

#[tokio::test]
async fn a_dry_run_looks_at_ninety_days_and_stores_nothing() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let path = format!("{ALERTS}?preview=true");
    let preview = async |body: Value| {
        let answer = server.done(&member, Method::POST, &path, Some(body)).await;
        assert!(answer.get("alert").is_none() && answer.get("secret").is_none());
        answer["preview"].clone()
    };
    // ACME rises by 0.2 a session with a wave of 3: 158 is reached late, 400 never.
    let reached = preview(above(158.0)).await;
    assert_eq!(
        (&reached["would_fire"], &reached["from"]),
        (&json!(true), &json!("2025-12-10"))
    );
    let days = reached["days_met"].as_array().unwrap();
    assert_eq!(days[0]["date"], reached["date"]);
    assert!(
        days.iter()
            .all(|day| day["value"].as_f64().unwrap() >= 158.0)
    );
    let never = preview(above(400.0)).await;
    assert_eq!(
        (&never["would_fire"], &never["date"]),
        (&json!(false), &Value::Null)
    );
    let crossings =
        preview(json!({"ticker": "ACME", "alert_type": "rsi_cross", "threshold": 50})).await;
    assert!(
        crossings["days_met"].as_array().unwrap().len() > 2,
        "a wave crosses"
    );
    let silent =
        preview(json!({"ticker": "ACME", "alert_type": "sentiment_above", "threshold": 0.5})).await;
    assert_eq!(silent["days_with_data"], 0);
    let now = server.clock.now();
    publish(
        &server,
        &brief(9, "Acme wins", now.plus_ms(-Timestamp::DAY_MS)).brief,
    )
    .await;
    let heard =
        preview(json!({"ticker": "ACME", "alert_type": "sentiment_above", "threshold": 0.5})).await;
    assert_eq!(heard["days_with_data"], 2, "yesterday and today");
    assert_eq!(
        server.done(&member, Method::GET, ALERTS, None).await["total"],
        0
    );
}
