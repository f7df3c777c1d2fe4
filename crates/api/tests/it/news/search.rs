//! `/search`.

use model::Category;
use serde_json::Value;

use super::fixtures::{
    BEFORE, BETWEEN, CHIPS, EVERYWHERE, MATCH, NEWEST_FIRST, RATES, STORM, VACCINE, ask,
    brief_keys, ids, keys, narrow, read, refuses, time, with, world,
};

fn facet_sum(body: &Value) -> u64 {
    let facets = body["facets"].as_object().unwrap();
    facets.values().map(|count| count.as_u64().unwrap()).sum()
}

#[tokio::test]
async fn an_answer_has_exactly_its_fields() {
    let (server, member) = world().await;
    let body = read(&server, &member, &with("/search", "q", EVERYWHERE)).await;
    assert_eq!(
        keys(&body),
        [
            "briefs",
            "facets",
            "meta",
            "query",
            "related_queries",
            "status",
            "took_ms",
            "total"
        ]
    );
    assert_eq!(
        keys(&body["meta"]),
        ["depth", "page", "per_page", "sort", "total"]
    );
    assert_eq!(body["query"], EVERYWHERE);
    assert_eq!(body["total"], 5);
    assert_eq!(body["meta"]["total"], 5);
    assert_eq!(body["meta"]["sort"], "relevance");
    assert_eq!(body["meta"]["depth"], "standard");
    assert_eq!(facet_sum(&body), 5);
    assert_eq!(
        keys(&body["facets"]),
        ["climate", "economy", "health", "sports", "tech"]
    );
    assert!(body["took_ms"].as_f64().unwrap() >= 0.0);
    for brief in body["briefs"].as_array().unwrap() {
        let mut further = vec!["highlights", "search_score"];
        if brief["id"] == STORM {
            further.push("simulated");
        }
        assert_eq!(keys(brief), brief_keys(&further));
        assert_eq!(keys(&brief["highlights"]), ["headline", "summary"]);
        assert!(
            brief["highlights"]["summary"]
                .as_str()
                .unwrap()
                .contains("<mark>Harborview</mark>")
        );
        assert!(brief["search_score"].as_f64().is_some());
    }
}

#[tokio::test]
async fn an_answer_says_where_not_all_the_words_were_found() {
    let (server, member) = world().await;
    let all = read(&server, &member, "/search?q=nimbus+chip&depth=fast").await;
    assert_eq!(all["meta"].get("matched"), None);
    let any = read(&server, &member, "/search?q=nimbus+zeppelin&depth=fast").await;
    assert_eq!(any["meta"]["matched"], "any_word");
    assert!(ids(&any).contains(&CHIPS));
    let none = read(&server, &member, "/search?q=zeppelin+sextant&depth=fast").await;
    assert_eq!(
        (none["total"].as_u64(), none["meta"].get("matched")),
        (Some(0), None)
    );
}

#[tokio::test]
async fn matches_are_marked_and_the_rest_is_escaped() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/search?q=nimbus+chip").await;
    assert_eq!(ids(&body)[0], CHIPS);
    assert_eq!(
        body["briefs"][0]["highlights"]["headline"],
        "<mark>Nimbus</mark> opens a &lt;b&gt;second&lt;/b&gt; <mark>chip</mark> plant &amp; hires"
    );
    assert_eq!(
        body["briefs"][0]["headline"],
        "Nimbus opens a <b>second</b> chip plant & hires"
    );
}

#[tokio::test]
async fn matches_are_sorted_filtered_and_paged() {
    let (server, member) = world().await;
    let check = async |query: &str, expected: &[&str], total: usize| {
        let path = format!("/search?q={EVERYWHERE}&{query}");
        let body = read(&server, &member, &path).await;
        assert_eq!(ids(&body), expected, "{query}");
        assert_eq!(body["total"], total, "{query}");
        assert_eq!(body["meta"]["total"], total, "{query}");
        assert_eq!(facet_sum(&body), total as u64, "{query}");
    };
    check("sort=newest", &NEWEST_FIRST, 5).await;
    check("sort=oldest", &[MATCH, VACCINE, CHIPS, RATES, STORM], 5).await;
    check("sort=confidence", &[VACCINE, RATES, STORM, CHIPS, MATCH], 5).await;
    check(
        "sort=most_sources",
        &[VACCINE, CHIPS, STORM, RATES, MATCH],
        5,
    )
    .await;
    check("sort=newest&per_page=2&page=3", &[MATCH], 5).await;
    check("sort=newest&per_page=2&page=4", &[], 5).await;
    // Both days count in full: one brief is from the start of the 7th, one from the last of the 9th.
    check(
        "sort=newest&from=2026-03-07&to=2026-03-09",
        &[STORM, RATES, CHIPS, VACCINE],
        4,
    )
    .await;
    check("sort=newest&from=2026-03-08&to=2026-03-08", &[CHIPS], 1).await;
    check("sort=newest&to=2026-03-06", &[MATCH], 1).await;
    check("sort=newest&min_confidence=0.8", &[RATES, VACCINE], 2).await;
    check("sort=newest&max_bias=0.1", &[], 0).await;
    check("sort=newest&min_bias=0.2&max_bias=0.2", &NEWEST_FIRST, 5).await;
    check(
        "sort=newest&include_sources=courier.example",
        &[CHIPS, VACCINE],
        2,
    )
    .await;
    check(
        "sort=newest&exclude_sources=ledger.example",
        &[STORM, MATCH],
        2,
    )
    .await;
    for depth in ["fast", "standard", "deep"] {
        check(&format!("sort=newest&depth={depth}"), &NEWEST_FIRST, 5).await;
    }
}

#[tokio::test]
async fn a_category_narrows_the_briefs() {
    let (server, member) = world().await;
    let path = format!("/search?q={EVERYWHERE}&category=Economy");
    let body = read(&server, &member, &path).await;
    assert_eq!(ids(&body), [RATES]);
    assert_eq!(body["total"], 1);
    assert_eq!(facet_sum(&body), 1);
}

#[tokio::test]
async fn faults_of_a_search_are_named() {
    let (server, member) = world().await;
    refuses(
        &server,
        &member,
        &[
            ("/search", "q is required"),
            ("/search?q=a", "q must have"),
            ("/search?q=%20a%20", "q must have"),
            ("/search?q=ab&page=201&per_page=50", "page times per_page"),
            ("/search?q=ab&page=501", "page times per_page"),
            ("/search?q=ab&per_page=51", "per_page"),
            ("/search?q=ab&page=0", "page"),
            ("/search?q=ab&category=gossip", "category"),
            ("/search?q=ab&sort=loudest", "sort"),
            ("/search?q=ab&depth=abyss", "depth"),
            ("/search?q=ab&from=2026-02-30", "from"),
            ("/search?q=ab&from=2026-03-09&to=2026-03-08", "from"),
            ("/search?q=ab&min_bias=0.5&max_bias=0.4", "min_bias"),
            ("/search?q=ab&min_confidence=2", "min_confidence"),
        ],
    )
    .await;
    let body = read(&server, &member, "/search?q=ab&page=200&per_page=50").await;
    assert_eq!(body["total"], 0);
    assert_eq!(
        body["meta"]["newest_available"].as_str().map(time),
        Some(time("2026-03-09T23:59:59.999Z"))
    );
}

#[tokio::test]
async fn a_search_of_the_past_finds_what_was_known() {
    let (server, member) = world().await;
    let path = with(
        &format!("/search?q={EVERYWHERE}&sort=newest"),
        "as_of",
        BETWEEN,
    );
    let body = read(&server, &member, &path).await;
    assert_eq!(ids(&body), [CHIPS, VACCINE, MATCH]);
    assert_eq!(body["briefs"][0]["provenance"]["revision"], 1);
    assert_eq!(facet_sum(&body), 3);

    let second = read(
        &server,
        &member,
        &with("/search?q=second", "as_of", BETWEEN),
    )
    .await;
    assert_eq!(second["total"], 0, "only the second revision says so");
    let second = read(&server, &member, "/search?q=second").await;
    assert_eq!(ids(&second), [CHIPS]);
    let path = with(&format!("/search?q={EVERYWHERE}"), "as_of", BEFORE);
    let body = read(&server, &member, &path).await;
    assert_eq!(body["total"], 0);
}

#[tokio::test]
async fn a_narrow_key_finds_only_its_categories() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Tech, Category::Health]).await;
    let path = format!("/search?q={EVERYWHERE}&sort=newest");
    let body = read(&server, &member, &path).await;
    assert_eq!(ids(&body), [CHIPS, VACCINE]);
    assert_eq!(body["total"], 2);
    assert_eq!(keys(&body["facets"]), ["health", "tech"]);
    ask(&server, &member, &format!("{path}&category=climate"))
        .await
        .expect_error(403, "category_not_allowed");
}

#[tokio::test]
async fn a_brief_reads_in_search_as_in_the_feed_also_when_it_is_written_from_memory() {
    let (server, member) = world().await;
    let feed = read(&server, &member, "/feed?per_page=50").await;
    for _ in 0..2 {
        let body = read(&server, &member, &with("/search", "q", EVERYWHERE)).await;
        let found = body["briefs"].as_array().unwrap();
        assert_eq!(found.len(), 5);
        for brief in found {
            let mut brief = brief.as_object().unwrap().clone();
            for further in ["search_score", "highlights"] {
                assert!(brief.remove(further).is_some());
            }
            let briefs = feed["briefs"].as_array().unwrap();
            let same = briefs.iter().find(|one| one["id"] == brief["id"]);
            assert_eq!(same.unwrap(), &Value::Object(brief));
        }
    }
}
