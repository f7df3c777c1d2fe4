//! `/brief/{id}/timeline` and `/brief/{id}/diff`.

use model::{Brief, Category, Section, SourcedSentence};
use serde_json::{Value, json};

use super::fixtures::{
    self, BETWEEN, BriefBuilder, CHIPS, RATES, ask, keys, merge, narrow, publish, read, refuses,
    time, with, world,
};
use crate::support::TestServer;

pub(super) const FERRY: &str = "PR-2026-0310-030";

/// A brief whose toll rises in its second revision, and which trends then.
pub(super) async fn ferry(server: &TestServer) {
    let sentences = |brief: &mut Brief, texts: &[(&str, &[u32])]| {
        brief.sentences = texts
            .iter()
            .map(|(text, sources)| SourcedSentence {
                section: Section::Summary,
                text: (*text).to_owned(),
                sources: sources.to_vec(),
            })
            .collect();
        brief.summary = texts
            .iter()
            .map(|(text, _)| *text)
            .collect::<Vec<_>>()
            .join(" ");
    };
    let builder = BriefBuilder::new(30, FERRY, Category::World, "A ferry sinks off Marn")
        .source("courier.example", "2026-03-10T08:00:00Z");
    let mut first = builder.brief;
    sentences(
        &mut first,
        &[
            ("A ferry sank off Marn on Tuesday.", &[0]),
            ("At least 12 people were killed.", &[0]),
        ],
    );
    publish(server, &first).await;
    let mut builder = BriefBuilder { brief: first }
        .revised("A ferry sinks off Marn")
        .source("ledger.example", "2026-03-10T09:00:00Z")
        .confidence(0.7);
    sentences(
        &mut builder.brief,
        &[
            ("A ferry sank off Marn on Tuesday.", &[0, 1]),
            ("At least 14 people were killed.", &[1]),
        ],
    );
    publish(server, &builder.brief).await;
    let store = &server.state.store;
    let mut transaction = store.news_transaction().await.unwrap();
    transaction
        .mark_trending(builder.brief.id, 2, time("2026-03-10T09:00:00Z"))
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    store.outbox().sequence().await.unwrap();
    server
        .state
        .set_revision(store.outbox().head().await.unwrap());
}

/// The brief divided from the ferry's.
pub(super) const HARBOUR: &str = "PR-2026-0310-031";

/// Divides the brief of the ferry: its second source has a brief of its own from ten on.
pub(super) async fn divide(server: &TestServer) {
    let part = BriefBuilder::new(31, HARBOUR, Category::World, "Marn closes its harbour").brief;
    fixtures::divide(server, FERRY, part, time("2026-03-10T10:00:00Z")).await;
}

#[tokio::test]
async fn a_brief_that_became_part_of_another_one_answers_with_that() {
    let (server, member) = world().await;
    ferry(&server).await;
    divide(&server).await;
    merge(&server, HARBOUR, FERRY, time("2026-03-10T11:00:00Z")).await;
    let stays = read(&server, &member, &format!("/brief/{HARBOUR}")).await;
    assert_eq!(stays["brief"]["id"], FERRY);
    assert_eq!(stays["brief"]["merged_from"], json!([HARBOUR]));
    assert_eq!(stays["brief"].get("merged_into"), None);
    assert_eq!(stays["brief"]["sources"].as_array().unwrap().len(), 2);
    let body = read(&server, &member, &format!("/brief/{HARBOUR}/timeline")).await;
    assert_eq!(body["brief_id"], FERRY);
    assert_eq!(events(&body).last(), Some(&(4, "merged")));
    let entries = body["timeline"].as_array().unwrap();
    let last = entries.last().unwrap();
    assert_eq!(last["merged_from"], HARBOUR);
    assert_eq!(last["at"], "2026-03-10T11:00:00Z");
    let then = format!("/brief/{HARBOUR}?as_of=2026-03-10T10:30:00Z");
    let then = read(&server, &member, &then).await;
    assert_eq!(then["brief"]["id"], HARBOUR);
    let list = read(&server, &member, "/feed?limit=100").await;
    assert!(!list.to_string().contains("Marn closes its harbour"));
}

#[tokio::test]
async fn a_source_whose_story_became_part_of_another_one_says_so() {
    let (server, member) = world().await;
    ferry(&server).await;
    let other = "PR-2026-0310-032";
    let piece = BriefBuilder::new(32, other, Category::World, "Ferry lost off Marn")
        .source("herald.example", "2026-03-10T08:30:00Z");
    publish(&server, &piece.brief).await;
    merge(&server, other, FERRY, time("2026-03-10T11:00:00Z")).await;
    let body = read(&server, &member, &format!("/brief/{other}?explain=true")).await;
    let how: Vec<&str> = body["brief"]["explanation"]["placements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|placement| placement["how"].as_str().unwrap())
        .collect();
    assert_eq!(how, ["founded", "joined", "merged"], "{body}");
}

#[tokio::test]
async fn both_parts_of_a_divided_brief_point_to_each_other() {
    let (server, member) = world().await;
    ferry(&server).await;
    divide(&server).await;
    let body = read(&server, &member, &format!("/brief/{FERRY}/timeline")).await;
    assert_eq!(
        events(&body),
        [
            (1, "published"),
            (2, "updated"),
            (2, "trending"),
            (3, "split")
        ]
    );
    assert_eq!(body["timeline"][3]["split_into"], HARBOUR);
    assert_eq!(body["timeline"][3]["at"], "2026-03-10T10:00:00Z");
    let body = read(&server, &member, &format!("/brief/{HARBOUR}/timeline")).await;
    assert_eq!(events(&body), [(1, "published")]);
    assert_eq!(body["timeline"][0]["split_from"], FERRY);
    let stays = read(&server, &member, &format!("/brief/{FERRY}")).await;
    assert_eq!(stays["brief"]["split_into"], json!([HARBOUR]));
    assert_eq!(stays["brief"]["sources"].as_array().unwrap().len(), 1);
    let goes = read(&server, &member, &format!("/brief/{HARBOUR}?explain=true")).await;
    assert_eq!(goes["brief"]["split_from"], FERRY);
    assert!(
        goes.to_string()
            .contains("It was a source of PR-2026-0310-030"),
        "{goes}"
    );
    // As it was known before.
    let then = format!("/brief/{FERRY}?as_of=2026-03-10T09:30:00Z");
    let then = read(&server, &member, &then).await;
    assert_eq!(then["brief"]["sources"].as_array().unwrap().len(), 2);
    assert_eq!(then["brief"].get("split_into"), None);
    let early = format!("/brief/{HARBOUR}?as_of=2026-03-10T09:30:00Z");
    let refused = ask(&server, &member, &early).await;
    refused.expect_error(404, "not_found");
}

fn events(body: &Value) -> Vec<(u64, &str)> {
    body["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["revision"].as_u64().unwrap(),
                entry["event"].as_str().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_timeline_tells_every_revision() {
    let (server, member) = world().await;
    ferry(&server).await;
    let body = read(&server, &member, &format!("/brief/{FERRY}/timeline")).await;
    assert_eq!(keys(&body), ["brief_id", "meta", "status", "timeline"]);
    assert_eq!(body["brief_id"], FERRY);
    assert_eq!(
        events(&body),
        [(1, "published"), (2, "updated"), (2, "trending")]
    );
    assert_eq!(body["meta"], json!({"count": 3, "revision": 2}));
    let first = &body["timeline"][0];
    assert_eq!(
        keys(first),
        [
            "at",
            "changes",
            "confidence_score",
            "event",
            "headline",
            "recorded_at",
            "revision",
            "source_added",
            "source_count"
        ]
    );
    assert_eq!(first["at"], "2026-03-10T08:00:00Z");
    assert_eq!(first["recorded_at"], "2026-03-10T12:00:00Z");
    assert_eq!(first["changes"], json!([]));
    assert_eq!(first["source_added"]["name"], "COURIER.EXAMPLE");
    let second = &body["timeline"][1];
    assert_eq!(second["source_added"]["domain"], "ledger.example");
    assert_eq!(second["source_count"], 2);
    assert_eq!(second["confidence_score"], 0.7);
    assert_eq!(
        second["changes"],
        json!([
            {"field": "sources", "before": 1, "after": 2},
            {"field": "sentences", "before": 1, "after": 1},
            {
                "field": "figure",
                "before": 12,
                "after": 14,
                "measure": "killed",
                "before_printed": "12 people",
                "after_printed": "14 people",
            },
        ])
    );
    assert_eq!(body["timeline"][2]["source_added"], Value::Null);

    let then = with(
        &format!("/brief/{FERRY}/timeline"),
        "as_of",
        "2026-03-10T08:30:00Z",
    );
    let body = read(&server, &member, &then).await;
    assert_eq!(events(&body), [(1, "published")]);
    assert_eq!(body["meta"]["revision"], 1);
}

#[tokio::test]
async fn a_revision_under_another_headline_says_so() {
    let (server, member) = world().await;
    let body = read(&server, &member, &format!("/brief/{CHIPS}/timeline")).await;
    assert_eq!(
        body["timeline"][1]["changes"][0],
        json!({
            "field": "headline",
            "before": "Nimbus opens a chip plant",
            "after": "Nimbus opens a <b>second</b> chip plant & hires",
        })
    );
}

#[tokio::test]
async fn a_diff_goes_sentence_by_sentence() {
    let (server, member) = world().await;
    ferry(&server).await;
    let body = read(&server, &member, &format!("/brief/{FERRY}/diff")).await;
    assert_eq!(
        keys(&body),
        [
            "bias",
            "brief_id",
            "category",
            "confidence",
            "figures_changed",
            "from",
            "from_at",
            "headline",
            "sentences",
            "sources_added",
            "sources_removed",
            "status",
            "summary",
            "to",
            "to_at"
        ]
    );
    assert_eq!((&body["from"], &body["to"]), (&json!(1), &json!(2)));
    assert_eq!(body["from_at"], "2026-03-10T08:00:00Z");
    assert_eq!(body["headline"]["changed"], false);
    assert_eq!(body["summary"]["changed"], true);
    assert_eq!(body["confidence"], json!({"before": 0.5, "after": 0.7}));
    assert_eq!(body["sentences"]["kept"], 1);
    let added = &body["sentences"]["added"][0];
    assert_eq!(
        added,
        &json!({
            "text": "At least 14 people were killed.",
            "section": "summary",
            "sources": [{"name": "LEDGER.EXAMPLE", "url": format!("https://ledger.example/{FERRY}")}],
            "replaces": "At least 12 people were killed.",
        })
    );
    assert_eq!(
        body["sentences"]["removed"][0]["text"],
        "At least 12 people were killed."
    );
    assert_eq!(
        body["sentences"]["removed"][0]["sources"][0]["name"],
        "COURIER.EXAMPLE"
    );
    assert_eq!(body["sources_added"].as_array().unwrap().len(), 1);
    assert_eq!(body["sources_added"][0]["trust_level"], "medium");
    assert_eq!(
        body["figures_changed"],
        json!([{"measure": "killed", "entity": null, "before": "12 people", "after": "14 people"}])
    );

    let check = async |query: &str, from: u64, to: u64, added: usize| {
        let body = read(&server, &member, &format!("/brief/{FERRY}/diff?{query}")).await;
        assert_eq!(
            (
                body["from"].as_u64(),
                body["to"].as_u64(),
                body["sentences"]["added"].as_array().map(Vec::len)
            ),
            (Some(from), Some(to), Some(added)),
            "{query}"
        );
    };
    check("to=2", 1, 2, 1).await;
    check("from=1", 1, 2, 1).await;
    check("from=2&to=1", 2, 1, 1).await;
    check("to=1", 1, 1, 0).await;
    check("from=2&to=2", 2, 2, 0).await;
    check("as_of=2026-03-10T08:30:00Z", 1, 1, 0).await;
    let body = read(&server, &member, &format!("/brief/{RATES}/diff")).await;
    assert_eq!(body["sentences"]["kept"], 2, "its headline is not counted");
}

#[tokio::test]
async fn faults_of_revisions_are_named() {
    let (server, member) = world().await;
    let path = |query: &str| format!("/brief/{CHIPS}/diff?{query}");
    let past = with(&path("to=2"), "as_of", BETWEEN);
    refuses(
        &server,
        &member,
        &[
            (&path("from=0"), "from"),
            (&path("from=3"), "from: there is no revision 3"),
            (&path("to=9"), "to: there is no revision 9"),
            (&path("to=x"), "to"),
            (&past, "to: there is no revision 2; the newest is 1"),
        ],
    )
    .await;
    for path in [
        "/brief/PR-2026-0308-099/timeline",
        "/brief/PR-2026-0308-099/diff",
        "/brief/x/timeline",
    ] {
        ask(&server, &member, path)
            .await
            .expect_error(404, "not_found");
    }
    let unborn = with(&format!("/brief/{CHIPS}/timeline"), "as_of", "2026-03-01");
    ask(&server, &member, &unborn)
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn a_narrow_key_sees_no_revision_of_other_categories() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Sports]).await;
    ask(&server, &member, &format!("/brief/{CHIPS}/timeline"))
        .await
        .expect_error(404, "not_found");
    // The story of a match becomes one of business, and back.
    let all = server.unlimited().await;
    let mut brief = BriefBuilder::new(40, "PR-2026-0310-040", Category::Sports, "Rovers are sold")
        .source("courier.example", "2026-03-10T07:00:00Z")
        .brief;
    publish(&server, &brief).await;
    for (category, at) in [
        (Category::Business, "2026-03-10T08:00:00Z"),
        (Category::Sports, "2026-03-10T09:00:00Z"),
    ] {
        let mut builder = BriefBuilder { brief }
            .revised("Rovers are sold for more")
            .source("ledger.example", at);
        builder.brief.category = category;
        builder.brief.sources.last_mut().unwrap().url = format!("https://ledger.example/{at}");
        publish(&server, &builder.brief).await;
        brief = builder.brief;
    }
    let path = "/brief/PR-2026-0310-040";
    let body = read(&server, &all, &format!("{path}/timeline")).await;
    assert_eq!(events(&body).len(), 3);
    let body = read(&server, &member, &format!("{path}/timeline")).await;
    assert_eq!(events(&body), [(1, "published"), (3, "updated")]);
    refuses(&server, &member, &[(&format!("{path}/diff"), "from")]).await;
    let body = read(&server, &member, &format!("{path}/diff?from=1")).await;
    assert_eq!(body["category"]["changed"], false);
    assert_eq!(body["to"], 3);
}
