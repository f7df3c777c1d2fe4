//! A stream of events, whatever they are about and however they are sent: first what was missed, then live events, then
//! why the stream ends.
//!
//! A [`Source`] says what is missed and what comes next; everything else that streams have in common is here. The
//! credential is checked every two seconds, a reader that is too slow is cut off, a stream ends when the server stops,
//! and its last event says what it cost. [`sse`] sends it as server-sent events; `routes::ws` sends it as messages of a
//! WebSocket.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt};
use http::request::Parts;
use model::Timestamp;
use operations::{Caller, Error, Result};
use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use crate::presented::Presented;
use crate::request_context::RequestContext;
use crate::state::AppState;
use crate::streams::StreamPlace;

/// Events that a resumed stream catches up on; beyond that there is a gap.
pub(crate) const LONGEST_GAP: i64 = 1_000;
/// A heartbeat keeps proxies from closing a quiet connection.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);
/// A stream that resumes within this time is not charged again.
const FREE_RESUME_MS: i64 = 5 * Timestamp::MINUTE_MS;
/// The name of the last event.
const END: &str = "end";
/// How often the credential is checked again.
const CHECK: Duration = Duration::from_secs(2);

/// An event as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StreamEvent {
    /// Its name; `None` if the stream has only one kind of event.
    pub(crate) name: Option<&'static str>,
    /// The id from which a stream resumes after receiving this event.
    pub(crate) id: String,
    /// One line of JSON.
    pub(crate) data: String,
}

impl StreamEvent {
    /// Reports that some events were not delivered.
    pub(crate) fn gap(id: String, data: &serde_json::Value) -> Self {
        Self {
            name: Some("gap"),
            id,
            data: data.to_string(),
        }
    }
}

/// What comes next.
pub(crate) enum Next {
    /// This event.
    Event(StreamEvent),
    /// Something that is not for this reader.
    Nothing,
    /// The reader is too far behind.
    TooSlow,
    /// Nothing more will happen.
    Stopping,
}

/// Where the events of one stream come from.
pub(crate) trait Source: Send + 'static {
    /// The next events that the reader missed; `None` if there are no more.
    fn missed(&mut self) -> impl Future<Output = Option<Vec<StreamEvent>>> + Send;

    /// Waits for the next event. Nothing is lost if it is dropped before it is done.
    fn next(&mut self) -> impl Future<Output = Next> + Send;

    /// How far the reader has got: the id from which it resumes.
    fn position(&self) -> String;
}

/// Who reads a stream.
pub(crate) struct Reader {
    state: AppState,
    caller: Caller,
    presented: Presented,
    credits: u64,
    /// Counts this stream for as long as it is open.
    _place: StreamPlace,
}

impl Reader {
    /// Opens one more stream for this caller. What it costs is [`Reader::credits`]: nothing if it resumes soon enough.
    pub(crate) fn open(
        state: &AppState,
        caller: &Caller,
        presented: Presented,
        resumes: bool,
    ) -> Result<Self> {
        let place = state.streams.open(caller)?;
        let now = state.clock.now();
        let is_free = resumes && state.streams.resumes(caller.payer(), now, FREE_RESUME_MS);
        Ok(Self {
            state: state.clone(),
            caller: caller.clone(),
            presented,
            credits: u64::from(!is_free),
            _place: place,
        })
    }

    /// What the stream costs.
    pub(crate) const fn credits(&self) -> u64 {
        self.credits
    }

    /// The events of a source, until it ends.
    pub(crate) fn events(
        self,
        mut source: impl Source,
    ) -> impl Stream<Item = StreamEvent> + Send + 'static {
        async_stream::stream! {
            while let Some(events) = source.missed().await {
                for event in events {
                    yield event;
                }
            }
            let mut check = tokio::time::interval(CHECK);
            check.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let reason = loop {
                tokio::select! {
                    next = source.next() => match next {
                        Next::Event(event) => yield event,
                        Next::Nothing => {}
                        Next::TooSlow => break EndReason::TooSlow,
                        Next::Stopping => break EndReason::Stopping,
                    },
                    () = self.state.hub.closed() => break EndReason::Stopping,
                    _ = check.tick() => {
                        self.seen();
                        if !self.may_go_on().await {
                            break EndReason::CredentialRevoked;
                        }
                    }
                }
            };
            self.seen();
            let data = json!({"reason": reason.as_str(), "credits_charged": self.credits});
            yield StreamEvent { name: Some(END), id: source.position(), data: data.to_string() };
        }
    }

    fn seen(&self) {
        let streams = &self.state.streams;
        streams.seen(self.caller.payer(), self.state.clock.now());
    }

    /// Whether the credential still holds.
    async fn may_go_on(&self) -> bool {
        match &self.presented {
            Presented::Nothing | Presented::Demo => true,
            Presented::Text(text) => {
                let (state, client) = (&self.state, self.caller.client);
                let found = state.access.find_member(text, client, state.clock.now());
                found.await.is_ok()
            }
        }
    }
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndReason {
    TooSlow,
    Stopping,
    CredentialRevoked,
}

impl EndReason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::TooSlow => "too_slow",
            Self::Stopping => "stopping",
            Self::CredentialRevoked => "credential_revoked",
        }
    }
}

/// One event of an answer that is still being produced while it is sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnswerEvent {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its fields.
    pub(crate) data: Value,
}

/// Sends the events of one answer. Their ids are consecutive, so that a reader can see whether it missed one; an answer
/// of this kind cannot be resumed.
pub(crate) fn sse_answer(events: impl Stream<Item = AnswerEvent> + Send + 'static) -> Response {
    let numbered = events
        .enumerate()
        .map(|(before, AnswerEvent { name, data })| {
            let id = (before + 1).to_string();
            Event::default().event(name).id(id).data(data.to_string())
        });
    respond(numbered)
}

/// Sends events as server-sent events, with a comment when there has been no event for a while.
pub(crate) fn sse(events: impl Stream<Item = StreamEvent> + Send + 'static) -> Response {
    // Sends something at once, so that the caller sees that the stream is open.
    let opened = futures::stream::once(async { Event::default().comment("listening") });
    let events = opened.chain(events.map(|StreamEvent { name, id, data }| {
        // The name comes before the data, for readers that parse line by line.
        let event = match name {
            Some(name) => Event::default().event(name),
            None => Event::default(),
        };
        event.id(id).data(data)
    }));
    respond(events)
}

fn respond(events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let body = Sse::new(events.map(Ok::<_, Infallible>));
    let body = body.keep_alive(KeepAlive::new().interval(HEARTBEAT));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(
        http::header::CONTENT_TYPE,
        http::HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    headers.insert("x-accel-buffering", http::HeaderValue::from_static("no"));
    response
}

/// Where a stream left off, in its own format.
pub(crate) fn last_event_id<T>(
    parts: &Parts,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>> {
    let Some(value) = parts.headers.get("last-event-id") else {
        return Ok(None);
    };
    let id = value.to_str().ok().and_then(|text| read(text.trim()));
    id.map(Some)
        .ok_or_else(|| Error::invalid("Last-Event-ID must be the id of an event of this stream"))
}

/// The credential with which a stream may continue.
pub(crate) fn presented(parts: &Parts) -> Result<Presented> {
    match &RequestContext::of(&parts.extensions)?.presented {
        Ok(presented) => Ok(presented.clone()),
        Err(error) => Err(error.again()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn next(response: &mut axum::body::BodyDataStream) -> String {
        let chunk = response.next().await.unwrap().unwrap();
        String::from_utf8(chunk.to_vec()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_gives_a_sign_of_life_every_fifteen_seconds() {
        let events = async_stream::stream! {
            yield AnswerEvent { name: "thinking", data: json!({"a": 1}) };
            tokio::time::sleep(2 * HEARTBEAT + Duration::from_secs(5)).await;
            yield AnswerEvent { name: "done", data: json!({}) };
        };
        let started = tokio::time::Instant::now();
        let response = sse_answer(events);
        assert_eq!(
            response.headers()[http::header::CONTENT_TYPE],
            "text/event-stream; charset=utf-8"
        );
        let mut body = response.into_body().into_data_stream();
        for (after, expected) in [
            (0, "event: thinking\nid: 1\ndata: {\"a\":1}\n\n"),
            (15, ":\n\n"),
            (30, ":\n\n"),
            (35, "event: done\nid: 2\ndata: {}\n\n"),
        ] {
            assert_eq!(next(&mut body).await, expected);
            assert_eq!(started.elapsed().as_secs(), after);
        }
        assert!(body.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_gives_a_sign_of_life_every_fifteen_seconds() {
        let started = tokio::time::Instant::now();
        let mut body = sse(futures::stream::pending())
            .into_body()
            .into_data_stream();
        for (after, expected) in [(0, ": listening\n\n"), (15, ":\n\n"), (30, ":\n\n")] {
            assert_eq!(next(&mut body).await, expected);
            assert_eq!(started.elapsed().as_secs(), after);
        }
    }
}
