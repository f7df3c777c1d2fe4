//! `/search/suggest`.

use model::{Category, EntityKind, EntityRole};
use serde_json::{Value, json};

use super::fixtures::{
    BETWEEN, BriefBuilder, CHIPS, RATES, ask, keys, narrow, publish, refuses, with, world,
};
use crate::support::{TestMember, TestServer};

async fn suggest(server: &TestServer, member: &TestMember, path: &str) -> Value {
    let reply = ask(server, member, path).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
    assert_eq!(reply.charged(), 0, "{path}");
    reply.json()
}

fn texts(body: &Value) -> Vec<(&str, &str)> {
    body["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|suggestion| {
            (
                suggestion["kind"].as_str().unwrap(),
                suggestion["text"].as_str().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn names_tags_categories_and_headlines_are_completed() {
    let (server, member) = world().await;
    let accented = BriefBuilder::new(60, "PR-2026-0310-060", Category::Markets, "Ações rise")
        .source("courier.example", "2026-03-10T11:00:00Z")
        .entity(
            "Banco de São Marn",
            EntityKind::Organization,
            None,
            EntityRole::Subject,
            1,
        );
    publish(&server, &accented.brief).await;
    let body = suggest(&server, &member, "/search/suggest?q=nim").await;
    assert_eq!(keys(&body), ["query", "status", "suggestions"]);
    assert_eq!(body["query"], "nim");
    assert_eq!(
        body["suggestions"][0],
        json!({
            "text": "Nimbus Systems",
            "kind": "entity",
            "type": "organization",
            "ticker": "NMBS",
            "brief_count": 2,
        })
    );
    assert_eq!(
        body["suggestions"][1],
        json!({
            "text": "Nimbus opens a <b>second</b> chip plant & hires",
            "kind": "headline",
            "brief_id": CHIPS,
        })
    );

    let check = async |typed: &str, expected: &[(&str, &str)]| {
        let path = with("/search/suggest", "q", typed);
        let body = suggest(&server, &member, &path).await;
        assert_eq!(texts(&body), expected, "{typed}");
    };
    let bank = "The central bank holds rates";
    check("NMBS", &[("entity", "Nimbus Systems")]).await;
    check("harbor b", &[("entity", "Harbor Bank")]).await;
    check("bank", &[("entity", "Harbor Bank"), ("headline", bank)]).await;
    check("sao", &[("entity", "Banco de São Marn")]).await;
    check("acoes", &[("headline", "Ações rise")]).await;
    check("ra", &[("tag", "rates"), ("headline", bank)]).await;
    check("central ba", &[("headline", bank)]).await;
    check("cli", &[("category", "climate")]).await;
    check("ai m", &[("category", "ai_ml")]).await;
    check("zzz", &[]).await;
    check("%", &[]).await;

    let few = suggest(&server, &member, "/search/suggest?q=ha&limit=1").await;
    assert_eq!(texts(&few).len(), 1);
    let demo = server.get("/api/v1/search/suggest?q=nim").send().await;
    assert_eq!((demo.status.as_u16(), demo.charged()), (200, 0));
}

#[tokio::test]
async fn a_headline_of_two_briefs_is_suggested_once() {
    let (server, member) = world().await;
    // Outlets write it in different capitals.
    for (number, headline) in [(61, "Lagoon Freezes Over"), (62, "Lagoon freezes over")] {
        let id = format!("PR-2026-0310-0{number}");
        let brief = BriefBuilder::new(number, &id, Category::World, headline)
            .source("courier.example", "2026-03-10T11:00:00Z");
        publish(&server, &brief.brief).await;
    }
    let body = suggest(&server, &member, "/search/suggest?q=lagoon").await;
    let found = texts(&body);
    assert_eq!(found.len(), 1, "{body}");
    assert_eq!(found[0].1.to_lowercase(), "lagoon freezes over");
}

#[tokio::test]
async fn nothing_beyond_scope_or_time_is_suggested() {
    let (server, all) = world().await;
    let member = narrow(&server, &[Category::Economy]).await;
    let body = suggest(&server, &member, "/search/suggest?q=nim").await;
    assert_eq!(texts(&body), [("entity", "Nimbus Systems")]);
    assert_eq!(body["suggestions"][0]["brief_count"], 1);
    let body = suggest(&server, &member, "/search/suggest?q=mar").await;
    assert!(texts(&body).is_empty(), "Maren Oduya is of health: {body}");
    let body = suggest(&server, &member, "/search/suggest?q=e").await;
    assert_eq!(texts(&body), [("category", "economy")]);

    let then = with("/search/suggest?q=harbor", "as_of", BETWEEN);
    let body = suggest(&server, &all, &then).await;
    assert_eq!(texts(&body), [("entity", "Harborview")]);
    let then = with("/search/suggest?q=nimbus", "as_of", BETWEEN);
    let body = suggest(&server, &all, &then).await;
    assert_eq!(body["suggestions"][0]["brief_count"], 1);
    assert_eq!(body["suggestions"][1]["text"], "Nimbus opens a chip plant");
    assert!(!body.to_string().contains(RATES));
}

#[tokio::test]
async fn faults_of_suggestions_are_named() {
    let (server, member) = world().await;
    let long = format!("/search/suggest?q={}", "x".repeat(101));
    refuses(
        &server,
        &member,
        &[
            ("/search/suggest", "q is required"),
            ("/search/suggest?q=%20", "q is required"),
            (&long, "q must have from 1 to 100"),
            ("/search/suggest?q=a&limit=21", "limit"),
            ("/search/suggest?q=a&limit=0", "limit"),
        ],
    )
    .await;
}
