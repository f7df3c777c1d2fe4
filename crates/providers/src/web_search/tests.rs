//! Services on this machine that respond as the real ones do, and some that are malicious.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{body_json, header, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::ask::{Answer, Asked, Upstream};
use super::brave::Brave;
use super::exa::Exa;
use super::searxng::Searxng;
use super::serper::Serper;
use super::tavily::Tavily;
use super::wikipedia::Wikipedia;
use super::*;
use crate::guard::Allow;
use crate::transport::{HostBudget, Transport};

type Outcome = Result<Vec<WebResult>, WebSearchError>;

fn settings(servers: &[SocketAddr]) -> TransportSettings {
    TransportSettings {
        allow: Allow::parse(servers.iter().map(ToString::to_string)).unwrap(),
        budget: HostBudget {
            spacing: Duration::ZERO,
            burst: 1,
        },
        total_timeout: Duration::from_secs(20),
        retries: 0,
        ..TransportSettings::default()
    }
}

fn asked<U: Upstream>(upstream: U, servers: &[SocketAddr]) -> Asked<U> {
    Asked::new(
        upstream,
        Arc::new(Transport::new(settings(servers)).unwrap()),
    )
}

async fn search(service: &dyn WebSearch, query: &str) -> Outcome {
    let deadline = Instant::now() + Duration::from_secs(30);
    service.search(query, 5, deadline).await
}

fn key() -> ApiKey {
    ApiKey::new("word-of-the-operator").unwrap()
}

/// What a SearXNG on this machine returns.
async fn of_searxng(answer: ResponseTemplate) -> Outcome {
    let server = MockServer::start().await;
    Mock::given(path("/search"))
        .respond_with(answer)
        .mount(&server)
        .await;
    search(
        &asked(Searxng::new(&server.uri()), &[*server.address()]),
        "key rate",
    )
    .await
}

fn ok(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

fn found_one(outcome: Outcome, title: &str, snippet: &str, published: Option<&str>) {
    let results = outcome.unwrap();
    assert_eq!(results.len(), 1, "{results:?}");
    let result = &results[0];
    assert_eq!(
        (result.title.as_str(), result.snippet.as_str()),
        (title, snippet)
    );
    assert_eq!(
        result.published.map(|at| at.to_string()).as_deref(),
        published
    );
    assert_eq!(result.domain, "courier.example");
}

#[tokio::test]
async fn searxng_is_read() {
    let server = MockServer::start().await;
    let payload = json!({
        "query": "key rate", "number_of_results": 0, "answers": [], "corrections": [], "infoboxes": [], "suggestions": [],
        "unresponsive_engines": [["some engine", "too many requests"]],
        "results": [
            {"url": "https://courier.example/rates", "title": "Bank <b>raises</b> rate", "content": "The bank raised its rate.",
             "engine": "a", "engines": ["a", "b"], "score": 4.0, "category": "general", "publishedDate": "2026-03-09T08:30:00"},
            {"url": "javascript:alert(1)", "title": "Click", "content": "here"},
            {"url": 7, "title": ["no"]},
            "nothing",
        ],
    });
    Mock::given(method("GET"))
        .and(path("/searx/search"))
        .and(query_param("q", "key rate x fr news"))
        .and(query_param("format", "json"))
        .respond_with(ok(&payload))
        .expect(1)
        .mount(&server)
        .await;
    let base = format!("{}/searx/", server.uri());
    let service = asked(Searxng::new(&base), &[*server.address()]);
    let outcome = search(&service, "!!key\u{0}rate !x :fr news !").await;
    found_one(
        outcome,
        "Bank raises rate",
        "The bank raised its rate.",
        Some("2026-03-09T08:30:00Z"),
    );
    assert_eq!(
        of_searxng(ok(&json!({"results": []}))).await,
        Ok(Vec::new())
    );
}

#[tokio::test]
async fn wikipedia_is_read_in_the_order_of_its_search() {
    let server = MockServer::start().await;
    let page = |index: u32, title: &str| {
        json!({"pageid": 90 - index, "ns": 0, "index": index, "title": title, "extract": "A town by the sea.",
               "touched": "2026-03-09T08:30:00Z", "canonicalurl": format!("https://courier.example/wiki/{title}")})
    };
    let payload =
        json!({"batchcomplete": true, "query": {"pages": [page(2, "Second"), page(1, "First")]}});
    Mock::given(query_param("generator", "search"))
        .and(query_param("gsrsearch", "key rate"))
        .and(query_param("gsrlimit", "5"))
        .respond_with(ok(&payload))
        .mount(&server)
        .await;
    Mock::given(query_param("gsrsearch", "nothing"))
        .respond_with(ok(&json!({"batchcomplete": true})))
        .mount(&server)
        .await;
    Mock::given(query_param("gsrsearch", "again"))
        .respond_with(ok(
            &json!({"error": {"code": "ratelimited", "info": "Slow down."}}),
        ))
        .mount(&server)
        .await;
    let service = asked(Wikipedia::at(&server.uri()), &[*server.address()]);
    let titles: Vec<_> = search(&service, "\"key\" OR rate").await.unwrap();
    let titles: Vec<_> = titles
        .iter()
        .map(|result| (&*result.title, result.published))
        .collect();
    assert_eq!(titles, [("First", None), ("Second", None)]);
    assert_eq!(search(&service, "nothing").await, Ok(Vec::new()));
    assert_eq!(
        search(&service, "again").await,
        Err(WebSearchError::Blocked { retry_after: None })
    );
}

#[tokio::test]
async fn services_with_a_key_are_read() {
    let server = MockServer::start().await;
    let item = |more: Value| {
        let mut item = json!({"title": "Bank raises rate", "url": "https://courier.example/rates"});
        item.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        item
    };
    let brave = json!({"type": "search", "query": {"original": "key rate"}, "web": {"type": "search", "results": [
        item(json!({"description": "It rose.", "age": "1 day ago", "page_age": "2026-03-09T08:30:00"}))]}});
    let tavily = json!({"query": "key rate", "answer": null, "response_time": 0.5, "results": [
        item(json!({"content": "It rose.", "score": 0.9, "published_date": "Mon, 09 Mar 2026 08:30:00 GMT"}))]});
    let exa = json!({"requestId": "r", "results": [
        item(json!({"id": "x", "text": "It rose.", "author": null, "publishedDate": "2026-03-09T08:30:00.000Z"}))]});
    let serper = json!({"searchParameters": {"q": "key rate"}, "credits": 1, "organic": [
        {"title": "Bank raises rate", "link": "https://courier.example/rates", "snippet": "It rose.", "date": "Mar 9, 2026", "position": 1}]});
    let mount = async |mock: wiremock::MockBuilder, body: &Value| {
        mock.respond_with(ok(body)).expect(1).mount(&server).await;
    };
    let word = "word-of-the-operator";
    mount(
        Mock::given(method("GET"))
            .and(path("/brave"))
            .and(query_param("q", "key rate"))
            .and(query_param("count", "5"))
            .and(header("x-subscription-token", word)),
        &brave,
    )
    .await;
    mount(
        Mock::given(method("POST"))
            .and(path("/tavily"))
            .and(header("authorization", format!("Bearer {word}").as_str()))
            .and(header("content-type", "application/json"))
            .and(body_json(
                json!({"query": "key rate", "max_results": 5, "search_depth": "basic"}),
            )),
        &tavily,
    )
    .await;
    mount(
        Mock::given(method("POST"))
            .and(path("/exa"))
            .and(header("x-api-key", word))
            .and(body_json(
                json!({"query": "key rate", "numResults": 5, "type": "auto",
                "contents": {"text": {"maxCharacters": 1000}}}),
            )),
        &exa,
    )
    .await;
    mount(
        Mock::given(method("POST"))
            .and(path("/serper"))
            .and(header("x-api-key", word))
            .and(body_json(json!({"q": "key rate", "num": 5}))),
        &serper,
    )
    .await;
    let open = [*server.address()];
    let at = |name: &str| format!("{}/{name}", server.uri());
    let exact = Some("2026-03-09T08:30:00Z");
    let services: [(&dyn WebSearch, _); 4] = [
        (&asked(Brave::at(&at("brave"), key()), &open), exact),
        (&asked(Tavily::at(&at("tavily"), key()), &open), exact),
        (&asked(Exa::at(&at("exa"), key()), &open), exact),
        (
            &asked(Serper::at(&at("serper"), key()), &open),
            Some("2026-03-09T00:00:00Z"),
        ),
    ];
    for (service, published) in services {
        let outcome = search(service, "key rate").await;
        found_one(outcome, "Bank raises rate", "It rose.", published);
    }
    let silent = json!({"type": "search", "query": {"original": "key rate"}});
    assert_eq!(
        Brave::parse(silent.to_string().as_bytes()).unwrap(),
        Answer::Found(Vec::new())
    );
}

#[tokio::test]
async fn a_refusal_is_not_an_empty_answer() {
    let blocked = |seconds: Option<u64>| {
        Err(WebSearchError::Blocked {
            retry_after: seconds.map(Duration::from_secs),
        })
    };
    let status = ResponseTemplate::new;
    assert_eq!(of_searxng(status(429)).await, blocked(Some(60)));
    for code in [401, 402, 403, 432, 433, 451] {
        assert_eq!(of_searxng(status(code)).await, blocked(None), "{code}");
    }
    let asked_to_wait = status(429).insert_header("retry-after", "90");
    assert_eq!(of_searxng(asked_to_wait).await, blocked(Some(90)));
    let page = |text: &str| status(200).set_body_raw(text.as_bytes(), "application/json");
    for text in [
        "<!doctype html><title>Just a moment...</title><div class=g-recaptcha></div>",
        "<html><body>Please log in.</body></html>",
    ] {
        assert_eq!(of_searxng(page(text)).await, blocked(None), "{text}");
    }
    let engines = json!({"results": [], "unresponsive_engines": [["one", "CAPTCHA"]]});
    assert_eq!(
        of_searxng(ok(&engines)).await,
        Err(WebSearchError::EnginesBlocked)
    );
    for (answer, expected) in [
        (status(500), WebSearchError::Unreachable),
        (status(503), WebSearchError::Unreachable),
        (status(404), WebSearchError::Unreadable),
        (status(304), WebSearchError::Unreadable),
        (page(""), WebSearchError::Unreadable),
        (page("[]"), WebSearchError::Unreadable),
        (page("{\"results\": 7}"), WebSearchError::Unreadable),
        (
            page("{\"results\": [{\"url\": \"https://a"),
            WebSearchError::Unreadable,
        ),
        (page(&"[".repeat(500_000)), WebSearchError::Unreadable),
        (
            page(&format!("{{\"results\": [{}", "{\"a\":".repeat(100_000))),
            WebSearchError::Unreadable,
        ),
        (
            page(&format!("{{\"results\": []}}{}", " ".repeat(10 << 20))),
            WebSearchError::Unreadable,
        ),
    ] {
        assert_eq!(of_searxng(answer).await, Err(expected));
    }
}

#[tokio::test]
async fn no_answer_leads_inside() {
    let inside = MockServer::start().await;
    let redirecting = |to: String| ResponseTemplate::new(302).insert_header("location", to);
    // Neither to another port of this machine nor to a metadata service.
    for to in [
        inside.uri(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ] {
        assert_eq!(
            of_searxng(redirecting(to)).await,
            Err(WebSearchError::Unreachable)
        );
    }
    // A posted request follows no redirect at all, not even to where it came from.
    let server = MockServer::start().await;
    Mock::given(path("/tavily"))
        .respond_with(redirecting(format!("{}/elsewhere", server.uri())))
        .mount(&server)
        .await;
    let service = asked(
        Tavily::at(&format!("{}/tavily", server.uri()), key()),
        &[*server.address()],
    );
    assert_eq!(search(&service, "x").await, Err(WebSearchError::Unreadable));
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    assert!(inside.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn only_the_address_of_searxng_may_be_private() {
    let server = MockServer::start().await;
    Mock::given(path("/search"))
        .respond_with(ok(&json!({"results": []})))
        .mount(&server)
        .await;
    let wanted = WebSearchSettings {
        searxng: Some(server.uri()),
        ..WebSearchSettings::default()
    };
    let services = wanted.services(&settings(&[])).unwrap();
    assert_eq!(search(&*services[0], "x").await, Ok(Vec::new()));
    let service = asked(Brave::at(&server.uri(), key()), &[]);
    assert_eq!(
        search(&service, "x").await,
        Err(WebSearchError::Unreachable)
    );
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    for address in [
        "ftp://a.example",
        "a.example",
        "http://me:word@a.example",
        "http://a.example/?x=y",
    ] {
        let wanted = WebSearchSettings {
            searxng: Some(address.to_owned()),
            ..WebSearchSettings::default()
        };
        let fault = wanted.services(&settings(&[])).err().unwrap();
        assert!(!fault.to_string().contains("word"), "{fault}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_service_is_given_up() {
    // Begins a response and never ends it.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"results\"")
                .await;
            open.push(stream);
        }
    });
    let service = asked(Searxng::new(&format!("http://{address}")), &[address]);
    // The caller is either in a hurry, or leaves it to the limit of four seconds.
    for (patience, given_up) in [(1, 1), (30, 4)] {
        let start = Instant::now();
        let deadline = start + Duration::from_secs(patience);
        let outcome = service.search("x", 5, deadline).await;
        assert_eq!(outcome, Err(WebSearchError::TimedOut));
        assert_eq!(start.elapsed().as_secs(), given_up);
    }
}

#[test]
fn keys_are_not_shown() {
    let wanted = WebSearchSettings {
        brave: Some(key()),
        ..WebSearchSettings::default()
    };
    assert!(!format!("{wanted:?}").contains("word-of"), "{wanted:?}");
    assert_eq!(wanted.services(&settings(&[])).unwrap().len(), 1);
    for text in [
        "",
        "  ",
        "two words",
        "line\nbreak",
        "clé",
        &"x".repeat(513),
    ] {
        assert_eq!(ApiKey::new(text), None, "{text}");
    }
    assert_eq!(ApiKey::new(" key \n"), ApiKey::new("key"));
}
