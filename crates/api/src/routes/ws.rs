//! `/ws`: what `/subscribe` sends, as messages of a WebSocket, because a browser cannot send headers with either.
//!
//! The first message says who listens to what, so that no key appears in an address. Until then nothing is admitted,
//! looked up or charged; after that it is the stream of `/subscribe`, with its filters, limits, price and end. Nothing
//! else is accepted from the peer: anybody who wants another stream opens another connection.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use http::request::Parts;
use http::{HeaderMap, Uri, header};
use model::DataMode;
use operations::{
    Arguments, Charge, Error, ErrorCode, Gate, Input, Reserving, Result, admit, say_simulated,
};
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior};

use super::subscribe::{Listener, SubscribeQuery, listen};
use crate::error::{Failure, status_of};
use crate::event_stream::{HEARTBEAT, StreamEvent};
use crate::gate::find_caller;
use crate::request_context::RequestContext;
use crate::serve::Hold;
use crate::state::AppState;

/// The operation that a connection stands for: what a key may read is what it may read there.
const SUBSCRIBE: (&str, &str) = ("GET", "/api/v1/subscribe");
/// Time allowed for the first message.
const OPENING: Duration = Duration::from_secs(10);
/// The longest message that is read: the first one, with a hundred symbols and a key.
const LONGEST_MESSAGE: usize = 16 << 10;
/// How much is read ahead. The library would reserve 128 KiB for each connection.
const READ_AHEAD: usize = 4 << 10;
/// The size at which output is written. Every message is written at once, because nothing is gained by waiting for the
/// next.
const WRITE_BEHIND: usize = 0;
/// How much may wait to be written; messages are written one after the other, so it is never more than one.
const LONGEST_QUEUE: usize = 1 << 20;
/// Heartbeats that a peer may leave unanswered.
const SILENT_HEARTBEATS: u32 = 3;
/// The close code of a refused connection is this plus the status that a request would have got.
const REFUSED: u16 = 4_000;

/// What is behind a connection that is about to be opened.
pub(crate) struct Peer {
    request_context: Arc<RequestContext>,
    /// What counts it as a connection; absent if no server of ours is listening.
    hold: Option<Hold>,
}

impl FromRequestParts<AppState> for Peer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Failure> {
        let origin = parts.headers.get(header::ORIGIN);
        let is_welcome = origin.is_none()
            || state.http.origins.allowed(origin).is_some()
            || is_same_origin(&parts.headers);
        if !is_welcome {
            return Err(Error::refused(
                ErrorCode::OriginRefused,
                "pages of this origin may not open this; the operator can add it to server.cors_origins",
            )
            .into());
        }
        Ok(Self {
            request_context: RequestContext::of(&parts.extensions)?.clone(),
            hold: parts.extensions.get().cloned(),
        })
    }
}

/// Whether the request comes from a page of this very server. Browsers leave this check to the server.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else {
        return false;
    };
    let origin: Option<Uri> = origin.parse().ok();
    let authority = origin.as_ref().and_then(Uri::authority);
    authority.is_some_and(|authority| authority.as_str().eq_ignore_ascii_case(host.trim()))
}

/// Streams what happens to tickers, as `/subscribe` does, over a WebSocket.
///
/// The first message, within ten seconds, is JSON:
/// `{"tickers": ["AAPL"], "events": ["price"], "api_key": "…", "last_event_id": "…"}`, of which only `tickers` is
/// required. Each message that follows is `{"event", "id", "data"}`, the first with the event `listening`; a refusal is
/// one with the event `error` and the body of an error, after which the connection is closed with the code 4000 +
/// status. A ping is sent every 15 seconds.
#[utoipa::path(
    get,
    path = "/api/v1/ws",
    tag = "streams",
    responses((status = 101, description = "A WebSocket; its messages are described above")),
)]
pub(crate) async fn ws(
    State(state): State<AppState>,
    peer: Peer,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let upgrade = upgrade.map_err(|rejection| {
        Error::invalid(format!(
            "this address is opened as a WebSocket: {rejection}"
        ))
    })?;
    let upgrade = upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .read_buffer_size(READ_AHEAD)
        .write_buffer_size(WRITE_BEHIND)
        .max_write_buffer_size(LONGEST_QUEUE);
    Ok(upgrade.on_upgrade(move |socket| converse(state, peer, socket)))
}

/// A connection from its first message to its end.
async fn converse(state: AppState, peer: Peer, mut socket: WebSocket) {
    let opening = async {
        let opening = first_message(&mut socket).await?;
        Ok(match opening {
            Some(opening) => Some(open(&state, &peer.request_context, &opening).await?),
            None => None,
        })
    };
    let opened: Result<_> = tokio::select! {
        opened = opening => opened,
        () = state.hub.closed() => return,
    };
    let refusal = match opened {
        Ok(Some((events, charge))) => {
            let data = json!({"credits_charged": charge.credits()});
            let listening = json!({"event": "listening", "data": data}).to_string();
            match socket.send(Message::text(listening)).await {
                Ok(()) => send(&mut socket, events).await,
                Err(_) => None,
            }
        }
        Ok(None) => None,
        Err(error) => Some(error),
    };
    if let Some(error) = refusal {
        refuse(&mut socket, state.store.mode(), &Failure::from(error)).await;
    }
    drop(peer.hold);
}

/// The first message; `None` if the peer hangs up instead.
async fn first_message(socket: &mut WebSocket) -> Result<Option<Opening>> {
    let until = Instant::now() + OPENING;
    loop {
        let received = tokio::time::timeout_at(until, socket.recv()).await;
        let received = received.map_err(|_| {
            let seconds = OPENING.as_secs();
            Error::refused(
                ErrorCode::BodyTimeout,
                format!("the first message did not arrive within {seconds} s"),
            )
        })?;
        match received {
            Some(Ok(Message::Text(text))) => {
                let opening = serde_json::from_str(&text);
                return opening.map(Some).map_err(|fault| {
                    Error::invalid(format!("the first message is not what it must be: {fault}"))
                });
            }
            Some(Ok(Message::Binary(_))) => {
                return Err(Error::invalid("the first message must be text"));
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(None),
        }
    }
}

/// The first message.
#[derive(Deserialize)]
struct Opening {
    #[serde(default)]
    tickers: Words,
    #[serde(default)]
    events: Words,
    /// A key or token, if none came with the request.
    api_key: Option<String>,
    last_event_id: Option<String>,
}

/// A list, or words separated by commas as in a query.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    List(Vec<String>),
    Text(String),
}

impl Default for Words {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Words {
    fn joined(&self) -> String {
        match self {
            Self::List(words) => words.join(","),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Opening {
    /// The same as a query, which has the same limits.
    fn query(&self) -> Result<SubscribeQuery> {
        let mut pairs = vec![("tickers", self.tickers.joined())];
        let events = self.events.joined();
        if !events.is_empty() {
            pairs.push(("events", events));
        }
        let query = serde_urlencoded::to_string(pairs)
            .map_err(|_| Error::invalid("the first message cannot be read"))?;
        SubscribeQuery::of_request(Arguments::of_query(&query), &[])
    }
}

/// Admits the caller to the stream, opens it and charges for it.
async fn open(
    state: &AppState,
    request_context: &RequestContext,
    opening: &Opening,
) -> Result<(impl Stream<Item = StreamEvent> + Send + use<>, Charge)> {
    let presented = request_context.presented.as_ref().map_err(Error::again)?;
    let presented = match &opening.api_key {
        Some(key) => presented.clone().beside(key)?,
        None => presented.clone(),
    };
    let route = request_context.route();
    let route = route.ok_or_else(|| Error::internal("a connection has no route"))?;
    let caller = find_caller(state, &presented, request_context.client, Gate::Read).await?;
    let charge = Charge::default();
    let tariff = &route.tariff;
    let admission = admit(state, &caller, tariff, SUBSCRIBE, &charge, Reserving::Now).await;
    admission.outcome?;
    let cursor = match opening.last_event_id.as_deref().map(str::trim) {
        Some(id) => Some(id.parse().map_err(|_| {
            Error::invalid("last_event_id must be the id of an event of this stream")
        })?),
        None => None,
    };
    let listener = Listener {
        caller,
        presented,
        cursor,
    };
    let events = listen(state, listener, &charge, opening.query()?).await?;
    charge.settle(tariff.price.most).await?;
    Ok((events, charge))
}

/// Sends events until they end or the peer is gone; says so if the peer does something that is not allowed.
async fn send(
    socket: &mut WebSocket,
    events: impl Stream<Item = StreamEvent> + Send,
) -> Option<Error> {
    let mut events = std::pin::pin!(events);
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = 0;
    loop {
        let message = tokio::select! {
            event = events.next() => {
                let Some(event) = event else {
                    close(socket, close_code::NORMAL, "end").await;
                    return None;
                };
                Message::text(written(&event))
            }
            received = socket.recv() => match received {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    unanswered = 0;
                    continue;
                }
                Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                    return Some(Error::invalid(
                        "a connection takes one message; open another for another stream",
                    ));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            },
            _ = heartbeat.tick() => {
                if unanswered >= SILENT_HEARTBEATS {
                    return None;
                }
                unanswered += 1;
                Message::Ping(Bytes::new())
            }
        };
        if socket.send(message).await.is_err() {
            return None;
        }
    }
}

/// An event as a message. Its data are already JSON.
fn written(StreamEvent { name, id, data }: &StreamEvent) -> String {
    let name = name.unwrap_or("message");
    format!("{{\"event\":\"{name}\",\"id\":\"{id}\",\"data\":{data}}}")
}

/// Says what is wrong, and ends the connection.
async fn refuse(socket: &mut WebSocket, mode: DataMode, failure: &Failure) {
    let body = say_simulated(mode, failure.body());
    let body = String::from_utf8_lossy(&body);
    let message = format!("{{\"event\":\"error\",\"data\":{body}}}");
    if socket.send(Message::text(message)).await.is_ok() {
        let status = status_of(failure.code).as_u16();
        close(socket, REFUSED + status, failure.code.word()).await;
    }
}

/// Does not wait to learn whether the peer received it.
async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    let _ = socket.send(Message::Close(Some(frame))).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_this_server_is_no_stranger() {
        for (origin, host, is_same) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", true),
            ("https://Assay.example", "assay.example", true),
            ("https://assay.example:8443", "assay.example", false),
            ("https://assay.example.evil.example", "assay.example", false),
            ("null", "assay.example", false),
            ("", "", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, origin.parse().unwrap());
            headers.insert(header::HOST, host.parse().unwrap());
            assert_eq!(is_same_origin(&headers), is_same, "{origin} of {host}");
        }
    }

    #[test]
    fn lists_and_words_say_the_same() {
        let query = |text: &str| {
            let opening: Opening = serde_json::from_str(text).unwrap();
            opening.query().map(|query| format!("{query:?}"))
        };
        let list = query(r#"{"tickers": ["AAPL", "BTC"], "events": ["price"]}"#).unwrap();
        let words = query(r#"{"tickers": "AAPL,BTC", "events": "price"}"#).unwrap();
        assert_eq!(list, words);
        for wrong in [
            "{}",
            r#"{"tickers": []}"#,
            r#"{"tickers": "*", "events": "rain"}"#,
        ] {
            assert!(query(wrong).is_err(), "{wrong}");
        }
    }
}
