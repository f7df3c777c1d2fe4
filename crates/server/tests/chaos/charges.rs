//! A charge that left in `X-Credits-Charged` outlives the process that made it.

use std::time::Duration;

use crate::TURN;
use crate::clients::Clients;
use crate::files;
use crate::place::{Kind, Place};
use crate::random::Random;
use crate::rows::Rows;
use crate::service::Service;

const ROUNDS: u64 = 8;

/// Kills the server under load again and again; after each kill, the ledger has what the callers received, and beyond it
/// at most what was under way.
async fn survive(kind: Kind) {
    let _turn = TURN.lock().await;
    let Some(place) = Place::new(kind) else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let mut random = Random::of_run("charges");
    place.configure("");
    let articles = place.path("articles.jsonl");
    files::write_articles(&articles, 0, 20, &mut random);
    let path = articles.to_str().unwrap();
    place.run(&["import", "articles", path]).await;
    let candles = place.path("AAAA.csv");
    files::write_candles(&candles, 60);
    place
        .run(&["import", "candles", candles.to_str().unwrap()])
        .await;
    let key = place.account("chaos@assay.example").await;

    let mut faults = Vec::new();
    let clients = Clients::start(&key, Duration::ZERO, &mut random);
    for round in 1..=ROUNDS {
        let service = Service::start(&place, &[]).await;
        clients.turn_to(&service.base);
        clients.receive(100 + random.below(800)).await;
        service.kill().await;
        clients.pause().await;
        // What the journal holds is in the ledger when the next one listens.
        Service::start(&place, &[]).await.kill().await;
        let known = clients.accounts.sums();
        let answers: u64 = known.values().map(|sums| sums.answers).sum();
        println!("round {round}: {answers} answers so far");
        let found = Rows::open(&place).await.uncharged(&known).await;
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("round {round}: {fault}")),
        );
    }
    let service = Service::start(&place, &[]).await;
    clients.turn_to(&service.base);
    clients.receive(100).await;
    let accounts = clients.finish().await;
    service.stop(&place).await;
    let mut rows = Rows::open(&place).await;
    faults.extend(rows.uncharged(&accounts.sums()).await);
    drop(rows);
    place.remove().await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_survive_a_kill() {
    survive(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_survive_a_kill_on_postgresql() {
    survive(Kind::Postgres).await;
}
