//! Every error of every layer has one shape, and every answer the same headers.

use std::time::Duration;

use http::Method;
use model::{KeyScope, Plan};
use serde_json::json;

use crate::support::test_routes::under_way;
use crate::support::{Reply, StillTime, TestServer};

fn assert_headers(reply: &Reply) {
    for name in [
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "x-credits-charged",
    ] {
        reply.number(name);
    }
    let (limit, left, reset) = (
        reply.number("ratelimit-limit"),
        reply.number("ratelimit-remaining"),
        reply.number("ratelimit-reset"),
    );
    assert_eq!(
        reply.header("ratelimit-policy"),
        format!("\"default\";q={limit};w=60")
    );
    assert_eq!(
        reply.header("ratelimit"),
        format!("\"default\";r={left};t={reset}")
    );
    assert!(!reply.header("x-request-id").is_empty());
    assert_eq!(reply.header("x-data-mode"), "demo");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn layers_speak_with_one_voice() {
    const PATIENCE: Duration = Duration::from_secs(20);
    let time = StillTime::begin();
    let server = TestServer::start_with(|settings| {
        settings.body_limit = 1_000;
        settings.service.request_timeout = PATIENCE;
    })
    .await;
    let member = server.unlimited().await;
    let login = |body: String| {
        server
            .ask(Method::POST, "/auth/login")
            .header("content-type", "application/json")
            .body(body)
    };

    let reply = server.get("/nowhere").send().await;
    reply.expect_error(404, "unknown_path");
    assert_headers(&reply);

    let reply = server.ask(Method::DELETE, "/auth/login").send().await;
    reply.expect_error(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "POST,OPTIONS");
    assert_headers(&reply);
    let reply = server.ask(Method::PATCH, "/api/v1/keys").send().await;
    reply.expect_error(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "GET,HEAD,OPTIONS");

    let reply = login("{\"email\": \"a@b.c\",\n \"password\": }".into())
        .send()
        .await;
    let body = reply.expect_error(400, "invalid_json");
    assert!(
        body["message"]
            .as_str()
            .unwrap()
            .contains("line 2 column 14"),
        "{body}"
    );
    assert_headers(&reply);

    let body = login(json!({"email": 5, "password": "x"}).to_string())
        .send()
        .await
        .expect_error(400, "invalid_request");
    assert!(
        body["message"].as_str().unwrap().starts_with("email:"),
        "{body}"
    );

    let reply = server
        .ask(Method::POST, "/auth/login")
        .header("content-type", "text/plain")
        .body("x")
        .send()
        .await;
    reply.expect_error(415, "wrong_content_type");
    assert_headers(&reply);
    server
        .ask(Method::POST, "/auth/login")
        .body("{}")
        .send()
        .await
        .expect_error(415, "wrong_content_type");

    let reply = login(format!("{{\"email\": \"{}\"}}", "x".repeat(2_000)))
        .send()
        .await;
    reply.expect_error(413, "body_too_large");
    assert_headers(&reply);
    let reply = login(String::new())
        .header("content-length", "5000")
        .send()
        .await;
    reply.expect_error(413, "body_too_large");

    let reply = server
        .get("/api/v1/test/failing")
        .bearer(&member.key)
        .send()
        .await;
    let body = reply.expect_error(500, "internal_error");
    assert_eq!(body["message"], "internal error");
    assert_headers(&reply);

    let reply = server
        .get("/api/v1/test/panicking")
        .bearer(&member.key)
        .send()
        .await;
    let body = reply.expect_error(500, "internal_error");
    assert!(!body.to_string().contains("on purpose"));
    assert_headers(&reply);

    let asked = server.get("/api/v1/test/slow/b").bearer(&member.key).send();
    let notify = under_way("b");
    let (reply, ()) = tokio::join!(asked, async {
        notify.notified().await;
        time.pass(PATIENCE).await;
    });
    reply.expect_error(503, "timeout");
    assert_eq!(reply.header("retry-after"), "5");
    assert_headers(&reply);

    let reply = server
        .get(&format!("/health?x={}", "x".repeat(9_000)))
        .send()
        .await;
    reply.expect_error(414, "address_too_long");
    assert_headers(&reply);
    let reply = server
        .get("/health")
        .header("x-long", &"x".repeat(40_000))
        .send()
        .await;
    reply.expect_error(431, "headers_too_large");
    assert_headers(&reply);

    let reply = server.get("/api/v1/usage").send().await;
    reply.expect_error(401, "credential_required");
    assert_eq!(reply.header("www-authenticate"), "Bearer");
    assert_headers(&reply);

    let reply = server.get("/health").send().await;
    assert_eq!(reply.status, 200);
    assert_headers(&reply);
}

#[tokio::test]
async fn a_body_that_never_ends_is_not_waited_for() {
    let server =
        TestServer::start_with(|settings| settings.body_timeout = Duration::from_millis(20)).await;
    let endless = axum::body::Body::from_stream(futures::stream::pending::<
        Result<bytes::Bytes, std::io::Error>,
    >());
    let reply = server
        .ask(Method::POST, "/auth/login")
        .header("content-type", "application/json")
        .body(endless)
        .send()
        .await;
    reply.expect_error(408, "body_timeout");
}

#[tokio::test]
async fn problems_in_the_form_of_rfc_9457() {
    let server = TestServer::start().await;
    for path in [
        "/nowhere",
        "/api/v1/usage",
        "/api/v1/test/variable?credits=x",
    ] {
        let plain = server.get(path).send().await;
        let reply = server
            .get(path)
            .header("accept", "application/json, application/problem+json;q=0.9")
            .send()
            .await;
        assert_eq!(reply.header("content-type"), "application/problem+json");
        let body = reply.json();
        assert_eq!(body["status"], reply.status.as_u16());
        assert_eq!(body["detail"], plain.json()["message"]);
        assert_eq!(body["error_code"], plain.json()["error_code"]);
        assert_eq!(body["simulated"], true);
        assert!(body["title"].is_string() && body["type"].is_string());
        assert_eq!(reply.number("content-length"), reply.body.len() as u64);
        assert_headers(&reply);
    }
}

#[tokio::test]
async fn request_ids_are_kept_when_harmless() {
    let server = TestServer::start().await;
    assert_eq!(
        server
            .get("/health")
            .header("x-request-id", "abc-1.2:3_4")
            .send()
            .await
            .header("x-request-id"),
        "abc-1.2:3_4"
    );
    for bad in ["a b", "<x>", "", &"x".repeat(200)] {
        let reply = server
            .get("/health")
            .header("x-request-id", bad)
            .send()
            .await;
        assert_eq!(reply.header("x-request-id").len(), 32, "{bad:?}");
    }
    let first = server.get("/health").send().await;
    assert_ne!(
        first.header("x-request-id"),
        server.get("/health").send().await.header("x-request-id")
    );
}

#[tokio::test]
async fn options_head_and_cors() {
    let server = TestServer::start().await;
    let reply = server
        .ask(Method::OPTIONS, "/api/v1/keys/create")
        .send()
        .await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("allow"), "POST,OPTIONS");
    assert!(reply.body.is_empty());
    server
        .ask(Method::OPTIONS, "/nowhere")
        .send()
        .await
        .expect_error(404, "unknown_path");

    let reply = server
        .ask(Method::OPTIONS, "/api/v1/keys/create")
        .header("origin", "https://app.example.org")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization, idempotency-key",
        )
        .send()
        .await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(reply.headers.get("access-control-allow-credentials"), None);
    assert!(
        reply
            .header("access-control-allow-methods")
            .contains("DELETE")
    );
    let allowed = reply.header("access-control-allow-headers").to_lowercase();
    assert!(
        allowed.contains("authorization")
            && allowed.contains("idempotency-key")
            && allowed.contains("x-api-key")
    );
    assert_eq!(reply.header("access-control-max-age"), "86400");

    let reply = server
        .get("/health")
        .header("origin", "https://app.example.org")
        .send()
        .await;
    let exposed = reply.header("access-control-expose-headers").to_lowercase();
    for name in [
        "ratelimit-limit",
        "x-request-id",
        "x-credits-charged",
        "retry-after",
        "etag",
        "x-data-mode",
    ] {
        assert!(exposed.contains(name), "{name}");
    }

    let reply = server.ask(Method::HEAD, "/health").send().await;
    assert_eq!(reply.status, 200);
    assert!(reply.body.is_empty());
    let reply = server.ask(Method::HEAD, "/nowhere").send().await;
    assert_eq!(reply.status, 404);
    assert!(reply.body.is_empty());

    let closed =
        TestServer::start_with(|settings| settings.origins = api::Origins::default()).await;
    assert_eq!(
        closed
            .get("/health")
            .send()
            .await
            .headers
            .get("access-control-allow-origin"),
        None
    );
}

#[tokio::test]
async fn parameters_are_named() {
    let server = TestServer::start().await;
    let body = server
        .get("/api/v1/test/variable?credits=abc&unknown=1")
        .send()
        .await
        .expect_error(400, "invalid_request");
    assert_eq!(body["message"], "credits must be an integer from 0 to 100");
    let body = server
        .get("/api/v1/test/dated?as_of=yesterday")
        .send()
        .await
        .expect_error(400, "invalid_request");
    assert!(
        body["message"].as_str().unwrap().starts_with("as_of:"),
        "{body}"
    );
    let body = server
        .get("/api/v1/test/dated?as_of=2026-03-10T12:00:01Z")
        .send()
        .await
        .expect_error(400, "invalid_request");
    assert!(
        body["message"].as_str().unwrap().contains("future"),
        "{body}"
    );
    assert_eq!(
        server
            .get("/api/v1/test/dated?as_of=2026-03-01")
            .send()
            .await
            .text(),
        "2026-03-01T00:00:00Z"
    );
    // However its name is written.
    let encoded = server.get("/api/v1/test/dated?as%5Fof=2026-03-01");
    assert_eq!(encoded.send().await.text(), "2026-03-01T00:00:00Z");
    assert_eq!(server.get("/api/v1/test/dated").send().await.text(), "");
}

#[tokio::test]
async fn a_frozen_server_stays_in_the_past() {
    let server = TestServer::start_with(|settings| {
        settings.service.as_of = Some("2026-02-01T00:00:00Z".parse().unwrap());
    })
    .await;
    assert_eq!(
        server.get("/api/v1/test/dated").send().await.text(),
        "2026-02-01T00:00:00Z"
    );
    assert_eq!(
        server
            .get("/api/v1/test/dated?as_of=2026-01-01")
            .send()
            .await
            .text(),
        "2026-01-01T00:00:00Z"
    );
    server
        .get("/api/v1/test/dated?as_of=2026-02-02")
        .send()
        .await
        .expect_error(400, "invalid_request");
    assert_eq!(
        server.get("/health").send().await.json()["as_of"],
        "2026-02-01T00:00:00Z"
    );
}

#[tokio::test]
async fn plans_open_gates() {
    let server = TestServer::start().await;
    for (plan, opens) in [
        (Plan::Free, false),
        (Plan::Payg, false),
        (Plan::Startup, false),
        (Plan::Growth, true),
        (Plan::Scale, true),
        (Plan::Unlimited, true),
    ] {
        let member = server.member(plan, KeyScope::default()).await;
        let reply = server
            .get("/api/v1/test/growth")
            .bearer(&member.key)
            .send()
            .await;
        if opens {
            assert_eq!(reply.status, 200, "{plan}");
        } else {
            reply.expect_error(403, "plan_required");
        }
    }
}
