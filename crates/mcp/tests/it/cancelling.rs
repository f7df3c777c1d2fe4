//! Calls that are no longer wanted, and calls that say how they are getting on.

use serde_json::{Value, json};

use crate::operation::waiting;
use crate::support::{Client, LIMIT, TestServer, json_of, message, opening};

async fn session(client: &Client) -> Client {
    let response = client.send(message(0, "initialize", &opening())).await;
    let id = response.headers()["mcp-session-id"].to_str().unwrap();
    client.clone().with("mcp-session-id", id)
}

fn wait(name: &str) -> Value {
    json!({"name": "ask", "arguments": {"question": format!("wait {name}")}})
}

fn cancelled(id: i64) -> String {
    let params = json!({"requestId": id, "reason": "enough"});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string()
}

#[tokio::test]
async fn a_notification_ends_the_call_and_costs_nothing() {
    let server = TestServer::start().await;
    let client = session(&server.client()).await;
    let call = waiting("notified");
    let asking = tokio::spawn({
        let client = client.clone();
        async move {
            client
                .send(message(7, "tools/call", &wait("notified")))
                .await
        }
    });
    tokio::time::timeout(LIMIT, call.begun.notified())
        .await
        .unwrap();
    // Another conversation has numbers of its own.
    let other = session(&server.client()).await;
    assert_eq!(other.send(cancelled(7)).await.status(), 202);
    assert_eq!(client.send(cancelled(8)).await.status(), 202);
    assert!(!asking.is_finished());
    assert_eq!(client.send(cancelled(7)).await.status(), 202);
    tokio::time::timeout(LIMIT, call.dropped.notified())
        .await
        .unwrap();
    let response = asking.await.unwrap();
    assert_eq!(response.headers()["x-credits-charged"], "0");
    let body = json_of(response).await;
    let text = body["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("cancelled: "), "{text}");
    // Late, twice, and for nothing: all are harmless.
    assert_eq!(client.send(cancelled(7)).await.status(), 202);
}

#[tokio::test]
async fn whoever_hangs_up_ends_the_call() {
    let server = TestServer::start().await;
    let call = waiting("hung up");
    let client = server.client();
    let asking = tokio::spawn(async move {
        client
            .send(message(7, "tools/call", &wait("hung up")))
            .await;
    });
    tokio::time::timeout(LIMIT, call.begun.notified())
        .await
        .unwrap();
    asking.abort();
    tokio::time::timeout(LIMIT, call.dropped.notified())
        .await
        .unwrap();
}

#[tokio::test]
async fn progress_is_reported_to_whoever_asks_for_it() {
    let server = TestServer::start().await;
    let params = json!({
        "name": "ask", "arguments": {"question": "why"}, "_meta": {"progressToken": "t-1"},
    });
    let response = server
        .client()
        .send(message(7, "tools/call", &params))
        .await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert!(!response.headers().contains_key("x-credits-charged"));
    let text = response.text().await.unwrap();
    let events: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok())
        .collect();
    let (result, reports) = events.split_last().unwrap();
    assert_eq!(result["id"], 7);
    assert_eq!(result["result"]["_meta"]["assay/credits_charged"], 2);
    assert!(reports.len() >= 2, "{text}");
    let mut before = -1.0;
    for report in reports {
        assert_eq!(report["method"], "notifications/progress");
        assert_eq!(report["params"]["progressToken"], "t-1");
        let progress = report["params"]["progress"].as_f64().unwrap();
        assert!(progress > before);
        before = progress;
    }
}

#[tokio::test]
async fn steps_are_told_in_their_order() {
    let server = TestServer::start().await;
    let params = json!({
        "name": "ask", "arguments": {"question": "steps"}, "_meta": {"progressToken": "t-2"},
    });
    let response = server
        .client()
        .send(message(8, "tools/call", &params))
        .await;
    let text = response.text().await.unwrap();
    let told: Vec<String> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:")?.trim()).ok())
        .filter_map(|event| Some(event["params"]["message"].as_str()?.to_owned()))
        .filter(|message| !message.contains("at work"))
        .collect();
    assert_eq!(
        told,
        [
            "ask: taken up",
            "ask: research complete: Three sources.",
            "ask: verification failed",
            "ask: done"
        ]
    );
}
