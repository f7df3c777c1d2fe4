//! `/brief/{id}`.

use model::Category;
use uuid::Uuid;

use super::fixtures::{
    BEFORE, BETWEEN, CHIPS, RATES, STORM, ask, brief_keys, keys, narrow, read, refuses, with, world,
};

const SINGLE: [&str; 5] = [
    "bias_analysis",
    "counter_argument",
    "is_living",
    "last_updated_label",
    "story_age_hours",
];

#[tokio::test]
async fn a_brief_is_found_by_either_identity() {
    let (server, member) = world().await;
    let body = read(&server, &member, "/brief/pr-2026-0308-001").await;
    assert_eq!(keys(&body), ["brief", "status"]);
    let brief = &body["brief"];
    assert_eq!(brief["id"], CHIPS);
    assert_eq!(keys(brief), brief_keys(&SINGLE));
    assert_eq!(
        keys(&brief["bias_analysis"]),
        ["bias_score", "direction", "framing_notes"]
    );
    assert_eq!(brief["bias_analysis"]["direction"], "center");
    assert_eq!(brief["counter_argument"], "It rests on one source.");
    assert_eq!(brief["is_living"], true);
    assert_eq!(brief["story_age_hours"], 51.0);
    assert_eq!(brief["last_updated_label"], "Updated 3 hours ago");

    let uuid = brief["provenance"]["uuid"].as_str().unwrap();
    for id in [uuid.to_owned(), uuid.to_uppercase()] {
        let same = read(&server, &member, &format!("/brief/{id}")).await;
        assert_eq!(&same["brief"], brief, "{id}");
    }
    let old = read(&server, &member, "/brief/PR-2026-0301-001").await;
    assert_eq!(old["brief"]["is_living"], false);
    assert_eq!(old["brief"]["last_updated_label"], "Updated 8 days ago");
    let storm = read(&server, &member, &format!("/brief/{STORM}")).await;
    assert_eq!(storm["brief"]["simulated"], true);
}

#[tokio::test]
async fn a_brief_explains_itself_and_shows_its_sources() {
    let (server, member) = world().await;
    let path = format!("/brief/{CHIPS}?explain=true&include_full_text=true");
    let body = read(&server, &member, &path).await;
    let brief = &body["brief"];
    let further: Vec<_> = SINGLE
        .into_iter()
        .chain(["explanation", "full_text"])
        .collect();
    assert_eq!(keys(brief), brief_keys(&further));

    let explanation = &brief["explanation"];
    assert_eq!(
        keys(explanation),
        ["bias", "confidence", "placements", "sentences"]
    );
    let placements = explanation["placements"].as_array().unwrap();
    assert_eq!(placements.len(), 2);
    assert_eq!(placements[0]["how"], "founded");
    assert_eq!(placements[0]["alike"], serde_json::Value::Null);
    let second = &placements[1];
    let placed = [&second["source"], &second["how"], &second["alike"]];
    assert_eq!(
        serde_json::json!(placed),
        serde_json::json!([1, "joined", 0])
    );
    assert_eq!(second["in_common"]["headline_both"], 0.5);
    let reason = second["reason"].as_str().unwrap();
    assert!(
        reason.contains("83% probable") && reason.contains("0.50, where 0.12"),
        "{reason}"
    );
    assert_eq!(
        keys(&explanation["confidence"]),
        [
            "agreement",
            "corroboration",
            "freshness",
            "score",
            "source_trust"
        ]
    );
    assert_eq!(
        explanation["confidence"]["score"],
        brief["confidence_score"]
    );
    assert_eq!(
        keys(&explanation["bias"]),
        ["framing", "loaded_wording", "one_sidedness", "score"]
    );
    assert_eq!(explanation["sentences"].as_array().unwrap().len(), 3);
    assert_eq!(
        explanation["sentences"][1],
        serde_json::json!({"section": "summary", "text": "Reported from Harborview.", "sources": [0]})
    );

    let texts = brief["full_text"].as_array().unwrap();
    assert_eq!(texts.len(), 2);
    assert_eq!(
        keys(&texts[0]),
        ["source", "text", "title", "url", "word_count"]
    );
    assert_eq!(texts[0]["text"], "The whole text of courier.example.");
    assert_eq!(texts[0]["word_count"], 5);
    assert_eq!(texts[1]["url"], brief["sources"][1]["url"]);
}

#[tokio::test]
async fn a_brief_of_the_past_is_what_was_known() {
    let (server, member) = world().await;
    let path = with(
        &format!("/brief/{CHIPS}?include_full_text=true"),
        "as_of",
        BETWEEN,
    );
    let body = read(&server, &member, &path).await;
    let brief = &body["brief"];
    assert_eq!(brief["provenance"]["revision"], 1);
    assert_eq!(brief["headline"], "Nimbus opens a chip plant");
    assert_eq!(brief["story_age_hours"], 27.0);
    assert_eq!(brief["full_text"].as_array().unwrap().len(), 1);

    for id in [
        CHIPS.to_owned(),
        brief["provenance"]["uuid"].as_str().unwrap().to_owned(),
    ] {
        ask(
            &server,
            &member,
            &with(&format!("/brief/{id}"), "as_of", BEFORE),
        )
        .await
        .expect_error(404, "not_found");
    }
}

#[tokio::test]
async fn a_brief_that_is_not_there_is_not_found() {
    let (server, member) = world().await;
    let nobody = Uuid::new_v4().to_string();
    for id in ["PR-2026-0308-999", &nobody, "nonsense", "%F0%9F%93%B0"] {
        ask(&server, &member, &format!("/brief/{id}"))
            .await
            .expect_error(404, "not_found");
    }
    refuses(
        &server,
        &member,
        &[
            ("/brief/%00", "id"),
            ("/brief/PR-2026-0308-001?explain=why", "explain"),
            (
                "/brief/PR-2026-0308-001?include_full_text=2",
                "include_full_text",
            ),
            (
                "/brief/PR-2026-0308-001?as_of=2027-01-01T00:00:00Z",
                "as_of",
            ),
        ],
    )
    .await;

    let narrow = narrow(&server, &[Category::Tech]).await;
    read(&server, &narrow, &format!("/brief/{CHIPS}")).await;
    let hidden = ask(&server, &narrow, &format!("/brief/{RATES}"))
        .await
        .expect_error(404, "not_found");
    let absent = ask(&server, &narrow, "/brief/PR-2026-0309-999")
        .await
        .expect_error(404, "not_found");
    assert_eq!(
        hidden["message"].as_str().unwrap().replace(RATES, ""),
        absent["message"]
            .as_str()
            .unwrap()
            .replace("PR-2026-0309-999", ""),
        "what is hidden reads like what is not there"
    );
}
