//! The rules of every interface hold here: credentials, scopes, gates, limits; host names, origins and sizes.

use api::{Hosts, Origins};
use model::{KeyScope, Plan};
use reqwest::{Response, StatusCode};
use serde_json::json;

use crate::support::{TestServer, json_of, message};

async fn refused(response: Response, status: StatusCode, code: &str) {
    assert_eq!(response.status(), status);
    let body = json_of(response).await;
    assert_eq!(
        (&body["status"], &body["error_code"]),
        (&json!("error"), &json!(code)),
        "{body}"
    );
}

fn ask() -> String {
    let params = json!({"name": "ask", "arguments": {"question": "why"}});
    message(1, "tools/call", &params)
}

#[tokio::test]
async fn a_wrong_credential_is_refused_before_the_protocol() {
    let server = TestServer::start().await;
    let response = server.client().bearer("as_live_nonsense").send(ask()).await;
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
    refused(response, StatusCode::UNAUTHORIZED, "invalid_credential").await;
    let two = server.client().bearer("a").with("x-api-key", "b");
    refused(
        two.send(ask()).await,
        StatusCode::BAD_REQUEST,
        "conflicting_credentials",
    )
    .await;
    let response = server.client().bearer("demo").send(ask()).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers().contains_key("x-request-id"));
    assert_eq!(response.headers()["x-data-mode"], "demo");
}

#[tokio::test]
async fn without_a_credential_only_where_the_operator_wants_it() {
    let server = TestServer::start_with(|settings| settings.service.anonymous = false).await;
    let response = server.client().send(ask()).await;
    refused(response, StatusCode::UNAUTHORIZED, "credential_required").await;
    let key = server.key(Plan::Free, KeyScope::default()).await;
    let result = server
        .client()
        .with("x-api-key", key)
        .call("ask", json!({"question": "why"}))
        .await;
    assert_eq!(result["isError"], false);
}

#[tokio::test]
async fn gate_scope_and_limit_hold_for_each_call() {
    let server = TestServer::start_with(|settings| {
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.requests_per_minute = 2;
        settings.service.plans.set(Plan::Free, terms);
    })
    .await;
    let memory = json!({"agent_id": "a", "key": "k", "value": "v"});
    let text = server.client().refusal("store_memory", memory).await;
    assert!(
        text.starts_with("demo_key_refused: ") && text.contains("assay key create"),
        "{text}"
    );

    let scope = KeyScope {
        allowed_endpoints: vec!["GET feed".to_owned()],
        ..KeyScope::default()
    };
    let key = server.key(Plan::Builder, scope).await;
    let client = server.client().bearer(&key);
    let text = client.refusal("ask", json!({"question": "why"})).await;
    assert!(text.starts_with("endpoint_not_allowed: "), "{text}");
    assert_eq!(
        client.call("list_briefs", json!({})).await["isError"],
        false
    );

    let key = server.key(Plan::Free, KeyScope::default()).await;
    let client = server.client().bearer(&key);
    for _ in 0..2 {
        assert_eq!(
            client.call("ask", json!({"question": "why"})).await["isError"],
            false
        );
    }
    let text = client.refusal("ask", json!({"question": "why"})).await;
    assert!(
        text.starts_with("rate_limited: ") && text.contains("Wait "),
        "{text}"
    );
    // What only describes is not counted.
    client.result("tools/list", json!({})).await;
}

#[tokio::test]
async fn host_names_and_origins_are_those_of_every_route() {
    let server = TestServer::start_with(|settings| {
        settings.hosts = Hosts::only(["assay.example".to_owned()]);
        settings.origins = Origins::Only(vec!["https://app.example".parse().unwrap()]);
    })
    .await;
    let client = server.client();
    let named = async |host: &str| client.clone().with("host", host).send(ask()).await;
    assert_eq!(named("assay.example").await.status(), StatusCode::OK);
    refused(
        named("evil.example").await,
        StatusCode::MISDIRECTED_REQUEST,
        "unknown_host",
    )
    .await;
    let of_origin = async |origin: &str| client.clone().with("origin", origin).send(ask()).await;
    let response = of_origin("https://app.example").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        response.headers()["access-control-allow-origin"],
        "https://app.example"
    );
    refused(
        of_origin("https://evil.example").await,
        StatusCode::FORBIDDEN,
        "origin_refused",
    )
    .await;
    refused(
        of_origin("null").await,
        StatusCode::FORBIDDEN,
        "origin_refused",
    )
    .await;
}

#[tokio::test]
async fn a_body_has_a_longest_length() {
    let server = TestServer::start_with(|settings| settings.body_limit = 2_000).await;
    let response = server.client().send(" ".repeat(2_001)).await;
    refused(response, StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").await;
    assert_eq!(server.client().send(ask()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_other_routes_are_as_before() {
    let server = TestServer::start().await;
    let url = format!("http://{}", server.address);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str| client.get(format!("{url}{path}")).send().await.unwrap();
    assert_eq!(get("/api/v1/feed").await.status(), StatusCode::OK);
    let unknown = get("/mcp/further").await;
    refused(unknown, StatusCode::NOT_FOUND, "unknown_path").await;
}
