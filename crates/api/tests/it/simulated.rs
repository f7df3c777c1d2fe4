//! Every answer of the simulated world says what it is, also of what acts.
//!
//! [`crate::contract::check`] asserts it of every answer that any test gets; here the operations that act are called one
//! after the other, so that none of them is left to chance.

use std::collections::BTreeSet;

use http::Method;
use model::Plan;
use operations::{Effect, Registry};
use serde_json::{Value, json};

use crate::support::TestServer;

/// Operations that act and need an address that answers; the tests of the way out call them.
const WITH_A_RECEIVER: [&str; 5] = [
    "create_webhook",
    "delete_webhook",
    "replay_delivery",
    "rotate_webhook_secret",
    "test_webhook",
];

struct Walk {
    server: TestServer,
    token: String,
    called: BTreeSet<&'static str>,
}

impl Walk {
    /// Calls an operation that acts, which must succeed and say that the world is simulated.
    async fn act(
        &mut self,
        name: &'static str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Value {
        let path = format!("/api/v1{path}");
        let mut asked = self.server.ask(method, &path).bearer(&self.token);
        if let Some(body) = &body {
            asked = asked.json(body);
        }
        let reply = asked.send().await;
        assert!(reply.status.is_success(), "{name}: {}", reply.text());
        let answer = reply.json();
        assert_eq!(answer["simulated"], true, "{name}: {answer}");
        self.called.insert(name);
        answer
    }
}

fn text<'a>(answer: &'a Value, pointer: &str) -> &'a str {
    let found = answer.pointer(pointer).and_then(Value::as_str);
    found.unwrap_or_else(|| panic!("no {pointer} in {answer}"))
}

#[tokio::test]
async fn what_acts_says_that_the_world_is_simulated() {
    let server = crate::market::fixtures::market().await;
    let token = server.register("ada@example.org").await;
    let accounts = server.state.store.accounts();
    let ada = accounts.find_by_email("ada@example.org").await.unwrap();
    accounts
        .set_plan(ada.unwrap().id, Plan::Unlimited)
        .await
        .unwrap();
    server.clock.advance(60_000);
    let mut walk = Walk {
        server,
        token,
        called: BTreeSet::new(),
    };
    let (post, put, patch, delete) = (Method::POST, Method::PUT, Method::PATCH, Method::DELETE);

    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 250});
    let alert = walk
        .act("create_alert", post.clone(), "/alerts", Some(alert))
        .await;
    let path = format!("/alerts/{}", text(&alert, "/alert/id"));
    walk.act("delete_alert", delete.clone(), &path, None).await;

    let output =
        json!({"text": "The central bank raised its key interest rate.", "agent_id": "desk-1"});
    walk.act(
        "verify_output",
        post.clone(),
        "/verify/output",
        Some(output),
    )
    .await;
    let feedback = json!({"type": "incorrect", "message": "The figure is of last year."});
    walk.act("give_feedback", post.clone(), "/feedback", Some(feedback))
        .await;
    let memory = json!({"agent_id": "desk-1", "key": "view", "value": "Revenue doubled.", "tickers": ["ACME"], "confidence": 0.8});
    walk.act("store_memory", post.clone(), "/memory/store", Some(memory))
        .await;
    let agent = json!({"agent_id": "desk-1"});
    walk.act(
        "consolidate_memories",
        post.clone(),
        "/memory/consolidate",
        Some(agent.clone()),
    )
    .await;
    let monitor = walk
        .act(
            "monitor_agent",
            post.clone(),
            "/agent/auto-monitor",
            Some(agent),
        )
        .await;
    let path = format!("/agent/monitors/{}", text(&monitor, "/monitor_id"));
    let paused = Some(json!({"state": "paused"}));
    walk.act("set_monitor_state", patch.clone(), &path, paused)
        .await;
    walk.act("delete_monitor", delete.clone(), &path, None)
        .await;
    let document =
        json!({"content": "# Policy\n\nRates are reviewed each quarter.", "filename": "policy.md"});
    let document = walk
        .act(
            "upload_document",
            post.clone(),
            "/knowledge/upload",
            Some(document),
        )
        .await;
    let path = format!("/knowledge/documents/{}", text(&document, "/document_id"));
    walk.act("delete_document", delete.clone(), &path, None)
        .await;

    let list = json!({"name": "mine", "tickers": ["ACME"]});
    let list = walk
        .act("create_watchlist", post.clone(), "/watchlists", Some(list))
        .await;
    let path = format!("/watchlists/{}", text(&list, "/watchlist/id"));
    let items = Some(json!({"tickers": ["BOLT"]}));
    walk.act(
        "add_watchlist_tickers",
        post.clone(),
        &format!("{path}/items"),
        items,
    )
    .await;
    let item = format!("{path}/items/BOLT");
    walk.act("remove_watchlist_ticker", delete.clone(), &item, None)
        .await;
    walk.act("delete_watchlist", delete.clone(), &path, None)
        .await;

    let key = json!({"name": "research desk"});
    walk.act("create_api_key", post.clone(), "/keys/create", Some(key))
        .await;
    let listed = walk.server.get("/api/v1/keys").bearer(&walk.token);
    let listed = listed.send().await.json();
    let path = format!("/keys/{}", text(&listed, "/keys/0/id"));
    walk.act("revoke_api_key", delete.clone(), &path, None)
        .await;
    let cap = Some(json!({"spending_cap_usd": 50}));
    walk.act("set_spending_cap", put.clone(), "/billing/cap", cap)
        .await;

    let registry = Registry::new();
    let acting: BTreeSet<&str> = registry
        .entries()
        .iter()
        .filter(|entry| entry.effect == Effect::Acts)
        .map(|entry| entry.about.name)
        .filter(|name| !WITH_A_RECEIVER.contains(name))
        .collect();
    let missing: Vec<&&str> = acting
        .iter()
        .filter(|name| !walk.called.contains(**name))
        .collect();
    assert!(missing.is_empty(), "not called: {missing:?}");
}
