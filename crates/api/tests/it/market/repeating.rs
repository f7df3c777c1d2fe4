//! A repeated question gets its answer again, also where the first one took the last credits.

use model::{KeyScope, Plan};
use operations::{Gate, Registry, Verb};
use serde_json::{Value, json};

use super::fixtures::fill;
use crate::support::TestServer;

/// A question to the small market for each operation that takes a body.
fn question(name: &str) -> Value {
    match name {
        "list_portfolio_briefs" => json!({"holdings": [{"ticker": "ACME", "weight": 1}]}),
        "correlate_tickers" => json!({"tickers": ["ACME", "BOLT"]}),
        "backtest_strategy" => {
            json!({"strategy": {"entry_filters": {"rsi_below": 45}, "exit_filters": {"rsi_above": 55}}})
        }
        "screen_tickers" => json!({"filters": {"rsi_below": 100}}),
        "screen_tickers_in_words" => json!({"query": "oversold tech stocks"}),
        "verify_claim" => json!({"claim": "Nobody reported anything of the kind."}),
        "verify_claims" => json!({"claims": vec!["Nobody reported anything of the kind."; 20]}),
        "verify_output" => json!({"text": claims(10), "max_claims": 10}),
        "give_feedback" => json!({"type": "other"}),
        other => panic!("{other} takes a body, so it needs a question here"),
    }
}

/// A text of so many claims.
fn claims(count: usize) -> String {
    let sentences: Vec<String> = (1..=count)
        .map(|number| format!("Northwind opened {number}00 shops in Velden."))
        .collect();
    sentences.join(" ")
}

#[tokio::test]
async fn what_was_paid_with_the_last_credits_is_answered_again() {
    let registry = Registry::new();
    let posts = registry
        .entries()
        .iter()
        .filter(|entry| entry.about.address.verb == Verb::Post && entry.tariff.gate == Gate::Read);
    for entry in posts {
        let (path, body) = (entry.about.address.path, question(entry.about.name));
        let server = TestServer::with_credits(entry.tariff.price.most).await;
        fill(&server).await;
        let member = server.member(Plan::Free, KeyScope::default()).await;
        for credential in [member.key.as_str(), operations::DEMO_KEY] {
            let ask = |key: &str| {
                server
                    .post(path, &body)
                    .bearer(credential)
                    .header("idempotency-key", key)
            };
            let first = ask("once").send().await;
            assert_eq!(first.status, 200, "{path}: {}", first.text());
            assert_eq!(first.charged(), entry.tariff.price.most, "{path}");
            let again = ask("once").send().await;
            assert_eq!(again.status, 200, "{path}: {}", again.text());
            assert_eq!(again.header("idempotency-replayed"), "true", "{path}");
            assert_eq!((again.charged(), again.body), (0, first.body), "{path}");
            if entry.tariff.price.most > 0 {
                let other = ask("twice").send().await;
                other.expect_error(429, "credits_exhausted");
            }
        }
    }
}
