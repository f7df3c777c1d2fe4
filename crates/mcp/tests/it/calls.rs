//! Calls of tools: what they return, how much of it, and what it costs.

use model::{KeyScope, Plan};
use serde_json::{Value, json};

use crate::support::{TestServer, json_of, message};

async fn output_schema(client: &crate::support::Client, name: &str) -> jsonschema::Validator {
    let tools = client.result("tools/list", json!({})).await;
    let tools = tools["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
    jsonschema::validator_for(&tool["outputSchema"]).unwrap()
}

#[tokio::test]
async fn small_and_full_answers_keep_the_output_schema() {
    let server = TestServer::start().await;
    let client = server.client();
    let schema = output_schema(&client, "ask").await;
    let small = client.call("ask", json!({"question": "long"})).await;
    let full = client
        .call("ask", json!({"question": "long", "detail": "full"}))
        .await;
    for result in [&small, &full] {
        let answer = &result["structuredContent"];
        assert!(schema.is_valid(answer), "{answer}");
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, *answer);
        assert_eq!(result["isError"], false);
    }
    assert_eq!(
        full["structuredContent"]["evidence"]
            .as_array()
            .unwrap()
            .len(),
        500
    );
    assert!(full["structuredContent"].get("left_out").is_none());
    let small = &small["structuredContent"];
    assert!(small.to_string().len() < 8_000);
    let list = &small["left_out"]["lists"][0];
    assert_eq!(
        (&list["list"], &list["of"]),
        (&json!("evidence"), &json!(500))
    );
}

#[tokio::test]
async fn operations_of_the_table_answer() {
    let server = TestServer::start().await;
    let client = server.client();
    for (tool, arguments) in [
        ("list_briefs", json!({"per_page": 3})),
        ("search_briefs", json!({"q": "interest rates"})),
        ("show_topic_context", json!({"topic": "inflation"})),
        (
            "verify_claim",
            json!({"claim": "The central bank raised its key interest rate."}),
        ),
        ("list_calendar_events", json!({"limit": 3})),
        ("show_market_summary", json!({})),
    ] {
        let schema = output_schema(&client, tool).await;
        let result = client.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let answer = &result["structuredContent"];
        let faults: Vec<String> = schema
            .iter_errors(answer)
            .map(|fault| fault.to_string())
            .collect();
        assert!(faults.is_empty(), "{tool}: {faults:?}");
    }
}

#[tokio::test]
async fn a_call_says_what_it_cost_and_a_failure_costs_nothing() {
    let server = TestServer::start().await;
    let key = server.key(Plan::Builder, KeyScope::default()).await;
    let client = server.client().bearer(&key);
    let charged = async |params: Value| {
        let response = client.send(message(1, "tools/call", &params)).await;
        let header = response.headers()["x-credits-charged"]
            .to_str()
            .unwrap()
            .to_owned();
        let body = json_of(response).await;
        let meta = body["result"]["_meta"]["assay/credits_charged"].clone();
        (header, meta)
    };
    let ask = json!({"name": "ask", "arguments": {"question": "why"}});
    assert_eq!(charged(ask).await, ("2".to_owned(), json!(2)));
    let wrong = json!({"name": "ask", "arguments": {}});
    assert_eq!(charged(wrong).await, ("0".to_owned(), Value::Null));
    let usage = client.call("show_usage", json!({})).await;
    let usage = &usage["structuredContent"];
    assert_eq!(usage["plan"], "builder", "{usage}");
}

#[tokio::test]
async fn what_acts_is_done_for_the_account_of_the_key() {
    let server = TestServer::start().await;
    let key = server.key(Plan::Builder, KeyScope::default()).await;
    let client = server.client().bearer(&key);
    let memory = json!({"agent_id": "desk", "key": "view", "value": "Revenue doubled."});
    let stored = client.call("store_memory", memory).await;
    assert_eq!(stored["isError"], false, "{stored}");
    let asked = json!({"agent_id": "desk", "q": "revenue"});
    let recalled = client.call("recall_memories", asked.clone()).await;
    assert!(recalled.to_string().contains("Revenue doubled."));
    let other = server.key(Plan::Builder, KeyScope::default()).await;
    let recalled = server
        .client()
        .bearer(&other)
        .call("recall_memories", asked)
        .await;
    assert!(!recalled.to_string().contains("Revenue doubled."));
}
