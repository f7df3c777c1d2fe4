//! Polls feeds, each when it is due.
//!
//! A feed that fails is polled at longer and longer intervals; one that answers is polled at its own pace. Its last
//! state (validators, failures) is a row in the store, so a restart polls no sooner than it should. If several
//! processes share one store, only the one that claims the row polls. [`voice`] decides who speaks in an item that
//! links to another domain.

mod voice;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use extraction::Extraction;
use futures::StreamExt;
use model::{FeedSource, RawArticle, SecretUrl, Timestamp, redact};
use providers::feeds::{FetchFeed, FetchedFeed};
use providers::pages::Pages;
use providers::{Fetched, Transport};
use store::{FeedState, LEASE_MS, Store};
use text::clean::Arrival;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::pages::PageReader;
use crate::publisher::{Publisher, prepare};
use crate::story_writer::Outcome;
use voice::Voice;

/// Feeds that are fetched at the same time.
const ABREAST: usize = 8;
/// Pages of one feed that are fetched for their full text in one poll.
const PAGES_PER_POLL: usize = 10;
/// The longest pause for a failing feed.
const LONGEST_REST_MS: i64 = Timestamp::DAY_MS;

/// How feeds are polled.
#[derive(Clone)]
pub struct Polling {
    /// The feeds.
    pub feeds: Vec<FeedSource>,
    /// Minutes between two polls of a feed that does not say otherwise.
    pub every_minutes: u64,
    /// Whether the page of a new item with only a teaser is fetched, where robots.txt allows.
    pub full_text: bool,
    /// The clock.
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// Polls feeds into a publisher.
#[derive(Clone)]
pub struct Poller {
    store: Store,
    publisher: Publisher,
    transport: Arc<Transport>,
    pages: PageReader,
    polling: Polling,
}

impl Poller {
    /// A poller; it contacts nobody until it runs.
    pub fn new(
        store: Store,
        publisher: Publisher,
        transport: Arc<Transport>,
        extraction: Extraction,
        polling: Polling,
    ) -> Self {
        let pages = Arc::new(Pages::new(Arc::clone(&transport)));
        let pages = PageReader::new(store.clone(), pages, extraction);
        Self {
            store,
            publisher,
            transport,
            pages,
            polling,
        }
    }

    /// Polls until cancelled.
    pub async fn run(&self, cancel: CancellationToken) {
        loop {
            if let Err(error) = self.poll_due().await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "feeds cannot be polled"
                );
            }
            tokio::select! {
                () = cancel.cancelled() => return,
                () = tokio::time::sleep(Duration::from_secs(10)) => {}
            }
        }
    }

    /// Polls every feed that is due now and not being polled elsewhere, and returns the result for each.
    pub async fn poll_due(&self) -> Result<Vec<(SecretUrl, Result<Outcome>)>> {
        let states: HashMap<SecretUrl, FeedState> = self
            .store
            .feeds()
            .load()
            .await?
            .into_iter()
            .map(|state| (state.url.clone(), state))
            .collect();
        let now = (self.polling.now)();
        let due: Vec<FeedSource> = self
            .polling
            .feeds
            .iter()
            .filter(|feed| {
                feed.enabled && states.get(&feed.url).is_none_or(|state| state.is_due(now))
            })
            .cloned()
            .collect();
        let polled = futures::stream::iter(due).map(|feed| async move {
            let outcome = self.claim_and_poll(&feed).await?;
            Some((feed.url, outcome))
        });
        let polled = polled.buffer_unordered(ABREAST);
        Ok(polled.filter_map(std::future::ready).collect().await)
    }

    /// Polls a feed under a lease that is renewed; `None` if another process is polling it.
    async fn claim_and_poll(&self, feed: &FeedSource) -> Option<Result<Outcome>> {
        let (feeds, now) = (self.store.feeds(), &self.polling.now);
        let claimed = match feeds.claim(&feed.url, now(), LEASE_MS).await {
            Ok(claimed) => claimed?,
            Err(error) => return Some(Err(error.into())),
        };
        let until = AtomicI64::new(claimed.next_due.ms());
        let renew = || async {
            let held = Timestamp::from_ms(until.load(Ordering::Relaxed));
            let renewed = feeds.renew(&feed.url, held, now(), LEASE_MS).await?;
            if let Some(next) = renewed {
                until.store(next.ms(), Ordering::Relaxed);
            }
            Ok(renewed.is_some())
        };
        store::hold(self.poll(feed, claimed), renew).await
    }

    async fn poll(&self, feed: &FeedSource, mut state: FeedState) -> Result<Outcome> {
        let call = FetchFeed {
            url: feed.url.expose().to_owned(),
            etag: state.etag.take(),
            last_modified: state.last_modified.take(),
        };
        let (etag, last_modified) = (call.etag.clone(), call.last_modified.clone());
        let answer = self.transport.call(call).await;
        let now = (self.polling.now)();
        let pause_ms = self.polling.every_minutes.max(1) as i64 * Timestamp::MINUTE_MS;
        state.next_due = now.plus_ms(pause_ms);
        let result = match answer {
            Ok(Fetched::NotModified) => {
                (state.etag, state.last_modified) = (etag, last_modified);
                Ok(Outcome::default())
            }
            Ok(Fetched::New(fetched)) => {
                let validators = (fetched.etag.clone(), fetched.last_modified.clone());
                let items = fetched.items.len() as u64;
                let published = self.publish(feed, fetched, now).await;
                if published.is_ok() {
                    // Only now: whatever could not be published must be sent again.
                    (state.etag, state.last_modified) = validators;
                    state.items_total += items;
                }
                published
            }
            Err(error) => {
                (state.etag, state.last_modified) = (etag, last_modified);
                Err(Error::Upstream(error))
            }
        };
        match &result {
            Ok(outcome) => {
                state.failures = 0;
                state.last_error = None;
                state.last_success = Some(now);
                tracing::info!(
                    feed.url = %feed.url,
                    ingest.articles = outcome.articles,
                    "feed polled: {} new articles",
                    outcome.articles
                );
            }
            Err(error) => {
                state.failures = state.failures.saturating_add(1);
                let rest = pause_ms
                    .saturating_mul(1 << state.failures.min(10))
                    .min(LONGEST_REST_MS);
                state.next_due = now.plus_ms(rest);
                state.last_error = Some(reason(error));
                metrics::counter!("assay_feed_failures_total").increment(1);
                tracing::warn!(feed.url = %feed.url, feed.failures = state.failures, "feed failed: {}", words(error));
            }
        }
        self.store.feeds().save(&state).await?;
        result
    }

    async fn publish(
        &self,
        feed: &FeedSource,
        fetched: FetchedFeed,
        now: Timestamp,
    ) -> Result<Outcome> {
        let mut items: Vec<RawArticle> = fetched.items;
        let voice = Voice::of(feed);
        for item in &mut items {
            item.via = voice.mark(item);
            item.outlet.get_or_insert_with(|| feed.name.clone());
        }
        items.sort_by_key(|item| item.published_at);
        if self.polling.full_text {
            self.add_full_texts(&mut items, now).await?;
            // A page may give a different date from the feed.
            items.sort_by_key(|item| item.published_at);
        }
        if let Some(category) = feed.category {
            for item in &mut items {
                item.categories.push(category.as_str().to_owned());
            }
        }
        let prepared = tokio::task::spawn_blocking(move || prepare(&items, now, Arrival::Live))
            .await
            .map_err(|_| Error::Closed)?;
        let articles = prepared
            .into_iter()
            .filter_map(std::result::Result::ok)
            .collect();
        self.publisher.publish(articles, now).await
    }

    /// Fetches the pages of new items that came with a teaser only, or that link to a domain for which the feed does
    /// not speak. A page that cannot be read leaves the item as the feed gave it.
    async fn add_full_texts(&self, items: &mut [RawArticle], now: Timestamp) -> Result<()> {
        let keys: Vec<Vec<String>> = items.iter().map(keys).collect();
        let urls: Vec<&str> = keys.iter().flatten().map(String::as_str).collect();
        let stored = self.store.articles().exists(&urls).await?;
        let wanted = items
            .iter_mut()
            .zip(&keys)
            .filter(|(item, _)| item.body.is_none() || item.via.is_some())
            .filter(|(_, keys)| !keys.is_empty() && !keys.iter().any(|key| stored.contains(key)))
            .map(|(item, _)| item)
            .rev()
            .take(PAGES_PER_POLL);
        for item in wanted {
            match self.pages.load(&item.url, now).await {
                Ok(page) => voice::with_page(item, page),
                Err(error) => {
                    tracing::debug!(
                        article.url = redact(&item.url),
                        "page not read: {}",
                        words(&error)
                    );
                }
            }
        }
        Ok(())
    }
}

/// The keys under which an item may be stored: the canonical address and, if the feed does not speak for that, the
/// feed's stand-in.
fn keys(item: &RawArticle) -> Vec<String> {
    let Some(address) = text::address::canonical(&item.url) else {
        return Vec::new();
    };
    let stand_in = item.via.as_ref();
    let stand_in = stand_in.map(|via| text::address::stand_in(&address.url, &via.domain));
    std::iter::once(address.url).chain(stand_in).collect()
}

/// Why a feed could not be read, in words that outsiders may see; the log has the rest.
fn reason(error: &Error) -> String {
    match error {
        Error::Upstream(upstream) => upstream.reason(),
        _ => "not published".to_owned(),
    }
}

/// An error with its causes, on one line.
fn words(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
