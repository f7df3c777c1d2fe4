//! Several processes on one store: one answers, two work. What a killed worker leaves is done by the other.

use std::collections::HashSet;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::TURN;
use crate::alerts::{alert_of, create, set_price};
use crate::files;
use crate::place::{Kind, Place};
use crate::receiver::Receiver;
use crate::rows::Rows;
use crate::service::Service;

/// Alerts that fire at once.
const ALERTS: u64 = 60;
/// How often the receiver is looked at until what is awaited has arrived, every 20 ms.
const MOST_LOOKS: u32 = 3_000;
/// By when another worker has taken over what a killed one held.
const TAKEN_OVER: Duration = Duration::from_secs(30);

async fn status(service: &Service, path: &str) -> u16 {
    let url = format!("{}{path}", service.base);
    reqwest::get(url).await.unwrap().status().as_u16()
}

/// Waits until so many messages have arrived, repetitions included.
async fn wait_for(receiver: &Receiver, arrivals: usize, place: &Place) {
    for _ in 0..MOST_LOOKS {
        if receiver.arrivals().len() >= arrivals {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let arrived = receiver.arrivals().len();
    panic!("{arrived} of {arrivals} have arrived\n{}", place.log());
}

/// A worker says how it is, and answers nothing else.
async fn only_works(worker: &Service) {
    assert_eq!(status(worker, "/health").await, 200);
    assert_eq!(status(worker, "/api/v1/alerts").await, 404);
    assert_eq!(status(worker, "/api/v1/feed").await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answers_and_two_work_on_postgresql() {
    let _turn = TURN.lock().await;
    let Some(place) = Place::new(Kind::Postgres) else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let receiver = Receiver::holding().await;
    let callback = receiver.address("in");
    place.configure("");
    for beside in ["answers", "second"] {
        std::fs::create_dir_all(place.path(beside)).unwrap();
        let from = place.data().join("assay.toml");
        std::fs::copy(from, place.path(beside).join("assay.toml")).unwrap();
    }
    let candles = place.path("AAAA.csv");
    files::write_candles(&candles, 60);
    let path = candles.to_str().unwrap();
    place.run(&["import", "candles", path]).await;
    let key = place.account("roles@assay.example").await;

    let options = |role, directory: &str| {
        let directory = place.path(directory).to_str().unwrap().to_owned();
        ["--allow-private-callbacks", "--role", role, "--data"]
            .map(str::to_owned)
            .into_iter()
            .chain([directory])
            .collect::<Vec<String>>()
    };
    let start = async |role, directory: &str| {
        let options = options(role, directory);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Service::start(&place, &options).await
    };
    let answers = start("api", "answers").await;
    let mut created = Vec::new();
    for number in 0..ALERTS {
        created.push(create(&answers, &key, &callback, 1_000 + number).await);
    }
    let mut rows = Rows::open(&place).await;
    set_price(&mut rows, 1, 5_000).await;

    // Whoever answers does no work.
    assert_eq!(status(&answers, "/health").await, 200);
    let open = "SELECT COUNT(*) FROM alert WHERE status = 'active'";
    assert_eq!(rows.number(open).await, ALERTS.cast_signed());

    let first = start("worker", "data").await;
    // The receiver is called, and keeps its caller waiting.
    wait_for(&receiver, 1, &place).await;
    only_works(&first).await;
    first.kill().await;
    let killed = Instant::now();
    receiver.release();
    let second = start("worker", "second").await;
    only_works(&second).await;
    assert_eq!(receiver.arrivals().len(), 1, "the lease holds");
    // Nothing but the end of the lease makes the other one call.
    wait_for(&receiver, 2, &place).await;
    let arrivals = receiver.arrivals();
    let after = arrivals[1].at.duration_since(killed);
    assert!(after <= TAKEN_OVER, "taken over after {after:?}");
    println!("taken over {after:?} after the kill");
    // The first one twice, and whatever was due as long as it in any order.
    wait_for(&receiver, created.len() + 1, &place).await;
    let all = receiver.arrivals();
    let again = all.iter().filter(|one| one.id == all[0].id);
    assert_eq!(again.count(), 2, "the message that was interrupted");
    let open = "SELECT (SELECT COUNT(*) FROM alert WHERE status = 'active') \
                + (SELECT COUNT(*) FROM delivery WHERE state = 'dead')";
    assert_eq!(rows.number(open).await, 0);
    second.stop(&place).await;
    answers.stop(&place).await;
    drop(rows);
    place.remove().await;
    let arrived = receiver.ids(alert_of);
    for alert in &created {
        let ids = arrived.get(alert).map_or(0, HashSet::len);
        assert_eq!(ids, 1, "ids under which {alert} arrived");
    }
}

#[tokio::test]
async fn a_role_needs_a_store_that_several_share() {
    let place = Place::new(Kind::Sqlite).unwrap();
    place.configure("");
    for role in ["api", "worker"] {
        let started = place.assay(&["serve", "--role", role]).output();
        let Output { status, stderr, .. } = started.await.unwrap();
        let said = String::from_utf8_lossy(&stderr).into_owned();
        assert!(
            !status.success() && said.contains("--role needs a store on PostgreSQL"),
            "{said}"
        );
    }
}
