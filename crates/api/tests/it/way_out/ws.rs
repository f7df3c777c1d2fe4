//! `/ws`: the stream of `/subscribe` over a real socket, for whoever cannot send headers.

use std::net::SocketAddr;

use api::Connections;
use futures::{SinkExt, StreamExt};
use http::{Method, Request};
use model::{KeyScope, Plan};
use operations::Clock;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::error::Error as WsError;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;
use wiremock::ResponseTemplate;

use super::alerts::brief;
use super::subscribe::{PATIENCE, follow, followed};
use super::world::{ALERTS, world};
use crate::news::fixtures::publish;
use crate::receiver::receiver;
use crate::support::{StillTime, TestServer, until};

const PATH: &str = "/api/v1/ws";

/// A server that listens.
struct Served {
    address: SocketAddr,
    end: CancellationToken,
    serving: JoinHandle<()>,
}

impl Served {
    async fn start(server: &TestServer, limits: Connections) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let end = CancellationToken::new();
        let router = server.router.clone();
        let serving = tokio::spawn(api::serve(listener, router, limits, end.clone()));
        Self {
            address,
            end,
            serving,
        }
    }

    /// Opens a connection with these headers; the status of whoever refuses it.
    async fn dial(&self, path: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        let stream = TcpStream::connect(self.address).await.map_err(|_| 0_u16)?;
        let mut request = Request::get(format!("ws://{}{path}", self.address))
            .header("host", self.address.to_string())
            .header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", generate_key());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match client_async(request.body(()).unwrap(), stream).await {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(WsError::Http(response)) => Err(response.status().as_u16()),
            Err(_) => Err(0),
        }
    }

    /// Opens a connection and says what it is for.
    async fn open(&self, opening: &Value) -> Socket {
        let mut socket = self.dial(PATH, &[]).await.unwrap();
        socket.say(Message::text(opening.to_string())).await;
        socket
    }
}

/// One end of a connection.
struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    async fn say(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    async fn frame(&mut self) -> Option<Message> {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.unwrap_or_else(|_| panic!("the stream says nothing"))?
            .ok()
    }

    /// The next message. Signs of life are none.
    async fn next(&mut self) -> Value {
        let next = async {
            loop {
                match self.frame().await {
                    Some(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                    Some(Message::Ping(_) | Message::Pong(_)) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, next)
            .await
            .unwrap_or_else(|_| panic!("no message comes"))
    }

    /// The code with which the other side ends it; `None` where it ends without a word.
    async fn end(&mut self) -> Option<u16> {
        let end = async {
            loop {
                match self.frame().await {
                    Some(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                    Some(Message::Ping(_) | Message::Pong(_)) => {}
                    Some(other) => panic!("{other:?}"),
                    None => return None,
                }
            }
        };
        tokio::time::timeout(PATIENCE, end)
            .await
            .unwrap_or_else(|_| panic!("it does not end"))
    }

    /// It is refused with that status and word.
    async fn refused(&mut self, status: u16, word: &str) {
        let said = self.next().await;
        assert_eq!(said["event"], "error", "{said}");
        let error = &said["data"];
        assert_eq!(
            (&error["code"], &error["error_code"]),
            (&json!(status), &json!(word)),
            "{said}"
        );
        assert_eq!(self.end().await, Some(4_000 + status));
    }
}

#[tokio::test]
async fn the_events_are_those_of_subscribe_and_resume_like_them() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let _follower = follow(&server);
    followed(&server).await;
    let served = Served::start(&server, Connections::default()).await;
    let opening = json!({"tickers": ["acme"], "api_key": member.key});
    let mut socket = served.open(&opening).await;
    let said = socket.next().await;
    assert_eq!(
        said,
        json!({"event": "listening", "data": {"credits_charged": 1}})
    );

    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    let said = socket.next().await;
    assert_eq!(
        (&said["event"], &said["data"]["headline"]),
        (&json!("brief"), &json!("Acme opens a plant"))
    );
    let after_brief = said["id"].clone();
    let sentiment = socket.next().await;
    assert_eq!(sentiment["event"], "sentiment");
    let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200});
    server
        .done(&member, Method::POST, ALERTS, Some(alert))
        .await;
    server.price("stock:BOLT", 55.0, 1.0).await;
    server.price("stock:ACME", 210.0, 7.0).await;
    let price = socket.next().await;
    assert_eq!(
        (&price["event"], &price["data"]["price"]),
        (&json!("price"), &json!(210.0))
    );
    assert_eq!(server.evaluate().await, 1);
    assert_eq!(socket.next().await["event"], "alert");
    // Hung up after the brief: the rest comes again, each once, and resuming is free.
    drop(socket);
    let mut opening = opening;
    opening["last_event_id"] = after_brief;
    let mut socket = served.open(&opening).await;
    assert_eq!(socket.next().await["data"]["credits_charged"], 0);
    let mut again = Vec::new();
    for _ in 0..3 {
        again.push(socket.next().await);
    }
    let names: Vec<&str> = again
        .iter()
        .map(|said| said["event"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sentiment", "alert", "price"]);
    assert_eq!((&again[0], &again[2]["data"]), (&sentiment, &price["data"]));
    // The charges are in the usage of the account, under its own endpoint.
    let usage = server
        .done(&member, Method::GET, "/api/v1/usage", None)
        .await;
    let lines = usage["by_endpoint"].as_array().unwrap();
    let line = lines
        .iter()
        .find(|line| line["endpoint"] == format!("GET {PATH}"));
    assert_eq!(line.unwrap()["credits"], 1, "{usage}");
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_refused() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let served = Served::start(&server, Connections::default()).await;
    let key = &member.key;
    for (opening, status, word) in [
        (json!({}), 400, "invalid_request"),
        (json!([]), 400, "invalid_request"),
        (
            json!({"tickers": ["NOSUCH"], "api_key": key}),
            404,
            "unknown_symbol",
        ),
        (
            json!({"tickers": "*", "events": ["rain"]}),
            400,
            "invalid_request",
        ),
        (
            json!({"tickers": "*", "last_event_id": "x"}),
            400,
            "invalid_request",
        ),
        (
            json!({"tickers": vec!["ACME"; 101], "api_key": key}),
            400,
            "invalid_request",
        ),
        (
            json!({"tickers": "*", "api_key": "as_live_nobody"}),
            401,
            "invalid_credential",
        ),
    ] {
        served.open(&opening).await.refused(status, word).await;
    }
    let scope = KeyScope {
        allowed_endpoints: vec!["brief".to_owned()],
        ..KeyScope::default()
    };
    let narrow = server.member(Plan::Unlimited, scope).await;
    let opening = json!({"tickers": "*", "api_key": narrow.key});
    served
        .open(&opening)
        .await
        .refused(403, "endpoint_not_allowed")
        .await;
    // Two keys, one with the request.
    let path = format!("/ws?api_key={key}");
    let mut socket = served.dial(&path, &[]).await.unwrap();
    let opening = json!({"tickers": "*", "api_key": narrow.key}).to_string();
    socket.say(Message::text(opening)).await;
    socket.refused(400, "conflicting_credentials").await;
    // The same one twice, and the other spelling of the path.
    let mut socket = served.dial(&path, &[]).await.unwrap();
    let opening = json!({"tickers": "*", "api_key": key}).to_string();
    socket.say(Message::text(opening.clone())).await;
    assert_eq!(socket.next().await["event"], "listening");
    // One message is all that it takes.
    socket.say(Message::text(opening)).await;
    socket.refused(400, "invalid_request").await;
    let mut socket = served.dial(PATH, &[]).await.unwrap();
    socket.say(Message::binary(Bytes::from_static(b"{}"))).await;
    socket.refused(400, "invalid_request").await;
    // More than is ever read.
    let mut socket = served.dial(PATH, &[]).await.unwrap();
    let _ = socket.0.send(Message::text("x".repeat(1 << 20))).await;
    assert!(!matches!(socket.frame().await, Some(Message::Text(_))));
    // No WebSocket at all.
    server
        .get(PATH)
        .send()
        .await
        .expect_error(400, "invalid_request");
}

#[tokio::test]
async fn pages_of_other_origins_are_turned_away() {
    let origin = "https://app.example.org";
    let server = TestServer::start_with(|settings| {
        settings.origins = api::Origins::Only(vec![origin.parse().unwrap()]);
    })
    .await;
    let served = Served::start(&server, Connections::default()).await;
    let own = format!("http://{}", served.address);
    for (origin, is_welcome) in [
        (origin, true),
        (&own, true),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let dialled = served.dial(PATH, &[("origin", origin)]).await;
        assert_eq!(dialled.err(), (!is_welcome).then_some(403), "{origin}");
    }
}

#[tokio::test]
async fn a_revoked_key_ends_its_stream_and_so_does_the_end_of_the_server() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let other = server.unlimited().await;
    let served = Served::start(&server, Connections::default()).await;
    let mut socket = served
        .open(&json!({"tickers": "*", "api_key": member.key}))
        .await;
    socket.next().await;
    let mut steady = served
        .open(&json!({"tickers": "*", "api_key": other.key}))
        .await;
    steady.next().await;
    let keys = server.state.store.keys();
    let revoked = keys.revoke(member.account, member.key_id, server.clock.now());
    assert!(revoked.await.unwrap());
    let cancel = CancellationToken::new();
    let (state, token) = (server.state.clone(), cancel.clone());
    tokio::spawn(async move { state.watch_access(token).await });
    let _guard = cancel.drop_guard();
    let said = socket.next().await;
    assert_eq!(
        (&said["event"], &said["data"]["reason"]),
        (&json!("end"), &json!("credential_revoked"))
    );
    assert_eq!(socket.end().await, Some(1_000));
    // The end of the server waits for those who are still there.
    served.end.cancel();
    server.state.hub.close();
    let said = steady.next().await;
    assert_eq!(
        (&said["event"], &said["data"]["reason"]),
        (&json!("end"), &json!("stopping"))
    );
    let ended = tokio::time::timeout(PATIENCE, served.serving).await;
    ended.unwrap().unwrap();
}

#[tokio::test]
async fn an_open_socket_counts_as_a_connection_and_as_a_stream() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let limits = Connections {
        most: 3,
        ..Connections::default()
    };
    let served = Served::start(&server, limits).await;
    let opening = json!({"tickers": "*", "api_key": member.key});
    let mut sockets = Vec::new();
    for _ in 0..3 {
        let mut socket = served.open(&opening).await;
        assert_eq!(socket.next().await["event"], "listening");
        sockets.push(socket);
    }
    assert!(served.dial(PATH, &[]).await.is_err(), "no place is left");
    drop(sockets.pop());
    until(async || {
        server.state.store.outbox().head().await.unwrap();
        served.dial(PATH, &[]).await.is_ok()
    })
    .await;
}

#[tokio::test]
async fn who_says_nothing_is_not_waited_for() {
    let server = TestServer::start().await;
    let served = Served::start(&server, Connections::default()).await;
    let time = StillTime::begin();
    let mut socket = served.dial(PATH, &[]).await.unwrap();
    // A ping is no message, however many there are.
    socket.say(Message::Ping(Bytes::new())).await;
    assert!(matches!(socket.frame().await, Some(Message::Pong(_))));
    time.pass(std::time::Duration::from_secs(10)).await;
    socket.refused(408, "body_timeout").await;
}
