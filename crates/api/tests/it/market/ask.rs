//! `/ask`: questions in plain English, answered at once and event by event.

use model::{KeyScope, Plan};
use serde_json::{Value, json};

use super::trading::market_with_news;
use crate::support::{Reply, TestMember, TestServer, events_of};

const PATH: &str = "/api/v1/ask";

async fn ask(server: &TestServer, member: &TestMember, body: Value) -> Reply {
    server.post(PATH, &body).bearer(&member.key).send().await
}

async fn answer(server: &TestServer, member: &TestMember, question: &str) -> Value {
    let reply = ask(server, member, json!({"question": question})).await;
    assert_eq!(reply.status.as_u16(), 200, "{question}: {}", reply.text());
    let body = reply.json();
    assert_eq!(body["credits_used"], json!(reply.charged()), "{question}");
    body
}

/// Every number of a text, as it is written, with the decimals it shows.
fn numbers(text: &str) -> Vec<(f64, usize)> {
    let mut found = Vec::new();
    let bytes: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        // Part of a word, such as an id or a symbol.
        let is_part = at > 0
            && (bytes[at - 1].is_alphabetic()
                || bytes[at - 1] == '-' && at > 1 && bytes[at - 2].is_alphanumeric());
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || matches!(bytes[at], '.' | ',')
                    && bytes.get(at + 1).is_some_and(char::is_ascii_digit))
        {
            at += 1;
        }
        let written: String = bytes[start..at].iter().filter(|one| **one != ',').collect();
        if !is_part && let Ok(value) = written.parse() {
            let decimals = written.split_once('.').map_or(0, |(_, rest)| rest.len());
            found.push((value, decimals));
        }
    }
    found
}

/// Every number of the data, and those inside of its texts.
fn known(data: &Value, into: &mut Vec<f64>) {
    match data {
        Value::Number(number) => into.extend(number.as_f64()),
        Value::String(text) => into.extend(
            numbers(&text.replace('-', " "))
                .into_iter()
                .map(|(value, _)| value),
        ),
        Value::Array(items) => items.iter().for_each(|item| known(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| known(field, into)),
        _ => {}
    }
}

/// Numbers that name a rule and not a fact: scales, periods of indicators, windows.
const OF_RULES: [f64; 18] = [
    0.5, 1.0, 5.0, 7.0, 14.0, 20.0, 24.0, 30.0, 50.0, 70.0, 90.0, 100.0, 200.0, 500.0, 52.0, 12.0,
    2.0, 3.0,
];

fn assert_grounded(body: &Value) {
    let summary = body["summary"].as_str().unwrap();
    let mut all = Vec::new();
    known(&body["data"], &mut all);
    for (value, decimals) in numbers(summary) {
        let half = 0.500_001 * 10_f64.powi(-i32::try_from(decimals).unwrap());
        let is_held = |factor: f64| {
            all.iter()
                .any(|known| (known.abs() * factor - value).abs() <= half)
        };
        let holds = OF_RULES.contains(&value)
            || [1.0, 100.0, 1e-6, 1e-9, 1e-12].into_iter().any(is_held)
            // A count of what is listed.
            || decimals == 0 && value <= 60.0;
        assert!(
            holds,
            "{value} of {:?} is not in the data:\n{summary}",
            body["question"]
        );
    }
}

#[tokio::test]
async fn an_answer_rests_on_its_data_and_costs_what_was_asked() {
    let (server, member) = market_with_news().await;
    let body = answer(&server, &member, "How is ACME doing?").await;
    assert_eq!(body["status"], "ok");
    assert_eq!(body["tickers"], json!(["ACME"]));
    assert_eq!(body["intents"], json!(["outlook"]));
    assert_eq!(body["summary_source"], "template");
    assert!(body.get("summary_template").is_none());
    let endpoints = body["endpoints_called"].as_array().unwrap();
    assert_eq!(body["credits_used"], json!(endpoints.len()));
    assert!(endpoints.contains(&json!("/api/v1/ticker/ACME/analysis")));
    let signal = &body["trade_signal"];
    assert_eq!(
        signal["action"],
        body["data"]["analysis"]["trade_signal"]["action"]
    );
    assert_eq!(
        signal["score"],
        body["data"]["analysis"]["trade_signal"]["score"]
    );
    assert!(!signal["factors"].as_array().unwrap().is_empty());
    let summary = body["summary"].as_str().unwrap();
    assert!(summary.contains("ACME"), "{summary}");
    assert_grounded(&body);
}

#[tokio::test]
async fn every_number_of_many_answers_stands_in_their_data() {
    let (server, member) = market_with_news().await;
    for question in [
        "price of ACME",
        "ACME rsi and moving averages",
        "compare ACME and BOLT",
        "how correlated are ACME and BOLT",
        "how did ACME do over the past 3 months",
        "why did ACME fall yesterday",
        "latest news on ACME",
        "sentiment of ACME",
        "when does ACME report earnings",
        "who owns ACME",
        "insider trades at ACME",
        "filings of ACME",
        "analyst targets for ACME",
        "who competes with ACME",
        "PE ratio of ACME",
        "I hold 60% ACME and 40% BOLT, what should I worry about?",
        "how is the market doing",
        "biggest gainers today",
        "which sectors look best",
        "oversold tech stocks",
        "is the yield curve inverted",
        "what is inflation",
        "gold price",
        "EUR/USD",
        "crypto market",
        "how much is locked in defi",
        "what is on the calendar next week",
        "congress trades",
        "recent insider buying",
        "is it true that ACME fell by half in March 2026?",
        "acquisitions this month",
        "where do sources disagree",
        "latest on the earthquake in Japan",
        "background on interest rates",
        "what was the price of ACME last month",
        "when did ACME last close above 150",
        "when did ACME first trade above 120",
        "average closing price of ACME in February 2026",
        "is ACME overbought",
        "highest dividend stocks",
        "biggest companies by market cap",
        "upcoming IPOs",
        "hello",
        "???",
    ] {
        let body = answer(&server, &member, question).await;
        assert!(!body["summary"].as_str().unwrap().is_empty(), "{question}");
        assert_grounded(&body);
    }
}

#[tokio::test]
async fn a_budget_is_kept_or_refused_before_anything_is_charged() {
    let (server, member) = market_with_news().await;
    let asked = |budget: u64| json!({"question": "How is ACME doing?", "budget": budget});
    let body = ask(&server, &member, asked(2)).await;
    assert_eq!(body.charged(), 2);
    let body = body.json();
    assert_eq!(body["endpoints_called"].as_array().unwrap().len(), 2);
    assert!(body["summary"].as_str().unwrap().contains("budget"));
    let compared = json!({"question": "ACME vs BOLT", "budget": 1});
    for refused in [asked(0), compared] {
        let reply = ask(&server, &member, refused).await;
        let error = reply.expect_error(400, "invalid_request");
        assert!(error["message"].as_str().unwrap().contains("budget"));
        assert_eq!(reply.charged(), 0);
    }
}

#[tokio::test]
async fn what_the_key_may_not_call_is_said_and_the_rest_is_answered() {
    let (server, _) = market_with_news().await;
    let scope = KeyScope {
        allowed_endpoints: vec!["ask".to_owned(), "market".to_owned()],
        ..KeyScope::default()
    };
    let member = server.member(Plan::Unlimited, scope).await;
    let body = answer(&server, &member, "why did ACME fall?").await;
    assert_eq!(body["credits_used"], 1, "{body:#}");
    assert_eq!(body["confidence"], "low");
    let missing = body["data_status"].as_array().unwrap();
    assert!(missing.iter().any(|one| {
        one["reason"]
            .as_str()
            .unwrap()
            .contains("this key may not call /api/v1/ticker/ACME/price")
    }));
    assert!(body["data"].get("price").is_none());
}

#[tokio::test]
async fn questions_out_of_bounds_are_refused() {
    let (server, member) = market_with_news().await;
    for question in ["", " ", "x", " x ", &"a".repeat(501)] {
        let reply = ask(&server, &member, json!({"question": question})).await;
        let error = reply.expect_error(400, "invalid_request");
        assert!(error["message"].as_str().unwrap().contains("question"));
    }
    ask(&server, &member, json!({"q": "AAPL"}))
        .await
        .expect_error(400, "invalid_request");
    let zero = ask(&server, &member, json!({"question": "price of ACME\u{0}"})).await;
    zero.expect_error(400, "invalid_request");
    for question in [
        "\u{1b}[31mACME",
        "株価は?",
        "ACME\u{202e}",
        &"ACME ".repeat(100),
    ] {
        let reply = ask(&server, &member, json!({"question": question})).await;
        assert_eq!(reply.status.as_u16(), 200, "{question:?}");
    }
}

#[tokio::test]
async fn a_session_supplies_the_subject() {
    let (server, member) = market_with_news().await;
    let first = answer(&server, &member, "price of ACME").await;
    let session = first["session_id"].as_str().unwrap();
    assert!(session.starts_with("ses_"));
    let next = json!({"question": "and its PE ratio?", "session_id": session});
    let body = ask(&server, &member, next.clone()).await.json();
    assert_eq!(body["tickers"], json!(["ACME"]));
    assert_eq!(body["intents"], json!(["fundamentals"]));
    let next = |question: &str| json!({"question": question, "session_id": session});
    let body = ask(&server, &member, next("what about BOLT?")).await.json();
    assert_eq!(body["tickers"], json!(["BOLT"]));
    let body = ask(&server, &member, next("which of the two is better?")).await;
    assert_eq!(body.json()["tickers"], json!(["BOLT", "ACME"]));
    let body = ask(&server, &member, next("price of ACME")).await.json();
    assert_eq!(body["intents"], json!(["price"]));
    let body = ask(&server, &member, next("and on 5 January 2026?"))
        .await
        .json();
    assert_eq!(
        (&body["tickers"], &body["intents"]),
        (&json!(["ACME"]), &json!(["price"]))
    );
    let body = ask(&server, &member, next("why did it fall?")).await.json();
    assert_eq!(
        (&body["tickers"], &body["intents"]),
        (&json!(["ACME"]), &json!(["why_moved"]))
    );
    // A session is its owner's.
    let next = json!({"question": "and its PE ratio?", "session_id": session});
    let stranger = server.unlimited().await;
    let body = ask(&server, &stranger, next).await.json();
    assert_eq!(body["tickers"], json!([]));
}

#[tokio::test]
async fn both_methods_answer_alike() {
    let (server, member) = market_with_news().await;
    let path = format!("{PATH}?q=price+of+ACME");
    let got = server.get(&path).bearer(&member.key).send().await;
    assert_eq!(got.charged(), 1);
    let posted = answer(&server, &member, "price of ACME").await;
    assert_eq!(got.json()["data"], posted["data"]);
    assert_eq!(got.json()["summary"], posted["summary"]);
}

#[tokio::test]
async fn the_stream_tells_events_in_their_order_and_is_charged_once() {
    let (server, member) = market_with_news().await;
    let path = format!("{PATH}/stream?question=How+is+ACME+doing");
    let reply = server.get(&path).bearer(&member.key).send().await;
    assert_eq!(reply.status.as_u16(), 200);
    assert_eq!(
        reply.header("content-type"),
        "text/event-stream; charset=utf-8"
    );
    let text = reply.text();
    let events = events_of(&text);
    let names: Vec<&str> = events.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names[0], "thinking");
    assert_eq!(
        events[0].1,
        json!({"intents": ["outlook"], "tickers": ["ACME"], "sectors": []})
    );
    let data = names.iter().filter(|name| **name == "data").count();
    assert!(data >= 3);
    assert!(names[1..=data].iter().all(|name| *name == "data"));
    assert_eq!(names[data + 1..], ["summary_template", "done"]);
    let done = &events.last().unwrap().1;
    assert_eq!(done["credits"], json!(data));
    assert!(done["confidence"]["level"].is_string() && done["confidence"]["score"].is_number());
    assert!(done["trade_signal"]["action"].is_string());
    let usage = server
        .get("/api/v1/usage")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(usage["credits_used_month"], json!(data));
    let refused = server
        .get(&format!("{PATH}/stream?question=x"))
        .bearer(&member.key)
        .send()
        .await;
    refused.expect_error(400, "invalid_request");
}

#[tokio::test]
async fn a_chart_comes_with_the_answer_where_it_is_wanted() {
    let (server, member) = market_with_news().await;
    let wanted = |question: &str| json!({"question": question, "include": ["chart"]});
    let one = ask(&server, &member, wanted("price of ACME")).await.json();
    let svg = one["chart"]["svg"].as_str().unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg:.200}"
    );
    assert!(svg.contains("ACME, daily") && svg.contains("20-day average"));
    assert_eq!(
        one["credits_used"], 2,
        "the price and the prices of the chart"
    );
    let last = one["data"]["candles"]["candles"]
        .as_array()
        .unwrap()
        .last()
        .unwrap();
    assert_eq!(one["chart"]["to"], last["date"]);

    let both = ask(&server, &member, wanted("compare ACME and BOLT"))
        .await
        .json();
    let title = both["chart"]["title"].as_str().unwrap();
    assert!(title.starts_with("ACME, BOLT"), "{title}");

    let plain = answer(&server, &member, "price of ACME").await;
    assert!(plain.get("chart").is_none());
    let none = ask(&server, &member, wanted("what is inflation"))
        .await
        .json();
    assert!(none.get("chart").is_none());
    let missing = none["data_status"].as_array().unwrap();
    assert!(
        missing.iter().any(|one| one["field"] == "chart"),
        "{missing:?}"
    );

    let path = format!("{PATH}/stream?question=price+of+ACME&include=chart");
    let text = server.get(&path).bearer(&member.key).send().await.text();
    let events = events_of(&text);
    let (name, done) = events.last().unwrap();
    assert_eq!(name, "done");
    assert_eq!(done["chart"]["svg"], one["chart"]["svg"]);
    let refused = ask(
        &server,
        &member,
        json!({"question": "price of ACME", "include": ["audio"]}),
    );
    refused.await.expect_error(400, "invalid_request");
}

#[tokio::test]
async fn what_three_accounts_ask_is_popular() {
    let (server, _) = market_with_news().await;
    let popular = format!("{PATH}/popular");
    for _ in 0..3 {
        let member = server.unlimited().await;
        answer(&server, &member, "Price of ACME?").await;
        answer(&server, &member, &format!("ACME news {}", member.key)).await;
    }
    server.clock.advance(1);
    let reply = server.get(&popular).send().await;
    assert_eq!(reply.charged(), 0);
    assert_eq!(reply.json()["queries"], json!(["price of acme"]));
}
