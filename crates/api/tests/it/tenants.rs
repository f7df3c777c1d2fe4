//! What belongs to one account is nothing to another: every route with an id, as the document lists them.

use http::Method;
use serde_json::{Value, json};

use crate::market::fixtures::market;
use crate::support::{Reply, TestServer};

/// Routes whose ids name what everybody may read: briefs, and receipts, whose id is the permission.
const PUBLIC: [&str; 5] = [
    "/api/v1/brief/{id}",
    "/api/v1/brief/{id}/diff",
    "/api/v1/brief/{id}/timeline",
    "/api/v1/similar/{id}",
    "/api/v1/verify/receipt/{id}",
];

async fn ask(
    server: &TestServer,
    credential: &str,
    method: Method,
    path: &str,
    body: Value,
) -> Reply {
    let ask = server.ask(method.clone(), path).bearer(credential);
    if method == Method::GET || method == Method::DELETE {
        ask.send().await
    } else {
        ask.json(&body).send().await
    }
}

#[tokio::test]
async fn no_route_with_an_id_shows_or_changes_what_is_of_another() {
    let server = market().await;
    let (owner, other) = (server.unlimited().await, server.unlimited().await);
    let owner_token = server.register("ada@example.org").await;
    let other_token = server.register("eve@example.org").await;

    let made = async |credential: &str, path: &str, body: Value| {
        let reply = ask(&server, credential, Method::POST, path, body).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    };
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    let list = json!({"name": "mine", "tickers": ["ACME"]});
    let watchlist = made(&owner.key, "/api/v1/watchlists", list).await;
    let document =
        json!({"content": "# Plan\n\nNorthwind buys Acme in May.", "filename": "plan.md"});
    let document = made(&owner.key, "/api/v1/knowledge/upload", document).await;
    let monitor = json!({"agent_id": "desk", "alert_webhook": "https://hooks.example/x"});
    let monitor = made(&owner.key, "/api/v1/agent/auto-monitor", monitor).await;
    let key = made(
        &owner_token,
        "/api/v1/keys/create",
        json!({"name": "robot"}),
    )
    .await;
    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 1e6});
    let alert = made(&owner.key, "/api/v1/alerts", alert).await;
    let webhook = json!({"url": "https://hooks.example/x", "events": ["brief.published"]});
    let webhook = made(&owner_token, "/api/v1/webhooks", webhook).await;
    let query = json!({"query": "How is ACME doing?", "fast": true});
    let run = made(&owner.key, "/api/v1/swarm/run", query).await;
    let every = json!({"every": "4h", "inputs": {}});
    let schedule = made(&owner.key, "/api/v1/agents/morning-brief/schedules", every).await;
    let report = made(
        &owner.key,
        "/api/v1/reports/generate",
        json!({"ticker": "ACME"}),
    )
    .await;
    let owned = [
        ("/api/v1/agents/runs/", id(&run["run_id"])),
        ("/api/v1/agents/schedules/", id(&schedule["schedule"]["id"])),
        ("/api/v1/reports/", id(&report["report_id"])),
        ("/api/v1/alerts/", id(&alert["alert"]["id"])),
        ("/api/v1/webhooks/", id(&webhook["webhook"]["id"])),
        ("/api/v1/watchlist", id(&watchlist["watchlist"]["id"])),
        ("/api/v1/knowledge/documents/", id(&document["document_id"])),
        ("/api/v1/agent/monitors/", id(&monitor["monitor_id"])),
        ("/api/v1/keys/", id(&key["id"])),
    ];

    let openapi = server.get("/openapi.json").send().await.json();
    let mut checked = 0;
    for (path, methods) in openapi["paths"].as_object().unwrap() {
        if !path.contains("{id}") || PUBLIC.contains(&path.as_str()) {
            continue;
        }
        let Some((_, id)) = owned.iter().find(|(root, _)| path.starts_with(root)) else {
            panic!("{path} has an id: whose is it?");
        };
        let address = path.replace("{id}", id).replace("{ticker}", "ACME");
        let address = address.replace("{delivery}", "msg_0");
        let needs_token = ["/api/v1/keys/", "/api/v1/webhooks/"];
        let (mine, theirs) = if needs_token.iter().any(|root| path.starts_with(root)) {
            (&owner_token, &other_token)
        } else {
            (&owner.key, &other.key)
        };
        for method in methods.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            // Each has a minute of its own.
            server.clock.advance(model::Timestamp::MINUTE_MS);
            let body = json!({
                "state": "paused", "ticker": "ACME", "tickers": ["ACME"], "is_public": true
            });
            let foreign = ask(&server, theirs, method.clone(), &address, body.clone()).await;
            let foreign = foreign.expect_error(404, "not_found");
            // Nor can it be told from an id that nobody has.
            let nobody = address.replace(id.as_str(), &uuid::Uuid::new_v4().to_string());
            let nobody = ask(&server, theirs, method.clone(), &nobody, body).await;
            let nobody = nobody.expect_error(404, "not_found");
            assert_eq!(foreign["code"], nobody["code"], "{method} {path}");
            checked += 1;
        }
        // It is still there for its owner.
        if methods.get("get").is_some() {
            let still = ask(&server, mine, Method::GET, &address, Value::Null).await;
            assert_eq!(still.status, 200, "{path}: {}", still.text());
        }
    }
    assert!(checked >= 9, "only {checked} routes with an id were found");
}
