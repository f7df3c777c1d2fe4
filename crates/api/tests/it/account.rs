//! Accounts, tokens, keys, usage, cap.

use futures::poll;
use http::Method;
use model::{Category, KeyScope, Plan, Timestamp};
use serde_json::json;

use crate::support::{Ask, TestServer};

#[tokio::test]
async fn register_log_in_and_out() {
    let server = TestServer::start().await;
    let body = json!({"email": " Ada@Example.org ", "password": "correct horse", "name": "Ada", "extra": true});
    let reply = server.post("/auth/register", &body).send().await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let session = reply.json();
    assert_eq!(session["status"], "ok");
    assert_eq!(session["token_type"], "Bearer");
    assert_eq!(session["expires_at"], "2026-03-17T12:00:00Z");
    assert_eq!(session["user"]["email"], "Ada@Example.org");
    assert_eq!(session["user"]["name"], "Ada");
    assert_eq!(session["user"]["plan"], "free");

    let again = json!({"email": "ada@example.ORG", "password": "correct horse"});
    server
        .post("/auth/register", &again)
        .send()
        .await
        .expect_error(409, "email_taken");

    let login = server.post("/auth/login", &again).send().await.json();
    assert_eq!(login["user"]["id"], session["user"]["id"]);
    let token = login["token"].as_str().unwrap().to_owned();
    assert_eq!(
        server
            .get("/api/v1/usage")
            .bearer(&token)
            .send()
            .await
            .status,
        200
    );
    let reply = server
        .ask(Method::POST, "/auth/logout")
        .bearer(&token)
        .send()
        .await;
    assert_eq!(
        (reply.status.as_u16(), reply.json()["status"].as_str()),
        (200, Some("ok"))
    );
    server
        .get("/api/v1/usage")
        .bearer(&token)
        .send()
        .await
        .expect_error(401, "invalid_credential");
    let first = session["token"].as_str().unwrap();
    assert_eq!(
        server
            .get("/api/v1/usage")
            .bearer(first)
            .send()
            .await
            .status,
        200,
        "the other session goes on"
    );

    server.clock.advance(7 * Timestamp::DAY_MS);
    server
        .get("/api/v1/usage")
        .bearer(first)
        .send()
        .await
        .expect_error(401, "token_expired");
}

#[tokio::test]
async fn registration_is_checked_and_can_be_closed() {
    let server = TestServer::start_with(|settings| settings.service.logins_per_minute = 100).await;
    for (body, field) in [
        (
            json!({"email": "nonsense", "password": "correct horse"}),
            "email",
        ),
        (
            json!({"email": "a@example.org", "password": "short"}),
            "password",
        ),
        (
            json!({"email": "a@example.org", "password": "x".repeat(201)}),
            "password",
        ),
        (
            json!({"email": "a@example.org", "password": "correct horse", "name": "x".repeat(101)}),
            "name",
        ),
        (json!({"email": "a@example.org"}), "password"),
        (
            json!({"email": ["a"], "password": "correct horse"}),
            "email",
        ),
    ] {
        let error = server
            .post("/auth/register", &body)
            .send()
            .await
            .expect_error(400, "invalid_request");
        assert!(
            error["message"].as_str().unwrap().contains(field),
            "{error}"
        );
    }
    let closed = TestServer::start_with(|settings| settings.service.registration = false).await;
    let body = json!({"email": "a@example.org", "password": "correct horse"});
    closed
        .post("/auth/register", &body)
        .send()
        .await
        .expect_error(403, "registration_closed");
}

#[tokio::test]
async fn failed_log_ins_are_limited_by_address_and_by_account() {
    let server = TestServer::start_with(|settings| settings.service.logins_per_minute = 4).await;
    server.register("ada@example.org").await;
    let log_in = |email: &str, password: &str, peer: &str| {
        server
            .post(
                "/auth/login",
                &json!({"email": email, "password": password}),
            )
            .from(peer)
    };
    let wrong = |email: &str, peer: &str| log_in(email, "wrong horse", peer);
    for email in ["ada@example.org", "ADA@example.org"] {
        wrong(email, "198.51.100.1")
            .send()
            .await
            .expect_error(401, "wrong_password");
    }
    let reply = wrong(" ada@example.org", "198.51.100.1").send().await;
    reply.expect_error(429, "login_limited");
    assert_eq!(
        reply.header("retry-after"),
        "60",
        "one account, one address"
    );
    for name in ["b", "c"] {
        wrong(&format!("{name}@example.org"), "198.51.100.1")
            .send()
            .await
            .expect_error(401, "wrong_password");
    }
    wrong("d@example.org", "198.51.100.1")
        .send()
        .await
        .expect_error(429, "login_limited");

    let right = |peer: &str| log_in("ada@example.org", "correct horse", peer);
    right("198.51.100.1")
        .send()
        .await
        .expect_error(429, "login_limited");
    assert_eq!(
        right("192.0.2.7").send().await.status,
        200,
        "who names a victim does not lock the victim out"
    );
    for _ in 0..8 {
        assert_eq!(
            right("192.0.2.7").send().await.status,
            200,
            "successes are free"
        );
    }
    server.clock.advance(60_000);
    assert_eq!(right("198.51.100.1").send().await.status, 200);
}

#[tokio::test]
async fn an_attack_from_many_addresses_does_not_lock_the_owner_out() {
    let server = TestServer::start_with(|settings| settings.service.logins_per_minute = 2).await;
    server.register("ada@example.org").await;
    let log_in = |password: &str, peer: &str| {
        server
            .post(
                "/auth/login",
                &json!({"email": "ada@example.org", "password": password}),
            )
            .from(peer)
    };
    assert_eq!(
        log_in("correct horse", "192.0.2.7").send().await.status,
        200
    );
    for network in 0..6 {
        log_in("wrong horse", &format!("198.51.{network}.1"))
            .send()
            .await
            .expect_error(401, "wrong_password");
    }
    log_in("wrong horse", "198.52.7.1")
        .send()
        .await
        .expect_error(401, "wrong_password");
    log_in("wrong horse", "198.52.7.2")
        .send()
        .await
        .expect_error(429, "login_limited");
    assert_eq!(
        log_in("correct horse", "192.0.2.7").send().await.status,
        200,
        "from where the owner logged in before"
    );
    assert_eq!(
        log_in("correct horse", "203.0.113.200").send().await.status,
        200,
        "and from a network that has not tried yet"
    );
}

fn log_in<'a>(server: &'a TestServer, email: &str, password: &str, peer: &str) -> Ask<'a> {
    let body = json!({"email": email, "password": password});
    server.post("/auth/login", &body).from(peer)
}

#[tokio::test]
async fn who_hangs_up_has_tried_to_log_in() {
    let server = TestServer::start_with(|settings| settings.service.logins_per_minute = 4).await;
    server.register("ada@example.org").await;
    let ask = |password: &str, peer: &str| log_in(&server, "ada@example.org", password, peer);
    for _ in 0..2 {
        let mut asking = Box::pin(ask("wrong horse", "198.51.100.1").send());
        assert!(poll!(&mut asking).is_pending());
    }
    ask("wrong horse", "198.51.100.1")
        .send()
        .await
        .expect_error(429, "login_limited");
    let elsewhere = ask("correct horse", "192.0.2.7").send().await;
    assert_eq!(elsewhere.status, 200);
}

#[tokio::test]
async fn few_log_ins_of_an_account_are_under_way_at_once() {
    let server = TestServer::start().await;
    server.register("ada@example.org").await;
    server.register("bob@example.org").await;
    let ask = |email: &str, peer: &str| log_in(&server, email, "correct horse", peer).send();
    let mut first = Box::pin(ask("ada@example.org", "198.51.100.1"));
    let mut second = Box::pin(ask("ada@example.org", "198.51.100.1"));
    assert!(poll!(&mut first).is_pending() && poll!(&mut second).is_pending());
    let third = ask("ada@example.org", "198.51.100.1").await;
    third.expect_error(429, "login_limited");
    assert_eq!(third.header("retry-after"), "1");
    let others = [
        ask("ada@example.org", "192.0.2.7").await,
        ask("bob@example.org", "198.51.100.1").await,
        first.await,
        second.await,
        ask("ada@example.org", "198.51.100.1").await,
    ];
    assert!(others.iter().all(|reply| reply.status == 200));
}

#[tokio::test]
async fn an_account_is_logged_in_to_often_but_not_endlessly() {
    let server = TestServer::start_with(|settings| settings.service.logins_per_minute = 2).await;
    server.register("ada@example.org").await;
    let ask = |peer: &str| log_in(&server, "ada@example.org", "correct horse", peer).send();
    for _ in 0..12 {
        assert_eq!(ask("198.51.100.1").await.status, 200);
    }
    let reply = ask("198.51.100.1").await;
    reply.expect_error(429, "login_limited");
    assert_eq!(reply.header("retry-after"), "60");
    assert_eq!(ask("192.0.2.7").await.status, 200);
    server.clock.advance(60_000);
    assert_eq!(ask("198.51.100.1").await.status, 200);
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked() {
    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    let body = json!({"name": "robot", "allowed_endpoints": ["test", "GET keys", "usage"], "allowed_categories": ["AI_ML", "tech"]});
    let made = server
        .post("/api/v1/keys/create", &body)
        .bearer(&token)
        .send()
        .await
        .json();
    let key = made["key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("as_live_") && key.len() == 40);
    assert_eq!(made["prefix"], key[..12]);
    assert_eq!(
        (made["name"].as_str(), made["plan"].as_str()),
        (Some("robot"), Some("free"))
    );
    assert_eq!(made["monthly_limit"], 1000);
    assert_eq!(made["allowed_categories"], json!(["ai_ml", "tech"]));

    assert_eq!(
        server
            .get("/api/v1/test/one")
            .bearer(&key)
            .send()
            .await
            .status,
        200
    );
    server.clock.advance(1_000);
    server
        .post("/api/v1/keys/create", &json!({"name": "second"}))
        .bearer(&token)
        .send()
        .await;
    let reply = server.get("/api/v1/keys").bearer(&key).send().await;
    assert!(!reply.text().contains(&key));
    let keys = reply.json()["keys"].as_array().unwrap().clone();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0]["name"], "second", "newest first");
    assert_eq!(keys[1]["key_prefix"], made["prefix"]);
    assert_eq!(
        (
            keys[1]["calls_today"].as_u64(),
            keys[1]["calls_month"].as_u64()
        ),
        (Some(1), Some(1))
    );
    assert_eq!(keys[1]["created_at"], "2026-03-10T12:00:00Z");
    assert_eq!(keys[1]["last_used_at"], "2026-03-10T12:00:00Z");
    assert_eq!(keys[0]["last_used_at"], json!(null));

    let path = format!("/api/v1/keys/{}", made["id"].as_str().unwrap());
    let other = server.register("eve@example.org").await;
    server
        .ask(Method::DELETE, &path)
        .bearer(&other)
        .send()
        .await
        .expect_error(404, "not_found");
    assert_eq!(
        server
            .ask(Method::DELETE, &path)
            .bearer(&token)
            .send()
            .await
            .status,
        200
    );
    server
        .get("/api/v1/test/one")
        .bearer(&key)
        .send()
        .await
        .expect_error(401, "invalid_credential");
    server
        .ask(Method::DELETE, &path)
        .bearer(&token)
        .send()
        .await
        .expect_error(404, "not_found");
    server
        .ask(Method::DELETE, "/api/v1/keys/nonsense")
        .bearer(&token)
        .send()
        .await
        .expect_error(404, "not_found");
    assert_eq!(
        server
            .get("/api/v1/keys")
            .bearer(&token)
            .send()
            .await
            .json()["keys"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn new_keys_are_checked() {
    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    for (body, field) in [
        (json!({"name": " "}), "name"),
        (json!({}), "name"),
        (json!({"name": "x".repeat(101)}), "name"),
        (
            json!({"name": "x", "allowed_categories": ["tech", "nonsense"]}),
            "allowed_categories",
        ),
        (
            json!({"name": "x", "allowed_endpoints": "ticker"}),
            "allowed_endpoints",
        ),
        (
            json!({"name": "x", "allowed_endpoints": ["a b c"]}),
            "allowed_endpoints",
        ),
        (
            json!({"name": "x", "allowed_endpoints": vec!["ticker"; 65]}),
            "allowed_endpoints",
        ),
    ] {
        let error = server
            .post("/api/v1/keys/create", &body)
            .bearer(&token)
            .send()
            .await;
        let error = error.expect_error(400, "invalid_request");
        assert!(
            error["message"].as_str().unwrap().contains(field),
            "{error}"
        );
    }
}

#[tokio::test]
async fn usage_has_the_documented_fields() {
    let server = TestServer::start().await;
    let member = server.member(Plan::Builder, KeyScope::default()).await;
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await;
    server
        .ask(Method::POST, "/api/v1/test/five")
        .bearer(&member.key)
        .send()
        .await;
    let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
    assert_eq!(usage.charged(), 0);
    assert_eq!(
        usage.json(),
        json!({
            "status": "ok", "plan": "builder", "billing_model": "plan",
            "calls_today": 2, "monthly_limit": 5000, "calls_this_month": 2,
            "spend_today_usd": 0.0, "spend_this_month_usd": 0.0,
            "spending_cap_usd": 48.0, "budget_remaining_usd": 48.0,
            "credits_used_month": 6, "credits_included": 5000,
            "by_endpoint": [
                {"endpoint": "POST /api/v1/test/five", "calls": 1, "credits": 5},
                {"endpoint": "GET /api/v1/test/one", "calls": 1, "credits": 1},
            ],
            "by_day": [{"date": "2026-03-10", "calls": 2, "credits": 6, "by_endpoint": [
                {"endpoint": "POST /api/v1/test/five", "calls": 1, "credits": 5},
                {"endpoint": "GET /api/v1/test/one", "calls": 1, "credits": 1},
            ]}],
            "simulated": true,
        })
    );
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(
        (
            usage["calls_today"].as_u64(),
            usage["credits_used_month"].as_u64()
        ),
        (Some(3), Some(6))
    );

    // The next day is a day of its own, the month goes on; the next month begins with nothing.
    server.clock.advance(model::Timestamp::DAY_MS);
    let one = server.get("/api/v1/test/one").bearer(&member.key);
    assert_eq!(one.send().await.charged(), 1);
    let ask = async || {
        let usage = server.get("/api/v1/usage").bearer(&member.key);
        usage.send().await.json()
    };
    let usage = ask().await;
    let days: Vec<serde_json::Value> = usage["by_day"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| json!([day["date"], day["credits"]]))
        .collect();
    assert_eq!(days, [json!(["2026-03-11", 1]), json!(["2026-03-10", 6])]);
    assert_eq!(usage["credits_used_month"], 7);
    server.clock.set("2026-04-01T00:00:00Z");
    let usage = ask().await;
    assert_eq!(usage["by_day"], json!([]));

    let unlimited = server.unlimited().await;
    let usage = server
        .get("/api/v1/usage")
        .bearer(&unlimited.key)
        .send()
        .await
        .json();
    assert_eq!(usage["billing_model"], "unlimited");
    for field in [
        "monthly_limit",
        "spending_cap_usd",
        "budget_remaining_usd",
        "credits_included",
    ] {
        assert_eq!(usage[field], json!(null), "{field}");
    }
}

#[tokio::test]
async fn the_cap_is_set_by_its_owner() {
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
    server
        .state
        .store
        .accounts()
        .set_plan(account.id, Plan::Payg)
        .await
        .unwrap();
    server.state.access.forget();
    let set = |body: serde_json::Value| {
        server
            .ask(Method::PUT, "/api/v1/billing/cap")
            .json(&body)
            .bearer(&token)
    };
    assert_eq!(
        set(json!({"spending_cap_usd": 0.05})).send().await.json()["spending_cap_usd"],
        0.05
    );
    for _ in 0..5 {
        assert_eq!(
            server
                .get("/api/v1/test/one")
                .bearer(&token)
                .send()
                .await
                .status,
            200
        );
    }
    let reply = server.get("/api/v1/test/one").bearer(&token).send().await;
    reply.expect_error(429, "spending_cap_reached");
    assert!(reply.number("retry-after") > 86_400);
    let usage = server
        .get("/api/v1/usage")
        .bearer(&token)
        .send()
        .await
        .json();
    assert_eq!(usage["billing_model"], "payg");
    assert_eq!(usage["spend_this_month_usd"], 0.05);
    assert_eq!(usage["budget_remaining_usd"], 0.0);
    assert_eq!(
        set(json!({"spending_cap_usd": null})).send().await.json()["spending_cap_usd"],
        10.0
    );
    assert_eq!(
        server
            .get("/api/v1/test/one")
            .bearer(&token)
            .send()
            .await
            .status,
        200
    );
    for wrong in [
        json!({"spending_cap_usd": -1}),
        json!({"spending_cap_usd": "5"}),
        json!({}),
    ] {
        let error = set(wrong).send().await.expect_error(400, "invalid_request");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("spending_cap_usd"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_category_key_says_so() {
    let server = TestServer::start().await;
    let scope = KeyScope {
        allowed_categories: vec![Category::Tech],
        ..KeyScope::default()
    };
    let member = server.member(Plan::Scale, scope).await;
    let keys = server
        .get("/api/v1/keys")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(keys["keys"][0]["allowed_categories"], json!(["tech"]));
}
