//! `/research` and `/generate/brief`: what many briefs say together, sentence by sentence theirs.

use model::{Category, KeyScope, Plan};
use serde_json::{Value, json};

use super::fixtures::{CHIPS, EVERYWHERE, RATES, narrow, world};
use crate::support::{Reply, TestMember, TestServer};

const RESEARCH: &str = "/api/v1/research";
const GENERATE: &str = "/api/v1/generate/brief";

async fn post(server: &TestServer, member: &TestMember, path: &str, body: Value) -> Reply {
    server.post(path, &body).bearer(&member.key).send().await
}

async fn answer(server: &TestServer, member: &TestMember, path: &str, body: Value) -> Value {
    let reply = post(server, member, path, body).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.charged(), 5);
    reply.json()
}

fn used(body: &Value) -> Vec<&str> {
    let sources = body["sources_used"].as_array().unwrap();
    sources
        .iter()
        .map(|one| one["brief_id"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn findings_are_sentences_of_the_sources() {
    let (server, member) = world().await;
    for depth in ["standard", "deep"] {
        let body = json!({"query": EVERYWHERE, "depth": depth});
        let body = answer(&server, &member, RESEARCH, body).await;
        assert_eq!(
            body["metadata"]["briefs_analyzed"],
            json!(used(&body).len())
        );
        assert!(used(&body).contains(&RATES), "{body}");
        for finding in body["report"]["key_findings"].as_array().unwrap() {
            let finding = finding.as_str().unwrap();
            assert!(
                used(&body).iter().any(|id| finding.contains(id)),
                "{finding}"
            );
        }
        for part in ["summary", "confidence_assessment"] {
            assert!(!body["report"][part].as_str().unwrap().is_empty());
        }
        let names: Vec<&str> = body["entity_map"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert!(names.contains(&"Nimbus Systems"), "{names:?}");
    }
    let few = json!({"query": EVERYWHERE, "max_sources": 2});
    assert_eq!(
        used(&answer(&server, &member, RESEARCH, few).await).len(),
        2
    );
}

#[tokio::test]
async fn a_key_reads_only_its_categories() {
    let (server, _) = world().await;
    let tech = narrow(&server, &[Category::Tech]).await;
    let body = answer(
        &server,
        &tech,
        RESEARCH,
        json!({"query": EVERYWHERE, "depth": "deep"}),
    )
    .await;
    assert_eq!(used(&body), [CHIPS]);
    let other = json!({"query": EVERYWHERE, "category": "economy"});
    let refused = post(&server, &tech, RESEARCH, other).await;
    refused.expect_error(403, "category_not_allowed");
    let brief = answer(&server, &tech, GENERATE, json!({"topic": EVERYWHERE})).await;
    assert_eq!(brief["composed_from"], json!([CHIPS]));
}

#[tokio::test]
async fn research_needs_a_plan_and_words_within_bounds() {
    let (server, member) = world().await;
    let startup = server.member(Plan::Startup, KeyScope::default()).await;
    post(&server, &startup, RESEARCH, json!({"query": EVERYWHERE}))
        .await
        .expect_error(403, "plan_required");
    let scope = KeyScope {
        allowed_endpoints: vec!["research".to_owned()],
        ..KeyScope::default()
    };
    let narrow = server.member(Plan::Scale, scope).await;
    let refused = post(&server, &narrow, RESEARCH, json!({"query": EVERYWHERE})).await;
    refused.expect_error(403, "endpoint_not_allowed");
    for body in [
        json!({"query": "x"}),
        json!({"query": "x".repeat(501)}),
        json!({"query": EVERYWHERE, "max_sources": 0}),
        json!({"query": EVERYWHERE, "max_sources": 51}),
        json!({"query": EVERYWHERE, "depth": "abyssal"}),
        json!({"query": EVERYWHERE, "category": "astrology"}),
        json!({}),
    ] {
        let reply = post(&server, &member, RESEARCH, body).await;
        reply.expect_error(400, "invalid_request");
        assert_eq!(reply.charged(), 0);
    }
    let nothing = answer(&server, &member, RESEARCH, json!({"query": "zzqx"})).await;
    assert!(used(&nothing).is_empty());
    let summary = nothing["report"]["summary"].as_str().unwrap();
    assert!(summary.starts_with("Nothing on record"), "{summary}");
}

#[tokio::test]
async fn a_generated_brief_is_a_brief_that_no_feed_has() {
    let (server, member) = world().await;
    let body = answer(
        &server,
        &member,
        GENERATE,
        json!({"topic": "central bank rates"}),
    )
    .await;
    let brief = &body["brief"];
    let stored = server
        .get(&format!("/api/v1/brief/{RATES}"))
        .bearer(&member.key)
        .send()
        .await
        .json();
    for name in stored["brief"].as_object().unwrap().keys() {
        assert!(brief.get(name).is_some() || name == "simulated", "{name}");
    }
    let headline = brief["headline"].as_str().unwrap();
    assert!(headline.contains("central bank"), "{headline}");
    let id = brief["id"].as_str().unwrap();
    let found = server
        .get(&format!("/api/v1/brief/{id}"))
        .bearer(&member.key)
        .send()
        .await;
    found.expect_error(404, "not_found");
    let sentences = brief["explanation"]["sentences"].as_array().unwrap();
    assert!(
        sentences
            .iter()
            .all(|one| !one["sources"].as_array().unwrap().is_empty())
    );
    // Words of a topic that nothing is about as a whole are named, and no brief is written about something near.
    let topic = json!({"topic": "central bank zzqx wwqq"});
    let partly = post(&server, &member, GENERATE, topic).await;
    let partly = partly.expect_error(404, "not_found");
    let message = partly["message"].as_str().unwrap();
    assert!(
        message.contains("\"central\", \"bank\"") && !message.contains("some about \"zzqx"),
        "{message}"
    );
    let unknown = post(&server, &member, GENERATE, json!({"topic": "zzqx"})).await;
    unknown.expect_error(404, "not_found");
    assert_eq!(unknown.charged(), 0);
    let demo = server
        .post(GENERATE, &json!({"topic": "rates"}))
        .send()
        .await;
    demo.expect_error(401, "credential_required");
}

#[tokio::test]
async fn a_digest_has_the_newest_brief_first_and_each_earlier_one_under_its_day() {
    let (server, member) = world().await;
    let topic = json!({"topic": EVERYWHERE});
    let body = answer(&server, &member, GENERATE, topic).await;
    let used = body["composed_from"].as_array().unwrap();
    assert!(used.len() > 1, "{body}");
    let mut briefs = Vec::new();
    for id in used {
        let path = format!("/api/v1/brief/{}", id.as_str().unwrap());
        let reply = server.get(&path).bearer(&member.key).send().await;
        briefs.push(reply.json()["brief"].clone());
    }
    let brief = &body["brief"];
    assert_eq!(
        (&brief["headline"], &brief["summary"]),
        (&briefs[0]["headline"], &briefs[0]["summary"])
    );
    let updated: Vec<&str> = briefs
        .iter()
        .map(|one| one["updated_at"].as_str().unwrap())
        .collect();
    assert!(updated.is_sorted_by(|one, next| one >= next), "{updated:?}");
    let paragraphs: Vec<&str> = brief["body"].as_str().unwrap().split("\n\n").collect();
    let below = &paragraphs[paragraphs.len() + 1 - briefs.len()..];
    for (paragraph, earlier) in below.iter().zip(&briefs[1..]) {
        let summary = earlier["summary"].as_str().unwrap();
        assert!(
            paragraph.ends_with(&format!(" 2026: {summary}")),
            "{paragraph}"
        );
    }
    let count = |brief: &serde_json::Value| brief["sources"].as_array().unwrap().len();
    assert_eq!(count(brief), briefs.iter().map(count).sum::<usize>());
    for sentence in brief["explanation"]["sentences"].as_array().unwrap() {
        for place in sentence["sources"].as_array().unwrap() {
            assert!((place.as_u64().unwrap() as usize) < count(brief));
        }
    }
}
