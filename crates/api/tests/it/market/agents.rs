//! `/agents`: the marketplace, from a pipeline that is saved to a run that is paid for.

use futures::StreamExt;
use http::Method;
use model::{KeyScope, Plan};
use serde_json::{Value, json};

use super::trading::market_with_news;
use crate::support::{Reply, TestMember, TestServer, events_of};

const AGENTS: &str = "/api/v1/agents";

/// An agent that reads a price and the movers, and goes through a list.
const PIPELINE: &str = r#"
name = "Price watch"
description = "Tells how symbols stand."
category = "trading"
tags = ["price"]
required = ["tickers"]
summary = ["${prices | count 'price' 'prices'}.", { each = "${prices}", text = "${item.result.ticker} ${item.result.price | money}" }]

[inputs.tickers]
type = "array"
items = { type = "string", format = "ticker" }
maxItems = 5

[[steps]]
name = "prices"
operation = "show_price"
for_each = "${inputs.tickers}"
at_most = 5
arguments = { symbol = "${item}" }

[[steps]]
name = "technicals"
operation = "show_technicals"
arguments = { symbol = "${inputs.tickers[0]}" }

[output]
first = "${prices[0].result.price}"
"#;

async fn create(server: &TestServer, member: &TestMember, pipeline: &str) -> Reply {
    let body = json!({"pipeline": pipeline});
    server.post(AGENTS, &body).bearer(&member.key).send().await
}

async fn run(server: &TestServer, member: &TestMember, slug: &str, body: Value) -> Reply {
    let path = format!("{AGENTS}/run/{slug}");
    let asked = server.post(&path, &body).bearer(&member.key);
    asked.header("accept", "application/json").send().await
}

async fn stream(
    server: &TestServer,
    member: &TestMember,
    slug: &str,
    body: Value,
) -> Vec<(String, Value)> {
    let path = format!("{AGENTS}/run/{slug}");
    let reply = server.post(&path, &body).bearer(&member.key).send().await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(
        reply.header("content-type"),
        "text/event-stream; charset=utf-8"
    );
    let events = events_of(&reply.text());
    assert!(!events.is_empty());
    events
}

async fn used(server: &TestServer, member: &TestMember) -> u64 {
    let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
    usage.json()["credits_used_month"].as_u64().unwrap()
}

#[tokio::test]
async fn the_marketplace_lists_ranks_and_shows_agents() {
    let (server, member) = market_with_news().await;
    let get = async |path: &str| {
        let reply = server
            .get(&format!("{AGENTS}{path}"))
            .bearer(&member.key)
            .send()
            .await;
        assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
        reply.json()
    };
    let all = get("?limit=50").await;
    let agents = all["agents"].as_array().unwrap();
    assert!(agents.len() >= 20, "{}", agents.len());
    for field in [
        "slug",
        "name",
        "description",
        "category",
        "credit_cost",
        "run_count",
        "avg_rating",
        "fork_count",
        "creator_username",
        "is_featured",
        "tags",
    ] {
        assert!(
            agents.iter().all(|agent| agent.get(field).is_some()),
            "{field}"
        );
    }
    assert_eq!(get("").await["agents"].as_array().unwrap().len(), 20);
    let crypto = get("?category=crypto").await;
    assert!(
        crypto["agents"]
            .as_array()
            .unwrap()
            .iter()
            .all(|agent| agent["category"] == "crypto")
    );
    let found = get("?q=yield%20curve").await;
    let found = found["agents"].as_array().unwrap();
    assert!(
        found
            .iter()
            .any(|agent| agent["slug"] == "yield-curve-watch")
    );
    assert!(found.len() < agents.len());
    let featured = get("/featured").await;
    assert_eq!(featured["agents"][0]["slug"], "morning-brief");
    let collections = get("/collections").await;
    let first = &collections["collections"][0];
    assert_eq!(
        first["agent_count"],
        json!(first["agents"].as_array().unwrap().len())
    );
    let ranked = get("/leaderboard?sort=rating&limit=3").await;
    assert_eq!(ranked["agents"].as_array().unwrap().len(), 3);
    assert_eq!(ranked["agents"][0]["rank"], 1);
    let detail = get("/portfolio-risk-scan").await["agent"].clone();
    assert_eq!(detail["input_schema"]["required"], json!(["tickers"]));
    assert_eq!(
        detail["input_schema"]["properties"]["tickers"]["type"],
        "array"
    );
    assert_eq!(detail["reviews"], json!([]));
    assert!(
        detail["pipeline"]["toml"]
            .as_str()
            .unwrap()
            .contains("[[steps]]")
    );
    assert_eq!(detail["pipeline"]["steps"][0]["operation"], "list_candles");
    for (path, status, word) in [
        ("?sort=best", 400, "invalid_request"),
        ("?limit=51", 400, "invalid_request"),
        ("?category=fun", 400, "invalid_request"),
        ("/leaderboard?sort=newest", 400, "invalid_request"),
        ("/no-such-agent", 404, "not_found"),
        ("/..%2Fetc", 404, "not_found"),
        ("/runs/run_0", 404, "not_found"),
    ] {
        let reply = server
            .get(&format!("{AGENTS}{path}"))
            .bearer(&member.key)
            .send()
            .await;
        reply.expect_error(status, word);
    }
}

#[tokio::test]
async fn a_run_is_told_step_by_step_kept_and_charged_for_what_it_did() {
    let (server, member) = market_with_news().await;
    let made = create(&server, &member, PIPELINE).await;
    assert_eq!(made.status.as_u16(), 200, "{}", made.text());
    let agent = made.json()["agent"].clone();
    assert_eq!(
        (&agent["slug"], &agent["credit_cost"]),
        (&json!("price-watch"), &json!(7))
    );
    // An unknown symbol costs nothing and takes nothing else with it.
    let events = stream(
        &server,
        &member,
        "price-watch",
        json!({"inputs": {"tickers": ["ACME", "NOSUCH"]}}),
    )
    .await;
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["step", "step", "complete"]);
    let step = &events
        .iter()
        .find(|(_, data)| data["name"] == "prices")
        .unwrap()
        .1;
    assert_eq!(
        (&step["status"], &step["credits"]),
        (&json!("complete"), &json!(1))
    );
    assert!(step["result"].is_object());
    let complete = &events[2].1;
    assert_eq!(
        (&complete["status"], &complete["credits_used"]),
        (&json!("complete"), &json!(3))
    );
    assert_eq!(used(&server, &member).await, 3);
    let output = &complete["output"];
    assert!(
        output["summary"]
            .as_str()
            .unwrap()
            .starts_with("1 price. ACME $"),
        "{output}"
    );
    let reason = output["data_status"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("NOSUCH"), "{output}");
    let id = complete["run_id"].as_str().unwrap();
    let read = server
        .get(&format!("{AGENTS}/runs/{id}"))
        .bearer(&member.key)
        .send()
        .await;
    let kept = read.json()["run"].clone();
    assert_eq!(kept["id"], id);
    assert_eq!(kept["agent_slug"], "price-watch");
    assert_eq!(kept["output"], complete["output"]);
    assert_eq!(kept["inputs"], json!({"tickers": ["ACME", "NOSUCH"]}));
    assert_eq!(kept["steps"].as_array().unwrap().len(), 2);
    assert_eq!(kept["receipt_id"], complete["receipt_id"]);
    let other = server.unlimited().await;
    let theirs = server
        .get(&format!("{AGENTS}/runs/{id}"))
        .bearer(&other.key)
        .send()
        .await;
    theirs.expect_error(404, "not_found");
    // The same as one document, with the bare inputs.
    let reply = run(
        &server,
        &member,
        "price-watch",
        json!({"tickers": ["ACME"]}),
    )
    .await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.charged(), 3);
    assert_eq!(reply.json()["run"]["credits_used"], 3);
    let counted = server
        .get(&format!("{AGENTS}/price-watch"))
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(counted.json()["agent"]["run_count"], 2);
}

#[tokio::test]
async fn what_cannot_run_is_refused_before_anything_is_charged() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let inputs = json!({"tickers": ["ACME"]});
    for (slug, body, status, part) in [
        ("no-such-agent", json!({}), 404, "there is no agent"),
        ("price-watch", json!({}), 400, "inputs.tickers is required"),
        (
            "price-watch",
            json!({"inputs": {"tickers": "ACME"}}),
            400,
            "inputs.tickers must be an array",
        ),
        (
            "price-watch",
            json!({"inputs": {"tickers": [5]}}),
            400,
            "inputs.tickers [0] must be a string",
        ),
        (
            "price-watch",
            json!({"inputs": {"tickers": ["A"], "other": 1}}),
            400,
            "inputs.other: unknown",
        ),
        (
            "price-watch",
            json!({"inputs": inputs, "budget": 0}),
            400,
            "budget must be at least 1",
        ),
        (
            "price-watch",
            json!({"inputs": inputs, "delivery_target_id": "whk_no"}),
            404,
            "no such webhook",
        ),
        (
            "earnings-preview",
            json!({"inputs": {"ticker": "ACME"}, "budget": 0}),
            400,
            "budget",
        ),
        (
            "momentum-screen",
            json!({"inputs": {}, "budget": 4}),
            400,
            "the smallest run of momentum-screen costs 5",
        ),
    ] {
        for accept in ["application/json", "text/event-stream"] {
            let path = format!("{AGENTS}/run/{slug}");
            let asked = server
                .post(&path, &body)
                .bearer(&member.key)
                .header("accept", accept);
            let reply = asked.send().await;
            assert_eq!(
                reply.status.as_u16(),
                status,
                "{slug} {body}: {}",
                reply.text()
            );
            assert!(
                reply.text().contains(part),
                "{slug} {body}: {}",
                reply.text()
            );
        }
    }
    assert_eq!(used(&server, &member).await, 0);
    // The demo key runs nothing.
    let path = format!("{AGENTS}/run/price-watch");
    let reply = server.post(&path, &inputs).send().await;
    reply.expect_error(401, "credential_required");
}

#[tokio::test]
async fn a_budget_is_never_exceeded_and_who_cannot_pay_is_refused() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let body = json!({"inputs": {"tickers": ["ACME", "ACME", "ACME"]}, "budget": 2});
    let reply = run(&server, &member, "price-watch", body).await;
    let body = reply.json();
    assert_eq!(body["run"]["status"], "budget_exhausted", "{body}");
    assert!(reply.charged() <= 2);
    let server = TestServer::with_credits(3).await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    create(&server, &member, PIPELINE).await;
    let reply = run(
        &server,
        &member,
        "price-watch",
        json!({"tickers": ["ACME"]}),
    )
    .await;
    reply.expect_error(429, "credits_exhausted");
    let reply = run(&server, &member, "yield-curve-watch", json!({"budget": 2})).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert!(reply.charged() <= 2);
}

#[tokio::test]
async fn a_client_that_leaves_ends_the_run_and_pays_for_what_was_done() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let path = format!("{AGENTS}/run/price-watch");
    let body = json!({"tickers": ["ACME"]});
    let response = server.post(&path, &body).bearer(&member.key).open().await;
    let mut events = response.into_body().into_data_stream();
    let first = events.next().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: step"));
    drop(events);
    crate::support::until(async || used(&server, &member).await > 0).await;
    assert!((1..=3).contains(&used(&server, &member).await));
}

#[tokio::test]
async fn agents_belong_to_who_made_them_and_are_seen_by_all() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let other = server.unlimited().await;
    let mine = format!("{AGENTS}/price-watch");
    let shown = server.get(&mine).bearer(&other.key).send().await.json();
    assert_ne!(shown["agent"]["creator_username"], "assay");
    assert!(
        !shown["agent"]["creator_username"]
            .as_str()
            .unwrap()
            .contains('@')
    );
    let change = json!({"pipeline": PIPELINE.replace("Price watch", "Prices")});
    for method in [Method::PUT, Method::DELETE] {
        let asked = server.ask(method, &mine).bearer(&other.key).json(&change);
        asked.send().await.expect_error(404, "not_found");
    }
    let reply = server
        .ask(Method::PUT, &mine)
        .bearer(&member.key)
        .json(&change)
        .send()
        .await;
    assert_eq!(reply.json()["agent"]["name"], "Prices", "{}", reply.text());
    // A second one of the same name has a slug of its own; fixed words and those of the house are nobody's.
    let again = create(&server, &member, PIPELINE).await.json();
    assert_eq!(again["agent"]["slug"], "price-watch-2");
    for slug in [
        "featured",
        "leaderboard",
        "runs",
        "morning-brief",
        "x",
        "No",
    ] {
        let body = json!({"pipeline": PIPELINE, "slug": slug});
        let reply = server.post(AGENTS, &body).bearer(&member.key).send().await;
        reply.expect_error(400, "invalid_request");
    }
    let fork = server
        .post(&format!("{AGENTS}/morning-brief/fork"), &json!({}))
        .bearer(&other.key);
    let fork = fork.send().await.json();
    assert_eq!(fork["agent"]["forked_from"], "morning-brief", "{fork}");
    let forked = server
        .get(&format!("{AGENTS}/morning-brief"))
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(forked.json()["agent"]["fork_count"], 1);
    let reply = server
        .ask(Method::DELETE, &mine)
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    server
        .get(&mine)
        .bearer(&member.key)
        .send()
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn what_changes_the_marketplace_is_done_once_for_each_key() {
    let (server, member) = market_with_news().await;
    let other = server.unlimited().await;
    create(
        &server,
        &other,
        &PIPELINE.replace("Price watch", "Other watch"),
    )
    .await;
    run(
        &server,
        &member,
        "other-watch",
        json!({"tickers": ["ACME"]}),
    )
    .await;
    for (path, body) in [
        (AGENTS.to_owned(), json!({"pipeline": PIPELINE})),
        (format!("{AGENTS}/morning-brief/fork"), json!({})),
        (
            format!("{AGENTS}/other-watch/reviews"),
            json!({"rating": 4}),
        ),
        (
            format!("{AGENTS}/price-watch/schedules"),
            json!({"inputs": {"tickers": ["ACME"]}, "every": "4h"}),
        ),
    ] {
        let ask = || {
            let asked = server.post(&path, &body).bearer(&member.key);
            asked.header("idempotency-key", "once").send()
        };
        let first = ask().await;
        assert_eq!(first.status.as_u16(), 200, "{path}: {}", first.text());
        let again = ask().await;
        assert_eq!(again.header("idempotency-replayed"), "true", "{path}");
        assert_eq!(again.body, first.body, "{path}");
    }
    // The answer that was stored with the agent is the one that a later look gives.
    let made = server
        .get(&format!("{AGENTS}/price-watch"))
        .bearer(&member.key)
        .send()
        .await;
    let again = server
        .post(AGENTS, &json!({"pipeline": PIPELINE}))
        .bearer(&member.key)
        .header("idempotency-key", "once")
        .send()
        .await;
    assert_eq!(made.json()["agent"], again.json()["agent"]);
    let agents = server.state.store.agents().list().await.unwrap();
    let own = agents.iter().filter(|one| one.account == member.account);
    assert_eq!(own.count(), 2);
    let schedules = server.state.store.agent_schedules();
    assert_eq!(schedules.list(member.account).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_odd_idempotency_key_is_refused_by_a_stream_as_well() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let path = format!("{AGENTS}/run/price-watch");
    for accept in ["application/json", "text/event-stream"] {
        let asked = server
            .post(&path, &json!({"tickers": ["ACME"]}))
            .bearer(&member.key)
            .header("accept", accept)
            .header("idempotency-key", "two words");
        let reply = asked.send().await;
        reply.expect_error(400, "invalid_idempotency_key");
    }
    assert_eq!(used(&server, &member).await, 0);
}

#[tokio::test]
async fn a_review_is_one_of_each_account_that_ran_the_agent() {
    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let path = format!("{AGENTS}/price-watch/reviews");
    let rate = async |who: &TestMember, body: Value| {
        server.post(&path, &body).bearer(&who.key).send().await
    };
    rate(&member, json!({"rating": 5}))
        .await
        .expect_error(400, "invalid_request");
    let other = server.unlimited().await;
    rate(&other, json!({"rating": 5}))
        .await
        .expect_error(400, "invalid_request");
    run(&server, &other, "price-watch", json!({"tickers": ["ACME"]})).await;
    for body in [
        json!({}),
        json!({"rating": 0}),
        json!({"rating": 6}),
        json!({"rating": 3, "comment": "x".repeat(2_001)}),
    ] {
        rate(&other, body)
            .await
            .expect_error(400, "invalid_request");
    }
    rate(&other, json!({"rating": 2, "comment": "Meh"})).await;
    rate(&other, json!({"rating": 4, "comment": "Better\u{7}"})).await;
    let shown = server
        .get(&format!("{AGENTS}/price-watch"))
        .bearer(&member.key)
        .send()
        .await;
    let agent = shown.json()["agent"].clone();
    assert_eq!(
        (&agent["avg_rating"], &agent["review_count"]),
        (&json!(4.0), &json!(1))
    );
    assert_eq!(agent["reviews"][0]["comment"], "Better");
}

#[tokio::test]
async fn what_acts_runs_under_the_scope_and_for_its_creator_only() {
    let (server, member) = market_with_news().await;
    let acting = r#"
name = "Note taker"
description = "Stores a price as a memory."
category = "monitoring"
summary = "Stored."
[[steps]]
name = "price"
operation = "show_price"
arguments = { symbol = "ACME" }
[[steps]]
name = "note"
operation = "store_memory"
arguments = { agent_id = "notes", key = "price", value = "ACME at ${price.price}", category = "fact" }
"#;
    let narrow = server
        .member(
            Plan::Scale,
            KeyScope {
                allowed_endpoints: vec!["agents".into(), "ticker".into()],
                ..KeyScope::default()
            },
        )
        .await;
    let refused = create(&server, &narrow, acting).await;
    let fault = refused.expect_error(400, "invalid_request");
    let message = fault["message"].as_str().unwrap();
    assert!(message.starts_with("line 12, column 13: store_memory: this key is not allowed to call POST /api/v1/memory/store"), "{message}");
    let made = create(&server, &member, acting).await;
    assert_eq!(made.json()["agent"]["personal"], true, "{}", made.text());
    let reply = run(&server, &member, "note-taker", json!({})).await;
    assert_eq!(
        reply.json()["run"]["status"],
        "complete",
        "{}",
        reply.text()
    );
    let other = server.unlimited().await;
    run(&server, &other, "note-taker", json!({}))
        .await
        .expect_error(403, "endpoint_not_allowed");
    // A key that may run agents and nothing else gets nothing else through them.
    let bare = server
        .member(
            Plan::Scale,
            KeyScope {
                allowed_endpoints: vec!["agents".into()],
                ..KeyScope::default()
            },
        )
        .await;
    let reply = run(&server, &bare, "drawdown-check", json!({"ticker": "ACME"}))
        .await
        .json();
    assert_eq!(
        (&reply["run"]["status"], &reply["run"]["credits_used"]),
        (&json!("failed"), &json!(0)),
        "{reply}"
    );
    assert!(
        reply["run"]["output"]["summary"]
            .as_str()
            .unwrap()
            .contains("key may not call"),
        "{reply}"
    );
}

#[tokio::test]
async fn a_pipeline_with_a_fault_is_refused_with_its_line() {
    let (server, member) = market_with_news().await;
    for (pipeline, part) in [
        (String::new(), "a pipeline needs a name"),
        ("name = ".to_owned(), "line 1, column"),
        (
            PIPELINE.replace("show_price", "show_prize"),
            "line 16, column 13: there is no operation",
        ),
        (
            PIPELINE.replace("prices[0].result.price", "prices[0].result.prize"),
            "no field \"prize\"",
        ),
        (
            PIPELINE.replace("show_technicals", "run_agent"),
            "cannot be a step",
        ),
        (
            format!("{PIPELINE}\n#{}", "x".repeat(70_000)),
            "at most 65536 bytes",
        ),
        (
            format!("a = {}1{}", "[".repeat(20_000), "]".repeat(20_000)),
            "line 1",
        ),
    ] {
        let reply = create(&server, &member, &pipeline).await;
        let fault = reply.expect_error(400, "invalid_request");
        assert!(
            fault["message"].as_str().unwrap().contains(part),
            "{part}: {fault}"
        );
    }
    // As many as an account may have.
    for _ in 0..5 {
        assert_eq!(
            create(&server, &member, PIPELINE).await.status.as_u16(),
            200
        );
    }
}

#[tokio::test]
async fn every_agent_of_the_house_runs_on_a_small_market() {
    let (server, member) = market_with_news().await;
    let all = server
        .get(&format!("{AGENTS}?limit=50"))
        .bearer(&member.key)
        .send()
        .await
        .json();
    for agent in all["agents"].as_array().unwrap() {
        let slug = agent["slug"].as_str().unwrap();
        let detail = server
            .get(&format!("{AGENTS}/{slug}"))
            .bearer(&member.key)
            .send()
            .await
            .json();
        let mut inputs = serde_json::Map::new();
        for name in detail["agent"]["input_schema"]["required"]
            .as_array()
            .unwrap()
        {
            let value = match name.as_str().unwrap() {
                "ticker" | "coin" => json!("ACME"),
                "tickers" => json!(["ACME", "BETA"]),
                "topic" => json!("Acme"),
                "since" => json!("2026-01-01"),
                "text" => json!("Acme opened a plant in Halden and hired 400 people there."),
                other => panic!("{slug}: {other}"),
            };
            inputs.insert(name.as_str().unwrap().to_owned(), value);
        }
        let reply = run(&server, &member, slug, json!({"inputs": inputs})).await;
        assert_eq!(reply.status.as_u16(), 200, "{slug}: {}", reply.text());
        let run = reply.json()["run"].clone();
        let summary = run["output"]["summary"].as_str().unwrap();
        assert!(
            summary.len() > 20 && !summary.contains("${"),
            "{slug}: {summary}"
        );
        assert!(
            run["credits_used"].as_u64() <= agent["credit_cost"].as_u64(),
            "{slug}"
        );
        assert_eq!(run["credits_used"], json!(reply.charged()), "{slug}");
    }
}

#[tokio::test]
async fn a_schedule_runs_once_when_it_is_due_and_rests_without_its_key() {
    use ::agents::marketplace::schedule::run_due;
    use tokio_util::sync::CancellationToken;

    let (server, member) = market_with_news().await;
    create(&server, &member, PIPELINE).await;
    let path = format!("{AGENTS}/price-watch/schedules");
    let inputs = json!({"tickers": ["ACME"]});
    for body in [
        json!({"inputs": inputs}),
        json!({"inputs": inputs, "every": "4h", "at": "07:30"}),
        json!({"inputs": inputs, "every": "5m"}),
        json!({"inputs": inputs, "at": "25:00"}),
        json!({"inputs": inputs, "at": "07:30", "time_zone": "Nowhere/Land"}),
        json!({"inputs": {}, "every": "4h"}),
        json!({"inputs": inputs, "every": "4h", "budget": 0}),
    ] {
        let reply = server.post(&path, &body).bearer(&member.key).send().await;
        reply.expect_error(400, "invalid_request");
    }
    let body = json!({"inputs": inputs, "every": "4h"});
    let made = server.post(&path, &body).bearer(&member.key).send().await;
    let id = made.json()["schedule"]["id"].as_str().unwrap().to_owned();
    let all = format!("{AGENTS}/schedules");
    let shown = async |who: &TestMember| server.get(&all).bearer(&who.key).send().await.json();
    let other = server.unlimited().await;
    assert_eq!(shown(&other).await["schedules"], json!([]));
    let reply = server
        .ask(Method::DELETE, &format!("{all}/{id}"))
        .bearer(&other.key)
        .send()
        .await;
    reply.expect_error(404, "not_found");

    let token = CancellationToken::new();
    let run = async || run_due(&server.state.services, &token).await.unwrap();
    assert_eq!(run().await, 0, "not yet");
    server.clock.advance(4 * 3_600_000);
    // Several workers look at the same time; one of them runs it.
    let (one, two) = tokio::join!(run(), run());
    assert_eq!(one + two, 1);
    assert_eq!(run().await, 0, "once");
    let schedule = shown(&member).await["schedules"][0].clone();
    let done = schedule["last_run_id"].as_str().unwrap();
    let read = server
        .get(&format!("{AGENTS}/runs/{done}"))
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(read.json()["run"]["credits_used"], 3, "{}", read.text());
    assert_eq!(used(&server, &member).await, 3);
    // What was missed is not made up for.
    server.clock.advance(30 * 3_600_000);
    assert_eq!(run().await, 1);
    assert_eq!(run().await, 0);

    let now = operations::Clock::now(&*server.clock);
    let keys = server.state.store.keys();
    assert!(
        keys.revoke(member.account, member.key_id, now)
            .await
            .unwrap()
    );
    server.clock.advance(4 * 3_600_000);
    assert_eq!(run().await, 0);
    let schedules = server.state.store.agent_schedules();
    let rests = schedules.list(member.account).await.unwrap();
    assert_eq!(rests[0].next_at, None);
    assert!(rests[0].note.as_deref().unwrap().contains("revoked"));
}
