//! A repeated request gets the first answer.

use http::StatusCode;
use model::{KeyScope, Plan};
use serde_json::json;
use store::{AccountKey, Begin};

use crate::support::{TestServer, hang_up_after};

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

#[tokio::test]
async fn a_key_may_be_used_for_another_resource() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let ask = |name: &str| {
        server
            .post(&format!("/api/v1/test/repeat/{name}"), &json!({}))
            .bearer(&member.key)
            .header("idempotency-key", "same")
    };
    for (name, replayed, credits) in [("a", "", 2), ("b", "", 2), ("a", "true", 0)] {
        let reply = ask(name).send().await;
        assert_eq!(reply.json(), name);
        assert_eq!(reply.header("idempotency-replayed"), replayed, "{name}");
        assert_eq!(reply.charged(), credits, "{name}");
    }
}

#[tokio::test]
async fn another_spelling_of_the_path_is_the_same_request() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let ask = async |path: &str| {
        server
            .post(path, &json!({"name": "Chips"}))
            .bearer(&member.key)
            .header("idempotency-key", "once")
            .send()
            .await
    };
    let first = ask("/api/v1/watchlists").await;
    assert_eq!(first.status, StatusCode::OK);
    let again = ask("/api/v1/watchlist").await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(first.json(), again.json());
}

#[tokio::test]
async fn what_is_no_repetition_is_not_answered_without_credits() {
    let server = TestServer::with_credits(5).await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let ask = |path: &str, key: &str| {
        server
            .post(path, &json!({}))
            .bearer(&member.key)
            .header("idempotency-key", key)
    };
    for (key, charged) in [("one", 2), ("two", 2), ("one", 0)] {
        let reply = ask("/api/v1/test/repeat/a", key).send().await;
        assert_eq!((reply.status, reply.charged()), (StatusCode::OK, charged));
    }
    for _ in 0..2 {
        // Refused again and again, not remembered as refused.
        let reply = ask("/api/v1/test/repeat/a", "three").send().await;
        reply.expect_error(429, "credits_exhausted");
    }
    // An operation that knows nothing of keys, and one that is no repetition by its method.
    let reply = ask("/api/v1/test/five", "one").send().await;
    reply.expect_error(429, "credits_exhausted");
    let get = server.get("/api/v1/test/variable").bearer(&member.key);
    let reply = get.header("idempotency-key", "one").send().await;
    reply.expect_error(429, "credits_exhausted");
    server.clock.set("2026-04-01T00:00:00Z");
    let reply = ask("/api/v1/test/repeat/a", "three").send().await;
    assert_eq!(reply.charged(), 2, "with the credits of another month");
    let reply = ask("/api/v1/test/five", "one").send().await;
    reply.expect_error(429, "credits_exhausted");
    let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
    assert_eq!(usage.json()["credits_used_month"], 2);
}

/// The caller hangs up at every step of its request, also where nothing but the charge is still to be written: what is in
/// the ledger is what the process counts, so that credits which paid for an answer pay for no other.
#[tokio::test]
async fn who_hangs_up_while_the_charge_is_written_pays_once() {
    const PRICE: u64 = 2;
    let server = TestServer::with_credits(PRICE).await;
    let (mut written, mut ended) = (0, 0);
    // How many steps a request takes is up to the store's threads, so the moment of the commit is tried for until it is met.
    for round in 0..600 {
        if written > 0 && ended > 0 {
            break;
        }
        let step = 1 + round % 12;
        let member = server.member(Plan::Free, KeyScope::default()).await;
        let account = AccountKey::Account(member.account);
        let ask = |key: &str| {
            server
                .post("/api/v1/test/repeat/a", &json!({}))
                .bearer(&member.key)
                .header("idempotency-key", key)
                .send()
        };
        if let Some(reply) = hang_up_after(step, ask("first")).await {
            assert_eq!(reply.charged(), PRICE);
            ended += 1;
            continue;
        }
        let second = ask("second").await;
        let total = async || server.state.store.ledger().total(&account).await.unwrap();
        if second.status == StatusCode::OK {
            assert_eq!(second.charged(), PRICE);
        } else {
            second.expect_error(429, "credits_exhausted");
            written += 1;
            // What goes on without its caller ends: each of these waits in the line of the writers.
            for _ in 0..1_000 {
                if total().await == PRICE {
                    break;
                }
                let records = server.state.store.idempotency();
                records.prune(server.state.clock.now()).await.unwrap();
            }
            let again = ask("first").await;
            assert_eq!(again.header("idempotency-replayed"), "true", "step {step}");
        }
        assert_eq!(total().await, PRICE, "step {step}");
    }
    assert!(ended > 0, "the request never ends");
    assert!(written > 0, "nobody hung up while the charge was written");
}
