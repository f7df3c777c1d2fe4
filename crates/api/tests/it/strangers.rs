//! What strangers may not: read without a credential, guess without end, see what another key was answered.

use std::time::Duration;

use api::{Hosts, MetricsAccess, Origins};
use http::Method;
use model::{KeyScope, Plan};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::support::{StillTime, TestServer, until};

const PAGE: &str = "https://page.example";

#[tokio::test]
async fn a_private_server_answers_no_demo_key() {
    let server = TestServer::start_with(|settings| settings.service.anonymous = false).await;
    let member = server.unlimited().await;
    for path in ["/api/v1/test/one", "/api/v1/feed", "/api/v1/stream"] {
        for ask in [
            server.get(path),
            server.get(path).bearer("demo"),
            server.get(&format!("{path}?api_key=demo")),
        ] {
            ask.send().await.expect_error(401, "credential_required");
        }
    }
    assert_eq!(server.get("/health").send().await.status, 200);
    assert_eq!(
        server
            .get("/api/v1/test/one")
            .bearer(&member.key)
            .send()
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn pages_read_only_where_their_origin_is_allowed() {
    let server = TestServer::start_with(|settings| {
        settings.origins = Origins::Only(vec!["https://app.example".parse().unwrap()]);
    })
    .await;
    let allowed = |reply: &crate::support::Reply| {
        reply
            .headers
            .get("access-control-allow-origin")
            .map(|value| value.to_str().unwrap().to_owned())
    };
    for path in ["/api/v1/test/one", "/health", "/nowhere"] {
        let foreign = server.get(path).header("origin", PAGE).send().await;
        assert_eq!(allowed(&foreign), None, "{path}");
        assert!(foreign.header("access-control-expose-headers").is_empty());
        let own = server
            .get(path)
            .header("origin", "https://app.example")
            .send()
            .await;
        assert_eq!(allowed(&own).as_deref(), Some("https://app.example"));
        let vary: Vec<_> = own.headers.get_all("vary").iter().collect();
        assert!(vary.iter().any(|value| *value == "Origin"), "{vary:?}");
    }
    for (origin, expected) in [
        (PAGE, None),
        ("https://app.example", Some("https://app.example")),
    ] {
        let preflight = server
            .ask(Method::OPTIONS, "/api/v1/keys/create")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .send()
            .await;
        assert_eq!(allowed(&preflight).as_deref(), expected);
    }
    let closed = TestServer::start_with(|settings| settings.origins = Origins::default()).await;
    let reply = closed.get("/health").header("origin", PAGE).send().await;
    assert_eq!(allowed(&reply), None);
}

async fn talk(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_name_that_was_pointed_here_gets_nothing() {
    let server = TestServer::start_with(|settings| {
        settings.hosts = Hosts::only(["assay.example".to_owned()]);
    })
    .await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let end = CancellationToken::new();
    let serving = tokio::spawn(api::serve(
        listener,
        server.router.clone(),
        api::Connections::default(),
        end.clone(),
    ));
    for (host, status) in [
        (address.to_string(), 200),
        (format!("localhost:{}", address.port()), 200),
        ("assay.example".to_owned(), 200),
        ("rebound.example".to_owned(), 421),
        (format!("rebound.example:{}", address.port()), 421),
    ] {
        let request =
            format!("GET /api/v1/test/one HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = talk(address, &request).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{host}: {answer}"
        );
        assert_eq!(answer.contains("unknown_host"), status == 421, "{answer}");
    }
    end.cancel();
    serving.await.unwrap();
}

#[tokio::test]
async fn metrics_are_not_local_because_a_proxy_is() {
    let server = TestServer::start_with(|settings| {
        settings.trusted_proxies = vec!["127.0.0.9/32".parse().unwrap()];
    })
    .await;
    let ask = |peer: &str| server.get("/metrics").from(peer);
    assert_eq!(ask("127.0.0.1").send().await.status, 200);
    assert_eq!(
        ask("::1").header("host", "[::1]:8080").send().await.status,
        200
    );
    for (name, value) in [
        ("x-forwarded-for", "127.0.0.1"),
        ("forwarded", "for=127.0.0.1"),
        ("x-real-ip", "127.0.0.1"),
        ("via", "1.1 front"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "localhost"),
        ("cf-connecting-ip", "198.51.100.1"),
        ("origin", PAGE),
        ("host", "assay.example"),
        ("host", "rebound.example:8080"),
    ] {
        ask("127.0.0.1")
            .header(name, value)
            .send()
            .await
            .expect_error(403, "not_exposed");
    }
    ask("127.0.0.9")
        .send()
        .await
        .expect_error(403, "not_exposed");
    ask("198.51.100.1")
        .send()
        .await
        .expect_error(403, "not_exposed");

    let server = TestServer::start_with(|settings| {
        settings.metrics = MetricsAccess::Token(operations::digest("scrape"));
    })
    .await;
    let ask = || server.get("/metrics").from("198.51.100.1");
    assert_eq!(ask().bearer("scrape").send().await.status, 200);
    ask()
        .bearer("other")
        .send()
        .await
        .expect_error(403, "not_exposed");
    server
        .get("/metrics")
        .from("127.0.0.1")
        .send()
        .await
        .expect_error(403, "not_exposed");
}

#[tokio::test]
async fn guesses_are_refused_before_the_store_is_read() {
    let server =
        TestServer::start_with(|settings| settings.service.failed_credentials_per_minute = 5).await;
    let member = server.unlimited().await;
    let path = "/api/v1/test/free";
    let guess = |number: usize| format!("as_live_{number:0>32}");
    let ask = |credential: &str, peer: &str| server.get(path).bearer(credential).from(peer);
    assert_eq!(ask(&member.key, "198.51.100.1").send().await.status, 200);
    let nobody = || server.get(path).from("198.51.100.1");
    assert_eq!(nobody().send().await.status, 200);
    for number in 0..5 {
        ask(&guess(number), "198.51.100.1")
            .send()
            .await
            .expect_error(401, "invalid_credential");
    }
    // From here on nothing can be read: an answer shows that nothing was asked.
    server.state.store.close().await;
    for number in 5..50 {
        let reply = ask(&guess(number), "198.51.100.1").send().await;
        reply.expect_error(429, "credentials_limited");
        assert_eq!(reply.header("retry-after"), "60");
        let other = server.get("/nowhere").bearer(&guess(number)).send().await;
        other.expect_error(404, "unknown_path");
    }
    ask("no.such.token", "198.51.100.1")
        .send()
        .await
        .expect_error(429, "credentials_limited");
    assert_eq!(
        ask(&member.key, "198.51.100.1").send().await.status,
        200,
        "whoever is known goes on"
    );
    assert_eq!(nobody().send().await.status, 200, "and who sends none");
    ask(&guess(50), "198.51.100.2")
        .send()
        .await
        .expect_error(500, "internal_error");
    server.clock.advance(60_000);
    ask(&guess(51), "198.51.100.1")
        .send()
        .await
        .expect_error(500, "internal_error");
}

#[tokio::test]
async fn a_token_is_read_whatever_its_neighbours_guess() {
    let server =
        TestServer::start_with(|settings| settings.service.failed_credentials_per_minute = 3).await;
    let token = server.register("ada@example.org").await;
    let ask = |credential: &str| server.get("/api/v1/usage").bearer(credential);
    for number in 0..3 {
        ask(&format!("as_live_{number:0>32}"))
            .send()
            .await
            .expect_error(401, "invalid_credential");
    }
    ask(&format!("{token}x"))
        .send()
        .await
        .expect_error(429, "credentials_limited");
    assert_eq!(ask(&token).send().await.status, 200, "never seen before");
}

#[tokio::test]
async fn a_known_key_is_read_again_whatever_its_neighbours_guess() {
    let server =
        TestServer::start_with(|settings| settings.service.failed_credentials_per_minute = 3).await;
    let member = server.unlimited().await;
    let path = "/api/v1/test/free";
    assert_eq!(
        server.get(path).bearer(&member.key).send().await.status,
        200
    );
    for number in 0..10 {
        let guess = format!("as_live_{number:0>32}");
        server.get(path).bearer(&guess).send().await;
    }
    // As after any change of any account: what is remembered has to be read again.
    server.state.access.forget();
    assert_eq!(
        server.get(path).bearer(&member.key).send().await.status,
        200
    );
    let now = "2026-03-10T12:00:00Z".parse().unwrap();
    let keys = server.state.store.keys();
    assert!(
        keys.revoke(member.account, member.key_id, now)
            .await
            .unwrap()
    );
    server.state.access.forget();
    server
        .get(path)
        .bearer(&member.key)
        .send()
        .await
        .expect_error(401, "invalid_credential");
    server.state.access.forget();
    server
        .get(path)
        .bearer(&member.key)
        .send()
        .await
        .expect_error(429, "credentials_limited");
}

#[tokio::test]
async fn ended_sessions_are_refused_everywhere_within_a_second() {
    let time = StillTime::begin();
    let here = TestServer::start().await;
    let there = TestServer::on(here.state.store.clone(), |_| {}).await;
    let token = here.register("ada@example.org").await;
    let account = here
        .state
        .store
        .accounts()
        .find_by_email("ada@example.org")
        .await
        .unwrap()
        .unwrap();
    // It is asked until it is refused, so often that a plan with limits would refuse it first.
    let accounts = here.state.store.accounts();
    accounts
        .set_plan(account.id, Plan::Unlimited)
        .await
        .unwrap();
    let end = CancellationToken::new();
    let watcher = tokio::spawn({
        let (state, end) = (here.state.clone(), end.clone());
        async move { state.watch_access(end).await }
    });
    let status = async || {
        here.get("/api/v1/usage")
            .bearer(&token)
            .send()
            .await
            .status
            .as_u16()
    };
    // Its first look is at once, and over when others have written something: the next one must be in time.
    tokio::task::yield_now().await;
    time.pass(Duration::ZERO).await;
    for _ in 0..3 {
        here.unlimited().await;
    }
    assert_eq!(status().await, 200);
    there
        .state
        .store
        .accounts()
        .end_sessions(account.id)
        .await
        .unwrap();
    time.pass(Duration::from_secs(1)).await;
    until(async || status().await != 200).await;
    assert_eq!(status().await, 401);
    end.cancel();
    watcher.await.unwrap();
}

#[tokio::test]
async fn a_new_password_ends_sessions_and_a_disabled_account_has_no_credentials() {
    let server = TestServer::start().await;
    let store = &server.state.store;
    let usage = |credential: &str| server.get("/api/v1/usage").bearer(credential);
    let log_in = |password: &str| {
        server.post(
            "/auth/login",
            &json!({"email": "ada@example.org", "password": password}),
        )
    };
    let first = server.register("ada@example.org").await;
    let made = server
        .post("/api/v1/keys/create", &json!({"name": "robot"}))
        .bearer(&first)
        .send()
        .await
        .json();
    let key = made["key"].as_str().unwrap();
    let id = store
        .accounts()
        .find_by_email("ada@example.org")
        .await
        .unwrap()
        .unwrap()
        .id;
    let change = async |changed: Result<bool, store::Error>| {
        assert!(changed.unwrap());
        server.state.access.forget();
    };

    let hash = operations::hash_password(b"another horse").unwrap();
    change(store.accounts().set_password(id, &hash).await).await;
    usage(&first)
        .send()
        .await
        .expect_error(401, "invalid_credential");
    assert_eq!(usage(key).send().await.status, 200, "keys go on");
    log_in("correct horse")
        .send()
        .await
        .expect_error(401, "wrong_password");
    let second = log_in("another horse").send().await.json()["token"].clone();
    let second = second.as_str().unwrap();
    assert_eq!(usage(second).send().await.status, 200);

    change(store.accounts().disable(id, server.state.clock.now()).await).await;
    usage(second)
        .send()
        .await
        .expect_error(403, "account_disabled");
    usage(key)
        .send()
        .await
        .expect_error(403, "account_disabled");
    log_in("another horse")
        .send()
        .await
        .expect_error(403, "account_disabled");
    log_in("wrong horse")
        .send()
        .await
        .expect_error(401, "wrong_password");

    change(store.accounts().enable(id).await).await;
    assert_eq!(usage(key).send().await.status, 200);
    usage(second)
        .send()
        .await
        .expect_error(401, "invalid_credential");
    assert_eq!(log_in("another horse").send().await.status, 200);
}

#[tokio::test]
async fn keys_of_one_account_do_not_read_each_others_stored_answers() {
    let server = TestServer::start().await;
    let token = server.register("ada@example.org").await;
    let make = async |endpoints: &[&str]| {
        let body = json!({"name": "robot", "allowed_endpoints": endpoints});
        let made = server
            .post("/api/v1/keys/create", &body)
            .bearer(&token)
            .send()
            .await
            .json();
        made["key"].as_str().unwrap().to_owned()
    };
    let (one, other) = (make(&[]).await, make(&["watchlists"]).await);
    let create = |credential: &str| {
        server
            .post(
                "/api/v1/watchlists",
                &json!({"name": "mine", "tickers": []}),
            )
            .bearer(credential)
            .header("idempotency-key", "same")
    };
    let first = create(&one).send().await;
    assert_eq!(first.status, 200, "{}", first.text());
    let replayed = create(&one).send().await;
    assert_eq!(replayed.header("idempotency-replayed"), "true");
    assert_eq!(replayed.body, first.body);
    let second = create(&other).send().await;
    assert_eq!(second.status, 200, "{}", second.text());
    assert_eq!(second.header("idempotency-replayed"), "");
    assert_ne!(second.body, first.body, "another watchlist");
    let third = create(&token).send().await;
    assert_eq!(third.header("idempotency-replayed"), "", "nor does a token");
}

#[tokio::test]
async fn an_account_has_so_many_keys_and_no_more() {
    let server = TestServer::start().await;
    let member = server.member(Plan::Unlimited, KeyScope::default()).await;
    let sample = server
        .state
        .store
        .keys()
        .list(member.account)
        .await
        .unwrap()[0]
        .clone();
    let insert = async || {
        let raw = operations::fresh_key();
        let mut key = sample.clone();
        key.id = model::KeyId(uuid::Uuid::new_v4());
        key.hash = operations::digest(&raw);
        server
            .state
            .store
            .keys()
            .insert(&key)
            .await
            .map(|()| key.id)
    };
    let mut newest = member.key_id;
    for _ in 1..store::MOST_KEYS {
        newest = insert().await.unwrap();
    }
    let full = insert().await.unwrap_err();
    assert!(
        matches!(full, store::Error::Full { most: 100, .. }),
        "{full}"
    );
    let now = server.state.clock.now();
    let keys = server.state.store.keys();
    assert!(keys.revoke(member.account, newest, now).await.unwrap());
    insert().await.unwrap();

    let token = server.register("ada@example.org").await;
    let create = || {
        server
            .post("/api/v1/keys/create", &json!({"name": "robot"}))
            .bearer(&token)
    };
    server
        .state
        .store
        .accounts()
        .set_plan(
            server
                .state
                .store
                .accounts()
                .find_by_email("ada@example.org")
                .await
                .unwrap()
                .unwrap()
                .id,
            Plan::Unlimited,
        )
        .await
        .unwrap();
    server.state.access.forget();
    for _ in 0..store::MOST_KEYS {
        assert_eq!(create().send().await.status, 200);
    }
    create().send().await.expect_error(409, "too_many_keys");
}
