//! `/context`, `/intelligence` and `/clusters`.

use std::collections::BTreeSet;

use model::{
    Brief, Category, DataPoint, DataPointKind, EntityKind, EntityRole, Score, Section,
    SourcedSentence,
};
use serde_json::Value;

use super::fixtures::{BriefBuilder, ask, keys, narrow, publish, refuses, world};
use crate::support::{TestMember, TestServer};

/// A brief about a strike at a port, written in sentences of its own.
fn strike(number: u128, day: u32, category: Category, headline: &str, said: &[&str]) -> Brief {
    let id = format!("PR-2026-03{day:02}-05{number}");
    let at = format!("2026-03-{day:02}T10:00:00Z");
    let mut brief = BriefBuilder::new(50 + number, &id, category, headline)
        .source(&format!("paper{number}.example"), &at)
        .entity(
            "Port of Velden",
            EntityKind::Organization,
            None,
            EntityRole::Subject,
            3,
        )
        .entity(
            "Dock Workers Union",
            EntityKind::Organization,
            None,
            EntityRole::Related,
            2,
        )
        .tags(&["strike", "port"])
        .brief;
    brief.sentences = said
        .iter()
        .map(|text| SourcedSentence {
            section: Section::Summary,
            text: (*text).to_owned(),
            sources: vec![0],
        })
        .collect();
    brief.summary = said.join(" ");
    brief.sentiment = Score::clamped(0.3);
    brief
}

async fn port() -> (TestServer, TestMember) {
    let (server, member) = world().await;
    let briefs = [
        strike(
            1,
            3,
            Category::Business,
            "Dock workers at Velden port vote to strike",
            &[
                "Dock workers at the port of Velden voted by 92% to strike over pay on Tuesday.",
                "Critics of the strike warned that shops at the port could run out of fruit.",
            ],
        ),
        strike(
            2,
            5,
            Category::Economy,
            "Velden port strike halts grain exports",
            &[
                "Grain exports through the port of Velden stopped because of the strike, traders said.",
                "Analysts expect the strike at the port to cost growers 30 million euros a week.",
            ],
        ),
        strike(
            3,
            8,
            Category::Policy,
            "Minister offers talks in Velden port strike",
            &[
                "The labour minister welcomed an offer of talks between the port and the striking dock workers.",
                "The port strike is expected to end by the end of the month if both sides agree.",
            ],
        ),
    ];
    for mut brief in briefs {
        if brief.category == Category::Economy {
            brief.data_points = vec![DataPoint {
                kind: DataPointKind::Money,
                value: 3e7,
                unit: "EUR".to_owned(),
                printed: "30 million euros".to_owned(),
                context: "The strike costs growers 30 million euros a week.".to_owned(),
                measure: Some("cost".to_owned()),
                entity: None,
            }];
        }
        publish(&server, &brief).await;
    }
    (server, member)
}

async fn get(server: &TestServer, member: &TestMember, path: &str, credits: u64) -> Value {
    let reply = ask(server, member, path).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
    assert_eq!(reply.charged(), credits, "{path}");
    reply.json()
}

#[tokio::test]
async fn context_is_given_in_the_words_of_its_sources() {
    let (server, member) = port().await;
    let body = get(&server, &member, "/context?topic=port+strike", 5).await;
    assert_eq!(
        keys(&body),
        [
            "brief_count",
            "citations",
            "confidence",
            "confidence_parts",
            "key_entities",
            "key_facts",
            "perspectives",
            "relationships",
            "source_count",
            "status",
            "summary",
            "timeline",
            "topic"
        ]
    );
    assert_eq!(
        (&body["brief_count"], &body["source_count"]),
        (&3.into(), &3.into())
    );
    let summary = body["summary"].as_str().unwrap();
    for citation in body["citations"].as_array().unwrap() {
        assert_eq!(keys(citation), ["brief_id", "sentence", "source", "url"]);
        assert!(
            summary.contains(citation["sentence"].as_str().unwrap()),
            "{summary}"
        );
    }
    let days: Vec<&str> = body["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| day["date"].as_str().unwrap())
        .collect();
    assert_eq!(days, ["2026-03-03", "2026-03-05", "2026-03-08"]);
    assert_eq!(
        keys(&body["timeline"][0]),
        ["brief_id", "confidence", "date", "headline"]
    );
    let entity = &body["key_entities"][0];
    assert_eq!(
        keys(entity),
        ["mentions", "name", "sentiment_label", "ticker", "type"]
    );
    assert_eq!(
        (&entity["name"], &entity["mentions"]),
        (&"Port of Velden".into(), &9.into())
    );
    let tie = &body["relationships"][0];
    assert_eq!(keys(tie), ["brief_count", "from", "strength", "to"]);
    assert_eq!(
        (&tie["strength"], &tie["brief_count"]),
        (&1.0.into(), &3.into())
    );
    assert_eq!(body["key_facts"][0]["value"], "30 million euros");
    assert_eq!(
        keys(&body["key_facts"][0]),
        ["brief_id", "context", "type", "value"]
    );
    let sides = &body["perspectives"];
    assert_eq!(keys(sides), ["neutral", "opposing", "supporting"]);
    assert!(
        sides["supporting"].as_str().unwrap().contains("welcomed"),
        "{sides}"
    );
    assert!(
        sides["opposing"].as_str().unwrap().contains("warned"),
        "{sides}"
    );
    let confidence = body["confidence"].as_f64().unwrap();
    assert!((0.3..0.8).contains(&confidence), "{confidence}");
}

#[tokio::test]
async fn intelligence_states_causes_only_where_a_source_does() {
    let (server, member) = port().await;
    let body = get(&server, &member, "/intelligence?topic=Velden+port", 8).await;
    assert_eq!(
        keys(&body),
        [
            "brief_count",
            "categories_affected",
            "causal_analysis",
            "causal_chain",
            "citations",
            "confidence",
            "confidence_parts",
            "cross_category_impact",
            "prediction",
            "source_count",
            "status",
            "topic"
        ]
    );
    let categories: BTreeSet<&str> = body["categories_affected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|category| category.as_str().unwrap())
        .collect();
    assert_eq!(
        categories,
        BTreeSet::from(["business", "economy", "policy"])
    );
    assert_eq!(
        keys(&body["cross_category_impact"][0]),
        ["brief_count", "category", "dominant_sentiment"]
    );
    let chain = body["causal_chain"].as_array().unwrap();
    assert_eq!(
        keys(&chain[0]),
        ["brief_id", "category", "date", "headline"]
    );
    assert!(chain.is_sorted_by_key(|link| link["date"].as_str().unwrap().to_owned()));
    let analysis = body["causal_analysis"].as_str().unwrap();
    assert!(analysis.contains("because of the strike"), "{analysis}");
    assert!(
        analysis.contains("does not by itself make it the cause"),
        "{analysis}"
    );
    let prediction = body["prediction"].as_str().unwrap();
    assert!(
        prediction.contains("an expectation, not a fact"),
        "{prediction}"
    );
}

#[tokio::test]
async fn nobody_speaks_for_a_topic_of_which_only_bad_news_are_told() {
    let (server, member) = world().await;
    for day in 1..=6 {
        let told = ["The strike at the port of Velden caused heavy losses for growers."];
        let headline = format!("Velden port strike, day {day}");
        let brief = strike(day.into(), day, Category::Economy, &headline, &told);
        publish(&server, &brief).await;
    }
    let body = get(&server, &member, "/context?topic=port+strike", 5).await;
    assert_eq!(body["perspectives"]["supporting"], "", "{body}");
    assert_eq!(body["perspectives"]["opposing"], "", "{body}");
    let fields: BTreeSet<&str> = body["data_status"]
        .as_array()
        .unwrap()
        .iter()
        .map(|status| status["field"].as_str().unwrap())
        .collect();
    let silent = ["perspectives.opposing", "perspectives.supporting"];
    assert!(fields.is_superset(&BTreeSet::from(silent)), "{fields:?}");
    // Where there is no stored news, nobody can have paid attention: the period begins with the first report.
    let body = get(&server, &member, "/intelligence?topic=port+strike", 8).await;
    let prediction = body["prediction"].as_str().unwrap();
    assert!(
        prediction.contains("with 1 report in the second half of the period since 2026-03-01")
            && prediction.contains("compared with 5 in the first"),
        "{prediction}"
    );
}

#[tokio::test]
async fn a_topic_without_news_says_so() {
    let (server, member) = port().await;
    for (path, credits) in [("/context", 5), ("/intelligence", 8)] {
        let body = get(&server, &member, &format!("{path}?topic=glaciers"), credits).await;
        assert_eq!(body["brief_count"], 0);
        assert_eq!(body["confidence"], 0.0);
        let status = &body["data_status"][0];
        assert!(
            status["reason"].as_str().unwrap().contains("no brief"),
            "{body}"
        );
        assert!(status["newest_available"].is_string());
        // Stop words name nothing.
        for nothing in ["the+of", "%3F%3F", "%F0%9F%99%82%F0%9F%99%82"] {
            let body = get(
                &server,
                &member,
                &format!("{path}?topic={nothing}"),
                credits,
            )
            .await;
            assert_eq!(body["brief_count"], 0, "{nothing}");
        }
        let early = format!("{path}?topic=port+strike&as_of=2026-03-04T00:00:00Z");
        assert_eq!(
            get(&server, &member, &early, credits).await["brief_count"],
            1
        );
        let old = format!("{path}?topic=Rovers&period=7d");
        let body = get(&server, &member, &old, credits).await;
        assert_eq!(
            body["data_status"][0]["newest_available"], "2026-03-01T18:00:00Z",
            "when it was last in the news"
        );
        let narrow = narrow(&server, &[Category::Sports]).await;
        let hidden = format!("{path}?topic=port+strike");
        assert_eq!(
            get(&server, &narrow, &hidden, credits).await["brief_count"],
            0
        );
        refuses(
            &server,
            &member,
            &[
                (path, "topic"),
                (&format!("{path}?topic=x"), "topic"),
                (&format!("{path}?topic=port&period=24h"), "period"),
            ],
        )
        .await;
    }
}

#[tokio::test]
async fn clusters_join_stories_about_one_subject() {
    let (server, member) = port().await;
    let body = get(&server, &member, "/clusters?period=30d", 1).await;
    assert_eq!(keys(&body), ["clusters", "meta", "status"]);
    let clusters = body["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 1, "{body}");
    let cluster = &clusters[0];
    assert_eq!(
        keys(cluster),
        [
            "brief_count",
            "briefs",
            "categories",
            "cluster_id",
            "latest",
            "topic"
        ]
    );
    assert_eq!(cluster["brief_count"], 3);
    assert!(
        cluster["topic"]
            .as_str()
            .unwrap()
            .contains("Port of Velden"),
        "{cluster}"
    );
    assert_eq!(cluster["latest"], "2026-03-08T10:00:00Z");
    let before = get(&server, &member, "/clusters?as_of=2026-03-06T00:00:00Z", 1).await;
    assert_eq!(before["clusters"][0]["brief_count"], 2);
    assert_eq!(
        before["clusters"][0]["cluster_id"], cluster["cluster_id"],
        "a cluster keeps its identity while briefs join"
    );
    let empty = get(&server, &member, "/clusters?category=health", 1).await;
    assert!(empty["meta"]["newest_available"].is_string());
    refuses(
        &server,
        &member,
        &[
            ("/clusters?period=90d", "period"),
            ("/clusters?limit=51", "limit"),
        ],
    )
    .await;
}
