//! Alerts under kills: each fires once, and its message arrives at least once, always under the same id.
//!
//! A price that rises fires some alerts at each round, and the server is killed at a random moment while it evaluates and
//! delivers. The receiver fails at random. At the end every alert has fired, each has one message, and the receiver has
//! seen each under one id.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::TURN;
use crate::files;
use crate::place::{Kind, Place};
use crate::random::Random;
use crate::receiver::{Arrival, Receiver};
use crate::rows::Rows;
use crate::service::Service;

const KILLS: u64 = 8;
/// Alerts of each round.
const ALERTS: u64 = 25;
/// Longest time until a kill: what a debug build needs to fire and deliver a part of a round.
const LONGEST_MS: u64 = 1_500;
/// How often the rows are looked at after the last kill until everything must have arrived, every quarter of a second; a
/// lease ends after 25 seconds.
const MOST_LOOKS: u32 = 400;

const SERVE: [&str; 1] = ["--allow-private-callbacks"];

/// Alerts that have not fired, and messages that have not arrived.
const OPEN: &str = "SELECT (SELECT COUNT(*) FROM alert WHERE status = 'active') \
                    + (SELECT COUNT(*) FROM delivery WHERE state = 'pending')";

/// Waits until nothing is open any more. What failed is due at once, not in five minutes, and as if it had failed once: of two
/// hundred messages to a receiver that fails once in three times, one fails ten times and is given up in every three hundredth
/// run. What is under way is left alone.
pub(crate) async fn settle(rows: &mut Rows, place: &Place, open: &'static str) {
    for _ in 0..MOST_LOOKS {
        if rows.number(open).await == 0 {
            return;
        }
        for sql in [
            "UPDATE delivery SET next_attempt_at = 0, attempts = 1 WHERE state = 'pending' AND receiver IN \
             (SELECT id FROM receiver WHERE lease_until = 0)",
            "UPDATE receiver SET due_at = 0 WHERE lease_until = 0 AND due_at < 9223372036854775807",
        ] {
            rows.execute(sql).await;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let left = rows.number(open).await;
    panic!("{left} are left\n{}", place.log());
}

/// The price of the only symbol is this from now on.
pub(crate) async fn set_price(rows: &mut Rows, round: u64, price: u64) {
    let at = model::Timestamp::start_of_day(files::FIRST_DAY - 50).ms() + round.cast_signed();
    rows.execute(
        "INSERT INTO counter (name, value) VALUES ('quote', 1) ON CONFLICT (name) DO UPDATE SET value = counter.value + 1",
    )
    .await;
    rows.execute(&format!(
        "INSERT INTO quote (series, price, previous_close, volume, at, version) VALUES ('stock:AAAA', {price}, 100, 1, {at}, \
         (SELECT value FROM counter WHERE name = 'quote')) ON CONFLICT (series) DO UPDATE SET price = excluded.price, \
         at = excluded.at, version = excluded.version"
    ))
    .await;
}

pub(crate) async fn create(service: &Service, key: &str, callback: &str, threshold: u64) -> String {
    let body = json!({"ticker": "AAAA", "alert_type": "price_above", "threshold": threshold, "callback_url": callback});
    let reply = reqwest::Client::new()
        .post(format!("{}/api/v1/alerts", service.base))
        .bearer_auth(key)
        .header("content-type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .unwrap();
    let text = reply.text().await.unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    answer["alert"]["id"]
        .as_str()
        .unwrap_or_else(|| panic!("{text}"))
        .to_owned()
}

/// The alert that a message is about.
pub(crate) fn alert_of(arrival: &Arrival) -> Option<String> {
    let id = arrival.message["data"]["alert"]["id"].as_str()?;
    Some(id.to_owned())
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
    let mut random = Random::of_run("alerts");
    let receiver = Receiver::failing(random.clone()).await;
    let callback = receiver.address("in");
    place.configure("");
    let candles = place.path("AAAA.csv");
    files::write_candles(&candles, 60);
    let path = candles.to_str().unwrap();
    place.run(&["import", "candles", path]).await;
    let key = place.account("chaos@assay.example").await;

    let mut created = Vec::new();
    for round in 1..=kills {
        let service = Service::start(&place, &SERVE).await;
        let mut rows = Rows::open(&place).await;
        for number in 0..ALERTS {
            let threshold = 1_000 * round + number;
            created.push(create(&service, &key, &callback, threshold).await);
        }
        set_price(&mut rows, round, 1_000 * round + 500).await;
        drop(rows);
        // The moment of the kill is what this test is about.
        tokio::time::sleep(Duration::from_millis(random.below(LONGEST_MS))).await;
        service.kill().await;
        println!(
            "kill {round} of {kills}: {} have arrived",
            receiver.ids(alert_of).len()
        );
    }

    let service = Service::start(&place, &SERVE).await;
    let mut rows = Rows::open(&place).await;
    settle(&mut rows, &place, OPEN).await;
    let count = created.len() as i64;
    for (what, sql) in [
        (
            "fired",
            "SELECT COUNT(*) FROM alert WHERE status = 'triggered'",
        ),
        ("places", "SELECT COUNT(DISTINCT position) FROM alert"),
        (
            "messages",
            "SELECT COUNT(*) FROM delivery WHERE state = 'delivered'",
        ),
        (
            "alerts with a message",
            "SELECT COUNT(DISTINCT event) FROM delivery",
        ),
    ] {
        assert_eq!(rows.number(sql).await, count, "{what}");
    }
    service.stop(&place).await;
    drop(rows);
    place.remove().await;
    let arrived = receiver.ids(alert_of);
    for alert in &created {
        let ids = arrived.get(alert).map_or(0, HashSet::len);
        assert_eq!(ids, 1, "ids under which {alert} arrived");
    }
    assert_eq!(arrived.len(), created.len());
    println!("{kills} kills: {count} alerts fired and arrived, each under one id");
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_fire_once_under_kills() {
    survive(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_fire_once_under_kills_on_postgresql() {
    survive(Kind::Postgres).await;
}
