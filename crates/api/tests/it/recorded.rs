//! A search service that answers what a test wants, and remembers what it was asked.

use std::sync::Arc;

use parking_lot::Mutex;
use providers::web_search::{Provider, Searching, WebResult, WebSearch, WebSearchError};
use tokio::sync::Notify;
use tokio::time::Instant;

type Outcome = Result<Vec<WebResult>, WebSearchError>;

/// A service; without an outcome it never answers.
pub(crate) struct Recorded {
    provider: Provider,
    outcome: Mutex<Option<Outcome>>,
    asked: Mutex<Vec<String>>,
    /// Is notified when a search is under way.
    pub(crate) under_way: Notify,
}

impl Recorded {
    pub(crate) fn new(provider: Provider, outcome: Outcome) -> Arc<Self> {
        Arc::new(Self {
            provider,
            outcome: Mutex::new(Some(outcome)),
            asked: Mutex::default(),
            under_way: Notify::new(),
        })
    }

    pub(crate) fn silent(provider: Provider) -> Arc<Self> {
        let service = Self::new(provider, Ok(Vec::new()));
        *service.outcome.lock() = None;
        service
    }

    pub(crate) fn answer(&self, outcome: Outcome) {
        *self.outcome.lock() = Some(outcome);
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().clone()
    }
}

impl WebSearch for Recorded {
    fn provider(&self) -> Provider {
        self.provider
    }

    fn search<'a>(&'a self, query: &'a str, _: usize, _: Instant) -> Searching<'a> {
        self.asked.lock().push(query.to_owned());
        self.under_way.notify_one();
        let outcome = self.outcome.lock().clone();
        Box::pin(async move {
            match outcome {
                Some(outcome) => outcome,
                None => std::future::pending().await,
            }
        })
    }
}

/// A page of a domain, as a service describes it.
pub(crate) fn page(domain: &str, name: &str, title: &str, snippet: &str) -> WebResult {
    let url = format!("https://{domain}/{name}");
    WebResult {
        title: title.to_owned(),
        url: url.clone(),
        canonical_url: url,
        domain: domain.to_owned(),
        snippet: snippet.to_owned(),
        published: Some("2026-03-09T08:00:00Z".parse().unwrap()),
        provider: Provider::Searxng,
    }
}

pub(crate) const BLOCKED: WebSearchError = WebSearchError::Blocked { retry_after: None };
