//! Tests against all kinds of servers over loopback.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// What a server does with a connection after reading the request.
#[derive(Clone)]
enum Does {
    /// Sends these bytes and closes.
    Sends(Vec<u8>),
    /// Sends these bytes and then nothing, for ever.
    Stalls(Vec<u8>),
    /// Sends the first bytes, and then the second again and again.
    Repeats(Vec<u8>, Vec<u8>),
}

/// A server that handles its connections one after another as instructed, and remembers the request bodies.
struct Server {
    base: String,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    async fn start(script: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let bodies: Arc<Mutex<Vec<Value>>> = Arc::default();
        let seen = Arc::clone(&bodies);
        tokio::spawn(async move {
            for does in script {
                let (mut stream, _) = listener.accept().await.unwrap();
                let body = read_request(&mut stream).await;
                seen.lock().push(body);
                tokio::spawn(act(stream, does));
            }
        });
        Self { base, bodies }
    }

    fn model(&self) -> ChatModel {
        self.model_with(|_| {})
    }

    fn model_with(&self, change: impl FnOnce(&mut ChatSettings)) -> ChatModel {
        let mut settings = ChatSettings {
            base_url: SecretUrl::from(self.base.clone()),
            key: ApiKey::new("sk-secret"),
            model: "small".to_owned(),
            time: TimeLimits {
                silence: Duration::from_secs(5),
                whole: Duration::from_secs(20),
            },
            spending: SpendingLimits::default(),
            at_once: 2,
        };
        change(&mut settings);
        let way_out = TransportSettings {
            backoff: Duration::from_millis(1),
            ..TransportSettings::default()
        };
        ChatModel::new(settings, &way_out).unwrap()
    }

    fn asked(&self) -> usize {
        self.bodies.lock().len()
    }
}

async fn read_request(stream: &mut TcpStream) -> Value {
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 4096];
        let length = stream.read(&mut part).await.unwrap();
        bytes.extend_from_slice(&part[..length]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_lowercase();
        assert!(head.contains("post /v1/chat/completions"), "{head}");
        assert!(head.contains("authorization: bearer sk-secret"), "{head}");
        let length = head.split("content-length: ").nth(1).unwrap();
        let length: usize = length.lines().next().unwrap().trim().parse().unwrap();
        if body.len() >= length {
            return serde_json::from_str(body).unwrap();
        }
    }
}

async fn act(mut stream: TcpStream, does: Does) {
    match does {
        Does::Sends(bytes) => {
            let _ = stream.write_all(&bytes).await;
        }
        Does::Stalls(bytes) => {
            let _ = stream.write_all(&bytes).await;
            std::future::pending::<()>().await;
        }
        Does::Repeats(first, bytes) => {
            let _ = stream.write_all(&first).await;
            while stream.write_all(&bytes).await.is_ok() {}
        }
    }
}

fn head(status: &str, kind: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n").into_bytes()
}

fn stream(events: &[Value]) -> Vec<u8> {
    let mut bytes = head("200 OK", "text/event-stream");
    for event in events {
        bytes.extend_from_slice(format!("data: {event}\n\n").as_bytes());
    }
    bytes
}

fn said(text: &str) -> Value {
    json!({"choices": [{"delta": {"content": text}}]})
}

fn finished(reason: &str) -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": reason}]})
}

fn fails(status: &str, body: &str) -> Does {
    let mut bytes = head(status, "application/json");
    bytes.extend_from_slice(body.as_bytes());
    Does::Sends(bytes)
}

fn request() -> ChatRequest {
    ChatRequest {
        instructions: "Be brief.".to_owned(),
        input: "How is ACME?".to_owned(),
        most_tokens: 100,
        ..ChatRequest::default()
    }
}

const NOW: Timestamp = Timestamp::from_ms(0);

fn later() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

async fn whole(model: &ChatModel) -> Result<(String, Ended), ChatError> {
    let mut reply = model.begin(&request(), NOW, later()).await?;
    let mut text = String::new();
    while let Some(piece) = reply.next().await? {
        if let Piece::Text(part) = piece {
            text.push_str(&part);
        }
    }
    Ok((text, reply.ended()))
}

#[tokio::test]
async fn text_comes_as_it_is_written() {
    let mut events = stream(&[
        json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]}),
        said("ACME rose "),
        said("3 %."),
        finished("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 5}}),
    ]);
    events.extend_from_slice(b": a comment\r\n\r\ndata: [DONE]\n\n");
    let server = Server::start(vec![Does::Stalls(events)]).await;
    let model = server.model();
    let (text, ended) = whole(&model).await.unwrap();
    assert_eq!(text, "ACME rose 3 %.");
    assert_eq!((ended.input_tokens, ended.output_tokens), (12, 5));
    assert!(!ended.is_cut);
    let sent = server.bodies.lock()[0].clone();
    assert_eq!(sent["model"], "small");
    assert_eq!(sent["stream"], true);
    assert_eq!(sent["messages"][1]["content"], "How is ACME?");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let body = json!({
        "choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    });
    let server = Server::start(vec![fails("200 OK", &body.to_string())]).await;
    let (text, ended) = whole(&server.model()).await.unwrap();
    assert_eq!((&*text, ended.output_tokens), ("Hello.", 2));
}

#[tokio::test]
async fn calls_are_put_together_from_their_parts() {
    let part = |index: u32, name: &str, arguments: &str| {
        json!({"choices": [{"delta": {"tool_calls": [
            {"index": index, "function": {"name": name, "arguments": arguments}}]}}]})
    };
    let events = stream(&[
        part(0, "get_price", ""),
        part(0, "", "{\"symbol\":"),
        part(1, "get_score", ""),
        part(0, "", "\"ACME\"}"),
        finished("tool_calls"),
    ]);
    let server = Server::start(vec![Does::Sends(events)]).await;
    let model = server.model();
    let asked = ChatRequest {
        tools: vec![Tool {
            name: "get_price".to_owned(),
            description: "A price.".to_owned(),
            parameters: json!({"type": "object"}),
        }],
        ..request()
    };
    let mut reply = model.begin(&asked, NOW, later()).await.unwrap();
    let mut calls = Vec::new();
    while let Some(Piece::Call(call)) = reply.next().await.unwrap() {
        calls.push(call);
    }
    assert_eq!(calls[0].name, "get_price");
    assert_eq!(
        Value::Object(calls[0].arguments.clone()),
        json!({"symbol": "ACME"})
    );
    assert_eq!(
        (&*calls[1].name, calls[1].arguments.len()),
        ("get_score", 0)
    );
    assert_eq!(
        server.bodies.lock()[0]["tools"][0]["function"]["name"],
        "get_price"
    );
}

#[tokio::test]
async fn a_parameter_that_a_server_does_not_know_is_left_out_from_then_on() {
    let unknown = r#"{"error": {"message": "Unsupported parameter: 'max_tokens', use 'max_completion_tokens'"}}"#;
    let good = || Does::Sends(stream(&[said("Yes."), finished("stop")]));
    let server = Server::start(vec![fails("400 Bad Request", unknown), good(), good()]).await;
    let model = server.model();
    assert_eq!(whole(&model).await.unwrap().0, "Yes.");
    assert_eq!(whole(&model).await.unwrap().0, "Yes.");
    let bodies = server.bodies.lock();
    assert_eq!(bodies[0]["max_tokens"], 100);
    for later in &bodies[1..] {
        assert!(later.get("max_tokens").is_none());
        assert_eq!(later["max_completion_tokens"], 100);
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_will_not_is_told() {
    let good = || Does::Sends(stream(&[said("Yes."), finished("stop")]));
    let server = Server::start(vec![
        fails("429 Too Many Requests", "{}"),
        fails("500 Internal Server Error", "{}"),
        good(),
    ])
    .await;
    assert_eq!(whole(&server.model()).await.unwrap().0, "Yes.");
    assert_eq!(server.asked(), 3);

    let server = Server::start(vec![fails("429 Too Many Requests", "{}"); 4]).await;
    assert_eq!(whole(&server.model()).await, Err(ChatError::Busy));
    assert_eq!(server.asked(), 3);

    let server = Server::start(vec![fails("401 Unauthorized", "{}"); 2]).await;
    let refused = ChatError::Refused { status: 401 };
    assert_eq!(whole(&server.model()).await, Err(refused));
    assert_eq!(server.asked(), 1);

    let server = Server::start(Vec::new()).await;
    assert_eq!(
        whole(&server.model_with(|settings| {
            settings.base_url = SecretUrl::from("http://127.0.0.1:1/v1".to_owned());
        }))
        .await,
        Err(ChatError::Unreachable)
    );
}

#[tokio::test]
async fn silence_ends_in_time() {
    for bytes in [
        Vec::new(),
        head("200 OK", "text/event-stream"),
        stream(&[said("ACME ")]),
    ] {
        let server = Server::start(vec![Does::Stalls(bytes)]).await;
        let model = server.model_with(|settings| {
            settings.time.silence = Duration::from_millis(100);
        });
        assert_eq!(whole(&model).await, Err(ChatError::TimedOut));
    }
}

#[tokio::test]
async fn endless_text_is_cut_and_endless_noise_refused() {
    let line = |event: &Value| format!("data: {event}\n\n").into_bytes();
    let server = Server::start(vec![
        Does::Repeats(stream(&[]), line(&said(&"word ".repeat(100)))),
        Does::Repeats(stream(&[]), line(&json!({"choices": []}))),
        Does::Repeats(stream(&[]), vec![b'x'; 4_096]),
    ])
    .await;
    let model = server.model();
    let (text, ended) = whole(&model).await.unwrap();
    assert!(ended.is_cut);
    assert!((LONGEST_TEXT..LONGEST_TEXT + 1_000).contains(&text.len()));
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
}

#[tokio::test]
async fn broken_answers_are_told_apart_from_whole_ones() {
    let broken = |bytes: &[u8]| {
        let mut all = head("200 OK", "text/event-stream");
        all.extend_from_slice(bytes);
        Does::Sends(all)
    };
    let call = json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "function": {"name": "f", "arguments": "{\"a\":"}}]}}]});
    let mut unfinished_call = stream(&[call]);
    unfinished_call.extend_from_slice(b"data: [DONE]\n\n");
    let server = Server::start(vec![
        broken(b"data: {\"choices\": [{\n\n"),
        broken(b"data: {\"error\": {\"message\": \"overloaded\"}}\n\n"),
        broken(b"data: {\"choices\": [{\"delta\": {\"content\": \"Half of it\"}}]}\n\n"),
        Does::Sends(unfinished_call),
        fails("200 OK", "<html>"),
    ])
    .await;
    let model = server.model();
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
    assert_eq!(whole(&model).await, Err(ChatError::Unreachable), "no end");
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
    assert_eq!(whole(&model).await, Err(ChatError::Unreadable));
}

#[tokio::test]
async fn a_limit_of_the_day_keeps_requests_from_being_sent() {
    let good = || Does::Sends(stream(&[said("Yes."), finished("stop")]));
    let server = Server::start(vec![good(), good()]).await;
    let model = server.model_with(|settings| settings.spending.tokens = 110);
    assert!(whole(&model).await.is_ok());
    assert_eq!(whole(&model).await, Err(ChatError::Spent));
    assert_eq!(server.asked(), 1);
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let fault = |base: &str, model: &str| {
        let settings = ChatSettings {
            base_url: SecretUrl::from(base.to_owned()),
            key: None,
            model: model.to_owned(),
            time: TimeLimits {
                silence: Duration::from_secs(1),
                whole: Duration::from_secs(1),
            },
            spending: SpendingLimits::default(),
            at_once: 1,
        };
        ChatModel::new(settings, &TransportSettings::default()).err()
    };
    assert_eq!(fault("http://127.0.0.1:11434/v1/", "small"), None);
    for base in [
        "",
        "localhost:11434",
        "ftp://host/v1",
        "https://me:pw@host/v1",
    ] {
        assert_eq!(
            fault(base, "small"),
            Some(ChatSettingsFault::Address),
            "{base}"
        );
    }
    assert_eq!(
        fault("https://host/v1", " "),
        Some(ChatSettingsFault::Model)
    );
}
