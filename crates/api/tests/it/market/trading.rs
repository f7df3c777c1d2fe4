//! What the tests of trading share: briefs about the symbols of the small market, and how a body is sent.

use http::StatusCode;
use model::{Category, EntityKind, EntityRole, Score};
use serde_json::{Value, json};

use super::fixtures::market;
use crate::news::fixtures::{BriefBuilder, publish};
use crate::support::{Reply, TestMember, TestServer};

/// Publishes a brief that says this of one symbol.
pub(super) async fn publish_brief(
    server: &TestServer,
    number: u128,
    category: Category,
    ticker: &str,
    sentiment: f64,
    at: &str,
) -> String {
    let id = format!("PR-2026-0310-{number:03}");
    let mut builder =
        BriefBuilder::new(number, &id, category, &format!("News of {ticker} {number}"))
            .source("courier.example", at)
            .entity(
                ticker,
                EntityKind::Organization,
                Some(ticker),
                EntityRole::Subject,
                3,
            );
    let last = builder.brief.entities.last_mut().unwrap();
    last.sentiment = Score::new(sentiment).unwrap();
    publish(server, &builder.brief).await;
    id
}

/// The small market with four briefs: ACME well (twice) and BOLT ill spoken of, OAKS.B a week and a half ago.
pub(super) async fn market_with_news() -> (TestServer, TestMember) {
    let server = market().await;
    let member = publish_news(&server).await;
    (server, member)
}

/// Publishes those briefs, and brings somebody who may read them.
pub(crate) async fn publish_news(server: &TestServer) -> TestMember {
    let member = server.unlimited().await;
    publish_brief(
        server,
        1,
        Category::Tech,
        "ACME",
        0.9,
        "2026-03-10T10:00:00Z",
    )
    .await;
    publish_brief(
        server,
        2,
        Category::Markets,
        "ACME",
        0.7,
        "2026-03-09T18:00:00Z",
    )
    .await;
    publish_brief(
        server,
        3,
        Category::Tech,
        "BOLT",
        0.2,
        "2026-03-10T06:00:00Z",
    )
    .await;
    publish_brief(
        server,
        4,
        Category::Energy,
        "OAKS.B",
        0.6,
        "2026-03-01T06:00:00Z",
    )
    .await;
    member
}

pub(super) async fn post(
    server: &TestServer,
    member: &TestMember,
    path: &str,
    body: Value,
) -> Reply {
    server
        .post(&format!("/api/v1{path}"), &body)
        .bearer(&member.key)
        .send()
        .await
}

/// Posts, and expects an answer that costs so much and says so.
pub(super) async fn answer(
    server: &TestServer,
    member: &TestMember,
    path: &str,
    body: Value,
    credits: u64,
) -> Value {
    let reply = post(server, member, path, body).await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    assert_eq!(reply.charged(), credits, "{path}");
    let body = reply.json();
    assert_eq!(body["status"], "ok");
    assert_eq!(body["credits_used"], credits);
    assert!(!reply.text().contains("NaN"));
    body
}

/// Posts each of these and expects a refusal that names the key.
pub(super) async fn refuses(server: &TestServer, path: &str, asked: &[(Value, &str)]) {
    let member = server.unlimited().await;
    for (body, named) in asked {
        let reply = post(server, &member, path, body.clone()).await;
        let error = reply.expect_error(400, "invalid_request");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(named), "{body}: {message}");
    }
}

/// Whether some entry of `data_status` is of this field and says so.
pub(super) fn says(body: &Value, field: &str, words: &str) -> bool {
    let none = json!([]);
    let status = body.get("data_status").unwrap_or(&none);
    status
        .as_array()
        .unwrap()
        .iter()
        .any(|entry| entry["field"] == field && entry["reason"].as_str().unwrap().contains(words))
}

pub(super) fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let entries = list.as_array().unwrap().iter();
    entries
        .map(|entry| entry[field].as_str().unwrap())
        .collect()
}

pub(super) fn close_to(found: &Value, wanted: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
        "{found} is not {wanted}"
    );
}
