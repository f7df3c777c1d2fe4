//! What is listed: tools, resources and prompts.

use std::sync::Arc;

use operations::Registry;
use serde_json::{Value, json};

use crate::support::{TestServer, opening};

#[tokio::test]
async fn the_opening_says_what_there_is() {
    let server = TestServer::start().await;
    let opened = server.client().result("initialize", opening()).await;
    assert_eq!(opened["serverInfo"]["name"], "assay");
    for capability in ["tools", "resources", "prompts"] {
        assert!(opened["capabilities"].get(capability).is_some(), "{opened}");
    }
    assert!(
        opened["instructions"]
            .as_str()
            .unwrap()
            .contains("search_briefs")
    );
}

#[tokio::test]
async fn tools_are_few_and_described_by_schemas() {
    let server = TestServer::start().await;
    let listed = server.client().result("tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap();
    assert_eq!(tools[0]["name"], "ask");
    // Those of the crates above are not in this registry.
    assert!((30..=40).contains(&tools.len()));
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        for schema in ["inputSchema", "outputSchema"] {
            let schema = &tool[schema];
            assert_eq!(schema["type"], "object", "{name}");
            assert!(jsonschema::meta::is_valid(schema), "{name}");
            jsonschema::validator_for(schema).unwrap();
            assert!(!schema.to_string().contains("#/components"), "{name}");
        }
        let input = &tool["inputSchema"];
        assert!(!input.to_string().contains("$ref"), "{name}");
        assert_eq!(input["additionalProperties"], false);
        for (argument, schema) in input["properties"].as_object().unwrap() {
            assert!(
                schema["description"].is_string(),
                "{name}.{argument}: {schema}"
            );
        }
        assert_eq!(
            input["properties"]["detail"]["enum"],
            json!(["small", "full"])
        );
        let reads = &tool["annotations"]["readOnlyHint"];
        let acts = ["store_memory", "verify_output"].contains(&name);
        assert_eq!(*reads, !acts, "{name}");
        let open = ["search_web", "extract_pages"].contains(&name);
        assert_eq!(tool["annotations"]["openWorldHint"], open, "{name}");
    }
}

#[test]
fn arguments_of_operations_are_kept_apart_from_those_of_the_interface() {
    for entry in Registry::new().entries() {
        let mut fields = entry.input.fields.iter();
        assert!(
            fields.all(|field| field.name != "detail"),
            "{}",
            entry.about.name
        );
    }
}

#[test]
fn a_tool_whose_operation_is_missing_is_not_listed() {
    let names = |registry: &Registry| -> Vec<&'static str> {
        let summaries = mcp::summaries(registry);
        summaries.into_iter().map(|tool| tool.name).collect()
    };
    let without = Registry::of(
        Registry::new()
            .entries()
            .iter()
            .filter(|entry| entry.about.name != "show_price")
            .map(|entry| Arc::unwrap_or_clone(Arc::clone(entry))),
    );
    assert!(names(&Registry::new()).contains(&"show_price"));
    assert!(!names(&without).contains(&"show_price"));
}

#[tokio::test]
async fn resources_are_read_by_their_addresses() {
    let server = TestServer::start().await;
    let client = server.client();
    assert_eq!(
        client.result("resources/list", json!({})).await["resources"],
        json!([])
    );
    let templates = client.result("resources/templates/list", json!({})).await;
    let templates: Vec<&Value> = templates["resourceTemplates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|template| &template["uriTemplate"])
        .collect();
    assert_eq!(
        templates,
        [
            "assay://brief/{id}",
            "assay://ticker/{symbol}",
            "assay://receipt/{id}"
        ]
    );
    let claim = json!({"claim": "The central bank raised its key interest rate."});
    let verified = client.call("verify_claim", claim).await;
    let id = verified["structuredContent"]["receipt_id"].as_str();
    let id = id.unwrap_or_else(|| panic!("{verified}"));
    let uri = format!("assay://receipt/{id}");
    let read = client.result("resources/read", json!({"uri": uri})).await;
    let contents = &read["contents"][0];
    assert_eq!(
        (&contents["uri"], &contents["mimeType"]),
        (&json!(uri), &json!("application/json"))
    );
    let receipt: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
    assert!(receipt.to_string().contains(id));
    for uri in [
        "assay://brief/PR-2026-0301-001",
        "assay://ticker/NOSUCH",
        "assay://nothing/1",
        "x",
    ] {
        let error = client.error("resources/read", json!({"uri": uri})).await;
        assert_eq!(error["code"], -32002, "{uri}: {error}");
        assert_eq!(error["data"]["uri"], uri);
    }
    assert_eq!(
        client.error("resources/read", json!({})).await["code"],
        -32602
    );
}

#[tokio::test]
async fn three_prompts_can_be_had() {
    let server = TestServer::start().await;
    let client = server.client();
    let prompts = client.result("prompts/list", json!({})).await;
    let names: Vec<&Value> = prompts["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| &prompt["name"])
        .collect();
    assert_eq!(names, ["morning_brief", "claim_check", "ticker_deep_dive"]);
    let params = json!({"name": "ticker_deep_dive", "arguments": {"ticker": "AAPL"}});
    let prompt = client.result("prompts/get", params).await;
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("AAPL"));
    for params in [
        json!({"name": "nothing"}),
        json!({"name": "claim_check"}),
        json!({"name": "claim_check", "arguments": {"claim": 7}}),
        json!({}),
    ] {
        let error = client.error("prompts/get", params.clone()).await;
        assert_eq!(error["code"], -32602, "{params}");
    }
}
