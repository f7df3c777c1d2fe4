//! `/events`, `/contradictions` and `/data`.

use model::{
    Amount, Brief, Category, Contradiction, DataPoint, DataPointKind, Disagreement, EntityKind,
    EntityRole, Event, EventKind, Score, Severity, SourceClaim,
};
use serde_json::Value;

use super::fixtures::{BriefBuilder, keys, narrow, publish, read, refuses, time, with, world};
use crate::support::TestServer;

const DEAL: &str = "PR-2026-0310-001";
const SUIT: &str = "PR-2026-0302-001";

fn event(kind: EventKind, subject: &str, object: Option<&str>) -> Event {
    Event {
        kind,
        subject: subject.to_owned(),
        object: object.map(str::to_owned),
        value: object.map(|_| Amount {
            printed: "€4.2 billion".to_owned(),
            value: 4.2e9,
            currency: Some("EUR".to_owned()),
        }),
        date: time("2026-03-09T00:00:00Z"),
        confidence: Score::clamped(0.75),
        sentence: "Nimbus agreed to buy Cirrus Optics for €4.2 billion on Monday.".to_owned(),
    }
}

fn point(kind: DataPointKind, printed: &str, value: f64, entity: Option<&str>) -> DataPoint {
    DataPoint {
        kind,
        value,
        unit: "EUR".to_owned(),
        printed: printed.to_owned(),
        context: format!("Cirrus gave {printed}."),
        measure: Some("price".to_owned()),
        entity: entity.map(str::to_owned),
    }
}

fn deal() -> Brief {
    let mut brief = BriefBuilder::new(7, DEAL, Category::Business, "Nimbus buys Cirrus Optics")
        .source("courier.example", "2026-03-10T08:00:00Z")
        .source("ledger.example", "2026-03-10T08:30:00Z")
        .entity(
            "Nimbus Systems",
            EntityKind::Organization,
            Some("NMBS"),
            EntityRole::Subject,
            2,
        )
        .entity(
            "Cirrus Optics",
            EntityKind::Organization,
            None,
            EntityRole::Related,
            2,
        )
        .brief;
    brief.events = vec![event(
        EventKind::Acquisition,
        "Nimbus Systems",
        Some("Cirrus Optics"),
    )];
    brief.data_points = vec![
        point(
            DataPointKind::Money,
            "€4.2 billion",
            4.2e9,
            Some("Nimbus Systems"),
        ),
        point(DataPointKind::Percent, "12%", 12.0, Some("Cirrus Optics")),
        point(DataPointKind::Count, "900", 900.0, None),
    ];
    brief.contradictions = vec![Contradiction {
        kind: Disagreement::Number,
        severity: Severity::Moderate,
        claims: vec![
            SourceClaim {
                source: 0,
                claim: "The price is €4.2 billion.".to_owned(),
            },
            SourceClaim {
                source: 1,
                claim: "The price is €3.9 billion.".to_owned(),
            },
        ],
        assessment: "The price differs; nothing favours either side.".to_owned(),
    }];
    brief
}

/// The world, and a deal of its last day, and a suit of eight days before that.
async fn stated() -> (TestServer, crate::support::TestMember) {
    let (server, member) = world().await;
    publish(&server, &deal()).await;
    let mut suit = BriefBuilder::new(8, SUIT, Category::Policy, "Harbor Bank is sued")
        .source("tribune.example", "2026-03-02T08:00:00Z")
        .simulated()
        .brief;
    suit.events = vec![event(EventKind::Lawsuit, "Tenants of Harborview", None)];
    publish(&server, &suit).await;
    (server, member)
}

fn subjects(body: &Value) -> Vec<&str> {
    body["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["subject"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn events_are_reported_with_every_field() {
    let (server, member) = stated().await;
    let body = read(&server, &member, "/events").await;
    assert_eq!(keys(&body), ["events", "meta", "status", "total"]);
    assert_eq!(body["total"], 1, "the suit is older than seven days");
    let found = &body["events"][0];
    assert_eq!(
        keys(found),
        [
            "amount",
            "brief_id",
            "category",
            "confidence",
            "currency",
            "date",
            "first_stated_at",
            "headline",
            "object",
            "sentence",
            "subject",
            "type",
            "value"
        ]
    );
    assert_eq!(found["type"], "acquisition");
    assert_eq!(found["subject"], "Nimbus Systems");
    assert_eq!(found["object"], "Cirrus Optics");
    assert_eq!(found["value"], "€4.2 billion");
    assert_eq!(found["amount"], 4.2e9);
    assert_eq!(found["date"], "2026-03-09");
    assert_eq!(found["brief_id"], DEAL);
    assert_eq!(found["confidence"], 0.75);

    let month = read(&server, &member, "/events?period=30d").await;
    assert_eq!(
        subjects(&month),
        ["Nimbus Systems", "Tenants of Harborview"]
    );
    let suit = &month["events"][1];
    assert_eq!(
        (&suit["object"], &suit["value"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(suit["simulated"], true);
}

#[tokio::test]
async fn events_are_filtered_by_kind_subject_category_time_and_scope() {
    let (server, member) = stated().await;
    let check = async |query: &str, expected: &[&str]| {
        let body = read(&server, &member, &format!("/events?period=30d&{query}")).await;
        assert_eq!(subjects(&body), expected, "{query}");
        body
    };
    check("type=LAWSUIT", &["Tenants of Harborview"]).await;
    check("subject=nimbus", &["Nimbus Systems"]).await;
    check("category=policy", &["Tenants of Harborview"]).await;
    check("limit=1", &["Nimbus Systems"]).await;
    check("as_of=2026-03-09T00:00:00Z", &["Tenants of Harborview"]).await;
    let none = check("type=ipo", &[]).await;
    assert!(none["meta"]["newest_available"].is_string());
    let late = read(&server, &member, "/events?type=lawsuit").await;
    assert_eq!(late["total"], 0);
    assert_eq!(
        late["meta"]["newest_available"], "2026-03-02T08:00:00Z",
        "the last lawsuit, not the last news"
    );

    let narrow = narrow(&server, &[Category::Policy]).await;
    let seen = read(&server, &narrow, "/events?period=30d").await;
    assert_eq!(subjects(&seen), ["Tenants of Harborview"]);
    refuses(
        &server,
        &member,
        &[
            ("/events?type=merger", "type"),
            ("/events?period=40d", "period"),
            ("/events?limit=101", "limit"),
            ("/events?category=none", "category"),
            ("/contradictions?severity=grave", "severity"),
            ("/data?type=number", "type"),
            ("/data?limit=0", "limit"),
        ],
    )
    .await;
}

#[tokio::test]
async fn contradictions_name_both_sources() {
    let (server, member) = stated().await;
    let body = read(&server, &member, "/contradictions?severity=moderate").await;
    assert_eq!(keys(&body), ["contradictions", "meta", "status", "total"]);
    let found = &body["contradictions"][0];
    assert_eq!(
        keys(found),
        [
            "brief_id",
            "category",
            "claims",
            "first_stated_at",
            "headline",
            "service_assessment",
            "severity",
            "type"
        ]
    );
    assert_eq!(found["severity"], "moderate");
    assert_eq!(found["claims"][1]["source"], "LEDGER.EXAMPLE");
    assert_eq!(found["claims"][1]["claim"], "The price is €3.9 billion.");
    assert_eq!(keys(&found["claims"][0]), ["claim", "source", "url"]);
    for (query, total) in [
        ("severity=major", 0),
        ("category=business", 1),
        ("category=tech", 0),
        ("as_of=2026-03-09T00:00:00Z", 0),
    ] {
        let body = read(&server, &member, &format!("/contradictions?{query}")).await;
        assert_eq!(body["total"], total, "{query}");
    }
}

#[tokio::test]
async fn figures_are_listed_by_entity_and_kind() {
    let (server, member) = stated().await;
    let values = async |query: &str| -> Vec<String> {
        let body = read(&server, &member, &format!("/data?{query}")).await;
        body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|datum| datum["data_point"]["value"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(values("").await, ["€4.2 billion", "12%", "900"]);
    assert_eq!(values("limit=2").await, ["€4.2 billion", "12%"]);
    assert_eq!(values("type=percent").await, ["12%"]);
    assert_eq!(values("entity=nmbs").await, ["€4.2 billion"]);
    assert_eq!(values("entity=Nobody").await, Vec::<String>::new());
    let body = read(&server, &member, &with("/data", "entity", "Cirrus Optics")).await;
    let found = &body["data"][0];
    assert_eq!(
        keys(found),
        ["brief_id", "data_point", "headline", "published_at"]
    );
    assert_eq!(
        keys(&found["data_point"]),
        [
            "context", "entity", "measure", "number", "type", "unit", "value"
        ]
    );
    assert_eq!(found["data_point"]["number"], 12.0);
}
