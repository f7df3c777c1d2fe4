//! `/stream`: briefs as they are published, as server-sent events.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use http::request::Parts;
use model::{Category, OutboxKind};
use notify::{Published, read_after};
use serde_json::json;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use operations::{Arguments, BriefBody, Parameters, Result, StreamBriefBody};

use crate::error::Failure;
use crate::event_stream::{
    LONGEST_GAP, Next, Reader, Source, StreamEvent, last_event_id, presented, sse,
};
use crate::extract::{CallerOf, ChargeOf, ValidQuery};
use crate::presented::Presented;
use crate::state::AppState;

/// Rows that are read at once.
const BATCH: u64 = 200;

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

/// What the connection adds to the query: where it left off, and the credential with which it may continue.
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

/// Streams briefs as they are published, updated, corrected, divided or begin to trend.
///
/// Server-sent events: each has an `id` and one `data` line, the brief at top level with `event` saying what happened.
/// Resume with `Last-Event-ID`; an `event: gap` says that more events were missed than are kept. A comment is sent
/// every 15 seconds.
#[utoipa::path(
    get,
    path = "/api/v1/stream",
    tag = "news",
    params(
        ("categories" = Option<String>, Query, description = "Category slugs separated by commas; all by default"),
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
    let last = connection.last_event_id;
    let reader = Reader::open(&state, &caller, connection.presented, last.is_some())?;
    let (live, head) = state.hub.listen(&state.store).await?;
    charge.claim(reader.credits());
    let source = Briefs {
        position: last.unwrap_or(head).min(head),
        head,
        live,
        categories,
        state,
    };
    Ok(sse(reader.events(source)))
}

/// The briefs of one stream.
struct Briefs {
    state: AppState,
    categories: Vec<Category>,
    /// How far the reader has got.
    position: i64,
    /// Events up to here are read from the store.
    head: i64,
    live: broadcast::Receiver<Arc<Published>>,
}

impl Source for Briefs {
    async fn missed(&mut self) -> Option<Vec<StreamEvent>> {
        if self.position >= self.head {
            return None;
        }
        if self.head - self.position > LONGEST_GAP {
            return Some(vec![self.skip()]);
        }
        match read_after(&self.state.store, self.position, BATCH).await {
            Ok((missed, read_to)) if read_to > self.position => {
                self.position = read_to;
                Some(missed.iter().filter_map(|one| self.event(one)).collect())
            }
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "stream cannot catch up: {error}"
                );
                Some(vec![self.skip()])
            }
        }
    }

    async fn next(&mut self) -> Next {
        match self.live.recv().await {
            Ok(published) if published.position > self.position => {
                self.position = published.position;
                self.event(&published).map_or(Next::Nothing, Next::Event)
            }
            Ok(_) => Next::Nothing,
            Err(RecvError::Lagged(_)) => Next::TooSlow,
            Err(RecvError::Closed) => Next::Stopping,
        }
    }

    fn position(&self) -> String {
        self.position.to_string()
    }
}

impl Briefs {
    /// Continues at the head, and reports that what lies between is not delivered.
    fn skip(&mut self) -> StreamEvent {
        let data = json!({"missed_after": self.position, "resumed_at": self.head});
        self.position = self.head;
        StreamEvent::gap(self.position.to_string(), &data)
    }

    fn event(&self, published: &Published) -> Option<StreamEvent> {
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
                OutboxKind::BriefSplit => "split",
                OutboxKind::BriefMerged => "merged",
            },
            brief: BriefBody::new(&published.brief, self.state.clock.now()),
        };
        Some(StreamEvent {
            name: None,
            id: published.position.to_string(),
            data: serde_json::to_string(&body).ok()?,
        })
    }
}
