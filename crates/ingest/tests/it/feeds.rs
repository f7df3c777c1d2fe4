//! Feeds are polled over loopback.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ingest::poll::{Poller, Polling};
use model::{FeedSource, Timestamp};
use providers::guard::Allow;
use providers::{Transport, TransportSettings};
use store::Store;

use crate::world::{at, publisher, store};

const FEED: &str = r#"<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour News</title>
<item><title>Port of Rotterdam reopens after storm</title><link>https://harbour.example/port</link>
<description>The port of Rotterdam reopened on Monday after a storm closed it for two days.</description>
<pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate></item>
<item><title>Ferry line to Hull adds a second ship</title><link>https://harbour.example/ferry</link>
<description>The ferry line to Hull will add a second ship in May, the operator said on Monday.</description>
<pubDate>Mon, 02 Mar 2026 07:00:00 GMT</pubDate></item></channel></rss>"#;

/// The feed with an item between the others whose title and outlet have letters of another length in lower case.
fn hostile() -> String {
    let item = "<item><title>Council widens the bridge ẞ by İx</title><link>https://harbour.example/bridge</link>\
                <description>The council voted on Monday to widen the bridge.</description></item>";
    FEED.replacen("<item>", &format!("{item}<item>"), 1)
}

async fn serve(asked: Arc<AtomicUsize>) -> String {
    let feed = move |Path(name): Path<String>, headers: HeaderMap| {
        let asked = Arc::clone(&asked);
        async move {
            asked.fetch_add(1, Ordering::SeqCst);
            let answer: Response = match name.as_str() {
                "good"
                    if headers
                        .get("if-none-match")
                        .is_some_and(|tag| tag == "\"v1\"") =>
                {
                    StatusCode::NOT_MODIFIED.into_response()
                }
                "good" => (
                    [("etag", "\"v1\""), ("content-type", "application/rss+xml")],
                    FEED,
                )
                    .into_response(),
                "hostile" => ([("content-type", "application/rss+xml")], hostile()).into_response(),
                "html" => (
                    [("content-type", "text/html")],
                    "<!doctype html><html><body>Prove you are human</body></html>",
                )
                    .into_response(),
                _ => StatusCode::NOT_FOUND.into_response(),
            };
            answer
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(
        async move { axum::serve(listener, Router::new().route("/{name}", get(feed))).await },
    );
    address.to_string()
}

fn poller(store: &Store, host: &str, names: &[&str], clock: &Arc<AtomicI64>) -> Poller {
    let settings = TransportSettings {
        allow: Allow::parse(&[host.to_owned()]).unwrap(),
        retries: 0,
        ..TransportSettings::default()
    };
    let clock = Arc::clone(clock);
    let polling = Polling {
        feeds: names
            .iter()
            .map(|name| FeedSource {
                url: format!("http://{host}/{name}").into(),
                name: if *name == "hostile" {
                    "İx".into()
                } else {
                    "Harbour News".into()
                },
                category: None,
                enabled: true,
                speaks_for: vec!["harbour.example".into()],
            })
            .collect(),
        every_minutes: 15,
        full_text: false,
        now: Arc::new(move || Timestamp::from_ms(clock.load(Ordering::SeqCst))),
    };
    Poller::new(
        store.clone(),
        publisher(store),
        Arc::new(Transport::new(settings).unwrap()),
        extraction::Extraction::in_process(extraction::Limits::default()),
        polling,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_is_asked_when_it_is_due_and_conditionally() {
    let store = store().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let host = serve(Arc::clone(&asked)).await;
    let clock = Arc::new(AtomicI64::new(at("2026-03-02T12:00:00Z").ms()));
    let poller = poller(&store, &host, &["good"], &clock);

    let first = poller.poll_due().await.unwrap();
    assert_eq!(first[0].1.as_ref().unwrap().articles, 2);
    assert!(poller.poll_due().await.unwrap().is_empty(), "not due yet");
    clock.fetch_add(16 * Timestamp::MINUTE_MS, Ordering::SeqCst);
    let second = poller.poll_due().await.unwrap();
    assert_eq!(second[0].1.as_ref().unwrap().articles, 0, "not modified");
    assert_eq!(asked.load(Ordering::SeqCst), 2);

    let listed = store
        .briefs()
        .list(&store::BriefQuery {
            limit: 5,
            ..Default::default()
        })
        .await
        .unwrap();
    assert_eq!(listed.total, 2);
    assert_eq!(
        listed.briefs[0].known_from,
        at("2026-03-02T12:00:00Z"),
        "known when it was first seen"
    );
    assert_eq!(
        listed.briefs[0].brief.published_at,
        at("2026-03-02T08:00:00Z")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_item_fails_none_of_its_neighbours() {
    let store = store().await;
    let host = serve(Arc::new(AtomicUsize::new(0))).await;
    let clock = Arc::new(AtomicI64::new(at("2026-03-02T12:00:00Z").ms()));
    let poller = poller(&store, &host, &["hostile"], &clock);
    let outcomes = poller.poll_due().await.unwrap();
    assert_eq!(outcomes[0].1.as_ref().unwrap().articles, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_fails_rests_longer_each_time_and_stops_no_other() {
    let store = store().await;
    let host = serve(Arc::new(AtomicUsize::new(0))).await;
    let start = at("2026-03-02T12:00:00Z");
    let clock = Arc::new(AtomicI64::new(start.ms()));
    let poller = poller(&store, &host, &["html", "missing", "good"], &clock);
    let outcomes = poller.poll_due().await.unwrap();
    assert_eq!(
        outcomes
            .iter()
            .filter(|(_, outcome)| outcome.is_err())
            .count(),
        2
    );

    let state = |name: &'static str| {
        let store = store.clone();
        async move {
            let states = store.feeds().load().await.unwrap();
            states
                .into_iter()
                .find(|state| state.url.expose().ends_with(name))
                .unwrap()
        }
    };
    let html = state("html").await;
    assert_eq!(html.failures, 1);
    assert_eq!(html.last_error.as_deref(), Some("answer cannot be read"));
    let missing = state("missing").await;
    assert_eq!(missing.last_error.as_deref(), Some("status 404"));
    assert_eq!(html.next_due, start.plus_ms(30 * Timestamp::MINUTE_MS));
    clock.fetch_add(31 * Timestamp::MINUTE_MS, Ordering::SeqCst);
    poller.poll_due().await.unwrap();
    assert_eq!(state("html").await.failures, 2);
    assert_eq!(state("good").await.failures, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_ask_each_publisher_once() {
    let store = store().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let host = serve(Arc::clone(&asked)).await;
    let clock = Arc::new(AtomicI64::new(at("2026-03-02T12:00:00Z").ms()));
    let names = ["good", "hostile", "html", "missing"];
    let pollers: Vec<Poller> = (0..3)
        .map(|_| poller(&store, &host, &names, &clock))
        .collect();
    for round in 1..=3 {
        let polled = futures::future::join_all(pollers.iter().map(Poller::poll_due)).await;
        let polled: usize = polled.iter().map(|one| one.as_ref().unwrap().len()).sum();
        assert_eq!(polled, names.len(), "{round}");
        assert_eq!(asked.load(Ordering::SeqCst), round * names.len());
        clock.fetch_add(Timestamp::DAY_MS, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_whose_reader_was_killed_is_read_by_another_within_half_a_minute() {
    let store = store().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let host = serve(Arc::clone(&asked)).await;
    let clock = Arc::new(AtomicI64::new(at("2026-03-02T12:00:00Z").ms()));
    let poller = poller(&store, &host, &["good"], &clock);
    let now = || Timestamp::from_ms(clock.load(Ordering::SeqCst));
    // Another process claims it, and is never heard of again.
    let url = format!("http://{host}/good").into();
    let feeds = store.feeds();
    assert!(
        feeds
            .claim(&url, now(), store::LEASE_MS)
            .await
            .unwrap()
            .is_some()
    );
    assert!(poller.poll_due().await.unwrap().is_empty());
    clock.fetch_add(30_000, Ordering::SeqCst);
    let polled = poller.poll_due().await.unwrap();
    assert_eq!(polled[0].1.as_ref().unwrap().articles, 2);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}
