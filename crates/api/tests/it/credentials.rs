//! Who calls, and what a key may.

use std::time::Duration;

use http::Method;
use model::{Category, KeyScope, Plan};
use tokio_util::sync::CancellationToken;

use crate::support::{StillTime, TestServer, until};

#[tokio::test]
async fn one_credential_sent_three_ways() {
    let server = TestServer::start().await;
    let member = server.member(Plan::Builder, KeyScope::default()).await;
    let path = "/api/v1/test/one";
    assert_eq!(
        server.get(path).bearer(&member.key).send().await.text(),
        "Builder"
    );
    assert_eq!(
        server
            .get(path)
            .header("x-api-key", &member.key)
            .send()
            .await
            .text(),
        "Builder"
    );
    let with_query = format!("{path}?api_key={}", member.key);
    assert_eq!(server.get(&with_query).send().await.text(), "Builder");
    assert_eq!(
        server
            .get(&with_query)
            .bearer(&member.key)
            .send()
            .await
            .text(),
        "Builder",
        "twice the same is one"
    );
    server
        .get(&with_query)
        .bearer("as_live_other")
        .send()
        .await
        .expect_error(400, "conflicting_credentials");
    server
        .get(&with_query)
        .header("x-api-key", "demo")
        .send()
        .await
        .expect_error(400, "conflicting_credentials");
    assert_eq!(
        server.get(path).send().await.text(),
        "Free",
        "no credential is the demo key"
    );
    assert_eq!(
        server
            .get(&format!("{path}?api_key=demo"))
            .send()
            .await
            .text(),
        "Free"
    );
    assert_eq!(server.get(path).bearer("demo").send().await.text(), "Free");
}

#[tokio::test]
async fn wrong_credentials_are_not_the_demo_key() {
    let server = TestServer::start().await;
    let unknown = format!("as_live_{}", "x".repeat(32));
    for credential in [unknown.as_str(), "as_live_", "nonsense", "a.b.c", ""] {
        for _ in 0..2 {
            server
                .get("/api/v1/test/one")
                .header("x-api-key", credential)
                .send()
                .await
                .expect_error(401, "invalid_credential");
        }
    }
    server
        .get("/api/v1/test/one")
        .header("authorization", "Basic YTpi")
        .send()
        .await
        .expect_error(401, "invalid_credential");
    assert_eq!(
        server.get("/health").bearer(&unknown).send().await.status,
        200,
        "no gate asks for none"
    );
}

#[tokio::test]
async fn gates() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let path = "/api/v1/test/personal";
    server
        .get(path)
        .send()
        .await
        .expect_error(401, "credential_required");
    server
        .get(path)
        .bearer("demo")
        .send()
        .await
        .expect_error(403, "demo_key_refused");
    assert_eq!(
        server.get(path).bearer(&member.key).send().await.status,
        200
    );
    let token = server.register("gates@example.org").await;
    assert_eq!(server.get(path).bearer(&token).send().await.status, 200);
    assert_eq!(
        server
            .get(&format!("{path}?api_key={token}"))
            .send()
            .await
            .status,
        200
    );

    let create = || server.post("/api/v1/keys/create", &serde_json::json!({"name": "x"}));
    create()
        .send()
        .await
        .expect_error(401, "credential_required");
    create()
        .bearer("demo")
        .send()
        .await
        .expect_error(403, "demo_key_refused");
    create()
        .bearer(&member.key)
        .send()
        .await
        .expect_error(403, "token_required");
    assert_eq!(create().bearer(&token).send().await.status, 200);
}

#[tokio::test]
async fn keys_stay_within_their_scope() {
    let server = TestServer::start().await;
    let scope = KeyScope {
        allowed_endpoints: vec!["GET test/one".into(), "test/scoped".into()],
        allowed_categories: vec![Category::Crypto],
    };
    let member = server.member(Plan::Scale, scope).await;
    assert_eq!(
        server
            .get("/api/v1/test/one")
            .bearer(&member.key)
            .send()
            .await
            .status,
        200
    );
    assert_eq!(
        server
            .ask(Method::HEAD, "/api/v1/test/one")
            .bearer(&member.key)
            .send()
            .await
            .status,
        200
    );
    server
        .ask(Method::POST, "/api/v1/test/five")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(403, "endpoint_not_allowed");
    server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(403, "endpoint_not_allowed");
    server
        .get("/api/v1/test/scoped")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(403, "category_not_allowed");
    assert_eq!(
        server.get("/api/v1/test/scoped").send().await.text(),
        "[Tech]"
    );
}

#[tokio::test]
async fn a_revocation_elsewhere_is_noticed_within_a_second() {
    let time = StillTime::begin();
    let here = TestServer::start().await;
    let there = TestServer::on(here.state.store.clone(), |_| {}).await;
    let member = here.unlimited().await;
    let end = CancellationToken::new();
    let watcher = tokio::spawn({
        let (state, end) = (here.state.clone(), end.clone());
        async move { state.watch_access(end).await }
    });
    // Its first look is at once, and over when others have written something: the next one must be in time.
    tokio::task::yield_now().await;
    time.pass(Duration::ZERO).await;
    for _ in 0..3 {
        here.unlimited().await;
    }
    assert_eq!(
        here.get("/api/v1/test/one")
            .bearer(&member.key)
            .send()
            .await
            .status,
        200
    );
    there
        .state
        .store
        .keys()
        .revoke(
            member.account,
            member.key_id,
            "2026-03-10T12:00:00Z".parse().unwrap(),
        )
        .await
        .unwrap();
    time.pass(Duration::from_secs(1)).await;
    until(async || {
        let reply = here.get("/api/v1/test/one").bearer(&member.key).send();
        reply.await.status != 200
    })
    .await;
    here.get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(401, "invalid_credential");

    let fresh = there.unlimited().await;
    assert_eq!(
        here.get("/api/v1/test/one")
            .bearer(&fresh.key)
            .send()
            .await
            .status,
        200,
        "new keys work at once"
    );
    end.cancel();
    watcher.await.unwrap();
}
