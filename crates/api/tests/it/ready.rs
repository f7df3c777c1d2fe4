//! `/ready`: what it says, and when it refuses.

use std::time::Duration;

use api::{Importance, TaskFault};
use model::{DataMode, Timestamp};
use serde_json::Value;
use store::{Location, Store};

use crate::news::fixtures::{index, world};
use crate::support::{Reply, StillTime, TestServer};

/// Asserts a refusal with the shape of an error and everything else beside it.
fn refused(reply: &Reply, because: &str) -> Value {
    let body = reply.expect_error(503, "not_ready");
    let problems: Vec<&str> = body["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem.as_str().unwrap())
        .collect();
    assert!(problems.contains(&because), "{problems:?}");
    assert!(body["tasks"].is_array() && body["index"].is_object());
    assert!(body["ledger"].is_object() && body["store"].is_object());
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(!reply.header("retry-after").is_empty());
    body
}

#[tokio::test]
async fn a_server_that_keeps_its_promises_says_how() {
    let server = TestServer::start().await;
    let task = server
        .state
        .tasks
        .register("index", Importance::Essential, None);
    task.started();
    let reply = server.get("/ready").send().await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let body = reply.json();
    assert_eq!(body["status"], "ok");
    assert_eq!(body["simulated"], true);
    assert!(body.get("problems").is_none());
    assert_eq!(body["tasks"][0]["name"], "index");
    assert_eq!(body["tasks"][0]["state"], "running");
    assert_eq!(body["tasks"][0]["restarts"], 0);
    assert!(body["tasks"][0]["since"].as_str() <= Some("2026-03-10T12:00:00Z"));
    assert_eq!(body["index"]["lag"], 0);
    assert_eq!(body["ledger"]["pending"], false);
    assert_eq!(body["store"]["writable"], true);
}

#[tokio::test]
async fn an_essential_task_that_keeps_failing_is_a_refusal_and_an_optional_one_is_not() {
    let server =
        TestServer::start_with(|settings| settings.readiness.task_failing = Duration::ZERO).await;
    let optional = server
        .state
        .tasks
        .register("demo", Importance::Optional, None);
    optional.failed(TaskFault::Panicked);
    assert_eq!(server.get("/ready").send().await.status, 200);

    let task = server
        .state
        .tasks
        .register("index", Importance::Essential, None);
    task.failed(TaskFault::IndexLocked);
    let body = refused(
        &server.get("/ready").send().await,
        "the task index keeps failing",
    );
    assert_eq!(body["tasks"][1]["state"], "restarting");
    assert_eq!(body["tasks"][1]["restarts"], 1);
    assert_eq!(
        body["tasks"][1]["last_error"],
        "search index is locked by another process"
    );
    let problem = server
        .get("/ready")
        .header("accept", "application/problem+json")
        .send()
        .await
        .json();
    assert_eq!(problem["status"], 503);
    assert_eq!(problem["tasks"][1]["name"], "index");
    assert_eq!(server.get("/health").send().await.status, 200, "it lives");
}

#[tokio::test]
async fn a_short_failure_is_no_refusal() {
    let server = TestServer::start().await;
    let task = server
        .state
        .tasks
        .register("index", Importance::Essential, None);
    task.failed(TaskFault::Failed);
    task.started();
    let reply = server.get("/ready").send().await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["tasks"][0]["state"], "restarting");
}

#[tokio::test]
async fn an_index_that_stays_behind_is_a_refusal() {
    // Nothing follows the outbox here.
    let (full, _) = world().await;
    full.state.store.outbox().sequence().await.unwrap();
    let head = full.state.store.outbox().head().await.unwrap();
    assert!(head > 0);
    let server = TestServer::on(full.state.store.clone(), |settings| {
        settings.readiness.index_lag = Duration::ZERO;
    })
    .await;
    // The first look begins the count.
    let first = server.get("/ready").send().await;
    assert_eq!(first.json()["index"]["lag"], head);
    let body = refused(
        &server.get("/ready").send().await,
        "the search index does not follow the store",
    );
    assert_eq!(body["index"]["head"], head);
    assert_eq!(body["index"]["position"], 0);
}

#[tokio::test]
async fn an_index_that_keeps_pruned_news_is_a_refusal() {
    // Nothing follows the store here.
    let (full, _) = world().await;
    let server = TestServer::on(full.state.store.clone(), |settings| {
        settings.readiness.index_lag = Duration::ZERO;
    })
    .await;
    index(&server).await;
    assert_eq!(server.get("/ready").send().await.status, 200);
    let mut removal = server.state.store.prune().news(Timestamp::END);
    assert!(removal.remove_some().await.unwrap().unwrap().briefs > 0);
    server.get("/ready").send().await;
    let body = refused(
        &server.get("/ready").send().await,
        "the search index does not follow the store",
    );
    assert_eq!(body["index"]["lag"], 0, "there is no event of it");
}

#[tokio::test]
async fn charges_that_are_not_written_are_a_refusal() {
    let server =
        TestServer::start_with(|settings| settings.readiness.ledger_lag = Duration::ZERO).await;
    let member = server.unlimited().await;
    assert_eq!(server.get("/ready").send().await.status, 200);
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await;
    let body = refused(
        &server.get("/ready").send().await,
        "charges are not written to the ledger",
    );
    assert_eq!(body["ledger"]["pending"], true);
    server.state.meter.flush().await.unwrap();
    assert_eq!(server.get("/ready").send().await.status, 200);
}

#[tokio::test]
async fn a_store_that_takes_no_writes_is_a_refusal_that_tells_no_paths() {
    let directory = tempfile::tempdir().unwrap();
    let place = Location::Directory(directory.path().join("data"));
    let store = Store::open(&place, DataMode::Demo).await.unwrap();
    let server = TestServer::on(store, |_| {}).await;
    // A folder where the probe writes its file: what a full or read-only disk does, for every user.
    std::fs::create_dir(directory.path().join("data/assay.probe")).unwrap();
    let reply = server.get("/ready").send().await;
    let body = refused(&reply, "data directory cannot be written");
    assert_eq!(body["store"]["writable"], false);
    assert!(!reply.text().contains(directory.path().to_str().unwrap()));
    assert_eq!(server.get("/health").send().await.status, 200);
}

#[tokio::test]
async fn strangers_cannot_make_the_write_probe_expensive() {
    let time = StillTime::begin();
    let server = TestServer::start().await;
    let mut tokens = std::collections::HashSet::new();
    for seconds in 0..10 {
        let asked = (0..10).map(|_| server.get("/ready").send());
        for reply in futures::future::join_all(asked).await {
            assert_eq!(reply.status, 200);
        }
        tokens.insert(server.state.store.setting("probe").await.unwrap().unwrap());
        assert_eq!(tokens.len(), 1 + seconds / 3, "after {seconds} s");
        time.pass(Duration::from_secs(1)).await;
    }
}

#[tokio::test]
async fn a_stopping_server_is_not_ready() {
    let server = TestServer::start().await;
    server.state.begin_stopping();
    refused(&server.get("/ready").send().await, "the server is stopping");
}
