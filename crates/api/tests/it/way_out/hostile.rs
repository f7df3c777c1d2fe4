//! The addresses that nobody may make this process call, wherever an address can be named.

use http::Method;
use serde_json::json;
use wiremock::ResponseTemplate;

use super::world::{ALERTS, PUBLISHED, WEBHOOKS, world};
use crate::receiver::receiver;

/// Address and what is wrong with it, as the crate that dials them has it.
const ADDRESSES: &str = include_str!("../../../../providers/tests/hostile/addresses.tsv");
const MONITOR: &str = "/api/v1/agent/auto-monitor";
/// URLs of one call.
const AT_ONCE: usize = 5;

#[tokio::test]
async fn no_hostile_address_is_taken_or_read() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let rows = ADDRESSES.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<(&str, &str)> = rows
        .map(|line| {
            let mut cells = line.split('\t');
            (cells.next().unwrap(), cells.next().unwrap())
        })
        .collect();
    assert!(rows.len() >= 60, "{}", rows.len());
    for (address, _) in &rows {
        let webhook = json!({"url": address, "events": [PUBLISHED]});
        let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 1, "callback_url": address});
        let monitor = json!({"agent_id": "desk", "alert_webhook": address});
        for (path, body) in [(WEBHOOKS, webhook), (ALERTS, alert), (MONITOR, monitor)] {
            let reply = server.call(&member, Method::POST, path, Some(body)).await;
            assert_eq!(
                reply.status.as_u16(),
                400,
                "{path}: {address}: {}",
                reply.text()
            );
            reply.expect_error(400, "invalid_request");
        }
    }
    for path in [WEBHOOKS, ALERTS] {
        let listed = server.done(&member, Method::GET, path, None).await;
        let field = path.rsplit('/').next().unwrap();
        assert_eq!(listed[field], json!([]), "nothing was stored");
    }
    let readable: Vec<_> = rows
        .iter()
        .filter(|(address, _)| !address.is_empty())
        .collect();
    for rows in readable.chunks(AT_ONCE) {
        let urls: Vec<&str> = rows.iter().map(|(address, _)| *address).collect();
        let body = json!({"urls": urls});
        let path = "/api/v1/extract";
        let reply = server.call(&member, Method::POST, path, Some(body)).await;
        assert_eq!(
            (reply.status.as_u16(), reply.charged()),
            (200, 0),
            "{}",
            reply.text()
        );
        let results = reply.json()["results"].clone();
        for ((address, fault), result) in rows.iter().zip(results.as_array().unwrap()) {
            let word = match *fault {
                "private" => "private_address",
                _ => "malformed_url",
            };
            assert_eq!(
                (&result["success"], &result["error_code"]),
                (&json!(false), &json!(word)),
                "{address}"
            );
        }
    }
}
