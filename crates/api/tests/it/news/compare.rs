//! `/compare/sources`.

use model::{Annotations, Article, Brief, Category, EntityKind, EntityRole, Score};
use serde_json::{Value, json};

use super::fixtures::{
    BEFORE, BriefBuilder, ask, keys, narrow, publish_written, refuses, time, with, world,
};
use crate::support::{TestMember, TestServer};

const BRIDGE: &str = "PR-2026-0310-050";

async fn compare(server: &TestServer, member: &TestMember, path: &str) -> Value {
    let reply = ask(server, member, path).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
    assert_eq!(reply.charged(), 2, "{path}");
    assert!(reply.header("etag").starts_with("W/"), "{path}");
    reply.json()
}

fn domains(body: &Value) -> Vec<&str> {
    body["outlets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outlet| outlet["domain"].as_str().unwrap())
        .collect()
}

/// What each outlet writes about the bridge.
fn write(article: &mut Article, annotations: &mut Annotations) {
    let opening = "The bridge over the Marn collapsed on Monday morning.";
    match article.domain.as_str() {
        "courier.example" => {
            article.body = format!(
                "{opening} At least 12 people were killed. Inspectors had warned of rusted bearings two years ago."
            );
            annotations.sentiment = Score::new(0.2).unwrap();
            annotations.bias.loaded_terms = vec!["disgraceful".to_owned()];
            annotations.bias.loaded_wording = 0.8;
        }
        _ => article.body = format!("{opening} At least 15 people were killed."),
    }
}

/// A bridge that two outlets report.
async fn bridge(server: &TestServer) -> Brief {
    let brief = BriefBuilder::new(50, BRIDGE, Category::World, "A bridge collapses")
        .source("ledger.example", "2026-03-10T08:00:00Z")
        .source("courier.example", "2026-03-10T09:00:00Z")
        .entity(
            "Marn County",
            EntityKind::Location,
            None,
            EntityRole::Subject,
            2,
        )
        .brief;
    publish_written(server, &brief, write).await;
    brief
}

#[tokio::test]
async fn outlets_of_a_story_are_held_against_each_other() {
    let (server, member) = world().await;
    bridge(&server).await;
    let body = compare(
        &server,
        &member,
        &format!("/compare/sources?brief={BRIDGE}"),
    )
    .await;
    assert_eq!(
        keys(&body),
        [
            "agreement",
            "brief_id",
            "differences",
            "meta",
            "outlets",
            "status"
        ]
    );
    assert_eq!(body["brief_id"], BRIDGE);
    assert_eq!(domains(&body), ["ledger.example", "courier.example"]);
    let courier = &body["outlets"][1];
    assert_eq!(
        keys(courier),
        [
            "articles",
            "bias_direction",
            "bias_score",
            "domain",
            "first_published_at",
            "headlines",
            "loaded_words",
            "name",
            "only_here",
            "syndicated",
            "tone",
            "trust_level"
        ]
    );
    assert_eq!(courier["tone"], 0.2);
    assert_eq!(courier["trust_level"], "medium");
    assert_eq!(courier["articles"], 1);
    assert_eq!(courier["loaded_words"], json!(["disgraceful"]));
    assert!(courier["bias_score"].as_f64() > body["outlets"][0]["bias_score"].as_f64());
    let url = format!("https://courier.example/{BRIDGE}");
    assert_eq!(
        courier["headlines"],
        json!([{
            "title": "courier.example: A bridge collapses",
            "url": url,
            "published_at": "2026-03-10T09:00:00Z",
        }])
    );
    assert_eq!(
        courier["only_here"]["sentences"],
        json!([{
            "text": "Inspectors had warned of rusted bearings two years ago.",
            "url": url,
        }])
    );
    assert_eq!(
        courier["only_here"]["figures"],
        json!([{
            "measure": "killed",
            "entity": null,
            "value": "12 people",
            "context": "At least 12 people were killed.",
            "url": url,
        }])
    );
    assert_eq!(body["agreement"]["score"], 0.0);
    assert_eq!(body["agreement"]["figures_compared"], 1);
    assert_eq!(body["agreement"]["shared_entities"], json!(["Marn County"]));
    let kinds: Vec<_> = body["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| difference["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["figure", "tone", "wording"]);
    assert_eq!(
        body["differences"][0]["outlets"],
        json!(["ledger.example", "courier.example"])
    );
    assert_eq!(
        body["meta"],
        json!({"outlets": 2, "articles": 2, "briefs": 1})
    );

    let one = compare(
        &server,
        &member,
        &format!("/compare/sources?brief={BRIDGE}&limit=1"),
    )
    .await;
    assert_eq!(domains(&one), ["ledger.example"]);
    assert_eq!(one["meta"]["outlets"], 2);
    let path = format!("/compare/sources?brief={BRIDGE}");
    // The brief became known with its second source.
    let before = with(&path, "as_of", "2026-03-10T08:30:00Z");
    ask(&server, &member, &before)
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn a_topic_draws_on_every_story_that_matches() {
    let (server, member) = world().await;
    bridge(&server).await;
    let body = compare(&server, &member, "/compare/sources?topic=harborview").await;
    assert_eq!(body["topic"], "harborview");
    assert!(body.get("brief_id").is_none());
    assert_eq!(body["meta"]["briefs"], 6);
    assert_eq!(body["meta"]["period"], "30d");
    assert_eq!(
        domains(&body)[0],
        "ledger.example",
        "four articles of four stories: {body}"
    );
    let week = compare(
        &server,
        &member,
        "/compare/sources?topic=harborview&period=7d",
    )
    .await;
    assert_eq!(week["meta"]["briefs"], 5, "the match was nine days ago");

    let nothing = compare(&server, &member, "/compare/sources?topic=zeppelin").await;
    assert!(domains(&nothing).is_empty());
    assert_eq!(nothing["agreement"]["score"], Value::Null);
    assert!(time(nothing["meta"]["newest_available"].as_str().unwrap()) > time(BEFORE));
    let then = with("/compare/sources?topic=harborview", "as_of", BEFORE);
    let body = compare(&server, &member, &then).await;
    assert!(domains(&body).is_empty());
    assert!(body["meta"].get("newest_available").is_none());
}

#[tokio::test]
async fn faults_of_comparisons_are_named() {
    let (server, member) = world().await;
    refuses(
        &server,
        &member,
        &[
            ("/compare/sources", "brief or topic"),
            ("/compare/sources?brief=x&topic=yy", "brief or topic"),
            ("/compare/sources?topic=x", "topic"),
            ("/compare/sources?topic=xx&period=1y", "period"),
            ("/compare/sources?topic=xx&limit=51", "limit"),
        ],
    )
    .await;
    ask(&server, &member, "/compare/sources?brief=PR-2026-0101-001")
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn a_narrow_key_compares_only_its_categories() {
    let (server, _) = world().await;
    bridge(&server).await;
    let member = narrow(&server, &[Category::Tech]).await;
    ask(
        &server,
        &member,
        &format!("/compare/sources?brief={BRIDGE}"),
    )
    .await
    .expect_error(404, "not_found");
    let body = compare(&server, &member, "/compare/sources?topic=harborview").await;
    assert_eq!(body["meta"]["briefs"], 1);
    assert_eq!(domains(&body), ["courier.example", "ledger.example"]);
}
