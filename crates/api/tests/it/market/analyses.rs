//! `/swarm/run`, `/runtime/run`, `/forecast`: work in several steps, its price, its gates, what it may say.

use model::{Frequency, KeyScope, Plan};
use serde_json::{Value, json};

use super::trading::{market_with_news, publish_news};
use crate::market::fixtures::{day, market};
use crate::support::{Reply, TestMember, TestServer};

const SWARM: &str = "/api/v1/swarm/run";
const RUNTIME: &str = "/api/v1/runtime/run";
const FORECAST: &str = "/api/v1/forecast";

async fn post(server: &TestServer, member: &TestMember, path: &str, body: Value) -> Reply {
    server.post(path, &body).bearer(&member.key).send().await
}

async fn answer(server: &TestServer, member: &TestMember, path: &str, body: Value) -> Value {
    let reply = post(server, member, path, body.clone()).await;
    assert_eq!(reply.status.as_u16(), 200, "{body}: {}", reply.text());
    let charged = reply.charged();
    let answer = reply.json();
    let said = answer
        .get("total_credits_used")
        .or_else(|| answer.pointer("/forecast/credits_used"));
    assert_eq!(said, Some(&json!(charged)), "{body}");
    answer
}

fn roles(answer: &Value) -> Vec<&str> {
    let steps = answer["steps"].as_array().unwrap();
    steps
        .iter()
        .map(|step| step["role"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn five_roles_work_under_a_budget_and_end_with_a_receipt() {
    let (server, member) = market_with_news().await;
    let body = answer(
        &server,
        &member,
        SWARM,
        json!({"query": "How is ACME doing?"}),
    )
    .await;
    let worked = roles(&body);
    for role in ["planner", "researcher", "verifier", "critic", "synthesizer"] {
        assert!(worked.contains(&role), "{worked:?}");
    }
    let cost = body["total_credits_used"].as_u64().unwrap();
    assert!((9..=25).contains(&cost));
    let by_steps: u64 = body["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["credits"].as_u64().unwrap())
        .sum();
    assert_eq!(cost, by_steps.max(9));
    // What is stored bears the figures that the answer states.
    let claims: Vec<&Value> = body["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step.get("claims"))
        .flat_map(|claims| claims.as_array().unwrap())
        .collect();
    let close = claims
        .iter()
        .find(|claim| {
            claim["claim"]
                .as_str()
                .unwrap()
                .starts_with("ACME closed at")
        })
        .unwrap();
    assert_eq!(close["verified"], json!(true), "{close}");
    assert!(
        body["synthesis"]["summary"]
            .as_str()
            .unwrap()
            .contains("ACME")
    );
    assert_eq!(body["synthesis"]["summary_source"], "template");
    // Everybody may read the receipt, which names those of the claims.
    let receipt = body["receipt"]["id"].as_str().unwrap();
    let path = format!("/api/v1/verify/receipt/{receipt}");
    assert!(
        body["receipt"]["verifiable_at"]
            .as_str()
            .unwrap()
            .ends_with(&path)
    );
    let shown = server.get(&path).send().await.json();
    let named = shown["receipt"].to_string();
    assert!(
        named.contains(close["receipt_id"].as_str().unwrap()),
        "{named}"
    );
}

#[tokio::test]
async fn a_budget_is_never_exceeded_and_one_that_is_too_small_is_refused() {
    let (server, member) = market_with_news().await;
    for budget in 9..=25 {
        let body = json!({"query": "How is ACME doing?", "budget": budget});
        let body = answer(&server, &member, SWARM, body).await;
        assert!(body["total_credits_used"].as_u64().unwrap() <= budget);
    }
    for (body, word) in [
        (json!({"query": "How is ACME doing?", "budget": 8}), "9"),
        (json!({"query": "How is ACME doing?", "budget": 0}), "9"),
        (
            json!({"query": "How is ACME doing?", "roles": ["planner", "jester"]}),
            "jester",
        ),
        (json!({"query": "How is ACME doing?", "roles": []}), "roles"),
        (json!({"query": " "}), "query"),
        (json!({}), "query"),
    ] {
        let reply = post(&server, &member, SWARM, body).await;
        let error = reply.expect_error(400, "invalid_request");
        assert!(error["message"].as_str().unwrap().contains(word), "{error}");
        assert_eq!(reply.charged(), 0);
    }
}

#[tokio::test]
async fn roles_that_are_not_named_do_not_work_but_a_researcher_is_verified() {
    let (server, member) = market_with_news().await;
    let query = "How is ACME doing?";
    let body = answer(
        &server,
        &member,
        SWARM,
        json!({"query": query, "roles": ["researcher"]}),
    )
    .await;
    assert_eq!(roles(&body), ["researcher", "verifier"]);
    let body = answer(
        &server,
        &member,
        SWARM,
        json!({"query": query, "roles": ["planner"]}),
    )
    .await;
    assert_eq!(roles(&body), ["planner"]);
    let summary = body["synthesis"]["summary"].as_str().unwrap();
    assert!(summary.starts_with("Nothing was researched"), "{summary}");
    assert_eq!(body["total_credits_used"], json!(9));
}

#[tokio::test]
async fn the_free_plan_has_five_runs_a_day() {
    let server = market().await;
    publish_news(&server).await;
    let free = server.member(Plan::Free, KeyScope::default()).await;
    let other = server.member(Plan::Free, KeyScope::default()).await;
    let query = json!({"query": "How is ACME doing?", "fast": true});
    for _ in 0..5 {
        answer(&server, &free, SWARM, query.clone()).await;
    }
    let refused = post(&server, &free, SWARM, query.clone()).await;
    refused.expect_error(429, "runs_limited");
    // The clock of the server stands at noon.
    assert_eq!(refused.number("retry-after"), 12 * 3_600);
    assert_eq!(refused.charged(), 0);
    answer(&server, &other, SWARM, query.clone()).await;
    // The runs of a day are on record: another process counts them as well.
    server.clock.advance(24 * 3_600 * 1_000);
    answer(&server, &free, SWARM, query).await;
}

#[tokio::test]
async fn a_field_has_sources_of_its_own() {
    let (server, member) = market_with_news().await;
    for vertical in ["finance", "legal", "research", "compliance", "custom"] {
        let body = json!({"query": "ACME exposure", "vertical": vertical});
        let body = answer(&server, &member, RUNTIME, body).await;
        assert_eq!(body["vertical"], vertical);
        assert!(body["verification_summary"]["avg_confidence"].is_number());
        assert!(!body["synthesis"]["summary"].as_str().unwrap().is_empty());
    }
    let legal = json!({"query": "ACME exposure", "vertical": "legal"});
    let body = answer(&server, &member, RUNTIME, legal.clone()).await;
    let objections = body["objections"].to_string();
    assert!(
        objections.contains("No lawsuit, ruling or regulatory act"),
        "{objections}"
    );
    let text = body["synthesis"]["summary"].as_str().unwrap();
    assert!(
        text.starts_with("**No lawsuit, ruling or regulatory act on "),
        "{text}"
    );
    assert_eq!(text.matches("regulatory act").count(), 1, "{text}");
    // A law on markets is no look at the markets.
    for vertical in ["legal", "compliance"] {
        let body = json!({"query": "EU digital markets act", "vertical": vertical});
        let body = answer(&server, &member, RUNTIME, body).await;
        let steps = body["steps"].to_string();
        assert!(steps.contains("read as topic"), "{steps}");
        assert!(!steps.contains("market overview"), "{steps}");
    }
    let unknown = json!({"query": "ACME exposure", "vertical": "astrology"});
    post(&server, &member, RUNTIME, unknown)
        .await
        .expect_error(400, "invalid_request");
    let builder = server.member(Plan::Builder, KeyScope::default()).await;
    post(&server, &builder, RUNTIME, legal)
        .await
        .expect_error(403, "plan_required");
}

#[tokio::test]
async fn a_key_that_may_not_read_prices_gets_none_in_an_analysis() {
    let (server, _) = market_with_news().await;
    let scope = KeyScope {
        allowed_endpoints: vec!["swarm".to_owned(), "ticker/ACME/news".to_owned()],
        ..KeyScope::default()
    };
    let narrow = server.member(Plan::Scale, scope).await;
    let body = answer(
        &server,
        &narrow,
        SWARM,
        json!({"query": "Why did ACME move?"}),
    )
    .await;
    let status = body["data_status"].to_string();
    assert!(
        status.contains("this key may not call /api/v1/ticker/ACME/price"),
        "{body}"
    );
    let summary = body["synthesis"]["summary"].as_str().unwrap();
    assert!(!summary.contains('$'), "{summary}");
    let verifier = body["steps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["role"] == "verifier");
    // The verifier is an operation as well.
    assert_eq!(verifier.unwrap()["claims"], json!([]));
}

#[tokio::test]
async fn a_forecast_needs_a_paid_plan_and_says_what_it_costs() {
    let server = market().await;
    for plan in [Plan::Free, Plan::Payg] {
        let member = server.member(plan, KeyScope::default()).await;
        let reply = post(&server, &member, FORECAST, json!({"topic": "ACME"})).await;
        let error = reply.expect_error(402, "payment_required");
        assert_eq!(error["payment"]["scheme"], "plan_key");
        assert_eq!(error["payment"]["accepts"][0]["resource"], FORECAST);
        assert_eq!(error["payment"]["plans"][0], "builder");
    }
    let reply = server
        .post(FORECAST, &json!({"topic": "ACME"}))
        .send()
        .await;
    reply.expect_error(401, "credential_required");
    let builder = server.member(Plan::Builder, KeyScope::default()).await;
    let body = answer(&server, &builder, FORECAST, json!({"topic": "ACME"})).await;
    assert_eq!(body["forecast"]["credits_used"], 15);
}

fn cases(forecast: &Value) -> Vec<f64> {
    let predictions = forecast["predictions"].as_array().unwrap();
    predictions
        .iter()
        .filter(|one| one["kind"] == "case")
        .map(|one| one["confidence"].as_f64().unwrap())
        .collect()
}

#[tokio::test]
async fn the_cases_of_a_forecast_add_up_to_one() {
    let (server, member) = market_with_news().await;
    for (topic, timeframe) in [
        ("ACME", "30d"),
        ("BOLT", "6 months"),
        ("BTC", "2 weeks"),
        ("FUND", "1 year"),
    ] {
        for depth in ["standard", "deep"] {
            let body = json!({"topic": topic, "timeframe": timeframe, "depth": depth});
            let body = answer(&server, &member, FORECAST, body).await;
            let forecast = &body["forecast"];
            let sum: f64 = cases(forecast).iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{topic} {timeframe}: {sum}");
            assert_eq!(cases(forecast).len(), 3);
            let price = if depth == "deep" { 95 } else { 15 };
            assert_eq!(forecast["credits_used"], price);
            assert!(
                ["rising", "falling", "stable"]
                    .contains(&forecast["trend_direction"].as_str().unwrap())
            );
        }
    }
}

#[tokio::test]
async fn commodities_pairs_and_indices_are_forecast_from_their_own_prices() {
    let (server, member) = market_with_news().await;
    let newest = day("2026-03-06");
    let daily: Vec<(String, f64)> = (0..400)
        .map(|back| {
            let swing = f64::from(back % 7) * 0.004 + f64::from(back % 5) * 0.003;
            (newest.plus(back - 399).to_string(), 1.1 + swing)
        })
        .collect();
    let daily: Vec<(&str, f64)> = daily.iter().map(|(day, value)| (&**day, *value)).collect();
    let old: Vec<(String, f64)> = (0..400)
        .map(|back| {
            (
                newest.plus(back - 899).to_string(),
                2.0 + f64::from(back % 5) * 0.01,
            )
        })
        .collect();
    let old: Vec<(&str, f64)> = old.iter().map(|(day, value)| (&**day, *value)).collect();
    let series: [super::markets::SeriesRows<'_>; 4] = [
        (
            "commodity:crude/spot",
            "USD per barrel",
            Frequency::Daily,
            0,
            &daily,
        ),
        ("fx:EURUSD", "USD", Frequency::Daily, 0, &daily),
        ("index:^GSPC", "index", Frequency::Daily, 0, &daily),
        (
            "commodity:gold/spot",
            "USD per troy ounce",
            Frequency::Daily,
            0,
            &old,
        ),
    ];
    super::markets::put_series(&server, "2026-03-09T22:00:00Z", &series).await;
    for (topic, stood) in [
        ("crude oil", "WTI crude oil stood at 1.1"),
        ("EUR/USD", "EUR/USD stood at 1.1"),
        ("S&P 500", "S&P 500 stood at 1.1"),
    ] {
        let body = json!({"topic": topic, "timeframe": "30d"});
        let forecast = answer(&server, &member, FORECAST, body).await["forecast"].clone();
        let summary = forecast["executive_summary"].as_str().unwrap();
        assert!(summary.starts_with(stood), "{summary}");
        assert!(summary.contains("on 6 Mar 2026"), "{summary}");
        let sum: f64 = cases(&forecast).iter().sum();
        assert!(
            (sum - 1.0).abs() < 1e-9 && cases(&forecast).len() == 3,
            "{forecast}"
        );
    }
    // From a price of two years ago nothing is forecast, and it says so.
    let gold = post(
        &server,
        &member,
        FORECAST,
        json!({"topic": "gold", "timeframe": "30d"}),
    )
    .await;
    assert!(
        gold.text()
            .contains("a forecast over 30 days from today would mostly guess"),
        "{}",
        gold.text()
    );
}

/// What the topic asks, with its chance.
async fn asked(server: &TestServer, member: &TestMember, topic: &str) -> (Value, f64) {
    let forecast =
        answer(server, member, FORECAST, json!({ "topic": topic })).await["forecast"].clone();
    let first = &forecast["predictions"][0];
    assert_eq!(first["kind"], "asked", "{topic}: {forecast}");
    let chance = first["confidence"].as_f64().unwrap();
    assert!((0.01..=0.99).contains(&chance), "{topic}: {chance}");
    let summary = forecast["executive_summary"].as_str().unwrap();
    assert!(
        summary.starts_with(first["prediction"].as_str().unwrap()),
        "{summary}"
    );
    (forecast, chance)
}

#[tokio::test]
async fn what_the_topic_asks_comes_first_and_its_chances_are_in_order() {
    let (server, member) = market_with_news().await;
    let chance = async |topic: &str| asked(&server, &member, topic).await.1;
    let up = chance("Will ACME rise by year end?").await;
    let down = chance("Will ACME fall by year end?").await;
    assert!((up + down - 1.0).abs() < 1e-9);
    // A level that only has to be touched is likelier than one to end at; a far one less likely than a near one.
    let touched = chance("Will ACME gain more than 10% at any point by year end?").await;
    let ended = chance("Will ACME gain more than 10% by year end?").await;
    let far = chance("Will ACME gain more than 60% by year end?").await;
    assert!(touched > ended && ended > far, "{touched} {ended} {far}");
    let above = chance("ACME above $1 by June").await;
    let below = chance("Will ACME be below $1 in June?").await;
    assert!(above > 0.98 && below < 0.02, "{above} {below}");

    // The time that the topic names counts, unless the caller says another.
    let (forecast, _) = asked(&server, &member, "Will ACME rise by the end of the month?").await;
    assert_eq!(forecast["until"], "2026-03-31");
    let body = json!({"topic": "Will ACME rise by the end of the month?", "timeframe": "1 day"});
    let forecast = answer(&server, &member, FORECAST, body).await["forecast"].clone();
    assert_ne!(forecast["until"], "2026-03-31");

    // What somebody does is no matter of a price, and what nothing speaks for has a small chance that says so.
    let (forecast, chance) =
        asked(&server, &member, "Will ACME buy Wibble Works by year end?").await;
    assert!(chance < 0.5, "{chance}");
    let summary = forecast["executive_summary"].as_str().unwrap();
    assert!(
        summary.contains("the news report that ACME acquires Wibble Works")
            && summary.contains("No report of the last"),
        "{summary}"
    );
    assert!(!summary.contains("closed at"), "{summary}");
    // A figure in another currency is no price of it.
    let euros = json!({"topic": "Will ACME reach 500 euros by year end?"});
    let euros = answer(&server, &member, FORECAST, euros).await["forecast"].clone();
    assert_ne!(euros["predictions"][0]["kind"], "asked");
    assert!(euros["data_status"].to_string().contains("EUR"), "{euros}");
}

#[tokio::test]
async fn a_forecast_knows_only_what_was_known_and_says_where_nothing_is() {
    let (server, member) = market_with_news().await;
    let at = "?as_of=2026-03-03T00:00:00Z";
    let body = answer(
        &server,
        &member,
        &format!("{FORECAST}{at}"),
        json!({"topic": "ACME", "timeframe": "30d"}),
    )
    .await;
    let summary = body["forecast"]["executive_summary"].as_str().unwrap();
    assert!(
        summary.contains("2 Mar 2026") && !summary.contains("9 Mar 2026"),
        "{summary}"
    );
    let young = post(&server, &member, FORECAST, json!({"topic": "YNG"})).await;
    let reason = young.text();
    assert!(
        young.status.as_u16() == 404 || reason.contains("too few"),
        "{reason}"
    );
    let unknown = post(&server, &member, FORECAST, json!({"topic": "zzqx wibble"})).await;
    unknown.expect_error(404, "not_found");
    assert_eq!(unknown.charged(), 0);
    for body in [
        json!({"topic": "ACME", "timeframe": "soon"}),
        json!({"topic": "ACME", "timeframe": "40 years"}),
        json!({"topic": "ACME", "period": "1d"}),
        json!({"topic": "ACME", "depth": "bottomless"}),
        json!({"topic": ""}),
    ] {
        let reply = post(&server, &member, FORECAST, body).await;
        reply.expect_error(400, "invalid_request");
    }
}
