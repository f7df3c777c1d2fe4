//! `/health/sources`: how the upstreams do, for anybody to read.

use model::Timestamp;
use operations::Clock;
use serde_json::{Value, json};
use store::FeedState;

use crate::support::TestServer;

#[tokio::test]
async fn every_feed_says_when_it_answered_and_why_it_does_not() {
    let server = TestServer::start().await;
    let none = server.get("/health/sources").send().await;
    assert_eq!(
        (none.status.as_u16(), &none.json()["total"]),
        (200, &json!(0))
    );
    let now = server.clock.now();
    let minutes = |minutes: i64| now.plus_ms(minutes * Timestamp::MINUTE_MS);
    let read = FeedState {
        url: "https://daily.example/feed?token=swordfish".into(),
        next_due: minutes(10),
        last_success: Some(minutes(-5)),
        items_total: 7,
        ..FeedState::default()
    };
    let failing = FeedState {
        url: "https://evening.example/feed".into(),
        failures: 3,
        last_error: Some("status 503".to_owned()),
        last_success: Some(minutes(-90)),
        ..read.clone()
    };
    let left = FeedState {
        url: "https://former.example/feed".into(),
        next_due: minutes(-61),
        ..read.clone()
    };
    for feed in [&read, &failing, &left] {
        server.state.store.feeds().save(feed).await.unwrap();
    }
    let reply = server.get("/health/sources").send().await;
    assert_eq!(reply.header("cache-control"), "no-store");
    let sources = reply.json()["sources"].clone();
    let of = |at: usize, fields: [&str; 6]| fields.map(|field| sources[at][field].clone());
    let fields = [
        "kind",
        "name",
        "state",
        "age_seconds",
        "last_error",
        "failures",
    ];
    let expected: [[Value; 6]; 3] = [
        [
            json!("feed"),
            json!("https://daily.example/feed?token=***"),
            json!("ok"),
            json!(300),
            Value::Null,
            json!(0),
        ],
        [
            json!("feed"),
            json!("https://evening.example/feed"),
            json!("failing"),
            json!(5_400),
            json!("status 503"),
            json!(3),
        ],
        [
            json!("feed"),
            json!("https://former.example/feed"),
            json!("idle"),
            json!(300),
            Value::Null,
            json!(0),
        ],
    ];
    for (at, expected) in expected.iter().enumerate() {
        assert_eq!(&of(at, fields), expected);
    }
    assert_eq!(sources[0]["last_success"], json!(minutes(-5)));
    assert_eq!(sources[0]["next_request"], json!(minutes(10)));
}
