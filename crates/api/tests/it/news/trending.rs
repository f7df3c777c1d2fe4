//! `/trending` and `/entities/trending`.

use model::{Brief, Category, EntityKind, EntityRole};
use serde_json::Value;

use super::fixtures::{
    BETWEEN, BriefBuilder, ask, brief_keys, ids, keys, narrow, publish, read, refuses, time, with,
    world,
};
use crate::support::TestServer;

const FIRE: &str = "PR-2026-0310-010";
const STRIKE: &str = "PR-2026-0310-011";

/// A story that outlets report at these minutes after ten.
fn burst(number: u128, id: &str, category: Category, minutes: &[u32]) -> Brief {
    let mut builder = BriefBuilder::new(number, id, category, "A warehouse burns");
    for (outlet, minute) in minutes.iter().enumerate() {
        builder = builder.source(
            &format!("outlet{outlet}.example"),
            &format!("2026-03-10T10:{minute:02}:00Z"),
        );
    }
    builder.brief
}

async fn mark(server: &TestServer, brief: &Brief, at: &str) {
    let store = &server.state.store;
    let mut transaction = store.news_transaction().await.unwrap();
    transaction
        .mark_trending(brief.id, brief.revision, time(at))
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    store.outbox().sequence().await.unwrap();
    server
        .state
        .set_revision(store.outbox().head().await.unwrap());
}

/// Two stories that trend, at noon of the tenth.
async fn busy(server: &TestServer) {
    let fire = burst(10, FIRE, Category::World, &[0, 10, 20, 30]);
    let strike = burst(11, STRIKE, Category::Business, &[0, 1, 2, 3, 4, 5]);
    publish(server, &fire).await;
    publish(server, &strike).await;
    mark(server, &fire, "2026-03-10T10:30:00Z").await;
    mark(server, &strike, "2026-03-10T10:05:00Z").await;
}

#[tokio::test]
async fn what_trends_is_listed_by_how_fast_outlets_join() {
    let (server, member) = world().await;
    busy(&server).await;
    let body = read(&server, &member, "/trending").await;
    assert_eq!(keys(&body), ["briefs", "meta", "status"]);
    assert_eq!(ids(&body), [STRIKE, FIRE], "six outlets before four");
    let strike = &body["briefs"][0];
    assert_eq!(
        keys(strike),
        brief_keys(&["trend_score", "trending_since", "velocity"])
    );
    assert_eq!(strike["trending"], true);
    assert_eq!(strike["trending_since"], "2026-03-10T10:05:00Z");
    assert_eq!(
        strike["velocity"],
        serde_json::json!({"outlets_6h": 6, "outlets_24h": 6, "articles_24h": 6, "outlets_per_hour": 1.0})
    );
    let score = strike["trend_score"].as_f64().unwrap();
    // Each of the six counts a little more than 0.5^(2/6).
    assert!((4.76..4.80).contains(&score), "{score}");
    assert_eq!(body["meta"], serde_json::json!({"count": 2}));

    let check = async |query: &str, expected: &[&str]| {
        let body = read(&server, &member, &format!("/trending?{query}")).await;
        assert_eq!(ids(&body), expected, "{query}");
    };
    check("limit=1", &[STRIKE]).await;
    check("category=World", &[FIRE]).await;
    check("limit=50", &[STRIKE, FIRE]).await;
    let then = with("/trending", "as_of", "2026-03-10T10:20:00Z");
    let body = read(&server, &member, &then).await;
    assert_eq!(
        ids(&body),
        [STRIKE],
        "the other was marked, and known, ten minutes later"
    );
}

#[tokio::test]
async fn what_nobody_reported_for_a_day_has_a_score_of_zero_without_a_sign() {
    let (server, member) = world().await;
    let bridge = "PR-2026-0308-012";
    let builder = BriefBuilder::new(12, bridge, Category::World, "A bridge closes");
    let brief = builder
        .source("courier.example", "2026-03-08T12:00:00Z")
        .brief;
    publish(&server, &brief).await;
    mark(&server, &brief, "2026-03-10T11:00:00Z").await;
    let body = read(&server, &member, "/trending").await;
    assert_eq!(ids(&body), [bridge]);
    let score = body["briefs"][0]["trend_score"].as_f64().unwrap();
    assert!(score == 0.0 && score.is_sign_positive(), "{score}");
}

#[tokio::test]
async fn an_empty_list_says_when_there_was_something() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/trending").await;
    assert!(ids(&body).is_empty());
    assert_eq!(keys(&body["meta"]), ["count", "newest_available"]);
    assert_eq!(body["meta"]["newest_available"], "2026-03-09T23:59:59.999Z");
    busy(&server).await;
    server.clock.set("2026-03-11T10:29:59Z");
    let body = read(&server, &member, "/trending").await;
    assert_eq!(ids(&body), [FIRE], "the last second of its day");
    assert_eq!(body["briefs"][0]["trending"], false, "six hours are over");
    server.clock.set("2026-03-11T10:30:00Z");
    let body = read(&server, &member, "/trending?category=world").await;
    assert!(ids(&body).is_empty());
    assert_eq!(body["meta"]["last_trending_at"], "2026-03-10T10:30:00Z");
    let then = with("/trending", "as_of", BETWEEN);
    let body = read(&server, &member, &then).await;
    assert!(body["meta"]["last_trending_at"].is_null());
}

#[tokio::test]
async fn a_narrow_key_sees_only_its_trends() {
    let (server, _) = world().await;
    busy(&server).await;
    let member = narrow(&server, &[Category::World]).await;
    let body = read(&server, &member, "/trending").await;
    assert_eq!(ids(&body), [FIRE]);
    ask(&server, &member, "/trending?category=business")
        .await
        .expect_error(403, "category_not_allowed");
}

#[tokio::test]
async fn faults_of_trends_are_named() {
    let (server, member) = world().await;
    let future = with("/trending", "as_of", "2026-03-10T12:00:01Z");
    refuses(
        &server,
        &member,
        &[
            ("/trending?limit=51", "limit"),
            ("/trending?limit=0", "limit"),
            ("/trending?category=gossip", "category"),
            (&future, "as_of"),
            ("/entities/trending?limit=101", "limit"),
            ("/entities/trending?period=1y", "period"),
            ("/entities/trending?type=ghost", "type"),
        ],
    )
    .await;
}

fn rows(body: &Value) -> Vec<(&str, u64, u64)> {
    body["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entity| {
            (
                entity["name"].as_str().unwrap(),
                entity["mentions"].as_u64().unwrap(),
                entity["previous_mentions"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn entities_rise_against_the_time_before() {
    let (server, member) = world().await;
    // Within 24 hours before noon of the tenth: Harbor Bank 4, Nimbus 1 + 3; before that nobody.
    let body = read(&server, &member, "/entities/trending").await;
    assert_eq!(keys(&body), ["entities", "meta", "status"]);
    assert_eq!(
        rows(&body),
        [("Harbor Bank", 4, 0), ("Nimbus Systems", 4, 0)]
    );
    let nimbus = &body["entities"][1];
    assert_eq!(
        keys(nimbus),
        [
            "brief_count",
            "change_pct",
            "last_seen",
            "mentions",
            "name",
            "previous_mentions",
            "sentiment",
            "ticker",
            "type"
        ]
    );
    assert_eq!(nimbus["ticker"], "NMBS");
    assert_eq!(nimbus["brief_count"], 2);
    assert_eq!(nimbus["last_seen"], "2026-03-10T09:00:00Z");
    assert_eq!(nimbus["change_pct"], Value::Null, "from nothing");
    assert_eq!(nimbus["sentiment"], 0.5);
    assert_eq!(body["meta"]["count"], 2);
    assert_eq!(body["meta"]["from"], "2026-03-09T12:00:00Z");
    assert_eq!(body["meta"]["to"], "2026-03-10T12:00:00Z");

    let builder = BriefBuilder::new(20, "PR-2026-0310-020", Category::Tech, "Nimbus grows")
        .source("courier.example", "2026-03-10T11:30:00Z")
        .entity(
            "Nimbus Systems",
            EntityKind::Organization,
            Some("NMBS"),
            EntityRole::Subject,
            8,
        );
    publish(&server, &builder.brief).await;
    server.clock.set("2026-03-11T09:00:01Z");
    let body = read(&server, &member, "/entities/trending").await;
    assert_eq!(rows(&body), [("Nimbus Systems", 8, 4)]);
    assert_eq!(body["entities"][0]["change_pct"], 100.0);

    let week = read(&server, &member, "/entities/trending?period=7D").await;
    assert_eq!(week["meta"]["period"], "7d");
    assert_eq!(
        rows(&week),
        [
            ("Nimbus Systems", 15, 0),
            ("Maren Oduya", 6, 0),
            ("Harbor Bank", 4, 0)
        ]
    );
    let check = async |query: &str, expected: &[&str]| {
        let path = format!("/entities/trending?period=7d&{query}");
        let body = read(&server, &member, &path).await;
        let names: Vec<_> = rows(&body).into_iter().map(|row| row.0).collect();
        assert_eq!(names, expected, "{query}");
    };
    check("type=person", &["Maren Oduya"]).await;
    check("limit=1", &["Nimbus Systems"]).await;
}

#[tokio::test]
async fn a_quiet_day_says_when_somebody_was_named() {
    let (server, member) = world().await;
    server.clock.set("2026-03-20T00:00:00Z");
    let body = read(&server, &member, "/entities/trending").await;
    assert!(rows(&body).is_empty());
    assert_eq!(body["meta"]["newest_available"], "2026-03-10T09:00:00Z");
    let then = with("/entities/trending", "as_of", BETWEEN);
    let body = read(&server, &member, &then).await;
    assert!(!body.to_string().contains("2026-03-10"), "{body}");
}

#[tokio::test]
async fn a_narrow_key_counts_only_its_categories() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Economy]).await;
    let body = read(&server, &member, "/entities/trending").await;
    assert_eq!(
        rows(&body),
        [("Harbor Bank", 4, 0), ("Nimbus Systems", 1, 0)]
    );
    assert_eq!(body["entities"][1]["brief_count"], 1);
}
