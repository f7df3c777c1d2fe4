//! What calls cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::Method;
use model::{KeyScope, MicroUsd, Plan};
use serde_json::json;
use store::AccountKey;
use tokio_util::sync::CancellationToken;

use crate::support::test_routes::under_way;
use crate::support::{StillTime, TestServer, until};

#[tokio::test]
async fn the_price_of_what_was_done() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let get = |path: &'static str| server.get(path).bearer(&member.key);
    assert_eq!(get("/api/v1/test/one").send().await.charged(), 1);
    assert_eq!(get("/api/v1/test/free").send().await.charged(), 0);
    assert_eq!(get("/api/v1/test/variable").send().await.charged(), 3);
    assert_eq!(
        get("/api/v1/test/variable?credits=0")
            .send()
            .await
            .charged(),
        0
    );
    assert_eq!(
        get("/api/v1/test/variable?credits=50")
            .send()
            .await
            .charged(),
        9,
        "never more than was reserved"
    );
    assert_eq!(get("/api/v1/test/failing").send().await.charged(), 0);
    assert_eq!(get("/api/v1/test/panicking").send().await.charged(), 0);
    assert_eq!(
        get("/api/v1/test/variable?credits=x")
            .send()
            .await
            .charged(),
        0
    );
    let usage = get("/api/v1/usage").send().await.json();
    assert_eq!(usage["credits_used_month"], 13);
    assert_eq!(usage["calls_this_month"], 5, "calls that were answered");
    let total = server
        .state
        .store
        .ledger()
        .total(&AccountKey::Account(member.account))
        .await
        .unwrap();
    assert_eq!(total, 13);
}

#[tokio::test]
async fn free_stops_when_its_credits_are_used_up() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(7);
        settings.service.plans.set(Plan::Free, terms.clone());
        settings.service.plans.set_demo(terms);
    })
    .await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let five = || {
        server
            .ask(Method::POST, "/api/v1/test/five")
            .bearer(&member.key)
    };
    assert_eq!(five().send().await.charged(), 5);
    let reply = five().send().await;
    reply.expect_error(429, "credits_exhausted");
    assert_eq!(
        reply.number("retry-after"),
        21 * 86_400 + 43_200 + 1,
        "until April"
    );
    assert_eq!(
        server
            .get("/api/v1/test/one")
            .bearer(&member.key)
            .send()
            .await
            .charged(),
        1
    );
    assert_eq!(
        server
            .get("/api/v1/usage")
            .bearer(&member.key)
            .send()
            .await
            .status,
        200,
        "what is free stays open"
    );
    server.clock.set("2026-04-01T00:00:00Z");
    assert_eq!(five().send().await.charged(), 5);
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(
        (
            usage["credits_used_month"].as_u64(),
            usage["calls_today"].as_u64()
        ),
        (Some(5), Some(1))
    );

    for _ in 0..7 {
        assert_eq!(
            server
                .get("/api/v1/test/one")
                .from("192.0.2.7")
                .send()
                .await
                .status,
            200
        );
    }
    server
        .get("/api/v1/test/one")
        .from("192.0.2.7")
        .send()
        .await
        .expect_error(429, "credits_exhausted");
    assert_eq!(
        server
            .get("/api/v1/test/one")
            .from("192.0.2.8")
            .send()
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_cheap_call_needs_no_credits_for_the_dearest() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(7);
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let claim = "The Amberly Bank raised its base rate to 4.5 percent.";
    let poor = async |path: &'static str, body: serde_json::Value| {
        let member = server.member(Plan::Free, KeyScope::default()).await;
        server.post(path, &body).bearer(&member.key).send().await
    };
    let batch = |number: usize| json!({"claims": vec![claim; number]});
    assert_eq!(
        poor("/api/v1/verify/batch", batch(2)).await.charged(),
        6,
        "20 claims cost 60"
    );
    poor("/api/v1/verify/batch", batch(3))
        .await
        .expect_error(429, "credits_exhausted");
    let output = json!({"text": claim});
    assert_eq!(poor("/api/v1/verify/output", output).await.charged(), 7);
    let asked = json!({"question": "how is the weather", "budget": 7});
    assert_eq!(poor("/api/v1/ask", asked).await.status, 200);
    poor("/api/v1/ask", json!({"question": "compare AAPL and MSFT"}))
        .await
        .expect_error(429, "credits_exhausted");
}

#[tokio::test]
async fn paid_plans_go_on_at_the_overage_price() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Builder).clone();
        terms.credits = Some(6);
        terms.default_cap = MicroUsd(48_000);
        settings.service.plans.set(Plan::Builder, terms);
    })
    .await;
    let member = server.member(Plan::Builder, KeyScope::default()).await;
    let five = || {
        server
            .ask(Method::POST, "/api/v1/test/five")
            .bearer(&member.key)
    };
    assert_eq!(five().send().await.charged(), 5);
    assert_eq!(five().send().await.charged(), 5);
    five()
        .send()
        .await
        .expect_error(429, "spending_cap_reached");
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(usage["spend_this_month_usd"], 0.032);
    assert_eq!(usage["budget_remaining_usd"], 0.016);
    for _ in 0..2 {
        assert_eq!(
            server
                .get("/api/v1/test/one")
                .bearer(&member.key)
                .send()
                .await
                .charged(),
            1
        );
    }
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(429, "spending_cap_reached");
}

#[tokio::test]
async fn a_restart_remembers_what_was_used() {
    let server = TestServer::start().await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    server
        .ask(Method::POST, "/api/v1/test/five")
        .bearer(&member.key)
        .send()
        .await;
    let again = TestServer::on(server.state.store.clone(), |settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(9);
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    again
        .ask(Method::POST, "/api/v1/test/five")
        .bearer(&member.key)
        .send()
        .await
        .expect_error(429, "credits_exhausted");
}

#[tokio::test]
async fn large_charges_are_written_before_the_answer_and_small_ones_soon() {
    let time = StillTime::begin();
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let account = AccountKey::Account(member.account);
    let total = async || server.state.store.ledger().total(&account).await.unwrap();
    server
        .ask(Method::POST, "/api/v1/test/five")
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(total().await, 5, "without any flush");
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(total().await, 5);

    let end = CancellationToken::new();
    let flusher = tokio::spawn({
        let (meter, end) = (server.state.meter.clone(), end.clone());
        async move { meter.run(end).await }
    });
    // The first look is at once.
    until(async || {
        time.pass(Duration::ZERO).await;
        total().await == 6
    })
    .await;
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(total().await, 6, "time stands still");
    time.pass(Duration::from_millis(100)).await;
    until(async || total().await == 7).await;
    end.cancel();
    flusher.await.unwrap();
    server
        .get("/api/v1/test/one")
        .bearer(&member.key)
        .send()
        .await;
    let ended = CancellationToken::new();
    ended.cancel();
    server.state.meter.run(ended).await;
    assert_eq!(total().await, 8, "the last flush");
}

#[tokio::test]
async fn who_hangs_up_is_not_charged() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(5);
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let notify = under_way("a");
    tokio::select! {
        biased;
        reply = server.get("/api/v1/test/slow/a").bearer(&member.key).send() => panic!("{reply:?}"),
        () = notify.notified() => {}
    }
    assert_eq!(
        server
            .ask(Method::POST, "/api/v1/test/five")
            .bearer(&member.key)
            .send()
            .await
            .charged(),
        5
    );
}

/// Ledger, usage and headers agree, however calls interleave.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_thousand_calls_at_once_add_up() {
    let server = Arc::new(TestServer::start().await);
    let member = Arc::new(server.unlimited().await);
    let charged = Arc::new(AtomicU64::new(0));
    let answered = Arc::new(AtomicU64::new(0));
    let end = CancellationToken::new();
    let flusher = tokio::spawn({
        let (meter, end) = (server.state.meter.clone(), end.clone());
        async move { meter.run(end).await }
    });
    let mut tasks = Vec::new();
    for task in 0..64_u64 {
        let (server, member) = (server.clone(), member.clone());
        let (charged, answered) = (charged.clone(), answered.clone());
        tasks.push(tokio::spawn(async move {
            for call in 0..32_u64 {
                let ask = match (task + call) % 8 {
                    0 => server.ask(Method::POST, "/api/v1/test/five"),
                    1 => server.get("/api/v1/test/failing"),
                    2 => server.get("/api/v1/test/variable?credits=2"),
                    3 => server.get("/api/v1/test/variable?credits=7"),
                    4 => server.get("/api/v1/test/free"),
                    5 => server.get("/api/v1/test/variable?credits=x"),
                    _ => server.get("/api/v1/test/one"),
                };
                let reply = ask.bearer(&member.key).send().await;
                charged.fetch_add(reply.charged(), Ordering::SeqCst);
                answered.fetch_add(u64::from(reply.status.is_success()), Ordering::SeqCst);
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let (charged, answered) = (
        charged.load(Ordering::SeqCst),
        answered.load(Ordering::SeqCst),
    );
    assert_eq!(charged, 256 * (5 + 2 + 7 + 2));
    assert_eq!(answered, 2_048 - 512);
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(usage["credits_used_month"], charged);
    assert_eq!(usage["calls_this_month"], answered);
    let of_endpoints: u64 = usage["by_endpoint"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["credits"].as_u64().unwrap())
        .sum();
    assert_eq!(of_endpoints, charged);
    let total = server
        .state
        .store
        .ledger()
        .total(&AccountKey::Account(member.account))
        .await
        .unwrap();
    assert_eq!(total, charged);
    end.cancel();
    flusher.await.unwrap();
}

/// Many calls at the same moment never spend more than there is.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn credits_are_never_overdrawn() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(52);
        terms.requests_per_minute = 10_000;
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let calls = (0..40).map(|_| {
        server
            .ask(Method::POST, "/api/v1/test/five")
            .bearer(&member.key)
            .send()
    });
    let replies = futures::future::join_all(calls).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 200).count(),
        10
    );
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 429).count(),
        30
    );
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(usage["credits_used_month"], 50);
    assert_eq!(
        usage["by_endpoint"],
        json!([{"endpoint": "POST /api/v1/test/five", "calls": 10, "credits": 50}])
    );
}
