//! `POST /extract`, against a site on this machine.

use std::time::Duration;

use model::{KeyScope, Plan};
use serde_json::{Value, json};
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::fixtures::keys;
use crate::support::{Reply, TestMember, TestServer};

const ARTICLE: &str = "<!doctype html><html lang=\"en\"><head><title>Ferry service resumes</title>\
    <meta property=\"og:site_name\" content=\"The Courier\">\
    <meta name=\"author\" content=\"Ana Duarte\">\
    <meta property=\"article:published_time\" content=\"2026-03-09T08:30:00Z\"></head><body><article>\
    <h1>Ferry service resumes</h1>\
    <p>The ferry between Marn and the islands will sail again from Monday morning, the harbour authority said on Sunday \
    after two weeks of repairs to the pier that the January storm had damaged.</p>\
    <p>Tickets that were bought before the storm stay valid until the end of the month, and the first boats leave at six, \
    the authority said. A café on the pier opens a week later.</p></article></body></html>";

/// A site with an article and everything that can go wrong.
async fn site() -> MockServer {
    let server = MockServer::start().await;
    let serve = async |at: &str, answer: ResponseTemplate| {
        Mock::given(path(at))
            .respond_with(answer)
            .mount(&server)
            .await;
    };
    let html = |text: &str| ResponseTemplate::new(200).set_body_raw(text.as_bytes(), "text/html");
    let moved = |to: &str| ResponseTemplate::new(302).insert_header("location", to);
    serve(
        "/robots.txt",
        ResponseTemplate::new(200).set_body_string("User-agent: *\nDisallow: /closed"),
    )
    .await;
    serve("/article", html(ARTICLE)).await;
    serve("/closed/article", html(ARTICLE)).await;
    serve("/moved", moved("/article")).await;
    serve("/inside", moved("http://169.254.169.254/latest/meta-data/")).await;
    serve("/around", moved("/around")).await;
    serve("/into-closed", moved("/closed/article")).await;
    serve("/slow", html(ARTICLE).set_delay(Duration::from_mins(1))).await;
    serve("/large", html(&"<p>word</p>".repeat(800_000))).await;
    serve(
        "/picture",
        ResponseTemplate::new(200).set_body_raw(vec![1, 2, 3], "image/png"),
    )
    .await;
    serve(
        "/shell",
        html("<html><body><p>Nothing here.</p></body></html>"),
    )
    .await;
    let latin: Vec<u8> = ARTICLE
        .replace('é', "\u{1}")
        .into_bytes()
        .into_iter()
        .map(|byte| if byte == 1 { 0xe9 } else { byte })
        .collect();
    serve(
        "/latin",
        ResponseTemplate::new(200).set_body_raw(latin, "text/html; charset=iso-8859-1"),
    )
    .await;
    server
}

struct World {
    site: MockServer,
    server: TestServer,
    member: TestMember,
}

impl World {
    async fn start() -> Self {
        let site = site().await;
        let server = TestServer::reading(&[*site.address()], |settings| {
            settings.service.page_timeout = Duration::from_secs(5);
        })
        .await;
        let member = server.unlimited().await;
        Self {
            site,
            server,
            member,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site.uri())
    }

    async fn extract(&self, body: Value) -> Reply {
        self.server
            .post("/api/v1/extract", &body)
            .bearer(&self.member.key)
            .send()
            .await
    }

    /// Reads one page and returns what became of it.
    async fn one(&self, url: &str) -> (Value, u64) {
        let reply = self.extract(json!({"urls": [url]})).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
        let charged = reply.charged();
        (reply.json()["results"][0].clone(), charged)
    }
}

#[tokio::test]
async fn an_article_is_read() {
    let world = World::start().await;
    let reply = world
        .extract(json!({"urls": [world.url("/moved")], "include_metadata": true}))
        .await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.charged(), 1);
    let body = reply.json();
    assert_eq!(keys(&body), ["credits_used", "results", "status"]);
    assert_eq!(body["credits_used"], 1);
    let page = &body["results"][0];
    assert_eq!(
        keys(page),
        [
            "domain",
            "error",
            "error_code",
            "language",
            "metadata",
            "published_date",
            "success",
            "text",
            "title",
            "url",
            "word_count"
        ]
    );
    assert_eq!(page["url"], world.url("/moved"));
    assert_eq!(page["title"], "Ferry service resumes");
    assert_eq!(page["language"], "en");
    assert_eq!(page["published_date"], "2026-03-09");
    assert_eq!(page["success"], true);
    assert_eq!(page["error"], Value::Null);
    let text = page["text"].as_str().unwrap();
    assert!(text.starts_with("The ferry between Marn"), "{text}");
    assert_eq!(
        page["word_count"].as_u64().unwrap() as usize,
        text.split_whitespace().count()
    );
    let metadata = &page["metadata"];
    assert_eq!(metadata["final_url"], world.url("/article"));
    assert_eq!(metadata["site_name"], "The Courier");
    assert_eq!(metadata["author"], "Ana Duarte");
    assert_eq!(metadata["published_at"], "2026-03-09T08:30:00Z");
    let counts = world.server.state.store.counts().await.unwrap();
    assert_eq!(
        (counts.articles, counts.briefs),
        (0, 0),
        "nothing is stored"
    );

    let (page, _) = world.one(&world.url("/latin")).await;
    assert!(
        page["text"].as_str().unwrap().contains("A café on"),
        "{page}"
    );
    assert!(page.get("metadata").is_none());
}

#[tokio::test]
async fn a_page_that_cannot_be_read_fails_alone_and_costs_nothing() {
    let world = World::start().await;
    let check = async |url: &str, code: &str| {
        let (page, charged) = world.one(url).await;
        assert_eq!(page["success"], false, "{url}: {page}");
        assert_eq!(page["error_code"], code, "{url}: {page}");
        assert!(!page["error"].as_str().unwrap().is_empty());
        assert_eq!(page["text"], Value::Null);
        assert_eq!(charged, 0, "{url}");
    };
    check("not an address", "malformed_url").await;
    check("", "malformed_url").await;
    check("ftp://example.org/x", "malformed_url").await;
    check("https://me:word@example.org/", "malformed_url").await;
    check("http://127.0.0.1:1/", "private_address").await;
    check("http://[::1]/", "private_address").await;
    check("http://localhost:9009/", "private_address").await;
    check("http://localhost:9/", "private_address").await;
    check("https://wiki.internal/", "private_address").await;
    // Nor is a port of another service called, whatever the name stands for.
    check("http://example.com:9/", "malformed_url").await;
    check(&world.url("/inside"), "private_address").await;
    check(&world.url("/closed/article"), "disallowed").await;
    check(&world.url("/into-closed"), "disallowed").await;
    check(&world.url("/around"), "redirect").await;
    check(&world.url("/large"), "too_large").await;
    check(&world.url("/picture"), "unsupported_type").await;
    check(&world.url("/shell"), "no_article").await;
    check(&world.url("/absent"), "http_status").await;
    let (page, _) = world.one(&world.url("/inside")).await;
    assert!(
        !page["error"].as_str().unwrap().contains("169.254"),
        "nobody learns where a name leads: {page}"
    );
}

#[tokio::test]
async fn good_pages_are_read_beside_bad_ones() {
    let world = World::start().await;
    let urls = ["/article", "/picture", "/article", "", "/latin"].map(|path| match path {
        "" => "nonsense".to_owned(),
        path => world.url(path),
    });
    let reply = world.extract(json!({"urls": urls})).await;
    let body = reply.json();
    let outcomes: Vec<_> = body["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| (page["url"].as_str().unwrap(), page["success"] == true))
        .collect();
    assert_eq!(
        outcomes,
        urls.iter()
            .zip([true, false, true, false, true])
            .map(|(url, success)| (url.as_str(), success))
            .collect::<Vec<_>>()
    );
    assert_eq!(reply.charged(), 2, "what stands twice is charged once");
    assert_eq!(body["credits_used"], 2);
    let read = world.site.received_requests().await.unwrap();
    let articles = read
        .iter()
        .filter(|request| request.url.path() == "/article")
        .count();
    assert_eq!(articles, 1);
}

#[tokio::test]
async fn a_slow_page_does_not_hold_the_others() {
    let site = site().await;
    let server = TestServer::reading(&[*site.address()], |settings| {
        settings.service.page_timeout = Duration::from_millis(300);
    })
    .await;
    let member = server.unlimited().await;
    let body = json!({"urls": [format!("{}/slow", site.uri())]});
    let reply = server
        .post("/api/v1/extract", &body)
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(reply.status.as_u16(), 200);
    assert_eq!(reply.json()["results"][0]["error_code"], "timeout");
    assert_eq!(reply.charged(), 0);
}

#[tokio::test]
async fn faults_of_the_request_are_named() {
    let world = World::start().await;
    let url = world.url("/article");
    for (body, named) in [
        (json!({"urls": []}), "urls must have from 1 to 5"),
        (json!({"urls": vec![&url; 6]}), "urls must have from 1 to 5"),
        (json!({}), "urls"),
        (json!({"urls": "x"}), "urls"),
        (json!({"urls": [1]}), "urls[0]"),
        (
            json!({"urls": [url], "include_metadata": 1}),
            "include_metadata",
        ),
    ] {
        let fault = world
            .extract(body)
            .await
            .expect_error(400, "invalid_request");
        let message = fault["message"].as_str().unwrap();
        assert!(message.contains(named), "{message}");
    }
    let demo = world
        .server
        .post("/api/v1/extract?api_key=demo", &json!({"urls": [url]}))
        .send()
        .await;
    demo.expect_error(403, "demo_key_refused");
    assert!(world.site.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_repeated_request_reads_and_charges_once() {
    let world = World::start().await;
    let ask = || {
        let body = json!({"urls": [world.url("/article")]});
        world
            .server
            .post("/api/v1/extract", &body)
            .bearer(&world.member.key)
            .header("idempotency-key", "once")
    };
    let first = ask().send().await;
    let second = ask().send().await;
    assert_eq!((first.charged(), second.charged()), (1, 0));
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(first.json(), second.json());
    let account = store::AccountKey::Account(world.member.account);
    let total = world.server.state.store.ledger().total(&account).await;
    assert_eq!(total.unwrap(), 1);
    let read = world.site.received_requests().await.unwrap();
    assert_eq!(read.len(), 2, "robots.txt and the page");
}

#[tokio::test]
async fn what_was_paid_with_the_last_credits_is_answered_again() {
    let site = site().await;
    let server = TestServer::reading(&[*site.address()], |settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(5);
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let body = json!({"urls": [format!("{}/article", site.uri())]});
    let ask = async |key: &str| {
        server
            .post("/api/v1/extract", &body)
            .bearer(&member.key)
            .header("idempotency-key", key)
            .send()
            .await
    };
    let first = ask("once").await;
    assert_eq!((first.status.as_u16(), first.charged()), (200, 1));
    let again = ask("once").await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!((again.charged(), again.body), (0, first.body));
    // Four are left, and five pages could be asked for.
    ask("twice").await.expect_error(429, "credits_exhausted");
}

#[tokio::test]
async fn who_cannot_pay_for_all_reads_none() {
    let site = site().await;
    let server = TestServer::reading(&[*site.address()], |settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.credits = Some(4);
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let body = json!({"urls": [format!("{}/article", site.uri())]});
    let reply = server
        .post("/api/v1/extract", &body)
        .bearer(&member.key)
        .send()
        .await;
    reply.expect_error(429, "credits_exhausted");
    assert!(site.received_requests().await.unwrap().is_empty());
}
