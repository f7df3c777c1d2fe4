//! Webhooks: told of each event once, in their format, signed, tried again, disabled, and never told of by others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use model::{Category, Timestamp};
use operations::Clock;
use serde_json::{Value, json};
use wiremock::{Request, Respond, ResponseTemplate};

use super::alerts::brief;
use super::world::{PUBLISHED, WEBHOOKS, world};
use crate::news::fixtures::{narrow, publish};
use crate::receiver::{address, checked, header, hmac, received, receiver};
use crate::support::{TestMember, TestServer};

pub(super) async fn subscribe(
    server: &TestServer,
    member: &TestMember,
    url: &str,
    format: &str,
) -> Value {
    let body = json!({"url": url, "events": [PUBLISHED], "format": format});
    let answer = server
        .done(member, Method::POST, WEBHOOKS, Some(body))
        .await;
    answer["webhook"].clone()
}

fn path(webhook: &Value, rest: &str) -> String {
    format!("{WEBHOOKS}/{}{rest}", webhook["id"].as_str().unwrap())
}

pub(super) async fn deliveries(
    server: &TestServer,
    member: &TestMember,
    webhook: &Value,
) -> Vec<Value> {
    let path = path(webhook, "/deliveries");
    let answer = server.done(member, Method::GET, &path, None).await;
    answer["deliveries"].as_array().unwrap().clone()
}

async fn state(server: &TestServer, member: &TestMember) -> Value {
    let listed = server.done(member, Method::GET, WEBHOOKS, None).await;
    listed["webhooks"][0].clone()
}

#[tokio::test]
async fn each_event_is_told_once_and_signed() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let now = server.clock.now();
    publish(
        &server,
        &brief(1, "Before there was anybody to tell", now).brief,
    )
    .await;
    server.state.store.outbox().sequence().await.unwrap();
    let webhook = subscribe(&server, &member, &address(&receiver), "raw").await;
    assert!(webhook["id"].as_str().unwrap().starts_with("whk_"));
    assert_eq!(
        (&webhook["state"], &webhook["events"]),
        (&json!("active"), &json!([PUBLISHED]))
    );
    assert_eq!(server.tell().await, (0, 0), "what was before is no news");
    let first = brief(2, "Acme opens a plant", now);
    publish(&server, &first.brief).await;
    assert_eq!(server.tell().await, (1, 1));
    assert_eq!(server.tell().await, (0, 0), "once");
    // An update is none of its events.
    let revised = first.source("courier.example", &now.to_string());
    publish(&server, &revised.revised("Acme opens a large plant").brief).await;
    assert_eq!(server.tell().await, (0, 0));
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 1);
    let message = checked(&requests[0], &webhook["secret"], server.clock.now());
    assert_eq!(message["type"], PUBLISHED);
    assert_eq!(message["data"]["brief"]["headline"], "Acme opens a plant");
    let listed = deliveries(&server, &member, &webhook).await;
    assert_eq!(listed.len(), 1);
    let one = &listed[0];
    assert_eq!(one["id"], header(&requests[0], "webhook-id"));
    assert_eq!(
        (&one["state"], &one["attempts"], &one["response_status"]),
        (&json!("delivered"), &json!(1), &json!(200))
    );
    assert_eq!(
        (&one["event"], &one["brief_id"]),
        (&json!(PUBLISHED), &json!("PR-2026-0310-002"))
    );

    // Again on request, under the same id.
    let replay = path(
        &webhook,
        &format!("/deliveries/{}/replay", one["id"].as_str().unwrap()),
    );
    let replayed = server.done(&member, Method::POST, &replay, None).await;
    assert_eq!(replayed["delivery"]["state"], "pending");
    assert_eq!(server.tell().await, (0, 1));
    let requests = received(&receiver).await;
    assert_eq!(
        header(&requests[0], "webhook-id"),
        header(&requests[1], "webhook-id")
    );
    assert_eq!(requests[0].body, requests[1].body);
}

#[tokio::test]
async fn two_processes_tell_of_an_event_once() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let second = TestServer::on(server.state.store.clone(), |_| {}).await;
    subscribe(&server, &member, &address(&receiver), "raw").await;
    server.state.tell_due_webhooks().await.unwrap();
    let now = server.clock.now();
    for number in 1..=20 {
        publish(&server, &brief(number, "Acme opens a plant", now).brief).await;
    }
    server.state.store.outbox().sequence().await.unwrap();
    let (one, other) = tokio::join!(
        server.state.tell_due_webhooks(),
        second.state.tell_due_webhooks()
    );
    assert_eq!(one.unwrap() + other.unwrap(), 20);
    let (one, other) = (server.worker(), server.worker());
    let (one, other) = tokio::join!(one.deliver_due(), other.deliver_due());
    assert_eq!(one.unwrap() + other.unwrap(), 20);
    let requests = received(&receiver).await;
    let mut ids: Vec<&str> = requests
        .iter()
        .map(|one| header(one, "webhook-id"))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((requests.len(), ids.len()), (20, 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_that_end_together_stop_nobody_who_writes() {
    let receiver = receiver(ResponseTemplate::new(500)).await;
    let (server, member) = world(&receiver).await;
    for _ in 0..4 {
        subscribe(&server, &member, &address(&receiver), "raw").await;
    }
    let now = server.clock.now();
    for number in 1..=20 {
        publish(&server, &brief(number, "Acme opens a plant", now).brief).await;
    }
    // A worker that waited for the store behind its own attempts would wait for good.
    let told = tokio::time::timeout(Duration::from_mins(2), server.tell()).await;
    assert_eq!(told, Ok((80, 80)));
}

#[tokio::test]
async fn chat_services_get_their_own_format() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    for format in ["slack", "discord"] {
        subscribe(&server, &member, &address(&receiver), format).await;
    }
    publish(
        &server,
        &brief(1, "A & B <merge>", server.clock.now()).brief,
    )
    .await;
    assert_eq!(server.tell().await, (2, 2));
    let bodies: Vec<Value> = received(&receiver)
        .await
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap())
        .collect();
    let slack = bodies
        .iter()
        .find(|body| body.get("blocks").is_some())
        .unwrap();
    assert_eq!(slack["blocks"][0]["text"]["text"], "A & B <merge>");
    assert_eq!(slack["text"], "Published: A &amp; B &lt;merge&gt;");
    let discord = bodies
        .iter()
        .find(|body| body.get("embeds").is_some())
        .unwrap();
    assert_eq!(discord["embeds"][0]["title"], "A & B \\<merge\\>");
    assert!(discord.to_string().contains("simulated"));
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let old = subscribe(&server, &member, &address(&receiver), "raw").await;
    let rotate = path(&old, "/rotate");
    let by_key = server.call(&member, Method::POST, &rotate, None).await;
    by_key.expect_error(403, "token_required");
    // The token of another account finds nothing.
    let token = server.register("b@mail.example").await;
    let theirs = server
        .ask(Method::POST, &rotate)
        .bearer(&token)
        .send()
        .await;
    theirs.expect_error(404, "not_found");
    let body = json!({"url": address(&receiver), "events": [PUBLISHED]});
    let mine = server
        .post(WEBHOOKS, &body)
        .bearer(&token)
        .send()
        .await
        .json();
    let mine = &mine["webhook"];
    let rotated = server
        .ask(Method::POST, &path(mine, "/rotate"))
        .bearer(&token)
        .send()
        .await
        .json();
    let (before, after) = (&mine["secret"], &rotated["webhook"]["secret"]);
    assert_ne!(before, after);
    let test = server.ask(Method::POST, &path(mine, "/test"));
    let sent = test.bearer(&token).send().await.json();
    assert_eq!(
        (&sent["delivery"]["event"], &sent["delivery"]["state"]),
        (&json!("webhook.test"), &json!("pending"))
    );
    assert_eq!(server.tell().await, (0, 1));
    server.clock.advance(24 * Timestamp::HOUR_MS);
    let test = server.ask(Method::POST, &path(mine, "/test"));
    test.bearer(&token).send().await;
    assert_eq!(server.tell().await, (0, 1));
    let requests = received(&receiver).await;
    let signed = |request: &Request, secret: &Value| {
        let key = secret.as_str().unwrap().strip_prefix("whsec_").unwrap();
        let key = STANDARD.decode(key).unwrap();
        let (id, at) = (
            header(request, "webhook-id"),
            header(request, "webhook-timestamp"),
        );
        let text = [id.as_bytes(), b".", at.as_bytes(), b".", &request.body].concat();
        let expected = format!("v1,{}", STANDARD.encode(hmac(&key, &text)));
        header(request, "webhook-signature")
            .split(' ')
            .any(|one| one == expected)
    };
    assert!(signed(&requests[0], before) && signed(&requests[0], after));
    assert!(!signed(&requests[1], before) && signed(&requests[1], after));
}

/// Answers with the status that it is told.
pub(super) struct Moody(pub(super) std::sync::Arc<AtomicUsize>);

impl Respond for Moody {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        ResponseTemplate::new(u16::try_from(self.0.load(Ordering::SeqCst)).unwrap())
    }
}

#[tokio::test]
async fn five_days_of_failure_disable_and_a_test_enables() {
    let status = std::sync::Arc::new(AtomicUsize::new(500));
    let receiver = receiver(Moody(status.clone())).await;
    let (server, member) = world(&receiver).await;
    let webhook = subscribe(&server, &member, &address(&receiver), "raw").await;
    publish(
        &server,
        &brief(1, "Acme opens a plant", server.clock.now()).brief,
    )
    .await;
    assert_eq!(server.tell().await, (1, 1));
    let failing = state(&server, &member).await;
    assert_eq!(
        (&failing["state"], failing["failing_since"].is_string()),
        (&json!("active"), true)
    );
    for _ in 0..4 {
        server.clock.advance(30 * Timestamp::HOUR_MS);
        server.tell().await;
    }
    let disabled = state(&server, &member).await;
    assert_eq!(disabled["state"], "disabled");
    let notice = disabled["disabled_reason"].as_str().unwrap();
    assert!(notice.contains("5 days"), "{notice}");
    let listed = deliveries(&server, &member, &webhook).await;
    let is_event = |one: &&Value| one["event"] == PUBLISHED;
    let one = listed.iter().find(is_event).unwrap();
    assert_eq!(
        (&one["state"], &one["error"]),
        (&json!("dead"), &json!("status 500"))
    );
    let now = server.clock.now();
    publish(&server, &brief(2, "Acme opens another", now).brief).await;
    assert_eq!(server.tell().await, (0, 0), "it is told nothing");
    // A test that fails is not tried again, and changes nothing.
    server
        .done(&member, Method::POST, &path(&webhook, "/test"), None)
        .await;
    assert_eq!(server.tell().await, (0, 1));
    server.clock.advance(Timestamp::HOUR_MS);
    assert_eq!(server.tell().await, (0, 0));
    assert_eq!(state(&server, &member).await["state"], "disabled");
    status.store(204, Ordering::SeqCst);
    server
        .done(&member, Method::POST, &path(&webhook, "/test"), None)
        .await;
    assert_eq!(server.tell().await, (0, 1));
    let active = state(&server, &member).await;
    assert_eq!(
        (&active["state"], &active["failing_since"]),
        (&json!("active"), &Value::Null)
    );
    // What was given up can be sent after all.
    let dead = path(
        &webhook,
        &format!("/deliveries/{}/replay", one["id"].as_str().unwrap()),
    );
    server.done(&member, Method::POST, &dead, None).await;
    assert_eq!(server.tell().await, (0, 1));

    status.store(410, Ordering::SeqCst);
    publish(
        &server,
        &brief(3, "Acme opens a third", server.clock.now()).brief,
    )
    .await;
    assert_eq!(server.tell().await, (1, 1));
    let gone = state(&server, &member).await;
    assert_eq!(gone["state"], "disabled");
    assert!(gone["disabled_reason"].as_str().unwrap().contains("410"));
}

#[tokio::test]
async fn the_owner_is_told_when_a_webhook_is_disabled() {
    let status = std::sync::Arc::new(AtomicUsize::new(500));
    let failing = receiver(Moody(status.clone())).await;
    let working = receiver(ResponseTemplate::new(204)).await;
    let store = store::Store::open(&store::Location::Memory, model::DataMode::Real)
        .await
        .unwrap();
    let receivers = [*failing.address(), *working.address()];
    let server = TestServer::calling(store, &receivers).await;
    let (member, other) = (server.unlimited().await, server.unlimited().await);
    let told = subscribe(&server, &member, &address(&working), "raw").await;
    let chat = subscribe(&server, &member, &address(&working), "slack").await;
    let theirs = subscribe(&server, &other, &address(&working), "raw").await;
    let webhook = subscribe(&server, &member, &address(&failing), "raw").await;
    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.tell().await;
    for _ in 0..4 {
        assert!(deliveries(&server, &member, &told).await.len() == 1);
        server.clock.advance(30 * Timestamp::HOUR_MS);
        server.tell().await;
    }
    // The attempt that disables it makes the notices; they leave with whatever is due next.
    assert_eq!(server.tell().await, (0, 0));
    let disabled = server.clock.now();
    let notices = async |member: &TestMember, webhook: &Value| {
        let mut listed = deliveries(&server, member, webhook).await;
        listed.retain(|one| one["event"] == "webhook.disabled");
        listed
    };
    let own = notices(&member, &webhook).await;
    assert_eq!((own.len(), &own[0]["state"]), (1, &json!("not_sent")));
    for hook in [&told, &chat] {
        let notices = notices(&member, hook).await;
        assert_eq!(
            (notices.len(), &notices[0]["state"]),
            (1, &json!("delivered"))
        );
    }
    assert!(
        notices(&other, &theirs).await.is_empty(),
        "it concerns its owner alone"
    );
    let requests = received(&working).await;
    let raw = requests
        .iter()
        .find(|request| String::from_utf8_lossy(&request.body).contains("\"webhook.disabled\""));
    let message = checked(raw.unwrap(), &told["secret"], disabled);
    let data = &message["data"];
    assert_eq!(
        (&data["webhook_id"], &data["reason"], &data["failing_since"]),
        (
            &webhook["id"],
            &json!("every delivery failed for 5 days"),
            &json!(now)
        )
    );
    assert!(
        !message.to_string().contains("swordfish"),
        "the address is masked"
    );
    // Once: a test that fails as well is no news.
    let test = path(&webhook, "/test");
    server.done(&member, Method::POST, &test, None).await;
    server.tell().await;
    assert_eq!(notices(&member, &told).await.len(), 1);
    // Taken by a receiver that works again, then refused for good: another notice, with its reason.
    status.store(204, Ordering::SeqCst);
    server.done(&member, Method::POST, &test, None).await;
    server.tell().await;
    status.store(410, Ordering::SeqCst);
    server.clock.advance(1_000);
    server.done(&member, Method::POST, &test, None).await;
    server.tell().await;
    let second = notices(&member, &told).await;
    assert_eq!(second.len(), 2);
    assert_eq!(
        second[0]["message"]["data"]["reason"],
        "the receiver answered 410"
    );
}

#[tokio::test]
async fn an_address_comes_back_as_it_was_sent_however_long() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let long = format!("{}&path={}", address(&receiver), "x1".repeat(400));
    let webhook = subscribe(&server, &member, &long, "raw").await;
    let listed = state(&server, &member).await;
    for shown in [&webhook, &listed] {
        assert_eq!(shown["url"], long);
    }
    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200, "callback_url": long});
    let ask = server.post("/api/v1/alerts", &alert).bearer(&member.key);
    let created = ask.header("idempotency-key", "once").send().await.json();
    let ask = server.post("/api/v1/alerts", &alert).bearer(&member.key);
    let repeated = ask.header("idempotency-key", "once").send().await.json();
    let listed = server
        .done(&member, Method::GET, "/api/v1/alerts", None)
        .await;
    for alert in [&created["alert"], &repeated["alert"], &listed["alerts"][0]] {
        assert_eq!(alert["callback_url"], long);
    }
    assert_eq!(listed["total"], 1);
}

#[tokio::test]
async fn a_webhook_is_its_owners_alone_and_has_bounds() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let webhook = subscribe(&server, &member, &address(&receiver), "raw").await;
    let other = server.unlimited().await;
    for (method, rest) in [
        (Method::DELETE, ""),
        (Method::POST, "/test"),
        (Method::GET, "/deliveries"),
        (Method::POST, "/deliveries/msg_0/replay"),
    ] {
        let theirs = server
            .call(&other, method.clone(), &path(&webhook, rest), None)
            .await;
        theirs.expect_error(404, "not_found");
        let nobody = server.ask(method, &path(&webhook, rest)).send().await;
        nobody.expect_error(401, "credential_required");
    }
    assert_eq!(
        server.done(&other, Method::GET, WEBHOOKS, None).await["total"],
        0
    );
    let listed = server.call(&member, Method::GET, WEBHOOKS, None).await;
    let secret = webhook["secret"].as_str().unwrap();
    assert!(!listed.text().contains(secret));
    for shown in [&webhook, &listed.json()["webhooks"][0]] {
        assert_eq!(shown["url"], address(&receiver), "as its owner sent it");
    }

    let url = address(&receiver);
    for (body, named) in [
        (json!({}), "url"),
        (json!({"url": url}), "events"),
        (json!({"url": url, "events": []}), "events"),
        (json!({"url": url, "events": ["brief.updated"]}), "events"),
        (
            json!({"url": url, "events": [PUBLISHED], "format": "teams"}),
            "format",
        ),
        (
            json!({"url": "http://hooks.example/in", "events": [PUBLISHED]}),
            "url",
        ),
        (
            json!({"url": "https://10.1.2.3/in", "events": [PUBLISHED]}),
            "url",
        ),
    ] {
        let refused = server
            .call(&member, Method::POST, WEBHOOKS, Some(body))
            .await;
        let fault = refused.expect_error(400, "invalid_request");
        assert!(
            fault["message"].as_str().unwrap().contains(named),
            "{fault}"
        );
    }
    for _ in 1..20 {
        subscribe(&server, &member, &url, "raw").await;
    }
    let body = json!({"url": url, "events": [PUBLISHED]});
    let full = server
        .call(&member, Method::POST, WEBHOOKS, Some(body))
        .await;
    full.expect_error(409, "too_many_entries");
    server
        .done(&member, Method::DELETE, &path(&webhook, ""), None)
        .await;
    subscribe(&server, &member, &url, "raw").await;
}

#[tokio::test]
async fn a_key_for_some_categories_hears_of_those_only() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, _) = world(&receiver).await;
    let tech = narrow(&server, &[Category::Tech]).await;
    let sports = narrow(&server, &[Category::Sports]).await;
    let hears = subscribe(&server, &tech, &address(&receiver), "raw").await;
    let does_not = subscribe(&server, &sports, &address(&receiver), "raw").await;
    publish(
        &server,
        &brief(1, "Acme opens a plant", server.clock.now()).brief,
    )
    .await;
    assert_eq!(server.tell().await, (1, 1));
    assert_eq!(deliveries(&server, &tech, &hears).await.len(), 1);
    assert!(deliveries(&server, &sports, &does_not).await.is_empty());
}

#[tokio::test]
async fn what_comes_of_an_agent_is_sent_to_the_webhook_that_it_names() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let webhook = subscribe(&server, &member, &address(&receiver), "raw").await;
    let path = "/api/v1/agents/run/drawdown-check";
    let asked = |who: &TestMember| {
        let body = json!({"inputs": {"ticker": "ACME"}, "delivery_target_id": webhook["id"]});
        let asked = server.post(path, &body).bearer(&who.key);
        asked.header("accept", "application/json")
    };
    let other = server.unlimited().await;
    asked(&other).send().await.expect_error(404, "not_found");
    let reply = asked(&member).send().await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(server.tell().await.1, 1);
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 1);
    let message = checked(&requests[0], &webhook["secret"], server.clock.now());
    assert_eq!(message["type"], "agent.run");
    assert_eq!(message["data"]["run_id"], reply.json()["run"]["id"]);
    assert_eq!(message["data"]["output"], reply.json()["run"]["output"]);
    let listed = deliveries(&server, &member, &webhook).await;
    assert_eq!(listed[0]["state"], "delivered");
}
