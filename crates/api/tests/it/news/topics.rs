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
    tell(&mut brief, said);
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

/// Gives a brief its sentences.
fn tell(brief: &mut Brief, said: &[&str]) {
    brief.sentences = said
        .iter()
        .map(|text| SourcedSentence {
            section: Section::Summary,
            text: (*text).to_owned(),
            sources: vec![0],
        })
        .collect();
    brief.summary = said.join(" ");
}

/// A brief without names, of an outlet of its own.
fn report(number: u128, category: Category, headline: &str, said: &[&str]) -> Brief {
    let id = format!("PR-2026-03{number:02}-06{number}");
    let at = format!("2026-03-{number:02}T10:00:00Z");
    let mut brief = BriefBuilder::new(60 + number, &id, category, headline)
        .source(&format!("daily{number}.example"), &at)
        .brief;
    tell(&mut brief, said);
    brief
}

/// A painted shell, a lamp and a meal: they hold the word, and nothing else in common.
fn things_with_oil() -> [Brief; 3] {
    [
        report(
            1,
            Category::Culture,
            "Shell painted in oil goes on show",
            &["The shell was painted in oil because the widow of a captain had asked for it."],
        ),
        report(
            2,
            Category::Science,
            "Oil lamp from a cave is 24,000 years old",
            &[
                "The stone lamp burned oil and is expected to be dated again by archaeologists next year.",
            ],
        ),
        report(
            3,
            Category::Health,
            "Fried or boiled: a cook defends olive oil",
            &["The cook defends olive oil for breakfast, whatever dieticians make of fried bread."],
        ),
    ]
}

fn barrels() -> [Brief; 3] {
    [
        report(
            4,
            Category::Energy,
            "Oil jumps as tankers stay in port",
            &[
                "Oil prices jumped to $90 a barrel because tankers stayed away from the strait, traders said.",
            ],
        ),
        report(
            6,
            Category::Energy,
            "Exporters agree to pump more oil",
            &[
                "Exporters agreed to pump more barrels after oil prices jumped, traders of crude said.",
            ],
        ),
        report(
            8,
            Category::Markets,
            "Oil falls as exporters pump more barrels",
            &[
                "Oil prices fell below $80 a barrel and are expected to fall further as exporters pump more crude, traders said.",
            ],
        ),
    ]
}

#[tokio::test]
async fn briefs_with_the_word_and_not_the_topic_make_no_analysis() {
    let (server, member) = world().await;
    for brief in things_with_oil() {
        publish(&server, &brief).await;
    }
    let context = get(&server, &member, "/context?topic=oil", 5).await;
    let across = get(&server, &member, "/intelligence?topic=oil", 8).await;
    for text in [
        &context["summary"],
        &context["data_status"][0]["reason"],
        &across["causal_analysis"],
        &across["prediction"],
        &across["data_status"][0]["reason"],
    ] {
        let text = text.as_str().unwrap();
        assert!(text.starts_with("Too little is known of “oil”"), "{text}");
    }
    let sides = &context["perspectives"];
    assert_eq!(
        (&sides["supporting"], &sides["opposing"], &sides["neutral"]),
        (&"".into(), &"".into(), &"".into())
    );
    assert_eq!(across["causal_chain"], serde_json::json!([]));
    assert_eq!(across["citations"], serde_json::json!([]));
    for body in [&context, &across] {
        assert!(body["confidence"].as_f64().unwrap() < 0.2, "{body}");
    }
}

#[tokio::test]
async fn only_briefs_about_the_topic_take_part() {
    let (server, member) = world().await;
    for brief in things_with_oil().into_iter().chain(barrels()) {
        publish(&server, &brief).await;
    }
    let body = get(&server, &member, "/intelligence?topic=oil", 8).await;
    assert_eq!(body["brief_count"], 3, "{body}");
    let days: Vec<&str> = body["causal_chain"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| link["date"].as_str().unwrap())
        .collect();
    assert_eq!(days, ["2026-03-04", "2026-03-06", "2026-03-08"], "{body}");
    let analysis = body["causal_analysis"].as_str().unwrap();
    assert!(analysis.contains("because tankers"), "{analysis}");
    assert!(!analysis.contains("widow"), "{analysis}");
    let prediction = body["prediction"].as_str().unwrap();
    assert!(
        prediction.contains("expected to fall further") && !prediction.contains("archaeologists"),
        "{prediction}"
    );
    // It quotes a cause and an expectation of three outlets.
    assert!(body["confidence"].as_f64().unwrap() > 0.35, "{body}");
}

#[tokio::test]
async fn a_word_of_a_longer_name_does_not_name_the_topic() {
    let (server, member) = world().await;
    for day in 1..=4_u128 {
        let mut brief = report(
            day,
            Category::Policy,
            &format!("White House weighs talks with Velden, day {day}"),
            &["The White House said on Monday that talks with Velden could begin next week."],
        );
        brief.entities = BriefBuilder::new(1, "PR-2026-0301-1", Category::Policy, "")
            .entity(
                "White House",
                EntityKind::Organization,
                None,
                EntityRole::Subject,
                2,
            )
            .brief
            .entities;
        publish(&server, &brief).await;
    }
    let body = get(&server, &member, "/context?topic=housing", 5).await;
    assert_eq!(body["brief_count"], 0, "{body}");
    let body = get(&server, &member, "/context?topic=White+House", 5).await;
    assert_eq!(body["brief_count"], 4, "{body}");
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
