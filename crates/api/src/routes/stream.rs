//! `/stream`: briefs as they are published, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use http::request::Parts;
use model::{Category, OutboxKind, Timestamp};
use notify::{Published, read_after};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use operations::{Arguments, BriefBody, Caller, Error, Parameters, Result, StreamBriefBody};

use crate::error::Failure;
use crate::extract::{CallerOf, ChargeOf, ValidQuery};
use crate::presented::Presented;
use crate::request_context::RequestContext;
use crate::state::AppState;
use crate::streams::StreamPlace;

/// Events that a resumed stream catches up on; beyond that there is a gap.
pub(super) const LONGEST_GAP: i64 = 1_000;
/// A stream that resumes within this time is not charged again.
pub(super) const FREE_RESUME_MS: i64 = 5 * Timestamp::MINUTE_MS;
/// A comment keeps proxies from closing a quiet connection.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How often it is checked that the credential still holds.
pub(super) const CHECK: Duration = Duration::from_secs(2);

/// The query of `/stream`.
pub(crate) struct StreamQuery {
    categories: Vec<Category>,
}

impl Parameters for StreamQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let mut categories = Vec::new();
        let slugs = arguments.list(
            "categories",
            Category::ALL.len(),
            "Category slugs separated by commas; all by default",
        );
        for slug in slugs {
            match slug.parse() {
                Ok(category) => categories.push(category),
                Err(error) => arguments.fault(format!("categories: {error}")),
            }
        }
        Self { categories }
    }
}

/// The connection beside the query: where it left off, and the credential with which it may continue.
pub(crate) struct Connection {
    last_event_id: Option<i64>,
    presented: Presented,
}

impl<S: Sync> FromRequestParts<S> for Connection {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        let position = |text: &str| text.parse::<i64>().ok().filter(|position| *position >= 0);
        Ok(Self {
            last_event_id: last_event_id(parts, position)?,
            presented: presented(parts)?,
        })
    }
}

/// Where a stream left off, in its own words.
pub(super) fn last_event_id<T>(
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
pub(super) fn presented(parts: &Parts) -> Result<Presented> {
    match &RequestContext::of(&parts.extensions)?.presented {
        Ok(presented) => Ok(presented.clone()),
        Err(error) => Err(error.again()),
    }
}

/// Streams briefs as they are published, updated, corrected or begin to trend.
///
/// Server-sent events: each has an `id` and one `data` line, the brief at top level with `event` saying what happened.
/// Resume with `Last-Event-ID`; an `event: gap` says that more events were missed than are kept. A comment is sent
/// every 15 seconds.
#[utoipa::path(
    get,
    path = "/api/v1/stream",
    tag = "news",
    params(
        ("categories" = Option<String>, Query, description = "Category slugs separated by commas; default all"),
        ("Last-Event-ID" = Option<i64>, Header, description = "Resume after this event", minimum = 0),
    ),
    responses((status = 200, description = "Briefs, one per event", body = StreamBriefBody, content_type = "text/event-stream"))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    CallerOf(caller): CallerOf,
    ChargeOf(charge): ChargeOf,
    ValidQuery(asked): ValidQuery<StreamQuery>,
    connection: Connection,
) -> Result<Response, Failure> {
    let mut categories = Vec::new();
    for category in asked.categories {
        categories.extend(caller.narrow(Some(category))?);
    }
    if categories.is_empty() {
        categories = caller.narrow(None)?;
    }
    let place = state.streams.open(&caller)?;
    let live = state.hub.listen();
    let head = state.store.outbox().head().await?;
    let from = connection.last_event_id.unwrap_or(head).min(head);
    let resumed = connection.last_event_id.is_some()
        && state
            .streams
            .resumes(caller.payer(), state.clock.now(), FREE_RESUME_MS);
    let credits = u64::from(!resumed);
    charge.claim(credits);
    let source = Source {
        state,
        caller,
        presented: connection.presented,
        categories,
        credits,
        _place: place,
    };
    Ok(response(source.events(live, from, head)))
}

/// Sends events, with a comment where there is none for a while.
pub(super) fn response(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response {
    let body = Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    let mut response = body.into_response();
    response.headers_mut().insert(
        http::header::CONTENT_TYPE,
        http::HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    response
        .headers_mut()
        .insert("x-accel-buffering", http::HeaderValue::from_static("no"));
    response
}

/// Says that events between two positions are not delivered.
fn gap(after: i64, resumed_at: i64) -> Event {
    let data = format!("{{\"missed_after\":{after},\"resumed_at\":{resumed_at}}}");
    Event::default()
        .event("gap")
        .id(resumed_at.to_string())
        .data(data)
}

/// What one stream needs to continue.
struct Source {
    state: AppState,
    caller: Caller,
    presented: Presented,
    categories: Vec<Category>,
    credits: u64,
    /// Counts this stream for as long as it is open.
    _place: StreamPlace,
}

impl Source {
    fn events(
        self,
        mut live: broadcast::Receiver<Arc<Published>>,
        from: i64,
        head: i64,
    ) -> impl Stream<Item = Result<Event, Infallible>> {
        async_stream::stream! {
            // Something to send at once, so that the caller sees that the stream is open.
            yield Ok(Event::default().comment("listening"));
            let mut position = from;
            if head - from > LONGEST_GAP {
                yield Ok(gap(position, head));
                position = head;
            }
            while position < head {
                match read_after(&self.state.store, position, 200).await {
                    Ok((missed, read_to)) if read_to > position => {
                        for published in missed {
                            if let Some(event) = self.event(&published) {
                                yield Ok(event);
                            }
                        }
                        position = read_to;
                    }
                    Ok(_) => break,
                    Err(error) => {
                        tracing::warn!(error = &error as &dyn std::error::Error, "stream cannot catch up: {error}");
                        yield Ok(gap(position, head));
                        break;
                    }
                }
            }
            let mut check = tokio::time::interval(CHECK);
            check.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            let reason = loop {
                tokio::select! {
                    received = live.recv() => match received {
                        Ok(published) if published.position > position => {
                            position = published.position;
                            if let Some(event) = self.event(&published) {
                                yield Ok(event);
                            }
                        }
                        Ok(_) => {}
                        Err(RecvError::Lagged(_)) => break "too_slow",
                        Err(RecvError::Closed) => break "stopping",
                    },
                    () = self.state.hub.closed() => break "stopping",
                    _ = check.tick() => {
                        self.state.streams.seen(self.caller.payer(), self.state.clock.now());
                        if !may_go_on(&self.state, &self.caller, &self.presented).await {
                            break "credential_revoked";
                        }
                    }
                }
            };
            self.state.streams.seen(self.caller.payer(), self.state.clock.now());
            yield Ok(Event::default().event("end").id(position.to_string()).data(format!(
                "{{\"reason\":\"{reason}\",\"credits_charged\":{}}}", self.credits
            )));
        }
    }

    fn event(&self, published: &Published) -> Option<Event> {
        let brief = &published.brief.brief;
        if !self.categories.is_empty() && !self.categories.contains(&brief.category) {
            return None;
        }
        let body = StreamBriefBody {
            event: match published.kind {
                OutboxKind::BriefPublished => "published",
                OutboxKind::BriefUpdated => "updated",
                OutboxKind::BriefTrending => "trending",
                OutboxKind::BriefCorrected => "corrected",
            },
            brief: BriefBody::new(&published.brief, self.state.clock.now()),
        };
        let data = serde_json::to_string(&body).ok()?;
        Some(
            Event::default()
                .id(published.position.to_string())
                .data(data),
        )
    }
}

/// Whether the credential of a stream still holds.
pub(super) async fn may_go_on(state: &AppState, caller: &Caller, presented: &Presented) -> bool {
    match presented {
        Presented::Nothing | Presented::Demo => true,
        Presented::Text(text) => state
            .access
            .find_member(text, caller.client, state.clock.now())
            .await
            .is_ok(),
    }
}
