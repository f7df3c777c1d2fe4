//! Webhooks under kills: every event of a brief arrives at every webhook that wants it, always under the same id.
//!
//! News is imported while the server is killed at random moments, so that it dies while it makes messages of events and
//! while it delivers them. The receiver fails at random. What must have arrived is read from the outbox, not from the
//! messages that the server made.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::{Value, json};

use crate::TURN;
use crate::alerts::settle;
use crate::files;
use crate::place::{Kind, Place};
use crate::random::Random;
use crate::receiver::{Arrival, Receiver};
use crate::rows::Rows;
use crate::service::Service;

const KILLS: u64 = 8;
/// Articles of each round.
const ARTICLES: u64 = 12;
/// Webhooks; of one account four are called at the same time.
const WEBHOOKS: u64 = 4;
/// Longest time until a kill: what a debug build needs to publish and deliver a part of a round.
const LONGEST_MS: u64 = 5_000;

const SERVE: [&str; 1] = ["--allow-private-callbacks"];

/// Events without a position, events that are no messages yet, and messages that have not arrived.
const OPEN: &str = "SELECT (SELECT COUNT(*) FROM outbox WHERE position IS NULL) \
                    + (SELECT COALESCE(MAX(position), 0) FROM outbox) \
                    - (SELECT value FROM counter WHERE name = 'webhook') \
                    + (SELECT COUNT(*) FROM delivery WHERE state = 'pending')";

/// What webhooks are told of: the event and the brief, which may be corrected several times.
const EVENTS: &str = "SELECT outbox.kind || ' ' || brief.public_id, COUNT(*) FROM outbox JOIN brief ON brief.id = outbox.brief \
                      WHERE outbox.kind IN ('brief.published', 'brief.trending', 'brief.corrected') \
                      GROUP BY outbox.kind, brief.public_id";

/// Creates a webhook and returns its id.
async fn create(service: &Service, key: &str, url: &str) -> String {
    let body =
        json!({"url": url, "events": ["brief.published", "brief.trending", "brief.corrected"]});
    let reply = reqwest::Client::new()
        .post(format!("{}/api/v1/webhooks", service.base))
        .bearer_auth(key)
        .header("content-type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .unwrap();
    let text = reply.text().await.unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let id = answer["webhook"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// The event that a message tells of, and to whom.
fn event_of(arrival: &Arrival) -> Option<String> {
    let kind = arrival.message["type"].as_str()?;
    let brief = arrival.message["data"]["brief"]["id"].as_str()?;
    Some(format!("{} {kind} {brief}", arrival.path))
}

async fn survive(kind: Kind) {
    let _turn = TURN.lock().await;
    let Some(place) = Place::new(kind) else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let kills = std::env::var("ASSAY_CHAOS_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    // Nothing here is encrypted, but the client wants to know how it would be.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut random = Random::of_run("webhooks");
    let receiver = Receiver::failing(random.clone()).await;
    place.configure("");
    let key = place.account("chaos@assay.example").await;
    let mut service = Service::start(&place, &SERVE).await;
    for number in 0..WEBHOOKS {
        let address = receiver.address(&number.to_string());
        create(&service, &key, &address).await;
    }
    for round in 1..=kills {
        let path = place.path(&format!("articles-{round}.jsonl"));
        files::write_articles(&path, round, ARTICLES, &mut random);
        let arguments = ["import", "articles", path.to_str().unwrap(), "--backfill"];
        let import = place.assay(&arguments).spawn().unwrap();
        // The moment of the kill is what this test is about.
        tokio::time::sleep(Duration::from_millis(random.below(LONGEST_MS))).await;
        service.kill().await;
        println!(
            "kill {round} of {kills}: {} have arrived",
            receiver.ids(event_of).len()
        );
        service = Service::start(&place, &SERVE).await;
        let output = import.wait_with_output().await.unwrap();
        place.printed(&arguments, &output);
    }

    let mut rows = Rows::open(&place).await;
    settle(&mut rows, &place, OPEN).await;
    let events = rows.sums(EVENTS).await;
    let dead = "SELECT COUNT(*) FROM delivery WHERE state <> 'delivered'";
    assert_eq!(rows.number(dead).await, 0, "messages that were given up");
    service.stop(&place).await;
    drop(rows);
    place.remove().await;

    let arrived = receiver.ids(event_of);
    for number in 0..WEBHOOKS {
        for (event, times) in &events {
            let ids = arrived.get(&format!("/{number} {event}"));
            let ids = ids.map_or(0, HashSet::len);
            assert_eq!(
                ids as i64, *times,
                "ids under which {event} arrived at {number}"
            );
        }
    }
    assert_eq!(
        arrived.len(),
        events.len() * WEBHOOKS as usize,
        "nothing else arrived"
    );
    let mut first: HashMap<String, Value> = HashMap::new();
    let arrivals = receiver.arrivals();
    for arrival in &arrivals {
        let known = first
            .entry(arrival.id.clone())
            .or_insert_with(|| arrival.message.clone());
        assert_eq!(*known, arrival.message, "a repetition says the same");
    }
    let count: i64 = events.values().sum();
    assert!(
        count >= kills as i64,
        "{count} events are too few to say anything"
    );
    println!(
        "{kills} kills: {count} events arrived at {WEBHOOKS} webhooks, each under one id; {} arrivals were repetitions",
        arrivals.len() - first.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn brief_events_arrive_under_kills() {
    survive(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn brief_events_arrive_under_kills_on_postgresql() {
    survive(Kind::Postgres).await;
}
