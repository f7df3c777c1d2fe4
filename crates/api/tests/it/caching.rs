//! Answers that are kept for a second.

use std::io::Read;
use std::sync::atomic::Ordering;

use model::{Category, KeyScope, Plan, Quote};
use operations::Clock;

use crate::support::test_routes::MADE;
use crate::support::{StillTime, TestServer};

/// Whether the handler ran again; its counter is global, so names of paths keep tests apart.
fn made(reply: &crate::support::Reply) -> u64 {
    reply.json()["made"].as_u64().unwrap()
}

/// Changes data that answers can be made from.
async fn move_data(server: &TestServer) {
    let quote = Quote {
        price: 1.0,
        previous_close: None,
        volume: None,
        at: server.clock.now(),
    };
    let market = server.state.store.market();
    market
        .put_quotes(&[("stock:ACME".to_owned(), quote)])
        .await
        .unwrap();
    server.state.market.refresh().await.unwrap();
}

#[tokio::test]
async fn equal_questions_share_an_answer() {
    let _time = StillTime::begin();
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let get = |path: &'static str| server.get(path).bearer(&member.key);
    let first = get("/api/v1/test/kept/a?x=1&y=2").send().await;
    let second = server
        .get(&format!(
            "/api/v1/test/kept/a?y=2&x=1&api_key={}",
            member.key
        ))
        .send()
        .await;
    assert_eq!(made(&first), made(&second));
    assert_eq!(
        (first.charged(), second.charged()),
        (1, 1),
        "a kept answer costs the same"
    );
    assert_eq!(first.header("etag"), second.header("etag"));
    assert!(first.header("etag").starts_with("W/\""));
    assert_ne!(
        made(&get("/api/v1/test/kept/a?x=2").send().await),
        made(&first)
    );
    let vary = first.header("vary").to_lowercase();
    assert!(
        vary.contains("authorization")
            && vary.contains("x-api-key")
            && vary.contains("accept-encoding"),
        "{vary}"
    );

    let scope = KeyScope {
        allowed_categories: vec![Category::Tech],
        ..KeyScope::default()
    };
    let narrow = server.member(Plan::Scale, scope).await;
    let scoped = server
        .get("/api/v1/test/kept/a?x=1&y=2")
        .bearer(&narrow.key)
        .send()
        .await;
    assert_ne!(made(&scoped), made(&first));
    assert_ne!(scoped.header("etag"), first.header("etag"));

    let before = MADE.load(Ordering::SeqCst);
    move_data(&server).await;
    let newer = get("/api/v1/test/kept/a?x=1&y=2").send().await;
    assert!(made(&newer) >= before, "newer data, newer answer");
    assert_ne!(newer.header("etag"), first.header("etag"));
}

#[tokio::test]
async fn who_has_it_is_not_sent_it_again() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let get = || server.get("/api/v1/test/kept/b").bearer(&member.key);
    let tag = get().send().await.header("etag").to_owned();
    // `*` would be answered before it is known whether there is anything, and to whom it may be shown.
    assert_eq!(get().header("if-none-match", "*").send().await.status, 200);
    for sent in [tag.as_str(), &format!("\"x\", {tag}")] {
        let reply = get().header("if-none-match", sent).send().await;
        assert_eq!(reply.status, 304, "{sent}");
        assert!(reply.body.is_empty());
        assert_eq!(reply.header("etag"), tag);
        assert!(!reply.header("vary").is_empty());
    }
    assert_eq!(
        get().header("if-none-match", "\"x\"").send().await.status,
        200
    );
    move_data(&server).await;
    assert_eq!(get().header("if-none-match", &tag).send().await.status, 200);
}

#[tokio::test]
async fn compressed_for_those_who_ask() {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let get = |path: &'static str| server.get(path).bearer(&member.key);
    let plain = get("/api/v1/test/kept/c").send().await;
    assert_eq!(plain.header("content-encoding"), "");
    let packed = get("/api/v1/test/kept/c")
        .header("accept-encoding", "gzip, br")
        .send()
        .await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&packed.body[..])
        .read_to_end(&mut text)
        .unwrap();
    // Whether it was made once or twice is a matter of how long the machine took.
    let padding = |bytes: &[u8]| {
        serde_json::from_slice::<serde_json::Value>(bytes).unwrap()["padding"].clone()
    };
    assert_eq!(padding(&text), padding(&plain.body));
    for coding in ["br", "zstd", "gzip"] {
        let reply = server
            .get("/openapi.json")
            .header("accept-encoding", coding)
            .send()
            .await;
        assert_eq!(reply.header("content-encoding"), coding);
        assert!(
            reply
                .header("vary")
                .to_lowercase()
                .contains("accept-encoding")
        );
    }
    let small = server
        .get("/health")
        .header("accept-encoding", "gzip")
        .send()
        .await;
    assert_eq!(small.header("content-encoding"), "");
    let error = get("/nowhere")
        .header("accept-encoding", "gzip")
        .header("accept", "application/problem+json")
        .send()
        .await;
    assert_eq!(error.json()["error_code"], "unknown_path");
}
