//! `GET /web-search`, with services that answer from a record.

use std::sync::Arc;

use model::{DataMode, Timestamp};
use providers::web_search::{Provider, WebSearch, WebSearchError};
use serde_json::json;

use super::fixtures::keys;
use crate::recorded::{BLOCKED, Recorded, page};
use crate::support::{Reply, TestMember, TestServer};

async fn server(services: Vec<Arc<dyn WebSearch>>) -> (TestServer, TestMember) {
    let server = TestServer::searching(DataMode::Real, services, |_| {}).await;
    let member = server.unlimited().await;
    (server, member)
}

async fn search(server: &TestServer, member: &TestMember, query: &str) -> Reply {
    let path = format!("/api/v1/web-search?{query}");
    server.get(&path).bearer(&member.key).send().await
}

#[tokio::test]
async fn services_are_asked_together_and_each_is_named() {
    let first = Recorded::new(
        Provider::Searxng,
        Ok(vec![
            page("courier.example", "1", "One", "First."),
            page("courier.example", "2", "Two", "Second."),
        ]),
    );
    let second = Recorded::new(
        Provider::Wikipedia,
        Ok(vec![page("courier.example", "1", "One", "First.")]),
    );
    let third = Recorded::new(Provider::Brave, Err(BLOCKED));
    let fourth = Recorded::new(Provider::Exa, Err(WebSearchError::Unreadable));
    let (server, member) = server(vec![first.clone(), second, third, fourth]).await;
    let reply = search(&server, &member, "q=Key+Rate&limit=1").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.charged(), 2);
    let body = reply.json();
    assert_eq!(
        keys(&body),
        [
            "providers",
            "query",
            "results",
            "searched_at",
            "status",
            "took_ms",
            "total"
        ]
    );
    assert_eq!(
        body["results"],
        json!([{"title": "One", "url": "https://courier.example/1", "snippet": "First.", "domain": "courier.example",
                "published": "2026-03-09T08:00:00Z", "provider": "searxng"}])
    );
    assert_eq!(
        body["providers"],
        json!([
            {"name": "searxng", "state": "ok", "results": 2},
            {"name": "wikipedia", "state": "ok", "results": 1},
            {"name": "brave", "state": "blocked", "results": 0},
            {"name": "exa", "state": "unreadable", "results": 0},
        ])
    );
    assert_eq!(
        (&body["query"], &body["total"]),
        (&json!("Key Rate"), &json!(1))
    );

    // The same words within ten minutes are answered from memory, however many results are wanted.
    let at = body["searched_at"].clone();
    server.clock.advance(2 * Timestamp::MINUTE_MS);
    let again = search(&server, &member, "q=key++rate").await.json();
    assert_eq!((&again["searched_at"], &again["total"]), (&at, &json!(2)));
    assert_eq!(first.asked(), ["Key Rate"]);
    server.clock.advance(9 * Timestamp::MINUTE_MS);
    let later = search(&server, &member, "q=key+rate").await.json();
    assert_ne!(later["searched_at"], at);
    assert_eq!(first.asked().len(), 2);
}

#[tokio::test]
async fn without_an_answer_it_is_a_503_that_costs_nothing() {
    let (unconfigured, member) = server(Vec::new()).await;
    let fault = search(&unconfigured, &member, "q=rates")
        .await
        .expect_error(503, "source_unavailable");
    assert!(
        fault["message"].as_str().unwrap().contains("configured"),
        "{fault}"
    );

    let one = Recorded::new(Provider::Searxng, Err(BLOCKED));
    let two = Recorded::new(Provider::Tavily, Err(WebSearchError::TimedOut));
    let (failing, member) = server(vec![one.clone(), two]).await;
    let reply = search(&failing, &member, "q=rates").await;
    let fault = reply.expect_error(503, "source_unavailable");
    assert_eq!(
        fault["message"],
        "no web search service answered: searxng is blocked, tavily did not answer in time"
    );
    assert_eq!(reply.header("retry-after"), "60");
    // A failure is not kept, but who refused is left alone.
    one.answer(Ok(Vec::new()));
    search(&failing, &member, "q=rates")
        .await
        .expect_error(503, "source_unavailable");
    assert_eq!(one.asked().len(), 1);
    failing.clock.advance(5 * Timestamp::MINUTE_MS);
    let body = search(&failing, &member, "q=rates").await.json();
    // Found nothing: that is an answer.
    assert_eq!((&body["results"], &body["total"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn the_demo_world_and_the_past_never_ask() {
    for is_frozen in [false, true] {
        let mode = if is_frozen {
            DataMode::Real
        } else {
            DataMode::Demo
        };
        let service = Recorded::new(Provider::Searxng, Ok(Vec::new()));
        let server = TestServer::searching(mode, vec![service.clone()], |settings| {
            settings.service.as_of = is_frozen.then(|| "2026-03-01T00:00:00Z".parse().unwrap());
        })
        .await;
        let member = server.unlimited().await;
        search(&server, &member, "q=rates")
            .await
            .expect_error(503, "source_unavailable");
        let claim = json!({"claim": "Harborview opened a second ferry pier."});
        let verified = server
            .post("/api/v1/verify", &claim)
            .bearer(&member.key)
            .send()
            .await
            .json();
        assert_eq!(
            (&verified["source"], &verified["reason"]),
            (&json!("corpus"), &json!("no_evidence"))
        );
        assert!(service.asked().is_empty());
    }
}

#[tokio::test]
async fn an_account_searches_so_often_in_a_minute() {
    let service = Recorded::new(Provider::Searxng, Ok(Vec::new()));
    let server = TestServer::searching(DataMode::Real, vec![service.clone()], |settings| {
        settings.service.web_searches_per_minute = 2;
    })
    .await;
    let (one, other) = (server.unlimited().await, server.unlimited().await);
    for word in ["one", "two", "two"] {
        let reply = search(&server, &one, &format!("q={word}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
    let reply = search(&server, &one, "q=three").await;
    reply.expect_error(429, "rate_limited");
    assert!(reply.number("retry-after") <= 60);
    assert_eq!(search(&server, &other, "q=three").await.status, 200);
    server.clock.advance(Timestamp::MINUTE_MS);
    assert_eq!(search(&server, &one, "q=four").await.status, 200);
    assert_eq!(service.asked(), ["one", "two", "three", "four"]);
}

#[tokio::test]
async fn it_needs_a_key_and_a_short_query() {
    let service = Recorded::new(Provider::Searxng, Ok(Vec::new()));
    let (server, member) = server(vec![service.clone()]).await;
    let long = format!("q={}", "x".repeat(301));
    for query in [
        "",
        "q=",
        "q=x",
        &long,
        "q=rates&limit=0",
        "q=rates&limit=21",
    ] {
        search(&server, &member, query)
            .await
            .expect_error(400, "invalid_request");
    }
    server
        .get("/api/v1/web-search?q=rates&api_key=demo")
        .send()
        .await
        .expect_error(403, "demo_key_refused");
    assert!(service.asked().is_empty());
}
