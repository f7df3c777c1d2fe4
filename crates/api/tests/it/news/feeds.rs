//! `/feed` and `/agent-feed`.

use model::Category;

use super::fixtures::{
    BEFORE, BETWEEN, CHIPS, MATCH, NEWEST_FIRST, RATES, STORM, VACCINE, ask, brief_keys, ids, keys,
    late, narrow, publish, read, refuses, time, with, world,
};

#[tokio::test]
async fn a_feed_has_exactly_its_fields() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/feed").await;
    assert_eq!(keys(&body), ["briefs", "meta", "status"]);
    assert_eq!(keys(&body["meta"]), ["page", "per_page", "total"]);
    assert_eq!(body["meta"]["total"], 5);
    assert_eq!(body["meta"]["page"], 1);
    assert_eq!(body["meta"]["per_page"], 20);
    assert_eq!(ids(&body), NEWEST_FIRST);

    for brief in body["briefs"].as_array().unwrap() {
        let further: &[&str] = if brief["id"] == STORM {
            &["simulated"]
        } else {
            &[]
        };
        assert_eq!(keys(brief), brief_keys(further));
    }
    assert_eq!(body["briefs"][0]["simulated"], true);

    let chips = &body["briefs"][2];
    assert_eq!(
        chips["headline"],
        "Nimbus opens a <b>second</b> chip plant & hires"
    );
    assert_eq!(chips["category"], "tech");
    assert_eq!(chips["confidence"], chips["confidence_score"]);
    assert_eq!(chips["source_count"], 2);
    assert_eq!(chips["update_count"], 1);
    assert_eq!(chips["entities"][0], "Nimbus Systems");
    assert_eq!(chips["trending"], false);
    assert_eq!(
        keys(&chips["sources"][0]),
        [
            "domain",
            "name",
            "published_at",
            "syndicated",
            "trust_level",
            "url"
        ]
    );
    assert_eq!(chips["sources"][0]["trust_level"], "medium");
    assert_eq!(
        keys(&chips["entities_enriched"][0]),
        ["mentions", "name", "role", "sentiment", "ticker", "type"]
    );
    assert_eq!(chips["entities_enriched"][0]["ticker"], "NMBS");
    assert_eq!(
        keys(&chips["provenance"]),
        [
            "bias_score",
            "confidence_score",
            "known_at",
            "recorded_at",
            "review_status",
            "revision",
            "uuid"
        ]
    );
    assert_eq!(chips["provenance"]["revision"], 2);
    assert_eq!(chips["provenance"]["review_status"], "corroborated");
    assert_eq!(
        body["briefs"][1]["provenance"]["review_status"],
        "automated"
    );
}

#[tokio::test]
async fn a_feed_is_paged_sorted_and_filtered() {
    let (server, member) = world().await;
    let listed = async |path: &str| {
        let body = read(&server, &member, path).await;
        let ids: Vec<_> = ids(&body).into_iter().map(str::to_owned).collect();
        (ids, body["meta"]["total"].as_u64().unwrap())
    };
    let check = async |path: &str, expected: &[&str], total: u64| {
        assert_eq!(
            listed(path).await,
            (expected.iter().map(|&id| id.to_owned()).collect(), total),
            "{path}"
        );
    };
    check("/feed?per_page=2", &NEWEST_FIRST[..2], 5).await;
    check("/feed?per_page=2&page=2", &NEWEST_FIRST[2..4], 5).await;
    check("/feed?per_page=2&page=3", &NEWEST_FIRST[4..], 5).await;
    check("/feed?per_page=2&page=4", &[], 5).await;
    check("/feed?sort=published", &NEWEST_FIRST, 5).await;
    check(
        "/feed?sort=updated",
        &[CHIPS, STORM, RATES, VACCINE, MATCH],
        5,
    )
    .await;
    for category in ["tech", "TECH", "Tech"] {
        check(&format!("/feed?category={category}"), &[CHIPS], 1).await;
    }
    check("/feed?updates_only=true", &[CHIPS], 1).await;
    check("/feed?updates_only=false", &NEWEST_FIRST, 5).await;
    check(
        "/feed?include_sources=courier.example",
        &[CHIPS, VACCINE],
        2,
    )
    .await;
    check(
        "/feed?include_sources=weather.example,TRIBUNE.example",
        &[STORM, VACCINE, MATCH],
        3,
    )
    .await;
    check(
        &with("/feed", "include_sources", "https://www.weather.example/x"),
        &[STORM],
        1,
    )
    .await;
    check("/feed?exclude_sources=ledger.example", &[STORM, MATCH], 2).await;
    check(
        "/feed?include_sources=courier.example&exclude_sources=tribune.example",
        &[CHIPS],
        1,
    )
    .await;

    let nowhere = read(&server, &member, "/feed?include_sources=nowhere.example").await;
    assert_eq!(nowhere["meta"]["total"], 0);
    assert_eq!(
        nowhere["meta"]["newest_available"].as_str().map(time),
        Some(time("2026-03-09T23:59:59.999Z"))
    );
}

#[tokio::test]
async fn faults_of_a_feed_are_named() {
    let (server, member) = world().await;
    refuses(
        &server,
        &member,
        &[
            ("/feed?per_page=51", "per_page"),
            ("/feed?per_page=0", "per_page"),
            ("/feed?page=0", "page"),
            ("/feed?page=-1", "page"),
            ("/feed?category=gossip", "category"),
            ("/feed?sort=loudest", "sort"),
            ("/feed?updates_only=maybe", "updates_only"),
            ("/feed?as_of=yesterday", "as_of"),
            ("/feed?as_of=2026-03-10T12:00:01Z", "as_of"),
            ("/agent-feed?limit=51", "limit"),
            ("/agent-feed?min_confidence=1.1", "min_confidence"),
            ("/agent-feed?category=gossip", "category"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_feed_of_the_past_shows_what_was_known() {
    let (server, member) = world().await;
    let before = read(&server, &member, &with("/feed", "as_of", BEFORE)).await;
    assert_eq!(
        (ids(&before).len(), &before["meta"]["total"]),
        (0, &0.into())
    );

    let between = read(&server, &member, &with("/feed", "as_of", BETWEEN)).await;
    assert_eq!(ids(&between), [CHIPS, VACCINE, MATCH]);
    let chips = &between["briefs"][0];
    assert_eq!(chips["headline"], "Nimbus opens a chip plant");
    assert_eq!(chips["provenance"]["revision"], 1);
    assert_eq!(chips["source_count"], 1);
    let updated = with("/feed?updates_only=true", "as_of", BETWEEN);
    let updated = read(&server, &member, &updated).await;
    assert_eq!(updated["meta"]["total"], 0);
    // What the window lacks is reported, but not from the future.
    assert_eq!(
        updated["meta"]["newest_available"].as_str().map(time),
        Some(time("2026-03-08T09:00:00Z"))
    );

    let agent = read(&server, &member, &with("/agent-feed", "as_of", BETWEEN)).await;
    assert_eq!(ids(&agent), [CHIPS, VACCINE, MATCH]);
    assert_eq!(agent["briefs"][0]["headline"], "Nimbus opens a chip plant");
}

#[tokio::test]
async fn agents_read_short_records() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/agent-feed").await;
    assert_eq!(keys(&body), ["briefs", "meta", "status"]);
    assert_eq!(keys(&body["meta"]), ["count"]);
    assert_eq!(body["meta"]["count"], 5);
    assert_eq!(ids(&body), NEWEST_FIRST);
    let fields = [
        "bias_score",
        "category",
        "confidence_score",
        "headline",
        "id",
        "published_at",
        "source_count",
        "summary",
    ];
    assert_eq!(keys(&body["briefs"][1]), fields);
    assert_eq!(body["briefs"][0]["simulated"], true);

    let check = async |path: &str, expected: &[&str]| {
        let body = read(&server, &member, path).await;
        assert_eq!(ids(&body), expected, "{path}");
        assert_eq!(body["meta"]["count"], expected.len(), "{path}");
    };
    check("/agent-feed?limit=2", &NEWEST_FIRST[..2]).await;
    check("/agent-feed?min_confidence=0.8", &[RATES, VACCINE]).await;
    check("/agent-feed?min_confidence=1", &[]).await;
    check("/agent-feed?tags=trial", &[RATES, VACCINE]).await;
    check("/agent-feed?tags=Storm,football", &[STORM, MATCH]).await;
    check("/agent-feed?category=HEALTH&tags=trial", &[VACCINE]).await;
    check(
        "/agent-feed?exclude_sources=ledger.example",
        &[STORM, MATCH],
    )
    .await;
}

#[tokio::test]
async fn a_narrow_key_reads_only_its_categories() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Tech, Category::Health]).await;
    for path in ["/feed", "/agent-feed"] {
        let body = read(&server, &member, path).await;
        assert_eq!(ids(&body), [CHIPS, VACCINE], "{path}");
        let body = read(&server, &member, &format!("{path}?category=health")).await;
        assert_eq!(ids(&body), [VACCINE], "{path}");
        ask(&server, &member, &format!("{path}?category=economy"))
            .await
            .expect_error(403, "category_not_allowed");
    }
    let body = read(&server, &member, "/feed?include_sources=nowhere.example").await;
    assert_eq!(
        body["meta"]["newest_available"].as_str().map(time),
        Some(time("2026-03-08T09:00:00Z")),
        "the newest that this key sees"
    );
}

#[tokio::test]
async fn a_publication_changes_the_tag() {
    let (server, member) = world().await;
    let first = ask(&server, &member, "/feed").await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    let again = async |tag: &str| {
        server
            .get("/api/v1/feed")
            .bearer(&member.key)
            .header("if-none-match", tag)
            .send()
            .await
    };
    let same = again(&tag).await;
    assert_eq!(same.status.as_u16(), 304);
    assert!(same.body.is_empty());
    assert_eq!(same.header("etag"), tag);

    publish(&server, &late().brief).await;
    let newer = again(&tag).await;
    assert_eq!(newer.status.as_u16(), 200);
    assert_ne!(newer.header("etag"), tag);
    let body = newer.json();
    assert_eq!(ids(&body)[0], "PR-2026-0310-001");
    assert_eq!(body["meta"]["total"], 6);
}
