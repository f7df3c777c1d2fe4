//! The edges of the protocol: what a careless or hostile client sends.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{TestServer, json_of, message, opening};

#[tokio::test]
async fn an_unknown_tool_and_malformed_parameters_are_errors_of_the_protocol() {
    let server = TestServer::start().await;
    let client = server.client();
    let error = client
        .error("tools/call", json!({"name": "delete_everything"}))
        .await;
    assert_eq!(error["code"], -32602);
    assert_eq!(error["message"], "unknown tool: delete_everything");
    for params in [
        json!({}),
        json!({"arguments": {}}),
        json!({"name": 7}),
        json!({"name": "ask", "arguments": "question"}),
        json!({"name": "ask", "arguments": ["question"]}),
    ] {
        let error = client.error("tools/call", params.clone()).await;
        assert_eq!(error["code"], -32602, "{params}: {error}");
    }
    assert_eq!(
        client.error("tools/destroy", json!({})).await["code"],
        -32601
    );
    assert_eq!(
        client.error("completion/complete", json!({})).await["code"],
        -32601
    );
}

#[tokio::test]
async fn arguments_that_break_their_rules_are_told_to_the_model() {
    let server = TestServer::start().await;
    let client = server.client();
    for (tool, arguments, expected) in [
        ("ask", json!({}), "question"),
        ("ask", json!({"question": {"a": 1}}), "question"),
        (
            "ask",
            json!({"question": "why", "detail": "huge"}),
            "detail must be small or full",
        ),
        (
            "ask",
            json!({"question": "why", "qestion": 1}),
            "takes no \"qestion\"; it takes question, detail",
        ),
        ("list_briefs", json!({"per_page": 0}), "per_page"),
        (
            "screen_tickers",
            json!({"filters": {"nonsense_below": 1}}),
            "nonsense_below",
        ),
        (
            "show_brief",
            json!({"id": "PR-1", "as_of": "yesterday"}),
            "as_of",
        ),
    ] {
        let text = client.refusal(tool, arguments).await;
        assert!(text.starts_with("invalid_request: "), "{tool}: {text}");
        assert!(
            text.contains(expected) && text.contains("\nNext: correct"),
            "{tool}: {text}"
        );
    }
    let text = client
        .refusal("show_price", json!({"symbol": "NOSUCH"}))
        .await;
    assert!(
        text.starts_with("unknown_symbol: ") && text.contains("resolve_tickers"),
        "{text}"
    );
    let text = client
        .refusal("show_brief", json!({"id": "PR-2026-0301-001"}))
        .await;
    assert!(text.starts_with("not_found: "), "{text}");
    let text = client.refusal("ask", json!({"question": "panic"})).await;
    assert!(
        text.starts_with("internal_error: internal error\n"),
        "{text}"
    );
}

#[tokio::test]
async fn what_is_no_message_is_answered_as_json_rpc_says() {
    let server = TestServer::start().await;
    let client = server.client();
    for (body, code) in [
        ("", -32700),
        ("not json", -32700),
        ("{\"jsonrpc\":\"2.0\"", -32700),
        ("7", -32600),
        ("[]", -32600),
        ("{}", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":[1]}",
            -32602,
        ),
        ("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", -32600),
    ] {
        let response = client.send(body).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{body}");
        let body = json_of(response).await;
        assert_eq!(body["error"]["code"], code, "{body}");
    }
    let plain = client.clone().with("content-type", "text/plain");
    let response = plain.send(message(1, "ping", &json!({}))).await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let picky = client.clone().with("accept", "application/json");
    let response = picky.send(message(1, "ping", &json!({}))).await;
    assert_eq!(response.status(), StatusCode::NOT_ACCEPTABLE);
    assert_eq!(client.get().await.status(), StatusCode::METHOD_NOT_ALLOWED);
    let old = client.clone().with("mcp-protocol-version", "1999-01-01");
    let response = old.send(message(1, "ping", &json!({}))).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn every_version_of_the_protocol_is_spoken() {
    let server = TestServer::start().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let client = server.client().with("mcp-protocol-version", version);
        let mut params = opening();
        params["protocolVersion"] = version.into();
        let response = client.send(message(1, "initialize", &params)).await;
        assert_eq!(response.headers()["mcp-session-id"].len(), 32);
        let body = json_of(response).await;
        assert_eq!(body["result"]["protocolVersion"], version);
        assert_eq!(
            client.call("ask", json!({"question": "why"})).await["isError"],
            false
        );
    }
    // The newest has no opening: each request says what the client is.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let client = server
        .client()
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", "tools/call")
        .with("mcp-name", "ask");
    let params = json!({"name": "ask", "arguments": {"question": "why"}, "_meta": meta});
    let result = client.result("tools/call", params).await;
    assert_eq!(result["structuredContent"]["answer"], "why");
}
