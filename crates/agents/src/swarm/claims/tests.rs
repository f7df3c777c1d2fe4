use serde_json::json;

use super::*;
use crate::runs::Verified;

fn words(text: &str) -> Words {
    Words::of(&Reading {
        topic: text.to_owned(),
        ..query::read(
            text,
            Day::parse("2026-05-09").unwrap(),
            &query::Names::default(),
        )
    })
}

fn brief(id: &str, headline: &str, summary: &str, published: &str) -> Value {
    json!({
        "id": id, "headline": headline, "summary": summary, "published_at": published,
        "sources": [{"name": "MarketWatch"}, {"name": "Hacker News"}],
    })
}

#[test]
fn of_a_headline_what_it_says_is_tested_and_not_that_it_was_run() {
    let brief = brief(
        "PR-1",
        "Apple, Intel have reached preliminary chip-making deal",
        "Hacker News reports: Apple, Intel have reached preliminary chip-making deal.",
        "2026-05-08T10:00:00Z",
    );
    let found = of_brief(View(&brief), &words("Apple Intel deal")).unwrap();
    assert_eq!(
        found.claim,
        "Apple, Intel have reached preliminary chip-making deal."
    );
    assert_eq!(found.outlet.as_deref(), Some("Hacker News"));
    assert_eq!(found.printed, Day::parse("2026-05-08"));
}

#[test]
fn what_an_outlet_says_is_of_its_own_day() {
    let mut brief = brief(
        "PR-1",
        "Bitcoin falls",
        "Hacker News reports: Bitcoin climbs 0.80 percent as traders return to the market.",
        "2026-05-07T10:00:00Z",
    );
    brief["sources"][1]["published_at"] = json!("2026-05-08T00:20:00Z");
    let found = of_brief(View(&brief), &words("Bitcoin")).unwrap();
    assert_eq!(found.printed, Day::parse("2026-05-08"));
}

#[test]
fn statements_about_the_question_come_before_others_and_new_before_old() {
    let words = words("oil prices airlines");
    let data = json!({"search": {"briefs": [
        brief("PR-1", "Record", "Oil prices are at their highest level since 2008, and airlines feel it.", "2022-03-03T10:00:00Z"),
        brief("PR-2", "Cards", "A maker launches a new card with half of the cores of its flagship.", "2026-05-07T10:00:00Z"),
        brief("PR-3", "Fares", "A carrier met its unions today. Airlines raise fares because oil prices do not fall.", "2026-05-06T10:00:00Z"),
    ]}});
    let mut stated = Vec::new();
    collect(&data["search"], &words, &mut stated, 0);
    choose(&mut stated, &words);
    let ids: Vec<&str> = stated
        .iter()
        .filter_map(|one| one.brief_id.as_deref())
        .collect();
    assert_eq!(ids, ["PR-3", "PR-1"]);
    assert!(stated[0].claim.starts_with("Airlines raise"), "{stated:?}");
}

#[test]
fn a_figure_is_of_its_day_and_of_no_day_after_the_time_that_is_asked_about() {
    let data = json!({"economy": {"fed_funds": {
        "name": "Federal Funds Rate", "unit": "percent", "frequency": "daily",
        "latest": {"date": "2026-05-07", "value": 3.63},
        "observations": [{"date": "2026-05-07", "value": 3.63}, {"date": "2026-04-30", "value": 3.64}],
    }}});
    let data = data.as_object().unwrap();
    let claims = |until: Option<&str>| {
        let found = of_series(data, until.and_then(Day::parse));
        found.into_iter().map(|one| one.claim).collect::<Vec<_>>()
    };
    assert_eq!(
        claims(Some("2026-04-30")),
        ["Federal Funds Rate was 3.64% on 30 April 2026."]
    );
    assert_eq!(
        claims(None),
        ["Federal Funds Rate was 3.63% on 7 May 2026."]
    );
    assert!(claims(Some("2026-01-01")).is_empty());
}

fn tested(outlet: Option<&str>, source: &str, evidence: &Value, confirmed_by: &[&str]) -> Tested {
    Tested {
        candidate: Candidate {
            claim: "Rates stay.".to_owned(),
            outlet: outlet.map(str::to_owned),
            brief_id: None,
            printed: None,
            is_key: false,
        },
        verified: Verified {
            claim: "Rates stay.".to_owned(),
            verdict: "supported".to_owned(),
            confidence: 0.9,
            receipt_id: "vr_1".to_owned(),
            source: Some(source.to_owned()),
            body: std::sync::Arc::new(json!({"evidence_chain": evidence})),
        },
        confirmed_by: confirmed_by.iter().map(|name| (*name).to_owned()).collect(),
        is_second: false,
    }
}

#[test]
fn nobody_confirms_itself() {
    let evidence = json!([
        {"source": "Quayside", "position": "supports"},
        {"source": "Lantern", "position": "supports"},
    ]);
    let shown_of = |outlet, source, confirmed: &[&str]| {
        let shown = shown(&tested(outlet, source, &evidence, confirmed));
        (shown["source"].clone(), shown["confirmed_by"].clone())
    };
    assert_eq!(
        shown_of(Some("Lantern"), "Quayside", &["Quayside"]),
        (json!("Lantern"), json!(["Quayside"]))
    );
    assert_eq!(
        shown_of(Some("Elsewhere"), "Quayside", &["Quayside", "Lantern"]),
        (json!("Quayside"), json!(["Lantern"]))
    );
    assert_eq!(
        shown_of(None, "FRED", &["FRED"]),
        (json!("FRED"), json!([]))
    );
}

#[test]
fn statements_are_in_the_script_of_the_question_and_without_who_introduces_them() {
    let events = json!({"vertical_events": {"events": [
        {"date": "2022-03-11", "brief_id": "PR-1", "headline": "CCI decides not to pursue case related to Amazon Seller Services",
         "sentence": "Livemint writes: CCI decides not to pursue case related to Amazon Seller Services."},
        {"date": "2022-03-10", "brief_id": "PR-2", "headline": "Amazon",
         "sentence": "Amazon case: मोबाइल रिचार्ज और बिल पेमेंट पर मिलेगी छूट, मिलेगा कूपन."},
    ]}});
    let Value::Object(data) = events else {
        panic!()
    };
    let reading = query::read(
        "What regulatory cases does Amazon face?",
        Day::parse("2022-03-14").unwrap(),
        &query::Names::default(),
    );
    let claims: Vec<String> = of(&data, &reading)
        .into_iter()
        .map(|one| one.claim)
        .collect();
    assert_eq!(
        claims,
        ["CCI decides not to pursue case related to Amazon Seller Services."]
    );
}
