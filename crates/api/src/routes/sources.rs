//! The state of the upstreams: feeds, the live web search services, the language model.
//!
//! A feed is a row of the store, so that every process that uses the store reports the same; what a process requests
//! itself on behalf of callers is known only to that process, since its start. Nothing is requested here, and strangers
//! may read it: addresses are masked, and an error is given in a word or two.

use axum::extract::State;
use axum::response::Response;
use http::HeaderValue;
use model::Timestamp;
use providers::SourceHealth;
use serde::Serialize;
use store::FeedState;
use utoipa::ToSchema;

use crate::error::Failure;
use crate::idempotency::answered;
use crate::state::AppState;

/// A feed that has been due for this long is read by nobody.
const OVERDUE_MS: i64 = Timestamp::HOUR_MS;

/// The upstreams.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SourceHealthBody {
    /// `ok`, whatever the state of the upstreams.
    #[schema(example = "ok")]
    status: &'static str,
    /// The feeds that have ever been polled, ordered by address; then what callers have requested through this process.
    sources: Vec<SourceBody>,
    /// How many there are.
    total: usize,
}

/// An upstream.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Source)]
pub(crate) struct SourceBody {
    /// `feed`, `web_search` or `language_model`.
    kind: &'static str,
    /// The address of a feed, with anything that may be a secret masked; otherwise the service, or `chat`.
    name: String,
    /// `ok`, `failing` (the last request failed), `idle` (a feed that nobody polls any more, or anything else that has
    /// not been requested since the start).
    state: &'static str,
    /// When it last answered; null if never.
    #[schema(required, value_type = Option<String>, format = "date-time")]
    last_success: Option<Timestamp>,
    /// Seconds since it last answered: how old its data are. Null if never.
    #[schema(required)]
    age_seconds: Option<u64>,
    /// Why the last request failed, in a few words; null if it did not.
    #[schema(required)]
    last_error: Option<String>,
    /// Failures since it last answered.
    failures: u32,
    /// When a feed is polled next; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = "date-time")]
    next_request: Option<Timestamp>,
}

impl SourceBody {
    fn of_feed(feed: FeedState, now: Timestamp) -> Self {
        let is_idle = now.since_ms(feed.next_due) > OVERDUE_MS;
        Self {
            kind: "feed",
            name: feed.url.to_string(),
            state: match feed.failures {
                _ if is_idle => "idle",
                0 if feed.last_success.is_none() => "idle",
                0 => "ok",
                _ => "failing",
            },
            last_success: feed.last_success,
            age_seconds: age(feed.last_success, now),
            last_error: feed.last_error,
            failures: feed.failures,
            next_request: Some(feed.next_due),
        }
    }

    fn asked(kind: &'static str, name: &str, health: SourceHealth, now: Timestamp) -> Self {
        let failed = health.last_failure.filter(|_| health.failures > 0);
        Self {
            kind,
            name: name.to_owned(),
            state: match (failed, health.last_success) {
                (Some(_), _) => "failing",
                (None, Some(_)) => "ok",
                (None, None) => "idle",
            },
            last_success: health.last_success,
            age_seconds: age(health.last_success, now),
            last_error: failed.map(|(_, word)| word.to_owned()),
            failures: health.failures,
            next_request: None,
        }
    }
}

fn age(last_success: Option<Timestamp>, now: Timestamp) -> Option<u64> {
    let ms = now.since_ms(last_success?);
    Some(u64::try_from(ms / 1_000).unwrap_or_default())
}

/// Reports for every upstream when it last answered, why it last failed, and how old its data are.
#[utoipa::path(get, path = "/health/sources", tag = "operations",
    responses((status = 200, description = "The state of the upstreams", body = SourceHealthBody)))]
pub(crate) async fn sources(State(state): State<AppState>) -> Result<Response, Failure> {
    let now = state.clock.now();
    let feeds = state.store.feeds().load().await?;
    let feeds = feeds.into_iter().map(|feed| SourceBody::of_feed(feed, now));
    let searches = state.services.web_search_health().into_iter();
    let searches = searches
        .map(|(provider, health)| SourceBody::asked("web_search", provider.as_str(), health, now));
    let chat = state
        .chat
        .as_ref()
        .map(|chat| SourceBody::asked("language_model", "chat", chat.health(), now));
    let sources: Vec<SourceBody> = feeds.chain(searches).chain(chat).collect();
    let body = SourceHealthBody {
        status: "ok",
        total: sources.len(),
        sources,
    };
    let mut response = answered(state.store.mode(), &body)?;
    response.headers_mut().insert(
        http::header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    );
    Ok(response)
}
