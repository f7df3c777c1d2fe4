//! Checks: what they find, what they send, and that a restart changes neither.

use http::Method;
use model::{DataMode, KeyScope, Plan};
use serde_json::{Value, json};
use store::{Location, Store};
use wiremock::ResponseTemplate;

use super::fixtures::{DAY, DECEMBER, HOUR, JANUARY, world};
use crate::receiver::{address, checked, received, receiver};
use crate::support::TestServer;
use operations::Clock;

#[tokio::test]
async fn a_claim_that_is_contradicted_is_sent_once_and_signed() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    server.said(&member, &format!("{JANUARY} {DECEMBER}")).await;
    let monitor = server
        .monitor(&member, json!({"alert_webhook": address(&receiver)}))
        .await;
    assert_eq!(monitor["next_check"], "2026-03-11T12:00:00Z");
    assert_eq!(
        (
            &monitor["trust_threshold"],
            &monitor["check_interval_hours"]
        ),
        (&json!(0.7), &json!(24.0))
    );
    assert_eq!(server.work().await, (0, 0), "not due yet");
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0), "nothing has changed");
    assert_eq!(
        server.shown(&member, &monitor).await["monitor"]["last_trust"],
        1.0
    );

    server.publish_rates(&[("2026-01-01", 4.2)]).await;
    assert_eq!(server.work().await, (0, 0), "not due again yet");
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 1));
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 1);
    let message = checked(&requests[0], &monitor["secret"], server.clock.now());
    assert_eq!(message["type"], "monitor.claim_contradicted");
    assert_eq!(message["timestamp"], "2026-03-12T12:00:00Z");
    let data = &message["data"];
    assert_eq!(data["monitor_id"], monitor["monitor_id"]);
    assert_eq!(
        (
            &data["agent_id"],
            &data["claim"],
            &data["previous_verdict"],
            &data["verdict"]
        ),
        (
            &json!("desk"),
            &json!(JANUARY),
            &json!("supported"),
            &json!("contradicted")
        )
    );
    assert!(data["updated_confidence"].as_f64().unwrap() > 0.5, "{data}");
    assert_eq!(data["new_evidence"][0]["kind"], "data");
    assert!(
        data["new_evidence"][0]["snippet"]
            .as_str()
            .unwrap()
            .contains("4.2"),
        "{data}"
    );
    assert_eq!(
        (&data["escalated"], data.get("simulated")),
        (&json!(false), None)
    );
    assert!(
        (data["trust"].as_f64().unwrap() - 0.5).abs() < 0.1,
        "{data}"
    );

    // What the agent remembers is up to date, and its receipt is of the new verdict.
    let listed = server
        .call(
            &member,
            Method::GET,
            "/api/v1/memory/list?agent_id=desk",
            None,
        )
        .await
        .json();
    let memories = listed["memories"].as_array().unwrap();
    let memory = memories
        .iter()
        .find(|memory| memory["value"] == JANUARY)
        .unwrap();
    assert_eq!(
        (&memory["verdict"], &memory["id"]),
        (&json!("contradicted"), &data["memory_id"])
    );
    assert_eq!(memory["confidence"], data["updated_confidence"]);
    assert_eq!(memory["receipt_id"], data["receipt_id"]);
    let receipt = format!(
        "/api/v1/verify/receipt/{}",
        memory["receipt_id"].as_str().unwrap()
    );
    let receipt = server.get(&receipt).send().await.json();
    assert_eq!(receipt["receipt"]["verdict"], "contradicted");
    let path = "/api/v1/agent/health-check";
    let health = server
        .call(
            &member,
            Method::POST,
            path,
            Some(json!({"agent_id": "desk"})),
        )
        .await
        .json();
    assert_eq!(
        (
            &health["health"]["contradicted_claims"],
            &health["health"]["last_verified"]
        ),
        (&json!(1), &json!("2026-03-12T12:00:00Z"))
    );

    // It stays contradicted: that is no news.
    for _ in 0..3 {
        server.clock.advance(DAY);
        assert_eq!(server.work().await, (1, 0));
    }
    assert_eq!(received(&receiver).await.len(), 1);
    let shown = server.shown(&member, &monitor).await;
    assert_eq!(
        (
            &shown["monitor"]["alerts_sent"],
            &shown["monitor"]["last_check"]
        ),
        (&json!(1), &json!("2026-03-15T12:00:00Z"))
    );
    let alert = &shown["alerts"][0];
    assert_eq!(
        (&alert["delivery"], &alert["attempts"]),
        (&json!("delivered"), &json!(1))
    );
    assert_eq!(alert["message"], message);
    // It is right again, and then wrong again: that is.
    server.publish_rates(&[("2026-01-01", 3.7)]).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0));
    server.publish_rates(&[("2026-01-01", 4.3)]).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 1));
}

#[tokio::test]
async fn a_restart_loses_nothing_and_repeats_nothing() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Directory(directory.path().join("data"));
    let open = async || Store::open(&location, DataMode::Real).await.unwrap();
    let first = TestServer::calling(open().await, &[*receiver.address()]).await;
    first
        .publish_rates(&[("2025-12-01", 3.8), ("2026-01-01", 3.7)])
        .await;
    let member = first.member(Plan::Startup, KeyScope::default()).await;
    first.said(&member, JANUARY).await;
    let monitor = first
        .monitor(&member, json!({"alert_webhook": address(&receiver)}))
        .await;
    first.publish_rates(&[("2026-01-01", 4.2)]).await;
    // It ends in the middle of the check.
    first.clock.advance(DAY);
    let mut now = first.clock.now();
    let claimed = first
        .state
        .store
        .monitors()
        .claim(now, store::LEASE_MS)
        .await;
    assert!(claimed.unwrap().is_some());
    first.state.store.close().await;
    drop(first);

    let second = TestServer::calling(open().await, &[*receiver.address()]).await;
    second.clock.set(&now.to_string());
    assert_eq!(second.work().await, (0, 0), "it may still be at work");
    second.clock.advance(HOUR);
    assert_eq!(second.state.check_due_monitors().await.unwrap(), 1);
    // It ends in the middle of the delivery.
    let alerts = second.state.store.deliveries();
    now = second.clock.now();
    let due = alerts.claim(now, store::LEASE_MS, &[]).await;
    assert!(due.unwrap().is_some());
    second.state.store.close().await;
    drop(second);

    let third = TestServer::calling(open().await, &[*receiver.address()]).await;
    third.clock.set(&now.to_string());
    assert_eq!(third.work().await, (0, 0));
    third.clock.advance(HOUR);
    assert_eq!(third.work().await, (0, 1));
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 1);
    let message = checked(&requests[0], &monitor["secret"], third.clock.now());
    assert_eq!(message["data"]["claim"], JANUARY);
    third.clock.advance(DAY);
    assert_eq!(third.work().await, (1, 0));
    assert_eq!(received(&receiver).await.len(), 1);
    let shown = third.shown(&member, &monitor).await;
    assert_eq!(shown["alerts"].as_array().unwrap().len(), 1);
    assert_eq!(shown["alerts"][0]["attempts"], 2);
}

#[tokio::test]
async fn trust_that_falls_is_escalated_once() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    server.said(&member, &format!("{JANUARY} {DECEMBER}")).await;
    let settings = json!({"alert_webhook": address(&receiver), "escalate_on_low_trust": true});
    let monitor = server.monitor(&member, settings).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0));
    server.publish_rates(&[("2026-01-01", 4.2)]).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 2));
    let mut messages: Vec<Value> = received(&receiver)
        .await
        .iter()
        .map(|request| checked(request, &monitor["secret"], server.clock.now()))
        .collect();
    messages.sort_by_key(|message| message["type"].to_string());
    let kinds: Vec<&Value> = messages.iter().map(|message| &message["type"]).collect();
    assert_eq!(kinds, ["monitor.claim_contradicted", "monitor.trust_low"]);
    assert!(
        messages
            .iter()
            .all(|message| message["data"]["escalated"] == true)
    );
    let low = &messages[1]["data"];
    assert_eq!(
        (
            &low["previous_trust"],
            &low["claims_checked"],
            &low["claims_contradicted"]
        ),
        (&json!(1.0), &json!(2), &json!(1))
    );
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0), "it has not fallen again");
    // With a lower threshold it is high again, and falls once more with the next claim.
    server
        .monitor(&member, json!({"trust_threshold": 0.3}))
        .await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0));
    server.publish_rates(&[("2025-12-01", 4.4)]).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 2));
}

#[tokio::test]
async fn only_accounts_that_may_have_monitors_are_checked() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    server.said(&member, JANUARY).await;
    let monitor = server.monitor(&member, json!({})).await;
    server.publish_rates(&[("2026-01-01", 4.2)]).await;
    server.clock.advance(DAY);
    let accounts = server.state.store.accounts();
    assert!(
        accounts
            .set_plan(member.account, Plan::Builder)
            .await
            .unwrap()
    );
    assert_eq!(server.work().await, (0, 0));
    assert!(
        accounts
            .set_plan(member.account, Plan::Startup)
            .await
            .unwrap()
    );
    assert!(
        accounts
            .disable(member.account, server.clock.now())
            .await
            .unwrap()
    );
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (0, 0));
    assert!(accounts.enable(member.account).await.unwrap());
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0));
    let alert = &server.shown(&member, &monitor).await["alerts"][0];
    assert_eq!(alert["delivery"], "not_sent", "there is no webhook");
    assert_eq!(alert["message"]["data"]["claim"], JANUARY);
}

#[tokio::test]
async fn what_an_agent_only_believed_counts_as_believed() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let path = "/api/v1/memory/store";
    for (key, category, confidence) in [
        ("sure", "claim", Some(0.9)),
        ("open", "claim", None),
        ("doubt", "claim", Some(0.2)),
        ("note", "note", Some(0.9)),
    ] {
        let memory = json!({"agent_id": "desk", "key": key, "category": category, "confidence": confidence,
            "value": "The unemployment rate was 9.9% in January 2026."});
        let stored = server.call(&member, Method::POST, path, Some(memory)).await;
        assert_eq!(stored.status.as_u16(), 200, "{}", stored.text());
    }
    let opinion = json!({"agent_id": "desk", "key": "opinion", "category": "claim", "confidence": 0.9,
        "value": "I think that unemployment is the best topic of all."});
    server
        .call(&member, Method::POST, path, Some(opinion))
        .await;
    let monitor = server.monitor(&member, json!({})).await;
    server.clock.advance(DAY);
    assert_eq!(server.work().await, (1, 0));
    let shown = server.shown(&member, &monitor).await;
    let mut keys: Vec<&str> = shown["alerts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|alert| alert["message"]["data"]["memory_key"].as_str().unwrap())
        .collect();
    keys.sort_unstable();
    assert_eq!(keys, ["open", "sure"]);
    let listed = server
        .call(
            &member,
            Method::GET,
            "/api/v1/memory/list?agent_id=desk",
            None,
        )
        .await
        .json();
    for memory in listed["memories"].as_array().unwrap() {
        let is_checked = !["note", "opinion"].contains(&memory["key"].as_str().unwrap());
        assert_eq!(memory["verdict"] == "contradicted", is_checked, "{memory}");
    }
}
