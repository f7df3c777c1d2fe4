//! A repeated request gets the first answer.

use serde_json::json;
use store::Begin;

use crate::support::TestServer;

#[tokio::test]
async fn a_key_is_made_once() {
    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    let create = |name: &str, key: &str| {
        server
            .post("/api/v1/keys/create", &json!({"name": name}))
            .bearer(&token)
            .header("idempotency-key", key)
    };
    let first = create("robot", "order-1").send().await;
    assert_eq!(first.status, 200, "{}", first.text());
    assert_eq!(first.header("idempotency-replayed"), "");
    let second = create("robot", "order-1").send().await;
    assert_eq!(second.status, 200);
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(second.charged(), 0);
    let mut expected = first.json();
    assert!(expected.as_object_mut().unwrap().remove("key").is_some());
    assert_eq!(second.json(), expected, "all but the secret");

    create("other", "order-1")
        .send()
        .await
        .expect_error(422, "idempotency_mismatch");
    assert_eq!(
        create("robot", "order-2")
            .send()
            .await
            .header("idempotency-replayed"),
        ""
    );
    let keys = server
        .get("/api/v1/keys")
        .bearer(&token)
        .send()
        .await
        .json();
    assert_eq!(keys["keys"].as_array().unwrap().len(), 2);

    let other = server.register("eve@example.org").await;
    let reply = server
        .post("/api/v1/keys/create", &json!({"name": "robot"}))
        .bearer(&other)
        .header("idempotency-key", "order-1");
    assert!(
        reply.send().await.json()["key"].is_string(),
        "another account's keys are other keys"
    );

    server.clock.advance(24 * 3_600_000 + 1);
    assert!(
        create("other", "order-1").send().await.json()["key"].is_string(),
        "a day later it is forgotten"
    );
}

#[tokio::test]
async fn odd_keys_are_refused() {
    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    for key in [String::new(), "a b".to_owned(), "x".repeat(256)] {
        let create = server
            .post("/api/v1/keys/create", &json!({"name": "x"}))
            .bearer(&token);
        create
            .header("idempotency-key", &key)
            .send()
            .await
            .expect_error(400, "invalid_idempotency_key");
    }
    let longest = "x".repeat(255);
    let create = server
        .post("/api/v1/keys/create", &json!({"name": "x"}))
        .bearer(&token);
    assert_eq!(
        create
            .header("idempotency-key", &longest)
            .send()
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_request_in_flight_is_not_repeated() {
    use sha2::{Digest, Sha256};

    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    let account = server
        .state
        .store
        .accounts()
        .find_by_email("ada@example.org")
        .await
        .unwrap()
        .unwrap();
    let body = json!({"name": "robot"});
    let hash: [u8; 32] = Sha256::digest(body.to_string()).into();
    let records = server.state.store.idempotency();
    let begun = records
        .begin(
            &account.id.0.to_string(),
            "POST /api/v1/keys/create",
            "k",
            &hash,
            server.state.clock.now(),
        )
        .await
        .unwrap();
    assert_eq!(begun, Begin::Started);
    let create = || {
        server
            .post("/api/v1/keys/create", &body)
            .bearer(&token)
            .header("idempotency-key", "k")
    };
    let reply = create().send().await;
    reply.expect_error(409, "idempotency_in_flight");
    assert_eq!(reply.header("retry-after"), "1");
    server.clock.advance(60_001);
    assert_eq!(create().send().await.status, 200, "its lease has run out");
}

#[tokio::test]
async fn registration_replays_without_the_token_and_refusals_as_they_were() {
    let server = TestServer::start().await;
    let register = |key: &str| {
        let body = json!({"email": "ada@example.org", "password": "correct horse"});
        server
            .post("/auth/register", &body)
            .header("idempotency-key", key)
    };
    let first = register("one").send().await.json();
    let second = register("one").send().await;
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(second.json()["user"], first["user"]);
    assert!(second.json().get("token").is_none());
    register("two")
        .send()
        .await
        .expect_error(409, "email_taken");
    let replayed = register("two").send().await;
    replayed.expect_error(409, "email_taken");
    assert_eq!(replayed.header("idempotency-replayed"), "true");
}
