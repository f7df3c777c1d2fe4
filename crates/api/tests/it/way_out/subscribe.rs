//! `/subscribe`: what happens to tickers, resumed without loss or repetition.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use futures::StreamExt;
use http::{Method, Request};
use model::{Category, EntityKind, EntityRole, Score};
use operations::Clock;
use serde_json::{Value, json};
use tokio_util::sync::{CancellationToken, DropGuard};
use tower::ServiceExt;
use wiremock::ResponseTemplate;

use super::alerts::brief;
use super::world::{ALERTS, world};
use crate::news::fixtures::{BriefBuilder, divide, merge, publish};
use crate::receiver::receiver;
use crate::support::{TestMember, TestServer};

/// Longer than any answer takes; only a fault waits so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Listener {
    body: BodyDataStream,
    text: String,
}

/// An event as it was sent.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) data: Value,
}

impl Listener {
    pub(super) async fn open(
        server: &TestServer,
        member: &TestMember,
        query: &str,
        after: Option<&str>,
    ) -> Self {
        let mut request = Request::builder()
            .uri(format!("/api/v1/subscribe?{query}"))
            .header("authorization", format!("Bearer {}", member.key))
            .extension(ConnectInfo(SocketAddr::from(([203, 0, 113, 1], 40_000))));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = server.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(
            response.headers()["content-type"],
            "text/event-stream; charset=utf-8"
        );
        let mut listener = Self {
            body: response.into_body().into_data_stream(),
            text: String::new(),
        };
        // From here on it listens.
        tokio::time::timeout(PATIENCE, listener.more())
            .await
            .unwrap_or_else(|_| panic!("the stream does not open"));
        listener
    }

    async fn more(&mut self) {
        let chunk = self.body.next().await;
        let chunk = chunk
            .unwrap_or_else(|| panic!("the stream has ended"))
            .unwrap();
        self.text.push_str(std::str::from_utf8(&chunk).unwrap());
    }

    /// The next event. Signs of life are none.
    pub(super) async fn next(&mut self) -> Sent {
        tokio::time::timeout(PATIENCE, self.read())
            .await
            .unwrap_or_else(|_| panic!("no event comes"))
    }

    async fn read(&mut self) -> Sent {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let lines = block.lines();
                    let mut found =
                        lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
                    found.next().unwrap_or_default().trim().to_owned()
                };
                let (name, id, data) = (field("event"), field("id"), field("data"));
                let rest = rest.to_owned();
                self.text = rest;
                if !data.is_empty() {
                    let data = serde_json::from_str(&data).unwrap();
                    return Sent { name, id, data };
                }
            }
            self.more().await;
        }
    }
}

/// Follows what happens until the guard is dropped.
pub(super) fn follow(server: &TestServer) -> DropGuard {
    let cancel = CancellationToken::new();
    let (state, token) = (server.state.clone(), cancel.clone());
    tokio::spawn(async move { state.follow_live(state.hub.live(), token).await });
    cancel.drop_guard()
}

/// Waits until the prices are followed.
pub(super) async fn followed(server: &TestServer) {
    crate::support::until(async || {
        server.state.store.outbox().head().await.unwrap();
        server.state.hub.live().newest_price().is_some()
    })
    .await;
}

fn names(data: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = data
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn sentiment_that_shifts_as_two_briefs_become_one_is_reported_once() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let now = server.clock.now();
    let bolt = |brief: BriefBuilder| {
        let kind = EntityKind::Organization;
        brief.entity(
            "Bolt Logistics",
            kind,
            Some("BOLT"),
            EntityRole::Mentioned,
            1,
        )
    };
    let into = brief(1, "Acme opens a plant", now.plus_ms(-180_000)).brief;
    let mut gone = bolt(brief(
        2,
        "Acme and Bolt cheer a plant",
        now.plus_ms(-120_000),
    ))
    .brief;
    for entity in &mut gone.entities {
        entity.sentiment = Score::new(0.9).unwrap();
    }
    let other = bolt(brief(3, "Acme ships with Bolt", now.plus_ms(-60_000))).brief;
    for brief in [&into, &gone, &other] {
        publish(&server, brief).await;
    }
    let store = &server.state.store;
    store.outbox().sequence().await.unwrap();
    let _follower = follow(&server);
    followed(&server).await;
    let asked = "tickers=acme,bolt&events=brief,sentiment";
    let mut listener = Listener::open(&server, &member, asked, None).await;
    let [remains, ends] = [&into, &gone].map(|brief| brief.public_id.as_str());
    merge(&server, ends, remains, now.plus_ms(-30_000)).await;
    publish(&server, &brief(4, "Acme closes a plant", now).brief).await;
    store.outbox().sequence().await.unwrap();
    assert_eq!(
        lines(&mut listener, 6).await,
        [
            format!("brief ACME {ends}"),
            format!("brief BOLT {ends}"),
            // The brief that remains does not name it.
            "sentiment BOLT".to_owned(),
            format!("brief ACME {remains}"),
            "sentiment ACME".to_owned(),
            "brief ACME PR-2026-0310-004".to_owned(),
        ]
    );
}

#[tokio::test]
async fn sentiment_that_shifts_as_a_brief_is_divided_is_reported_once() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let now = server.clock.now();
    let mut whole = brief(1, "Acme opens a plant", now.plus_ms(-180_000))
        .source("courier.example", &now.plus_ms(-150_000).to_string())
        .brief;
    whole.entities[0].sentiment = Score::new(0.9).unwrap();
    let other = brief(2, "Acme hires", now.plus_ms(-120_000)).brief;
    for brief in [&whole, &other] {
        publish(&server, brief).await;
    }
    let store = &server.state.store;
    store.outbox().sequence().await.unwrap();
    let _follower = follow(&server);
    followed(&server).await;
    let asked = "tickers=acme&events=brief,sentiment";
    let mut listener = Listener::open(&server, &member, asked, None).await;
    let mut part = BriefBuilder::new(
        3,
        "PR-2026-0310-003",
        Category::Tech,
        "Acme opens a canteen",
    )
    .brief;
    part.published_at = now.plus_ms(-150_000);
    let divided_at = now.plus_ms(-30_000);
    divide(&server, whole.public_id.as_str(), part, divided_at).await;
    publish(&server, &brief(4, "Acme closes a plant", now).brief).await;
    store.outbox().sequence().await.unwrap();
    assert_eq!(
        lines(&mut listener, 5).await,
        [
            "brief ACME PR-2026-0310-001",
            "sentiment ACME",
            "brief ACME PR-2026-0310-003",
            "brief ACME PR-2026-0310-004",
            "sentiment ACME",
        ]
    );
}

/// The next events: their kind, ticker and brief.
async fn lines(listener: &mut Listener, count: usize) -> Vec<String> {
    let mut lines = Vec::with_capacity(count);
    for _ in 0..count {
        let Sent { name, data, .. } = listener.next().await;
        let of = |field: &str| data[field].as_str().unwrap_or_default().to_owned();
        let line = format!("{name} {} {}", of("ticker"), of("brief_id"));
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[tokio::test]
async fn every_kind_of_event_has_its_fields() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let _follower = follow(&server);
    followed(&server).await;
    let other = server.unlimited().await;
    let mut mine = Listener::open(&server, &member, "tickers=acme", None).await;
    let mut theirs = Listener::open(&server, &other, "tickers=*&events=alert,brief", None).await;
    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    let sent = mine.next().await;
    assert_eq!(sent.name, "brief");
    assert_eq!(
        names(&sent.data),
        [
            "brief_id",
            "confidence",
            "event",
            "headline",
            "ticker",
            "timestamp"
        ]
    );
    assert_eq!(
        (&sent.data["ticker"], &sent.data["brief_id"]),
        (&json!("ACME"), &json!("PR-2026-0310-001"))
    );
    let sent = mine.next().await;
    assert_eq!(sent.name, "sentiment");
    assert_eq!(
        names(&sent.data),
        ["previous", "score", "shift", "ticker", "timestamp"]
    );
    assert_eq!(
        (&sent.data["previous"], &sent.data["shift"]),
        (&Value::Null, &Value::Null)
    );

    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200});
    server
        .done(&member, Method::POST, ALERTS, Some(alert))
        .await;
    server.price("stock:BOLT", 55.0, 1.0).await;
    server.price("stock:ACME", 210.0, 7.0).await;
    let sent = mine.next().await;
    assert_eq!(sent.name, "price");
    assert_eq!(
        names(&sent.data),
        [
            "change_pct",
            "price",
            "simulated",
            "ticker",
            "timestamp",
            "volume"
        ]
    );
    assert_eq!(
        (&sent.data["price"], &sent.data["volume"]),
        (&json!(210.0), &json!(7.0))
    );
    assert!((sent.data["change_pct"].as_f64().unwrap() - 110.0).abs() < 1e-9);
    assert_eq!(server.evaluate().await, 1);
    let sent = mine.next().await;
    assert_eq!(sent.name, "alert");
    assert_eq!(
        names(&sent.data),
        [
            "alert_id",
            "current",
            "simulated",
            "threshold",
            "ticker",
            "timestamp",
            "type"
        ]
    );
    assert_eq!(
        (&sent.data["type"], &sent.data["current"]),
        (&json!("price_above"), &json!(210.0))
    );
    // The alert of another is not theirs: their next event is the brief that follows.
    assert_eq!(theirs.next().await.data["headline"], "Acme opens a plant");
    publish(&server, &brief(2, "Acme hires", server.clock.now()).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    assert_eq!(theirs.next().await.data["headline"], "Acme hires");
}

/// Disconnects of the test below.
const BREAKS: usize = 200;

/// A small generator, so that a run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

#[tokio::test]
async fn a_stream_that_breaks_again_and_again_loses_and_repeats_nothing() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let _follower = follow(&server);
    followed(&server).await;
    let query = "tickers=ACME,BOLT";
    let mut steady = Listener::open(&server, &member, query, None).await;
    let mut broken = Listener::open(&server, &member, query, None).await;
    let (mut expected, mut seen): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut last: Option<String> = None;
    let mut random = Random(0x5eed_2026);
    let mut breaks = 0;
    let now = server.clock.now();
    for round in 1..=50_u128 {
        let alert = json!({"ticker": "BOLT", "alert_type": "price_above", "threshold": 1000 + round as u64});
        server
            .done(&member, Method::POST, ALERTS, Some(alert))
            .await;
        let mut both = brief(
            round,
            &format!("Acme and Bolt, part {round}"),
            now.plus_ms(round as i64),
        );
        both = both.entity(
            "Bolt Works",
            model::EntityKind::Organization,
            Some("BOLT"),
            model::EntityRole::Related,
            1,
        );
        publish(&server, &both.brief).await;
        server.state.store.outbox().sequence().await.unwrap();
        server.price("stock:BOLT", 1000.0 + round as f64, 1.0).await;
        assert_eq!(server.evaluate().await, 1, "{round}");
        // Two briefs, sentiment of both where it moved, a price and an alert.
        let wanted = if round == 1 { 6 } else { 4 };
        for _ in 0..wanted {
            expected.push(steady.next().await.data);
        }
        // The broken one takes a few of them, sometimes none, and hangs up, several times.
        for _ in 0..BREAKS / 50 {
            let left = expected.len() - seen.len();
            for _ in 0..random.below(left as u64 + 1) {
                let sent = broken.next().await;
                assert_ne!(sent.name, "gap", "{}", sent.data);
                last = Some(sent.id);
                seen.push(sent.data);
            }
            // Without an id it would begin at the present.
            if last.is_some() {
                broken = Listener::open(&server, &member, query, last.as_deref()).await;
                breaks += 1;
            }
        }
    }
    assert!(breaks > BREAKS * 9 / 10, "{breaks}");
    while seen.len() < expected.len() {
        let sent = broken.next().await;
        assert_ne!(sent.name, "gap", "{}", sent.data);
        seen.push(sent.data);
    }
    // Each order is kept; between two orders there is none.
    assert_eq!(seen.len(), expected.len());
    for order in [&["headline", "score"][..], &["volume"], &["alert_id"]] {
        let of = |events: &[Value]| -> Vec<Value> {
            let is_of = |event: &&Value| order.iter().any(|name| event.get(*name).is_some());
            events.iter().filter(is_of).cloned().collect()
        };
        assert_eq!(of(&seen), of(&expected), "{order:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_refused() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let ask = async |query: &str| {
        let path = format!("/api/v1/subscribe{query}");
        server.call(&member, Method::GET, &path, None).await
    };
    ask("").await.expect_error(400, "invalid_request");
    ask("?tickers=").await.expect_error(400, "invalid_request");
    ask("?tickers=NOSUCH")
        .await
        .expect_error(404, "unknown_symbol");
    ask("?tickers=*&events=rain")
        .await
        .expect_error(400, "invalid_request");
    let many: Vec<String> = (0..101).map(|number| format!("T{number}")).collect();
    let many = format!("?tickers={}", many.join(","));
    ask(&many).await.expect_error(400, "invalid_request");
    let path = "/api/v1/subscribe?tickers=*";
    for id in ["7", "a-b-c", "-1-2-3", ""] {
        let ask = server
            .get(path)
            .bearer(&member.key)
            .header("last-event-id", id);
        ask.send().await.expect_error(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_revoked_key_ends_its_stream() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let mut listener = Listener::open(&server, &member, "tickers=*", None).await;
    let keys = server.state.store.keys();
    let revoked = keys.revoke(member.account, member.key_id, server.clock.now());
    assert!(revoked.await.unwrap());
    let cancel = CancellationToken::new();
    let (state, token) = (server.state.clone(), cancel.clone());
    tokio::spawn(async move { state.watch_access(token).await });
    let _guard = cancel.drop_guard();
    let sent = listener.next().await;
    assert_eq!(
        (&*sent.name, &sent.data["reason"]),
        ("end", &json!("credential_revoked"))
    );
}

#[tokio::test]
async fn who_listens_before_anything_is_followed_misses_nothing() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200});
    server
        .done(&member, Method::POST, ALERTS, Some(alert))
        .await;
    let query = "tickers=ACME&events=brief,alert";
    let mut listener = Listener::open(&server, &member, query, None).await;
    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    server.price("stock:ACME", 210.0, 7.0).await;
    assert_eq!(server.evaluate().await, 1);
    let _follower = follow(&server);
    assert_eq!(listener.next().await.name, "brief");
    assert_eq!(listener.next().await.name, "alert");
}

#[tokio::test]
async fn too_old_an_id_is_a_gap() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let _follower = follow(&server);
    followed(&server).await;
    // Of a process before this one: its prices are forgotten, its briefs are not.
    publish(
        &server,
        &brief(1, "Acme opens a plant", server.clock.now()).brief,
    )
    .await;
    server.state.store.outbox().sequence().await.unwrap();
    let mut listener = Listener::open(&server, &member, "tickers=ACME", Some("0-0-0")).await;
    let mut kinds = Vec::new();
    for _ in 0..3 {
        let sent = listener.next().await;
        kinds.push(sent.name);
        if kinds.last().is_some_and(|name| name == "gap") {
            assert_eq!(sent.data["events"], json!(["price"]));
        }
    }
    assert_eq!(kinds, ["brief", "sentiment", "gap"]);
}
