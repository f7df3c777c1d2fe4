//! How prices move together.

use serde_json::json;

use super::fixtures::{SESSIONS, acme, bolt, market};
use super::trading::{answer, close_to, post, refuses, says};

const PATH: &str = "/correlation";

/// The textbook formula over the last `count` log returns.
fn pearson(a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64, count: usize) -> f64 {
    let returns = |price: &dyn Fn(usize) -> f64| -> Vec<f64> {
        (SESSIONS - count..SESSIONS)
            .map(|at| (price(at) / price(at - 1)).ln())
            .collect()
    };
    let (a, b) = (returns(&a), returns(&b));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let product = |a: &[f64], ma: f64, b: &[f64], mb: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum()
    };
    product(&a, mean_a, &b, mean_b)
        / (product(&a, mean_a, &a, mean_a) * product(&b, mean_b, &b, mean_b)).sqrt()
}

#[tokio::test]
async fn coefficients_are_pearsons_over_the_window() {
    let server = market().await;
    let member = server.unlimited().await;
    let asked = json!({"tickers": ["bolt", "ACME", "FUND"], "days": 90});
    let body = answer(&server, &member, PATH, asked, 3).await;
    assert_eq!(body["tickers"], json!(["BOLT", "ACME", "FUND"]));
    assert_eq!(body["days"], 90);
    assert_eq!(body["to"], "2026-03-09");
    let observations = body["observations"].as_u64().unwrap() as usize;
    assert!((55..65).contains(&observations), "{observations}");
    let matrix = &body["matrix"];
    close_to(&matrix["ACME"]["BOLT"], pearson(acme, bolt, observations));
    assert_eq!(matrix["ACME"]["BOLT"], matrix["BOLT"]["ACME"]);
    close_to(&matrix["ACME"]["FUND"], 1.0);
    assert_eq!(matrix["BOLT"]["BOLT"], 1.0);
    let pairs = body["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    assert_eq!(
        (&pairs[0]["a"], &pairs[0]["b"]),
        (&json!("BOLT"), &json!("ACME"))
    );
    assert_eq!(pairs[2]["label"], "strong_positive");
    let earlier = answer(
        &server,
        &member,
        &format!("{PATH}?as_of=2026-03-06T20:00:00Z"),
        json!({"tickers": ["ACME", "BOLT"]}),
        3,
    )
    .await;
    assert_eq!(earlier["to"], "2026-03-05");
    assert_eq!(earlier["days"], 90);
}

#[tokio::test]
async fn what_has_no_coefficient_is_null_with_the_reason() {
    let server = market().await;
    let member = server.unlimited().await;
    let body = answer(
        &server,
        &member,
        PATH,
        json!({"tickers": ["ACME", "OAKS.B"]}),
        3,
    )
    .await;
    assert!(body["matrix"]["ACME"]["OAKS.B"].is_null());
    assert!(body["matrix"]["OAKS.B"]["OAKS.B"].is_null());
    assert!(body["pairs"][0]["correlation"].is_null() && body["pairs"][0]["label"].is_null());
    assert!(says(&body, "matrix", "OAKS.B do not vary"), "{body}");
    let young = answer(
        &server,
        &member,
        PATH,
        json!({"tickers": ["ACME", "YNG"], "days": 2}),
        3,
    )
    .await;
    assert!(says(&young, "matrix", "needs at least 3"), "{young}");
    let path = format!("{PATH}?as_of=2020-01-01");
    let empty = answer(
        &server,
        &member,
        &path,
        json!({"tickers": ["ACME", "BOLT"]}),
        3,
    )
    .await;
    assert!(
        says(&empty, "matrix", "no candles are available for ACME"),
        "{empty}"
    );
    let short = answer(
        &server,
        &member,
        PATH,
        json!({"tickers": ["ACME", "YNG"], "days": 365}),
        3,
    )
    .await;
    assert!(says(&short, "from", "shorter than requested"), "{short}");
    let coin = answer(
        &server,
        &member,
        PATH,
        json!({"tickers": ["ACME", "BTC-USD"]}),
        3,
    )
    .await;
    assert_eq!(coin["tickers"][1], "BTC");
    assert!(coin["matrix"]["ACME"]["BTC"].is_f64());
}

#[tokio::test]
async fn bad_questions_name_the_key() {
    let server = market().await;
    let eleven: Vec<_> = (0..11).map(|_| "ACME").collect();
    refuses(
        &server,
        PATH,
        &[
            (json!({}), "tickers"),
            (json!({"tickers": ["ACME"]}), "tickers"),
            (json!({"tickers": eleven}), "tickers"),
            (json!({"tickers": "ACME,BOLT"}), "tickers"),
            (json!({"tickers": ["ACME", 5]}), "tickers[1]"),
            (
                json!({"tickers": ["ACME", "nasdaq:acme"]}),
                "ACME appears twice",
            ),
            (json!({"tickers": ["ACME", "BOLT"], "days": 0}), "days"),
            (json!({"tickers": ["ACME", "BOLT"], "days": 366}), "days"),
            (json!({"tickers": ["ACME", "BOLT"], "days": "90"}), "days"),
        ],
    )
    .await;
    let member = server.unlimited().await;
    let reply = post(
        &server,
        &member,
        PATH,
        json!({"tickers": ["ACME", "BOLTS"]}),
    )
    .await;
    let error = reply.expect_error(404, "unknown_symbol");
    assert!(error["message"].as_str().unwrap().contains("BOLTS"));
    assert_eq!(error["suggestions"][0], "BOLT");
}
