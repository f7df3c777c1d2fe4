//! A receiver of messages, what reaches it, and the worker that delivers to it.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use model::Timestamp;
use notify::DeliveryWorker;
use operations::Clock;
use serde_json::Value;
use sha2::{Digest, Sha256};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond};

use crate::support::{Reply, TestMember, TestServer};

impl TestServer {
    pub(crate) async fn call(
        &self,
        member: &TestMember,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Reply {
        let ask = self.ask(method, path).bearer(&member.key);
        match body {
            Some(body) => ask.json(&body).send().await,
            None => ask.send().await,
        }
    }

    pub(crate) fn worker(&self) -> DeliveryWorker {
        let clock = Arc::clone(&self.clock);
        DeliveryWorker {
            store: self.state.store.clone(),
            callbacks: Arc::clone(&self.state.callbacks),
            now: Arc::new(move || clock.now()),
        }
    }
}

pub(crate) async fn receiver(answer: impl Respond + 'static) -> MockServer {
    let receiver = MockServer::start().await;
    Mock::given(any())
        .respond_with(answer)
        .mount(&receiver)
        .await;
    receiver
}

pub(crate) fn address(receiver: &MockServer) -> String {
    format!("{}/in?token=swordfish", receiver.uri())
}

pub(crate) async fn received(receiver: &MockServer) -> Vec<Request> {
    receiver.received_requests().await.unwrap()
}

pub(crate) fn header<'r>(request: &'r Request, name: &str) -> &'r str {
    request.headers[name].to_str().unwrap()
}

/// HMAC-SHA256 by the letter of RFC 2104, as somebody would write it who knows only the page about signatures.
pub(crate) fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0_u8; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new()
        .chain_update(block.map(|byte| byte ^ 0x36))
        .chain_update(message)
        .finalize();
    let outer = Sha256::new()
        .chain_update(block.map(|byte| byte ^ 0x5c))
        .chain_update(inner)
        .finalize();
    outer.into()
}

/// Checks both signatures of a delivered message and returns its body.
pub(crate) fn checked(request: &Request, secret: &Value, now: Timestamp) -> Value {
    let key = secret.as_str().unwrap().strip_prefix("whsec_").unwrap();
    let key = STANDARD.decode(key).unwrap();
    assert_eq!(key.len(), 24);
    let (id, timestamp) = (
        header(request, "webhook-id"),
        header(request, "webhook-timestamp"),
    );
    assert_eq!(timestamp, (now.ms() / 1_000).to_string());
    let signed = [
        id.as_bytes(),
        b".",
        timestamp.as_bytes(),
        b".",
        &request.body,
    ]
    .concat();
    let expected = format!("v1,{}", STANDARD.encode(hmac(&key, &signed)));
    assert_eq!(header(request, "webhook-signature"), expected);
    let digits = hex::encode(hmac(&key, &request.body));
    assert_eq!(
        header(request, "x-assay-signature"),
        format!("sha256={digits}")
    );
    assert_eq!(header(request, "content-type"), "application/json");
    serde_json::from_slice(&request.body).unwrap()
}
