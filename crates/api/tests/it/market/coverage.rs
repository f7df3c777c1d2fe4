//! What outlets report about a symbol: score, history, signals, impact, news; and names.

use http::StatusCode;
use model::{AssetType, Category, EntityKind, EntityRole, Score};

use super::fixtures::{ACME, SESSIONS, acme, bars, bolt, instrument, market, sessions, write};
use crate::news::fixtures::{BriefBuilder, publish};
use crate::support::TestServer;

/// A market and three briefs about ACME: one five days ago, two in the last 24 hours.
async fn server_with_reports() -> TestServer {
    let server = market().await;
    for (number, id, headline, at, sentiment) in [
        (
            71,
            "PR-2026-0305-071",
            "Acme opens a plant",
            "2026-03-05T15:00:00Z",
            0.5,
        ),
        (
            72,
            "PR-2026-0309-072",
            "Acme recalls a batch",
            "2026-03-09T22:00:00Z",
            0.1,
        ),
        (
            73,
            "PR-2026-0310-073",
            "Acme wins an order",
            "2026-03-10T09:00:00Z",
            0.9,
        ),
    ] {
        let mut builder = BriefBuilder::new(number, id, Category::Business, headline)
            .source("wire.example", at)
            .entity(
                "Acme Instruments",
                EntityKind::Organization,
                Some(ACME),
                EntityRole::Subject,
                3,
            );
        builder.brief.entities[0].sentiment = Score::new(sentiment).unwrap();
        publish(&server, &builder.brief).await;
    }
    server
}

#[tokio::test]
async fn the_record_counts_briefs_and_their_sentiment() {
    let server = server_with_reports().await;
    let body = server.get("/api/v1/ticker/ACME").send().await.json();
    assert_eq!(body["briefs_24h"], 2);
    let score = body["sentiment_score"].as_f64().unwrap();
    assert!((score - 0.5).abs() < 1e-12, "{score}");
    // As of the evening before, the last brief was not known.
    let before = server
        .get("/api/v1/ticker/ACME?as_of=2026-03-09T23:00:00Z")
        .send()
        .await
        .json();
    assert_eq!(before["briefs_24h"], 1);
    let score = before["sentiment_score"].as_f64().unwrap();
    assert!((score - 0.3).abs() < 1e-12, "{score}");
}

#[tokio::test]
async fn a_score_names_the_weights_that_were_applied() {
    let server = server_with_reports().await;
    let body = server.get("/api/v1/ticker/ACME/score").send().await.json();
    let parts = &body["components"];
    let weights: f64 = ["sentiment", "momentum", "volume", "events"]
        .iter()
        .map(|part| parts[part]["weight"].as_f64().unwrap())
        .sum();
    assert!((weights - 1.0).abs() < 1e-12);
    assert_eq!(parts["events"]["weight"], 0.0);
    assert!(parts["events"]["latest_type"].is_null());
    assert_eq!(parts["sentiment"]["current_24h"], 0.5);
    assert_eq!(parts["volume"]["briefs_24h"], 2);
    assert_eq!(parts["momentum"]["direction"], "up");
    let score = body["composite_score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score));
    let silent = server
        .get("/api/v1/ticker/OAKS.B/score")
        .send()
        .await
        .json();
    assert!(silent["composite_score"].is_null());
    assert!(silent["signal"].is_null());
    assert_eq!(silent["data_status"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn history_and_signals_follow_the_days_with_briefs() {
    let server = server_with_reports().await;
    let body = server
        .get("/api/v1/ticker/ACME/history")
        .send()
        .await
        .json();
    let days = body["history"].as_array().unwrap();
    let found: Vec<_> = days
        .iter()
        .map(|day| {
            (
                day["date"].as_str().unwrap(),
                day["avg_sentiment"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("2026-03-05", 0.5),
            ("2026-03-09", 0.1),
            ("2026-03-10", 0.9)
        ]
    );
    assert_eq!(days[0]["brief_count"], 1);
    assert_eq!(days[0]["avg_confidence"], 0.5);
    let body = server
        .get("/api/v1/ticker/ACME/signals")
        .send()
        .await
        .json();
    let signals = body["signals"].as_array().unwrap();
    assert_eq!(signals.len(), 2);
    assert_eq!(signals[0]["direction"], "negative");
    assert_eq!(signals[1]["trigger_headline"], "Acme wins an order");
    let few = server
        .get("/api/v1/ticker/ACME/signals?threshold=0.5")
        .send()
        .await
        .json();
    assert_eq!(few["signals"].as_array().unwrap().len(), 1);
    for query in [
        "days=366",
        "days=0",
        "days=x",
        "threshold=2",
        "threshold=nan",
    ] {
        let path = format!("/api/v1/ticker/ACME/signals?{query}");
        let reply = server.get(&path).send().await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn impact_begins_at_the_last_price_before_publication() {
    let server = server_with_reports().await;
    let body = server.get("/api/v1/ticker/ACME/impact").send().await.json();
    assert_eq!(body["credits_used"], 3);
    let briefs = body["briefs"].as_array().unwrap();
    // Published on Thursday before the close: from Thursday's open, which is Wednesday's close, to that day's close, and to
    // Monday's.
    let oldest = briefs.last().unwrap();
    let closes = |back: usize| acme(SESSIONS - back);
    assert_eq!(oldest["price_at_publish"].as_f64().unwrap(), closes(4));
    let after = (closes(3) / closes(4) - 1.0) * 100.0;
    assert!((oldest["impact_1d_pct"].as_f64().unwrap() - after).abs() < 1e-9);
    let third = (closes(1) / closes(4) - 1.0) * 100.0;
    assert!((oldest["impact_3d_pct"].as_f64().unwrap() - third).abs() < 1e-9);
    // Published after Monday's close: what follows is to come.
    assert_eq!(briefs[0]["price_at_publish"].as_f64().unwrap(), closes(1));
    assert!(briefs[0]["impact_1d_pct"].is_null());
    assert_eq!(body["summary"]["briefs_analyzed"], 1);
    assert_eq!(body["best"]["brief_id"], body["worst"]["brief_id"]);
    let reply = server
        .get("/api/v1/ticker/ACME/impact?days=91")
        .send()
        .await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
}

/// A brief about a symbol, with its first source.
fn report(number: u128, headline: &str, ticker: &str, at: &str) -> BriefBuilder {
    let id = format!("PR-2026-0306-{number:03}");
    BriefBuilder::new(number, &id, Category::Business, headline)
        .source("wire.example", at)
        .entity(
            ticker,
            EntityKind::Organization,
            Some(ticker),
            EntityRole::Subject,
            3,
        )
}

#[tokio::test]
async fn an_impact_is_that_of_what_was_said_first() {
    let server = market().await;
    let first = report(91, "Bolt plans a plant", "BOLT", "2026-03-06T10:40:00Z");
    publish(&server, &first.brief).await;
    let later = first
        .revised("Bolt falls as its plant is called off")
        .source("ledger.example", "2026-03-09T19:00:00Z");
    // Named only when a second source did.
    let unnamed = BriefBuilder::new(92, "PR-2026-0306-092", Category::Business, "A fair opens")
        .source("wire.example", "2026-03-05T10:00:00Z");
    publish(&server, &unnamed.brief).await;
    let named = unnamed
        .revised("Bolt shows a press at the fair")
        .source("ledger.example", "2026-03-06T22:00:00Z")
        .entity(
            "Bolt",
            EntityKind::Organization,
            Some("BOLT"),
            EntityRole::Related,
            1,
        );
    publish(&server, &later.brief).await;
    publish(&server, &named.brief).await;
    let body = server.get("/api/v1/ticker/BOLT/impact").send().await.json();
    let briefs = body["briefs"].as_array().unwrap();
    let of = |id: &str| {
        let found = briefs.iter().find(|one| one["brief_id"] == id);
        found.unwrap_or_else(|| panic!("no {id}: {body}"))
    };
    let plant = of("PR-2026-0306-091");
    assert_eq!(plant["headline"], "Bolt plans a plant");
    assert_eq!(plant["published_at"], "2026-03-06T10:40:00Z");
    // Before the open: from Thursday's close to Friday's.
    assert_eq!(plant["priced_at"], "2026-03-05T21:00:00Z");
    let closes = |back: usize| bolt(SESSIONS - back);
    let moved = (closes(2) / closes(3) - 1.0) * 100.0;
    assert!((plant["impact_1d_pct"].as_f64().unwrap() - moved).abs() < 1e-9);
    let fair = of("PR-2026-0306-092");
    assert_eq!(fair["published_at"], "2026-03-06T22:00:00Z");
    assert_eq!(fair["priced_at"], "2026-03-06T21:00:00Z");
}

#[tokio::test]
async fn classes_of_shares_have_the_news_of_their_company() {
    let server = market().await;
    let listed = |ticker: &str, name: &str| {
        let listed = instrument(ticker, AssetType::Equity, name, None);
        let bars = bars(&sessions(), 1e6, |at| 20.0 + (at % 5) as f64);
        (listed, bars)
    };
    let listings = vec![
        listed("DUO.A", "Duo Media Inc. - Class A Common Stock"),
        listed("DUO.C", "Duo Media Inc. (Class C)"),
    ];
    write(&server, listings).await;
    let brief = report(93, "Duo buys a studio", "DUO.A", "2026-03-09T10:40:00Z");
    publish(&server, &brief.brief).await;
    let get = async |path: &str| {
        let reply = server.get(&format!("/api/v1/ticker{path}")).send().await;
        reply.json()
    };
    let news = get("/DUO.C/news").await;
    assert_eq!(news["briefs"][0]["headline"], "Duo buys a studio", "{news}");
    let reason = news["data_status"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("also names DUO.A"), "{reason}");
    let own = get("/DUO.A/news").await;
    assert!(own.get("data_status").is_none(), "{own}");
    assert_eq!(own["meta"]["count"], 1);
    let record = get("/DUO.C").await;
    assert!(record["sentiment_score"].is_number(), "{record}");
    assert_eq!(record["briefs_24h"], 0);
    let history = get("/DUO.C/history").await;
    assert_eq!(history["history"].as_array().unwrap().len(), 1);
    let impact = get("/DUO.C/impact").await;
    assert_eq!(impact["briefs"].as_array().unwrap().len(), 1);
    server.clock.advance(60_000);
    let score = get("/DUO.C/score").await;
    let whole = get("/DUO.A/score").await;
    assert_eq!(
        score["components"]["sentiment"],
        whole["components"]["sentiment"]
    );
}

#[tokio::test]
async fn news_are_the_briefs_that_name_it() {
    let server = server_with_reports().await;
    let body = server
        .get("/api/v1/ticker/ACME/news?limit=2")
        .send()
        .await
        .json();
    let briefs = body["briefs"].as_array().unwrap();
    assert_eq!(briefs.len(), 2);
    assert_eq!(briefs[0]["id"], "PR-2026-0310-073");
    assert_eq!(briefs[0]["sentiment_score"], 0.9);
    assert_eq!(briefs[0]["role"], "subject");
    let none = server.get("/api/v1/ticker/BOLT/news").send().await.json();
    assert_eq!(none["data_status"][0]["field"], "briefs");
}

#[tokio::test]
async fn names_resolve_to_symbols() {
    let server = market().await;
    for (text, ticker) in [
        ("acme instruments", "ACME"),
        ("oaks", "OAKS.B"),
        ("bitcoin", "BTC"),
        ("BTC-USD", "BTC"),
    ] {
        let path = format!("/api/v1/ticker/resolve?q={}", text.replace(' ', "%20"));
        let body = server.get(&path).send().await.json();
        assert_eq!(body["ticker"], ticker, "{text}");
        assert_eq!(body["matches"][0]["ticker"], ticker);
    }
    for (names, status) in [(20, 200), (21, 400)] {
        let list = vec!["BTC"; names].join(",");
        let path = format!("/api/v1/ticker/resolve?q={list}");
        let reply = server.get(&path).send().await;
        assert_eq!(reply.status.as_u16(), status, "{names} names");
    }
    let reply = server.get("/api/v1/ticker/resolve?q=zzzzzz").send().await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    let reply = server.get("/api/v1/ticker/resolve").send().await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_analysis_rests_on_what_is_known() {
    let server = server_with_reports().await;
    let body = server
        .get("/api/v1/ticker/ACME/analysis")
        .send()
        .await
        .json();
    let votes = &body["technicals"];
    let balance = (votes["buy"].as_f64().unwrap() - votes["sell"].as_f64().unwrap()) / 20.0;
    // No figures: news and price 0.60 and technicals 0.25 share the weight.
    let path = "/api/v1/ticker/ACME/score";
    let composite = server.get(path).send().await.json()["composite_score"].as_f64();
    let score = (composite.unwrap() * 0.6 + (0.5 + 0.5 * balance) * 0.25) / 0.85;
    let score = (100.0 * score).round();
    assert_eq!(body["trade_signal"]["score"].as_f64().unwrap(), score);
    assert_eq!(body["summary_source"], "template");
    assert!(body["levels"]["support"].as_f64().unwrap() < body["price"].as_f64().unwrap());
    assert!(body["fundamentals"]["pe_ratio"].is_null());
    let before = server
        .get("/api/v1/ticker/ACME/analysis?as_of=2020-01-01")
        .send()
        .await
        .json();
    assert!(before.get("trade_signal").is_none());
    assert!(
        before["summary"]
            .as_str()
            .unwrap()
            .contains("not enough data")
    );
}
