//! `/stream`.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use futures::StreamExt;
use http::{HeaderMap, Request};
use model::Category;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::fixtures::{
    CHIPS, MATCH, NEWEST_FIRST, RATES, STORM, VACCINE, brief_keys, keys, late, merge, narrow,
    publish, time, world,
};
use super::revisions::{FERRY, HARBOUR, divide, ferry};
use crate::support::{TestMember, TestServer};

/// Longer than any answer takes; only a fault waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A stream that was opened.
struct Listener {
    headers: HeaderMap,
    body: BodyDataStream,
    text: String,
}

/// What stands between two blank lines.
#[derive(Debug)]
struct Block(String);

impl Block {
    fn fields(&self, name: &str) -> Vec<&str> {
        self.0
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .map(str::trim)
            .collect()
    }

    fn id(&self) -> i64 {
        match *self.fields("id") {
            [id] => id.parse().unwrap(),
            _ => panic!("not one id: {self:?}"),
        }
    }

    fn data(&self) -> Value {
        match *self.fields("data") {
            [data] => serde_json::from_str(data).unwrap(),
            _ => panic!("not one line of data: {self:?}"),
        }
    }
}

impl Listener {
    async fn open(
        server: &TestServer,
        member: &TestMember,
        query: &str,
        after: Option<i64>,
    ) -> Self {
        let mut request = Request::builder()
            .uri(format!("/api/v1/stream{query}"))
            .header("authorization", format!("Bearer {}", member.key))
            .extension(ConnectInfo(SocketAddr::from(([203, 0, 113, 1], 40_000))));
        if let Some(after) = after {
            request = request.header("last-event-id", after.to_string());
        }
        let request = request.body(Body::empty()).unwrap();
        let response = server.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        Self {
            headers: response.headers().clone(),
            body: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    fn charged(&self) -> &str {
        self.headers["x-credits-charged"].to_str().unwrap()
    }

    /// The next block that is more than a comment.
    async fn next(&mut self) -> Block {
        // As a whole: a stream on which nothing happens sends comments for ever.
        tokio::time::timeout(PATIENCE, self.read())
            .await
            .unwrap_or_else(|_| panic!("the stream says nothing"))
    }

    async fn read(&mut self) -> Block {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if block.lines().any(|line| !line.starts_with(':')) {
                    return Block(block);
                }
            }
            let chunk = self.body.next().await;
            let chunk = chunk
                .unwrap_or_else(|| panic!("the stream has ended"))
                .unwrap();
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[tokio::test]
async fn a_resumed_stream_delivers_what_was_missed() {
    let (server, member) = world().await;
    let mut listener = Listener::open(&server, &member, "", Some(0)).await;
    assert_eq!(
        listener.headers["content-type"],
        "text/event-stream; charset=utf-8"
    );
    assert_eq!(listener.charged(), "1");
    let expected = [
        (MATCH, "published"),
        (VACCINE, "published"),
        (CHIPS, "published"),
        (RATES, "published"),
        (STORM, "published"),
        (CHIPS, "updated"),
    ];
    let mut position = 0;
    for (id, event) in expected {
        let block = listener.next().await;
        assert!(block.fields("event").is_empty(), "{block:?}");
        assert!(block.id() > position, "{block:?}");
        position = block.id();
        let data = block.data();
        let mut further = vec!["event"];
        if id == STORM {
            further.push("simulated");
        }
        assert_eq!(keys(&data), brief_keys(&further));
        assert_eq!((&data["id"], &data["event"]), (&id.into(), &event.into()));
    }

    let mut tail = Listener::open(&server, &member, "", Some(position - 1)).await;
    let block = tail.next().await;
    assert_eq!(block.id(), position);
    let data = block.data();
    assert_eq!(data["provenance"]["revision"], 2);
    assert_eq!(
        data["headline"],
        "Nimbus opens a <b>second</b> chip plant & hires"
    );
}

#[tokio::test]
async fn a_stream_tells_that_a_brief_was_divided() {
    let (server, member) = world().await;
    ferry(&server).await;
    let before = server.state.store.outbox().head().await.unwrap();
    divide(&server).await;
    let mut listener = Listener::open(&server, &member, "", Some(before)).await;
    let stays = listener.next().await.data();
    assert_eq!(
        (&stays["id"], &stays["event"]),
        (&FERRY.into(), &"split".into())
    );
    assert_eq!(stays["split_into"][0], HARBOUR);
    let goes = listener.next().await.data();
    assert_eq!(
        (&goes["id"], &goes["event"]),
        (&HARBOUR.into(), &"published".into())
    );
    assert_eq!(goes["split_from"], FERRY);
}

#[tokio::test]
async fn a_stream_tells_that_a_brief_became_part_of_another_one() {
    let (server, member) = world().await;
    ferry(&server).await;
    divide(&server).await;
    let before = server.state.store.outbox().head().await.unwrap();
    merge(&server, HARBOUR, FERRY, time("2026-03-10T11:00:00Z")).await;
    let mut listener = Listener::open(&server, &member, "", Some(before)).await;
    let goes = listener.next().await.data();
    assert_eq!(
        (&goes["id"], &goes["event"]),
        (&HARBOUR.into(), &"merged".into())
    );
    assert_eq!(goes["merged_into"], FERRY);
    let stays = listener.next().await.data();
    assert_eq!(
        (&stays["id"], &stays["event"]),
        (&FERRY.into(), &"merged".into())
    );
    assert_eq!(stays["merged_from"][0], HARBOUR);
    assert_eq!(stays.get("merged_into"), None);
}

#[tokio::test]
async fn a_stream_is_narrowed_by_categories_and_by_the_key() {
    let (server, member) = world().await;
    let mut listener =
        Listener::open(&server, &member, "?categories=Economy,sports", Some(0)).await;
    assert_eq!(listener.next().await.data()["id"], MATCH);
    assert_eq!(listener.next().await.data()["id"], RATES);

    let narrow = narrow(&server, &[Category::Tech, Category::Climate]).await;
    let mut listener = Listener::open(&server, &narrow, "", Some(0)).await;
    for id in [CHIPS, STORM, CHIPS] {
        assert_eq!(listener.next().await.data()["id"], id);
    }
    let refused =
        async |member: &TestMember, path: &str| server.get(path).bearer(&member.key).send().await;
    refused(&narrow, "/api/v1/stream?categories=tech,economy")
        .await
        .expect_error(403, "category_not_allowed");
    let body = refused(&member, "/api/v1/stream?categories=tech,gossip")
        .await
        .expect_error(400, "invalid_request");
    assert!(body["message"].as_str().unwrap().contains("categories"));
}

#[tokio::test]
async fn a_wrong_last_event_id_is_refused() {
    let (server, member) = world().await;
    for id in ["abc", "-1", "1.5", "99999999999999999999", ""] {
        let body = server
            .get("/api/v1/stream")
            .bearer(&member.key)
            .header("last-event-id", id)
            .send()
            .await
            .expect_error(400, "invalid_request");
        assert!(
            body["message"].as_str().unwrap().contains("Last-Event-ID"),
            "{id:?}: {body}"
        );
    }
}

#[tokio::test]
async fn a_live_stream_tells_news_and_its_end() {
    let (server, member) = world().await;
    let head = server.state.store.outbox().head().await.unwrap();
    let end = CancellationToken::new();
    let hub = server.state.hub.clone();
    let running = {
        let (hub, store, end) = (hub.clone(), server.state.store.clone(), end.clone());
        tokio::spawn(async move { hub.run(store, end).await })
    };
    let mut listener = Listener::open(&server, &member, "", None).await;
    assert_eq!(listener.charged(), "1");
    publish(&server, &late().brief).await;
    let block = listener.next().await;
    assert!(block.id() > head);
    let data = block.data();
    assert_eq!(data["id"], "PR-2026-0310-001");
    assert_eq!(data["event"], "published");
    assert!(!NEWEST_FIRST.contains(&data["id"].as_str().unwrap()));

    end.cancel();
    running.await.unwrap().unwrap();
    let last = listener.next().await;
    assert_eq!(last.fields("event"), ["end"]);
    assert_eq!(last.id(), block.id());
    assert_eq!(
        last.data(),
        serde_json::json!({"reason": "stopping", "credits_charged": 1})
    );

    let resumed = Listener::open(&server, &member, "", Some(head)).await;
    assert_eq!(resumed.charged(), "0", "it was alive a moment ago");
    let fresh = Listener::open(&server, &member, "", None).await;
    assert_eq!(fresh.charged(), "1");
}

#[tokio::test]
async fn who_listens_before_the_outbox_is_followed_misses_nothing() {
    let (server, member) = world().await;
    let mut listener = Listener::open(&server, &member, "", None).await;
    publish(&server, &late().brief).await;
    let end = CancellationToken::new();
    let hub = server.state.hub.clone();
    let running = {
        let (store, end) = (server.state.store.clone(), end.clone());
        tokio::spawn(async move { hub.run(store, end).await })
    };
    assert_eq!(listener.next().await.data()["id"], "PR-2026-0310-001");
    end.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn nobody_has_more_streams_open_than_allowed() {
    let server = TestServer::start_with(|settings| {
        settings.streams_per_account = 2;
        settings.streams_per_address = 3;
    })
    .await;
    let (one, other) = (server.unlimited().await, server.unlimited().await);
    let ask = async |member: &TestMember| {
        server
            .get("/api/v1/stream")
            .bearer(&member.key)
            .send()
            .await
    };
    let first = Listener::open(&server, &one, "", None).await;
    let _second = Listener::open(&server, &one, "", None).await;
    let refused = ask(&one).await;
    refused.expect_error(429, "too_many_streams");
    assert!(!refused.header("retry-after").is_empty());
    let _third = Listener::open(&server, &other, "", None).await;
    ask(&other).await.expect_error(429, "too_many_streams");
    drop(first);
    assert_eq!(ask(&other).await.status, 200, "its place is free again");
}
