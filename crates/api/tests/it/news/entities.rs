//! `/entities` and `/entities/{name}/briefs`.

use model::Category;
use serde_json::Value;

use super::fixtures::{
    BEFORE, BETWEEN, CHIPS, CHIPS_REVISED, RATES, ask, ids, keys, narrow, read, refuses, time,
    with, world,
};

fn names(body: &Value) -> Vec<&str> {
    body["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entity| entity["name"].as_str().unwrap())
        .collect()
}

/// The days with mentions.
fn days(body: &Value) -> Vec<(&str, u64)> {
    body["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| {
            (
                day["date"].as_str().unwrap(),
                day["mentions"].as_u64().unwrap(),
            )
        })
        .filter(|(_, mentions)| *mentions > 0)
        .collect()
}

#[tokio::test]
async fn entities_are_listed_and_filtered() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/entities").await;
    assert_eq!(keys(&body), ["entities", "status"]);
    assert_eq!(
        names(&body),
        ["Nimbus Systems", "Harbor Bank", "Harborview", "Maren Oduya"]
    );
    let nimbus = &body["entities"][0];
    assert_eq!(
        keys(nimbus),
        ["brief_count", "last_seen", "name", "ticker", "type"]
    );
    assert_eq!(nimbus["brief_count"], 2);
    assert_eq!(nimbus["ticker"], "NMBS");
    assert_eq!(nimbus["type"], "organization");
    assert_eq!(
        time(nimbus["last_seen"].as_str().unwrap()),
        time(CHIPS_REVISED)
    );
    assert_eq!(body["entities"][1]["ticker"], Value::Null);

    let check = async |query: &str, expected: &[&str]| {
        let body = read(&server, &member, &format!("/entities?{query}")).await;
        assert_eq!(names(&body), expected, "{query}");
    };
    check("q=HARBOR", &["Harbor Bank", "Harborview"]).await;
    check("q=harbor&type=location", &["Harborview"]).await;
    check("type=Organization", &["Nimbus Systems", "Harbor Bank"]).await;
    check("type=event", &[]).await;
    check("q=%25", &[]).await;
    check("limit=1", &["Nimbus Systems"]).await;
    check(
        "limit=100",
        &["Nimbus Systems", "Harbor Bank", "Harborview", "Maren Oduya"],
    )
    .await;

    let past = read(&server, &member, &with("/entities", "as_of", BETWEEN)).await;
    assert_eq!(
        names(&past),
        ["Harborview", "Maren Oduya", "Nimbus Systems"]
    );
    let past = &past["entities"][2];
    assert_eq!(past["brief_count"], 1);
    assert_eq!(
        time(past["last_seen"].as_str().unwrap()),
        time("2026-03-08T09:00:00Z")
    );
    let nothing = read(&server, &member, &with("/entities", "as_of", BEFORE)).await;
    assert!(names(&nothing).is_empty());
}

#[tokio::test]
async fn faults_of_entities_are_named() {
    let (server, member) = world().await;
    refuses(
        &server,
        &member,
        &[
            ("/entities?limit=101", "limit"),
            ("/entities?limit=0", "limit"),
            ("/entities?type=ghost", "type"),
            ("/entities/Nimbus%20Systems/briefs?limit=51", "limit"),
            ("/entities/Nimbus%20Systems/briefs?role=villain", "role"),
            ("/entities/%00/briefs", "name"),
        ],
    )
    .await;
    for name in ["Nobody", "NMB"] {
        ask(&server, &member, &format!("/entities/{name}/briefs"))
            .await
            .expect_error(404, "not_found");
    }
}

#[tokio::test]
async fn an_entity_has_briefs_and_a_fortnight() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/entities/nimbus%20SYSTEMS/briefs").await;
    assert_eq!(
        keys(&body),
        ["briefs", "meta", "peak", "status", "timeline", "trend"]
    );
    assert_eq!(ids(&body), [RATES, CHIPS]);
    assert_eq!(
        keys(&body["briefs"][0]),
        [
            "category",
            "confidence_score",
            "headline",
            "id",
            "published_at"
        ]
    );
    assert_eq!(keys(&body["meta"]), ["entity", "total"]);
    assert_eq!(body["meta"]["entity"], "Nimbus Systems");
    assert_eq!(body["meta"]["total"], 2);

    let timeline = body["timeline"].as_array().unwrap();
    assert_eq!(timeline.len(), 14);
    assert!(timeline.iter().all(|day| keys(day) == ["date", "mentions"]));
    assert_eq!(timeline[0]["date"], "2026-02-25");
    assert_eq!(timeline[13]["date"], "2026-03-10");
    assert_eq!(
        days(&body),
        [("2026-03-08", 3), ("2026-03-09", 1), ("2026-03-10", 3)]
    );
    assert_eq!(body["peak"], 3);
    assert_eq!(body["trend"], "rising");

    let by_ticker = read(&server, &member, "/entities/nmbs/briefs").await;
    assert_eq!(by_ticker, body);

    let check = async |query: &str, expected: &[&str], total: u64| {
        let path = format!("/entities/NMBS/briefs?{query}");
        let body = read(&server, &member, &path).await;
        assert_eq!(ids(&body), expected, "{query}");
        assert_eq!(body["meta"]["total"], total, "{query}");
    };
    check("role=subject", &[CHIPS], 1).await;
    check("role=related", &[RATES], 1).await;
    check("role=mentioned", &[], 0).await;
    check("limit=1", &[RATES], 2).await;
}

#[tokio::test]
async fn a_fortnight_of_the_past_ends_there() {
    let (server, member) = world().await;
    let path = with("/entities/NMBS/briefs", "as_of", BETWEEN);
    let body = read(&server, &member, &path).await;
    assert_eq!(ids(&body), [CHIPS]);
    assert_eq!(body["briefs"][0]["headline"], "Nimbus opens a chip plant");
    assert_eq!(body["timeline"][13]["date"], "2026-03-09");
    assert_eq!(days(&body), [("2026-03-08", 3)]);
    assert_eq!(body["peak"], 3);
}

#[tokio::test]
async fn a_fortnight_falls_and_a_quiet_one_says_when_there_was_more() {
    let (server, member) = world().await;
    server.clock.set("2026-03-17T00:00:00Z");
    let body = read(&server, &member, "/entities/NMBS/briefs?limit=2").await;
    assert_eq!(body["timeline"][0]["date"], "2026-03-04");
    assert_eq!(body["trend"], "falling");
    assert_eq!(body["peak"], 3);
    assert_eq!(keys(&body["meta"]), ["entity", "total"]);

    server.clock.set("2026-04-20T12:00:00Z");
    let body = read(&server, &member, "/entities/NMBS/briefs").await;
    assert_eq!(body["peak"], 0);
    assert_eq!(body["trend"], "stable");
    assert_eq!(body["timeline"][13]["date"], "2026-04-20");
    assert_eq!(keys(&body["meta"]), ["entity", "newest_available", "total"]);
    assert_eq!(
        time(body["meta"]["newest_available"].as_str().unwrap()),
        time(CHIPS_REVISED)
    );
}

#[tokio::test]
async fn a_narrow_key_knows_only_who_its_categories_name() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Tech]).await;
    let body = read(&server, &member, "/entities").await;
    assert_eq!(names(&body), ["Nimbus Systems"]);
    assert_eq!(body["entities"][0]["brief_count"], 1);
    let body = read(&server, &member, "/entities/NMBS/briefs").await;
    assert_eq!(ids(&body), [CHIPS]);
    assert_eq!(body["meta"]["total"], 1);
    assert_eq!(days(&body), [("2026-03-08", 3), ("2026-03-10", 3)]);
}

#[tokio::test]
async fn an_entity_of_other_categories_is_unknown_to_a_narrow_key() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Tech]).await;
    for path in [
        "/entities/Harbor%20Bank/briefs",
        "/entities/Maren%20Oduya/briefs?limit=1",
    ] {
        ask(&server, &member, path)
            .await
            .expect_error(404, "not_found");
    }
}

#[tokio::test]
async fn nothing_of_the_future_is_reported_of_an_entity() {
    let (server, member) = world().await;
    // Named on the 8th, the 9th and the 10th of March, so nothing was known of it then.
    let path = with("/entities/NMBS/briefs", "as_of", BEFORE);
    let reply = ask(&server, &member, &path).await;
    assert!(!reply.text().contains("2026-03-"), "{}", reply.text());
}
