//! Live web search for callers: whether it is allowed, how often, and what was found recently.
//!
//! The demo world never searches the web, because simulated data never mixes with real data. Neither does a server that
//! answers as of a time in the past. Nothing is stored.

use std::sync::Arc;
use std::time::Duration;

use model::{DataMode, Timestamp};
use providers::SourceHealth;
use providers::web_search::{Provider, WebAnswer, WebSearches};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::caller::Payer;
use crate::error::{Error, ErrorCode, Result};
use crate::kept::Kept;
use crate::limiter::{Limiter, Subject};
use crate::settings::Settings;

/// How long a result is cached.
const KEPT_SECONDS: i64 = 600;
/// Number of cached results: about 15 MiB with twenty results each, 100 MiB at worst.
const KEPT: usize = 500;
/// Time limit for all services together.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Maximum number of searches in progress.
const AT_ONCE: usize = 32;
/// Number of seconds after which a retry makes sense if no service responded.
const RETRY_SECONDS: u64 = 60;

/// What a search found, and when.
pub(crate) struct Found {
    pub(crate) answer: WebAnswer,
    pub(crate) searched_at: Timestamp,
}

/// Searches the live web.
pub(crate) struct LiveWeb {
    searches: WebSearches,
    /// Why no service can be queried.
    absent: Option<&'static str>,
    kept: Kept<Found>,
    /// Boxed, because its shards would enlarge every future that this passes through.
    limiter: Box<Limiter>,
    per_minute: u32,
    under_way: Semaphore,
}

impl LiveWeb {
    pub(crate) fn new(searches: WebSearches, mode: DataMode, settings: &Settings) -> Self {
        let absent = if mode == DataMode::Demo {
            Some("web search is off in the demo world: simulated data never mixes with real data")
        } else if settings.as_of.is_some() {
            Some("web search is off: this server answers as of the past")
        } else if searches.is_empty() {
            Some("no web search service is configured on this server ([web_search])")
        } else {
            None
        };
        Self {
            searches,
            absent,
            kept: Kept::new(KEPT),
            limiter: Box::default(),
            per_minute: settings.web_searches_per_minute,
            under_way: Semaphore::new(AT_ONCE),
        }
    }

    /// Whether any service can be queried.
    pub(crate) const fn is_available(&self) -> bool {
        self.absent.is_none()
    }

    /// The results of the services, or their recent results for the same words. Returns `SourceUnavailable` if none of
    /// them responds.
    pub(crate) async fn search(
        &self,
        payer: Payer,
        query: &str,
        now: Timestamp,
    ) -> Result<Arc<Found>> {
        if let Some(absent) = self.absent {
            return Err(Error::refused(ErrorCode::SourceUnavailable, absent));
        }
        let search = self.ask(payer, query, now);
        self.kept
            .get(&normalized(query), now, KEPT_SECONDS, search)
            .await
    }

    async fn ask(&self, payer: Payer, query: &str, now: Timestamp) -> Result<Found> {
        let window = self
            .limiter
            .take(Subject::Payer(payer), self.per_minute, now);
        if let Err(full) = window {
            return Err(Error::retry_later(
                ErrorCode::RateLimited,
                u64::from(full.reset_seconds),
                format!(
                    "this account has reached its limit of {} web searches a minute",
                    self.per_minute
                ),
            ));
        }
        let Ok(_turn) = self.under_way.try_acquire() else {
            return Err(Error::retry_later(
                ErrorCode::Busy,
                5,
                "this server is already searching the web as often as it can at a time, please try again",
            ));
        };
        let deadline = Instant::now() + TIME_LIMIT;
        let answer = self.searches.search(query, now, deadline).await;
        if answer.is_answered() {
            return Ok(Found {
                answer,
                searched_at: now,
            });
        }
        let states: Vec<String> = answer
            .reports
            .iter()
            .filter_map(|report| {
                let error = report.outcome.err()?;
                Some(format!("{} {error}", report.provider))
            })
            .collect();
        Err(Error::retry_later(
            ErrorCode::SourceUnavailable,
            RETRY_SECONDS,
            format!("no web search service answered: {}", states.join(", ")),
        ))
    }

    /// The state of the services when they were last queried; empty if none is ever queried.
    pub(crate) fn health(&self) -> Vec<(Provider, SourceHealth)> {
        if self.is_available() {
            self.searches.health()
        } else {
            Vec::new()
        }
    }

    /// Drops counts whose window has ended.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.limiter.sweep(now);
    }
}

/// The same for queries that differ only in case and whitespace.
fn normalized(query: &str) -> String {
    let words: Vec<&str> = query.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
