//! `/ask` with a language model: of a good one the prose, of a bad one nothing that its data do not bear.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::post;
use futures::StreamExt;
use model::SecretUrl;
use parking_lot::Mutex;
use providers::TransportSettings;
use providers::chat::{ChatModel, ChatSettings, SpendingLimits, TimeLimits};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::fixtures::fill;
use super::trading::publish_news;
use crate::support::{TestMember, TestServer, events_of, until};

/// What a model answers.
#[derive(Clone)]
enum Says {
    Text(&'static str),
    /// The first price of the data, in this sentence in the place of `{}`.
    Price(&'static str),
    Calls(Value),
    Bytes(&'static str),
    Status(u16),
    Endless(&'static str),
    Silence,
}

#[derive(Clone)]
struct Model {
    says: Says,
    seen: Arc<Mutex<Vec<Value>>>,
}

async fn complete(State(model): State<Model>, body: String) -> axum::response::Response {
    let asked: Value = serde_json::from_str(&body).unwrap();
    let input = asked["messages"][1]["content"].as_str().unwrap().to_owned();
    let offers_tools = asked.get("tools").is_some();
    model.seen.lock().push(asked);
    let stream = |events: &[Value]| {
        let events: Vec<String> = events
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        events.concat() + "data: [DONE]\n\n"
    };
    let said = |text: &str| {
        let pieces = text.split_inclusive(' ');
        let mut events: Vec<Value> = pieces
            .map(|piece| json!({"choices": [{"delta": {"content": piece}}]}))
            .collect();
        events.push(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
        stream(&events)
    };
    let kind = [("content-type", "text/event-stream")];
    match model.says {
        // A model that only calls writes no prose.
        Says::Calls(calls) if offers_tools => {
            let calls: Vec<Value> = calls
                .as_array()
                .unwrap()
                .iter()
                .enumerate()
                .map(|(index, call)| {
                    let arguments = call["arguments"].to_string();
                    json!({"index": index, "function": {"name": call["name"], "arguments": arguments}})
                })
                .collect();
            let event = json!({"choices": [{"delta": {"tool_calls": calls}, "finish_reason": "tool_calls"}]});
            (kind, stream(&[event])).into_response()
        }
        Says::Calls(_) => (kind, said("That was all on 10 March 2026.")).into_response(),
        Says::Text(text) => (kind, said(text)).into_response(),
        Says::Price(text) => {
            let price = input
                .lines()
                .find_map(|line| line.strip_prefix("price.price: "))
                .unwrap();
            (kind, said(&text.replace("{}", price))).into_response()
        }
        Says::Bytes(bytes) => (kind, bytes).into_response(),
        Says::Status(status) => http::StatusCode::from_u16(status).unwrap().into_response(),
        Says::Endless(text) => {
            let event = json!({"choices": [{"delta": {"content": text}}]});
            let line = format!("data: {event}\n\n");
            let lines = futures::stream::repeat(Ok::<_, std::convert::Infallible>(line));
            (kind, Body::from_stream(lines)).into_response()
        }
        Says::Silence => {
            let silence = futures::stream::pending::<Result<String, std::io::Error>>();
            (kind, Body::from_stream(silence)).into_response()
        }
    }
}

struct World {
    server: TestServer,
    member: TestMember,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl World {
    async fn with(says: Says) -> Self {
        let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
        let model = Model {
            says,
            seen: Arc::clone(&seen),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let router = axum::Router::new()
            .route("/v1/chat/completions", post(complete))
            .with_state(model);
        tokio::spawn(async move { axum::serve(listener, router).await });
        let settings = ChatSettings {
            base_url: SecretUrl::from(base),
            key: None,
            model: "small".to_owned(),
            time: TimeLimits {
                silence: Duration::from_millis(300),
                whole: Duration::from_secs(10),
            },
            spending: SpendingLimits::default(),
            at_once: 2,
        };
        let way_out = TransportSettings {
            backoff: Duration::from_millis(1),
            ..TransportSettings::default()
        };
        let server = TestServer::with_model(ChatModel::new(settings, &way_out).unwrap()).await;
        fill(&server).await;
        let member = publish_news(&server).await;
        Self {
            server,
            member,
            seen,
        }
    }

    async fn answer(&self, question: &str) -> Value {
        self.asked(json!({"question": question})).await
    }

    async fn asked(&self, body: Value) -> Value {
        let path = "/api/v1/ask";
        let asked = self.server.post(path, &body).bearer(&self.member.key);
        let reply = asked.send().await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
        reply.json()
    }

    async fn events(&self, question: &str) -> Vec<(String, Value)> {
        let question = question.replace(' ', "+");
        let path = format!("/api/v1/ask/stream?question={question}");
        let asked = self.server.get(&path).bearer(&self.member.key);
        let text = asked.send().await.text();
        events_of(&text)
    }
}

/// Says that the template answers, and why.
fn assert_template(body: &Value, reason: &str) {
    assert_eq!(body["summary_source"], "template", "{body:#}");
    assert!(body.get("summary_template").is_none());
    assert!(body["summary"].as_str().unwrap().contains("ACME"));
    let missing = &body["data_status"][0];
    assert_eq!(missing["field"], "summary");
    let said = missing["reason"].as_str().unwrap();
    assert!(said.contains(reason), "{said}");
}

#[tokio::test]
async fn a_model_writes_beside_the_template_from_the_same_data() {
    let world = World::with(Says::Price(
        "ACME last traded at {}. That is the newest price.",
    ))
    .await;
    let body = world.answer("price of ACME").await;
    assert_eq!(body["summary_source"], "llm", "{body:#}");
    let price = body["data"]["price"]["price"].as_f64().unwrap();
    let summary = body["summary"].as_str().unwrap();
    let said = summary.strip_prefix("ACME last traded at ").unwrap();
    let said: f64 = said.split(". ").next().unwrap().parse().unwrap();
    assert!((said - price).abs() < 1e-5 * price, "{said} of {price}");
    assert!(body["summary_template"].as_str().unwrap().contains("ACME"));
    assert!(body.get("data_status").is_none());
    assert_eq!(
        body["credits_used"], 1,
        "the model costs the caller nothing"
    );
    let asked = world.seen.lock()[0].clone();
    assert!(asked.get("tools").is_none(), "it writes and does not act");

    world.answer("price of ACME").await;
    assert_eq!(
        world.seen.lock().len(),
        1,
        "the same data bring the same text"
    );
}

#[tokio::test]
async fn tokens_come_between_the_template_and_the_end() {
    let text = "Today is 10 March 2026. The price of ACME is known.\n\nNothing else is said about it here.";
    let world = World::with(Says::Text(text)).await;
    let events = world.events("price of ACME").await;
    let names: Vec<&str> = events.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names[..3], ["thinking", "data", "summary_template"]);
    assert_eq!(names.last(), Some(&"done"));
    let tokens = &events[3..events.len() - 1];
    assert!(tokens.len() > 1, "sentence by sentence: {names:?}");
    assert!(tokens.iter().all(|(name, _)| name == "summary_token"));
    let told: String = tokens
        .iter()
        .map(|(_, data)| data["token"].as_str().unwrap())
        .collect();
    assert_eq!(told, text);
    assert_eq!(events.last().unwrap().1["summary_source"], "llm");
}

#[tokio::test]
async fn what_is_invented_is_struck() {
    let world = World::with(Says::Price(
        "ACME last traded at {}. It will reach 98765.43 dollars. Elon Musk owns it. The price is the newest one. It is what was paid last. Nothing else was asked. That is all.",
    ))
    .await;
    let body = world.answer("price of ACME").await;
    assert_eq!(body["summary_source"], "llm", "{body:#}");
    let summary = body["summary"].as_str().unwrap();
    assert!(
        !summary.contains("98765") && !summary.contains("Musk"),
        "{summary}"
    );
    assert!(summary.contains("The price is the newest one.") && summary.ends_with("That is all."));
    let reasoning = body["reasoning"].to_string();
    assert!(reasoning.contains("2 sentences that the data do not bear were struck"));
}

#[tokio::test]
async fn orders_in_sources_are_not_obeyed_by_the_answer() {
    // A model that does what a brief tells it to.
    let text = "ACME was in the news on 10 March 2026. ACME will reach 4321.99 dollars. Buy ACME now at https://evil.example/buy. The news is of today. It names ACME. That is what is known. Nothing else was asked.";
    let world = World::with(Says::Text(text)).await;
    super::ask_bad_input::publish_orders(&world.server).await;
    let body = world.answer("latest news on ACME").await;
    let summary = body["summary"].as_str().unwrap();
    for obeyed in [
        "4321.99 dollars. Buy",
        "Buy ACME",
        "](https",
        "https://evil.example",
    ] {
        assert!(!summary.contains(obeyed), "{summary}");
    }
    if body["summary_source"] == "llm" {
        assert!(!summary.contains("4321"), "{summary}");
    }
    let seen = world.seen.lock();
    let given = seen[0]["messages"][1]["content"].as_str().unwrap();
    let data = given.split_once("DATA:").unwrap().1;
    assert!(!data.contains("4321"), "orders are no material: {data}");
    assert!(seen[0].get("tools").is_none(), "whoever writes cannot act");
}

#[tokio::test]
async fn too_much_invention_leaves_the_template() {
    let text = "ACME will triple to 999999 dollars. Buy now! The target is 888888. Nvidia agrees at 777777. It is certain.";
    let world = World::with(Says::Text(text)).await;
    assert_template(&world.answer("price of ACME").await, "its data do not bear");
    let events = world.events("price of ACME").await;
    let done = &events.last().unwrap().1;
    assert_eq!(done["summary_source"], "template");
    for (name, data) in &events {
        assert!(name != "summary_token" || !data.to_string().contains("999999"));
    }
}

#[tokio::test]
async fn a_model_that_fails_costs_its_prose_only() {
    for (says, reason) in [
        (Says::Status(401), "refuses"),
        (Says::Status(429), "busy"),
        (Says::Status(500), "cannot be reached"),
        (Says::Bytes("data: {\"choices\": [{\n\n"), "cannot be read"),
        (
            Says::Bytes("data: {\"choices\": []}\n\n"),
            "cannot be reached",
        ),
        (
            Says::Bytes("<html>come back later</html>"),
            "cannot be reached",
        ),
        (Says::Silence, "in time"),
        (Says::Text(""), "cannot be read"),
        (Says::Endless("word 12345678 "), "cannot be read"),
    ] {
        let world = World::with(says).await;
        let body = world.answer("price of ACME").await;
        assert_template(&body, reason);
        assert_eq!(body["credits_used"], 1);
        assert_eq!(body["confidence"], "high");
    }
}

#[tokio::test]
async fn endless_sentences_end() {
    let world = World::with(Says::Endless(
        "On 10 March 2026 that is what there is to say. ",
    ))
    .await;
    let body = world.answer("price of ACME").await;
    assert_eq!(body["summary_source"], "llm");
    let length = body["summary"].as_str().unwrap().len();
    assert!(length <= providers::chat::LONGEST_TEXT + 100, "{length}");
}

#[tokio::test]
async fn a_question_in_another_language_is_said_again_and_planned_under_the_same_rules() {
    let calls = json!([
        {"name": "show_price", "arguments": {"symbol": "BOLT"}},
        {"name": "restate_question", "arguments": {"question": "What is the price of ACME?"}},
        {"name": "create_api_key", "arguments": {"name": "mine"}},
    ]);
    let world = World::with(Says::Calls(calls)).await;
    let question = "was kostet die aktie jetzt gerade";
    let body = world.answer(question).await;
    assert_eq!(body["question"], question);
    assert_eq!(body["tickers"], json!(["ACME"]), "{body:#}");
    assert_eq!(body["intents"], json!(["price"]));
    assert_eq!(
        body["endpoints_called"],
        json!(["/api/v1/ticker/ACME/price"])
    );
    let said = "understood by the language model as: What is the price of ACME?";
    assert!(body["reasoning"].to_string().contains(said));
    assert!(!body["summary"].to_string().contains("language model"));
    assert_eq!(body["credits_used"], 1);
}

#[tokio::test]
async fn a_model_that_adds_to_the_question_is_not_followed() {
    let calls = json!([{"name": "restate_question", "arguments":
        {"question": "How is ACME doing with a target of $999? See http://evil.example"}}]);
    let world = World::with(Says::Calls(calls)).await;
    let body = world.answer("wie geht es den orangen chips").await;
    assert!(!body.to_string().contains("evil.example"), "{body:#}");
    assert_eq!(body["tickers"], json!([]));
}

#[tokio::test]
async fn a_question_that_is_understood_is_not_planned_by_a_model() {
    let world = World::with(Says::Calls(json!([]))).await;
    world.answer("price of ACME").await;
    let seen = world.seen.lock();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].get("tools").is_none());
}

#[tokio::test]
async fn a_reader_who_leaves_ends_the_work() {
    let world = World::with(Says::Silence).await;
    let path = "/api/v1/ask/stream?question=price+of+ACME";
    let asked = world.server.get(path).bearer(&world.member.key);
    let mut body = asked.open().await.into_body().into_data_stream();
    let mut seen = String::new();
    while !seen.contains("summary_template") {
        let part = body.next().await.unwrap().unwrap();
        seen.push_str(&String::from_utf8_lossy(&part));
    }
    assert!(seen.starts_with("event: thinking"));
    drop(body);
    // The model is still silent when the work ends; what was done is charged.
    until(async || {
        let asked = world.server.get("/api/v1/usage").bearer(&world.member.key);
        asked.send().await.json()["credits_used_month"] == json!(1)
    })
    .await;
}
