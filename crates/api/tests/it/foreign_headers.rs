//! What readers of headers make of foreign bytes: through the whole service, so that no reader is left out.
//!
//! The inputs are the same at every run: pieces that readers expect, cut, doubled and mixed with bytes that they do not.

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, HeaderValue};
use model::{KeyScope, Plan};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::support::TestServer;

const PIECES: &[&[u8]] = &[
    b"Bearer ",
    b"bearer",
    b"Basic ",
    b"as_live_",
    b"demo",
    b"eyJhbGciOiJub25lIn0",
    b".",
    b"e30",
    b"=",
    b"==",
    b",",
    b";",
    b" ",
    b"\t",
    b":",
    b"\"",
    b"W/",
    b"*",
    b"203.0.113.7",
    b"10.0.0.1",
    b"[2001:db8::1]",
    b"::ffff:10.0.0.1",
    b":4711",
    b"for=",
    b"application/json",
    b"charset=",
    b"q=0.",
    b"gzip",
    b"-1",
    b"0",
    b"99999999999999999999",
    b"\xff",
    b"\xc3\xa9",
    b"%00",
    b"order-1",
    b"\xed\xa0\x80",
    b"{",
    b"}",
];

/// A value that HTTP lets through; control characters never reach a reader.
fn value(random: &mut SmallRng) -> HeaderValue {
    let mut bytes = Vec::new();
    for _ in 0..random.random_range(0..6) {
        let piece = PIECES.choose(random).copied().unwrap_or_default();
        let times = if random.random_ratio(1, 12) { 90 } else { 1 };
        bytes.extend(piece.repeat(times));
        if random.random_ratio(1, 4) {
            bytes.push(random.random_range(0x80..=0xff));
        }
    }
    HeaderValue::from_bytes(&bytes).unwrap()
}

#[tokio::test]
async fn credentials_of_any_bytes_are_refused_in_good_order() {
    let server = TestServer::start().await;
    let mut random = SmallRng::seed_from_u64(9);
    for round in 0..600_u32 {
        let mut ask = server.get("/api/v1/test/one");
        for name in [
            "authorization",
            "x-api-key",
            "accept",
            "accept-encoding",
            "if-none-match",
            "x-forwarded-for",
            "x-request-id",
        ] {
            if random.random_ratio(1, 2) {
                ask = ask.raw_header(name, value(&mut random));
            }
        }
        // One address each: what one of them may ask in a minute is not the question here.
        let peer = Ipv4Addr::from_bits(0x0b00_0000 + round);
        let reply = ask.from(&peer.to_string()).send().await;
        if reply.status.is_success() {
            assert_eq!(reply.text(), "Free", "nobody becomes a member by chance");
        } else {
            assert!(reply.status.is_client_error(), "{}", reply.text());
            let body = reply.json();
            let word = body["error_code"].as_str().or(body["type"].as_str());
            assert!(word.is_some(), "{body}");
            assert_eq!(reply.charged(), 0);
        }
        assert!(!reply.header("x-request-id").is_empty());
    }
}

#[tokio::test]
async fn idempotency_keys_of_any_bytes_are_taken_or_refused() {
    let server = TestServer::start().await;
    let mut member = server.member(Plan::Unlimited, KeyScope::default()).await;
    let mut random = SmallRng::seed_from_u64(10);
    let mut taken = 0;
    for round in 0..150 {
        // The number of watchlists per account is limited.
        if round % 40 == 39 {
            member = server.member(Plan::Unlimited, KeyScope::default()).await;
        }
        let key = value(&mut random);
        let is_valid =
            (1..=255).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic);
        let reply = server
            .post("/api/v1/watchlists", &json!({"name": "Foreign"}))
            .bearer(&member.key)
            .raw_header("idempotency-key", key)
            .send()
            .await;
        if is_valid {
            assert!(reply.status.is_success(), "{}", reply.text());
            taken += 1;
        } else {
            reply.expect_error(400, "invalid_idempotency_key");
        }
    }
    assert!((10..140).contains(&taken), "{taken} of 150 are valid");
}

#[test]
fn forwarded_addresses_of_any_bytes_name_a_client() {
    let mut random = SmallRng::seed_from_u64(11);
    let trusted = ["10.0.0.0/8".parse().unwrap()];
    for _ in 0..20_000 {
        let mut headers = HeaderMap::new();
        let mut written = Vec::new();
        for _ in 0..random.random_range(0..4) {
            let line = value(&mut random);
            written.extend_from_slice(line.as_bytes());
            headers.append("x-forwarded-for", line);
        }
        let proxy = IpAddr::V4(Ipv4Addr::new(10, 9, 9, 9));
        let client = api::client_of(Some(proxy), &headers, &trusted).to_string();
        let named = client.trim_end_matches("/64").trim_end_matches(':');
        let written = String::from_utf8_lossy(&written).into_owned();
        assert!(
            client == "10.9.9.9" || written.contains(named),
            "{client} was not named by {written:?}"
        );
        let stranger = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
        let client = api::client_of(Some(stranger), &headers, &trusted);
        assert_eq!(client.to_string(), "192.0.2.1", "only proxies are believed");
    }
}
