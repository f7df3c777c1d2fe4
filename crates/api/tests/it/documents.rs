//! The OpenAPI document and its reference, and whether they are true.

use std::collections::HashSet;

use http::Method;
use serde_json::Value;

use crate::support::TestServer;

#[tokio::test]
async fn every_documented_operation_is_routed() {
    let server =
        TestServer::start_with(|settings| settings.service.logins_per_minute = 10_000).await;
    let member = server.unlimited().await;
    let document = server.get("/openapi.json").send().await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(document["info"]["license"]["name"].is_string());
    let mut count = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let filled = path
                .split('/')
                .map(|part| if part.starts_with('{') { "x" } else { part })
                .collect::<Vec<_>>()
                .join("/");
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let reply = server
                .ask(method.clone(), &filled)
                .bearer(&member.key)
                .send()
                .await;
            let word = if reply.status.is_success() {
                Value::Null
            } else {
                reply.json()["error_code"].clone()
            };
            assert!(
                word != "unknown_path" && word != "method_not_allowed",
                "{method} {path}: {word}"
            );
            assert!(
                !operation["x-credits"].is_null(),
                "{method} {path} has no price"
            );
            let gate = operation["x-gate"].as_str().unwrap();
            if matches!(gate, "key" | "jwt") {
                server
                    .ask(method.clone(), &filled)
                    .send()
                    .await
                    .expect_error(401, "credential_required");
            }
            assert!(operation["security"].is_array());
            assert!(operation["responses"]["500"].is_object());
            assert!(operation["operationId"].is_string());
            assert!(
                operation["summary"].is_string(),
                "{method} {path} says nothing"
            );
            // A WebSocket succeeds with another status.
            let success = if path == "/api/v1/ws" { "101" } else { "200" };
            assert!(
                operation["responses"][success]["headers"]["RateLimit-Limit"].is_object(),
                "{method} {path}"
            );
            count += 1;
        }
    }
    assert!(count >= 12, "{count}");
}

#[tokio::test]
async fn references_resolve_and_ids_are_unique() {
    let server = TestServer::start().await;
    let document = server.get("/openapi.json").send().await.json();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(
            document.pointer(pointer).is_some(),
            "{reference} leads nowhere"
        );
    }
    let mut ids = HashSet::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            assert!(ids.insert(id.clone()), "{id} is not unique");
        }
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "$ref" {
                    references.extend(value.as_str().map(str::to_owned));
                }
                collect(value, references);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}

#[tokio::test]
async fn the_reference_needs_no_network() {
    let server = TestServer::start().await;
    let page = server.get("/docs/").send().await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .contains("script-src 'self'")
    );
    let mut files = vec!["swagger-initializer.js".to_owned()];
    for part in page.text().split("./").skip(1) {
        files.push(part.split('"').next().unwrap().to_owned());
    }
    assert!(files.len() >= 4, "{files:?}");
    assert!(!page.text().contains("https://"), "{}", page.text());
    for file in files {
        let reply = server.get(&format!("/docs/{file}")).send().await;
        assert_eq!(reply.status, 200, "{file}");
    }
    let start = server
        .get("/docs/swagger-initializer.js")
        .send()
        .await
        .text();
    assert!(
        start.contains("/openapi.json") && !start.contains("petstore"),
        "{start}"
    );
    assert!(server.get("/docs").send().await.status.is_redirection());
}

#[tokio::test]
async fn health_readiness_and_counters() {
    let server = TestServer::start().await;
    let health = server.get("/health").send().await.json();
    assert_eq!(
        (health["status"].as_str(), health["data_mode"].as_str()),
        (Some("ok"), Some("demo"))
    );
    assert_eq!(health["simulated"], true);
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(server.get("/ready").send().await.json()["status"], "ok");

    server
        .get("/metrics")
        .send()
        .await
        .expect_error(403, "not_exposed");
    let proxied = server
        .get("/metrics")
        .from("127.0.0.1")
        .header("x-forwarded-for", "198.51.100.1")
        .send()
        .await;
    proxied.expect_error(403, "not_exposed");
    let reply = server.get("/metrics").from("127.0.0.1").send().await;
    assert_eq!(reply.status, 200);
    assert!(reply.header("content-type").starts_with("text/plain"));
    let text = reply.text();
    assert!(
        text.contains(
            "assay_http_request_duration_seconds_bucket{method=\"GET\",route=\"/health\""
        ),
        "{text}"
    );
    let open = TestServer::start_with(|settings| {
        settings.metrics = api::MetricsAccess::Everyone;
    })
    .await;
    assert_eq!(open.get("/metrics").send().await.status, 200);
}

#[tokio::test]
async fn the_page_for_language_models_names_every_operation() {
    let server = TestServer::start().await;
    let reply = server.get("/llms.txt").send().await;
    assert_eq!(reply.status.as_u16(), 200);
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    let page = reply.text();
    assert!(page.starts_with("# Assay\n\n> "), "as llmstxt.org says");
    for entry in agents::registry().entries() {
        let address = entry.about.address;
        let named = format!("`{} {}`", address.verb.method(), address.path);
        assert!(page.contains(&named), "{named}");
    }
    assert!(
        page.len() < 40_000,
        "it fits into a context: {}",
        page.len()
    );
    for link in page.split("](").skip(1) {
        let path = link.split(')').next().unwrap();
        if path != "/mcp" {
            let status = server.get(path).send().await.status;
            assert!(
                !status.is_client_error() && !status.is_server_error(),
                "{path}: {status}"
            );
        }
    }
}
