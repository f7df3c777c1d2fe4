//! `/similar/{id}`.

use model::Category;

use super::fixtures::{
    BEFORE, BETWEEN, BriefBuilder, CHIPS, CHIPS_REVISED, EVERYWHERE, MATCH, RATES, STORM, VACCINE,
    ask, brief_keys, ids, keys, narrow, publish, read, refuses, with, world,
};

/// Like `RATES` in meaning, in other words.
const BORROWING: &str = "PR-2026-0309-003";

fn borrowing() -> BriefBuilder {
    let headline = "Policymakers leave borrowing costs and the interest rate unchanged";
    BriefBuilder::new(7, BORROWING, Category::Economy, headline)
        .source("tribune.example", "2026-03-09T16:00:00Z")
}

#[tokio::test]
async fn the_most_like_brief_comes_first_and_never_itself() {
    let (server, member) = world().await;
    publish(&server, &borrowing().brief).await;
    let body = read(&server, &member, &format!("/similar/{BORROWING}")).await;
    assert_eq!(keys(&body), ["brief_id", "briefs", "meta", "status"]);
    assert_eq!(keys(&body["meta"]), ["count"]);
    assert_eq!(body["brief_id"], BORROWING);
    assert_eq!(ids(&body)[0], RATES);
    assert!(!ids(&body).contains(&BORROWING));
    let briefs = body["briefs"].as_array().unwrap();
    assert_eq!(body["meta"]["count"], briefs.len());
    let likeness: Vec<f64> = briefs
        .iter()
        .map(|brief| brief["similarity"].as_f64().unwrap())
        .collect();
    assert!(likeness.is_sorted_by(|a, b| a >= b));
    assert!(likeness.iter().all(|value| (0.0..=1.0).contains(value)));
    for brief in briefs {
        let mut further = vec!["similarity"];
        if brief["id"] == STORM {
            further.push("simulated");
        }
        assert_eq!(keys(brief), brief_keys(&further));
    }
    let one = read(
        &server,
        &member,
        &format!("/similar/{}?limit=1", BORROWING.to_lowercase()),
    )
    .await;
    assert_eq!(ids(&one), [RATES]);
}

#[tokio::test]
async fn likeness_of_the_past_is_that_of_its_revisions() {
    let (server, member) = world().await;
    let path = format!("/similar/{CHIPS}?limit=50");
    let past = read(&server, &member, &with(&path, "as_of", BETWEEN)).await;
    let mut found = ids(&past);
    found.sort_unstable();
    assert_eq!(found, [MATCH, VACCINE], "the others were not known yet");

    let path = format!("/similar/{MATCH}?limit=50");
    let revision = async |path: &str| {
        let body = read(&server, &member, path).await;
        let place = ids(&body).iter().position(|id| *id == CHIPS).unwrap();
        body["briefs"][place]["provenance"]["revision"].clone()
    };
    assert_eq!(revision(&with(&path, "as_of", BETWEEN)).await, 1);
    assert_eq!(revision(&with(&path, "as_of", CHIPS_REVISED)).await, 2);
    assert_eq!(revision(&path).await, 2);
}

#[tokio::test]
async fn unknown_briefs_and_odd_limits_are_refused() {
    let (server, member) = world().await;
    for path in [
        "/similar/PR-2020-0101-001".to_owned(),
        "/similar/nonsense".to_owned(),
        with(&format!("/similar/{CHIPS}"), "as_of", BEFORE),
        with(&format!("/similar/{STORM}"), "as_of", BETWEEN),
    ] {
        ask(&server, &member, &path)
            .await
            .expect_error(404, "not_found");
    }
    refuses(
        &server,
        &member,
        &[
            ("/similar/PR-2026-0308-001?limit=0", "limit"),
            ("/similar/PR-2026-0308-001?limit=51", "limit"),
            ("/similar/PR-2026-0308-001?as_of=soon", "as_of"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_narrow_key_sees_only_its_categories() {
    let (server, _) = world().await;
    let member = narrow(&server, &[Category::Tech, Category::Health]).await;
    let body = read(&server, &member, &format!("/similar/{CHIPS}?limit=50")).await;
    assert_eq!(ids(&body), [VACCINE]);
    ask(&server, &member, &format!("/similar/{RATES}"))
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn a_search_adds_what_is_like_the_query_and_marks_it() {
    let (server, member) = world().await;
    publish(&server, &borrowing().brief).await;
    let words = "monetary+policy+interest+rates";
    let body = read(&server, &member, &format!("/search?q={words}")).await;
    let briefs = body["briefs"].as_array().unwrap();
    let total = body["total"].as_u64().unwrap() as usize;
    assert!(briefs.len() >= total && ids(&body).contains(&BORROWING));
    for (place, brief) in briefs.iter().enumerate() {
        let is_added = brief.get("by_meaning").is_some();
        assert_eq!(is_added, place >= total, "{}", brief["id"]);
        assert!(!is_added || brief["by_meaning"] == true);
    }
    let facets = body["facets"].as_object().unwrap();
    let counted: u64 = facets.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted as usize, total);

    let only = read(&server, &member, "/search?q=mortgage+lenders").await;
    assert_eq!(only["total"], 0);
    assert_eq!(only["briefs"][0]["by_meaning"], true);
    let fast = read(&server, &member, "/search?q=mortgage+lenders&depth=fast").await;
    assert_eq!(ids(&fast), Vec::<&str>::new());
    let narrow = narrow(&server, &[Category::Tech]).await;
    let narrow = read(&server, &narrow, "/search?q=mortgage+lenders").await;
    assert_eq!(ids(&narrow), Vec::<&str>::new());
    let past = with("/search?q=mortgage+lenders", "as_of", BETWEEN);
    let past = read(&server, &member, &past).await;
    assert_eq!(ids(&past), Vec::<&str>::new());
}

#[tokio::test]
async fn every_depth_counts_alike_and_names_itself() {
    let (server, member) = world().await;
    for depth in ["fast", "standard", "deep"] {
        let path = format!("/search?q={EVERYWHERE}+trial&depth={depth}");
        let body = read(&server, &member, &path).await;
        assert_eq!(body["meta"]["depth"], depth);
        assert_eq!(body["total"], 2, "{depth}");
        let mut found = ids(&body);
        found.truncate(2);
        found.sort_unstable();
        assert_eq!(found, [VACCINE, RATES], "{depth}");
    }
}
