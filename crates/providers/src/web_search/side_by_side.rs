//! All services at once: their results interleaved in turn, each page once, and the outcome for each service.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use model::Timestamp;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::time::{Instant, timeout_at};

use crate::SourceHealth;

use super::{MOST_RESULTS, Provider, WebResult, WebSearch, WebSearchError};

/// How long a service that refused is not called if it does not say how long.
const REST: Duration = Duration::from_mins(5);
/// Bounds on what it may ask for.
const SHORTEST_REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_hours(1);

/// An operator's services.
#[derive(Default)]
pub struct WebSearches {
    services: Vec<Arc<dyn WebSearch>>,
    /// Until when those that refused are left alone.
    resting: Mutex<FxHashMap<Provider, Timestamp>>,
    /// The last result of each service.
    health: Mutex<FxHashMap<Provider, SourceHealth>>,
}

/// The outcome for one service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The service.
    pub provider: Provider,
    /// How many pages it found, or why it gave no response.
    pub outcome: Result<usize, WebSearchError>,
}

/// The results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebAnswer {
    /// The pages: the best of each service first, then the second of each, and so on.
    pub results: Vec<WebResult>,
    /// Every service, always in the same order.
    pub reports: Vec<Report>,
}

impl WebAnswer {
    /// Whether any service responded, even if with nothing.
    pub fn is_answered(&self) -> bool {
        self.reports.iter().any(|report| report.outcome.is_ok())
    }

    /// Whether every service responded.
    pub fn is_complete(&self) -> bool {
        self.reports.iter().all(|report| report.outcome.is_ok())
    }
}

impl WebSearches {
    /// Uses these services.
    pub fn new(services: Vec<Arc<dyn WebSearch>>) -> Self {
        Self {
            services,
            resting: Mutex::default(),
            health: Mutex::default(),
        }
    }

    /// Whether there is no service at all.
    pub fn is_empty(&self) -> bool {
        self.services.is_empty()
    }

    /// Calls all services side by side. One that refused is not called again for a while; `now` is the caller's
    /// clock.
    pub async fn search(&self, query: &str, now: Timestamp, deadline: Instant) -> WebAnswer {
        let asked = self
            .services
            .iter()
            .map(|service| self.ask(service.as_ref(), query, now, deadline));
        let outcomes = join_all(asked).await;
        let reports = self
            .services
            .iter()
            .zip(&outcomes)
            .map(|(service, outcome)| Report {
                provider: service.provider(),
                outcome: outcome.as_ref().map(Vec::len).map_err(|error| *error),
            })
            .collect();
        let found = outcomes.into_iter().filter_map(Result::ok).collect();
        WebAnswer {
            results: in_turn(found, now),
            reports,
        }
    }

    /// The last result of each service, in their order.
    pub fn health(&self) -> Vec<(Provider, SourceHealth)> {
        let health = self.health.lock();
        let providers = self.services.iter().map(|service| service.provider());
        providers
            .map(|provider| (provider, health.get(&provider).copied().unwrap_or_default()))
            .collect()
    }

    async fn ask(
        &self,
        service: &dyn WebSearch,
        query: &str,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<Vec<WebResult>, WebSearchError> {
        let provider = service.provider();
        let until = self.resting.lock().get(&provider).copied();
        if let Some(left) = until
            .map(|until| until.since_ms(now))
            .filter(|left| *left > 0)
        {
            return Err(WebSearchError::Blocked {
                retry_after: u64::try_from(left).ok().map(Duration::from_millis),
            });
        }
        let search = service.search(query, MOST_RESULTS, deadline);
        let outcome = timeout_at(deadline, search)
            .await
            .unwrap_or(Err(WebSearchError::TimedOut));
        let noted = outcome.as_ref().map(|_| ()).map_err(|error| error.as_str());
        let mut health = self.health.lock();
        health.entry(provider).or_default().note(noted, now);
        drop(health);
        let mut resting = self.resting.lock();
        match &outcome {
            Err(WebSearchError::Blocked { retry_after }) => {
                let rest = retry_after
                    .unwrap_or(REST)
                    .clamp(SHORTEST_REST, LONGEST_REST);
                resting.insert(provider, now.plus_ms(rest.as_millis() as i64));
            }
            Err(_) | Ok(_) => {
                resting.remove(&provider);
            }
        }
        outcome
    }
}

/// The results of all services in turn, each page once. Nothing may have been published later than a day from now.
fn in_turn(found: Vec<Vec<WebResult>>, now: Timestamp) -> Vec<WebResult> {
    let newest = now.plus_ms(Timestamp::DAY_MS);
    let mut known: FxHashSet<String> = FxHashSet::default();
    let mut merged = Vec::new();
    let mut queues: Vec<_> = found.into_iter().map(Vec::into_iter).collect();
    loop {
        let row: Vec<WebResult> = queues.iter_mut().filter_map(Iterator::next).collect();
        if row.is_empty() {
            return merged;
        }
        for mut result in row {
            if merged.len() == MOST_RESULTS {
                return merged;
            }
            if known.insert(result.canonical_url.clone()) {
                result.published = result.published.filter(|at| *at <= newest);
                merged.push(result);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::Searching;
    use super::*;

    /// Returns what it was given, and counts how often it is called.
    struct Recorded {
        provider: Provider,
        outcome: Mutex<Result<Vec<WebResult>, WebSearchError>>,
        asked: AtomicUsize,
    }

    impl Recorded {
        fn new(provider: Provider, outcome: Result<Vec<WebResult>, WebSearchError>) -> Arc<Self> {
            Arc::new(Self {
                provider,
                outcome: Mutex::new(outcome),
                asked: AtomicUsize::new(0),
            })
        }
    }

    impl WebSearch for Recorded {
        fn provider(&self) -> Provider {
            self.provider
        }

        fn search<'a>(&'a self, _: &'a str, _: usize, _: Instant) -> Searching<'a> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Box::pin(async { self.outcome.lock().clone() })
        }
    }

    fn page(provider: Provider, name: &str) -> WebResult {
        WebResult {
            title: name.to_owned(),
            url: format!("https://news.example/{name}?utm_source={provider}"),
            canonical_url: format!("https://news.example/{name}"),
            domain: "news.example".to_owned(),
            snippet: String::new(),
            published: Some(at("2030-01-01T00:00:00Z")),
            provider,
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_mins(1)
    }

    #[tokio::test]
    async fn services_take_turns_and_a_page_stands_once() {
        let (a, b) = (Provider::Searxng, Provider::Brave);
        let searches = WebSearches::new(vec![
            Recorded::new(a, Ok(vec![page(a, "1"), page(a, "2"), page(a, "3")])),
            Recorded::new(Provider::Exa, Err(WebSearchError::Unreadable)),
            Recorded::new(b, Ok(vec![page(b, "2"), page(b, "4")])),
        ]);
        let now = at("2026-03-10T12:00:00Z");
        let answer = searches.search("x", now, soon()).await;
        let order: Vec<_> = answer
            .results
            .iter()
            .map(|result| (result.title.as_str(), result.provider))
            .collect();
        assert_eq!(order, [("1", a), ("2", b), ("4", b), ("3", a)]);
        assert!(
            answer
                .results
                .iter()
                .all(|result| result.published.is_none())
        );
        let outcomes: Vec<_> = answer.reports.iter().map(|report| report.outcome).collect();
        assert_eq!(outcomes, [Ok(3), Err(WebSearchError::Unreadable), Ok(2)]);
        assert!(answer.is_answered() && !answer.is_complete());
    }

    #[tokio::test]
    async fn there_are_never_more_than_twenty() {
        let many = |provider: Provider| {
            let pages = (0..100).map(|number| page(provider, &format!("{provider}{number}")));
            Recorded::new(provider, Ok(pages.collect()))
        };
        let searches = WebSearches::new(vec![many(Provider::Exa), many(Provider::Brave)]);
        let answer = searches
            .search("x", at("2026-03-10T12:00:00Z"), soon())
            .await;
        assert_eq!(answer.results.len(), MOST_RESULTS);
    }

    #[tokio::test]
    async fn a_service_that_refuses_is_left_alone_for_a_while() {
        let blocked = |retry_after| Err(WebSearchError::Blocked { retry_after });
        let service = Recorded::new(Provider::Brave, blocked(Some(Duration::from_mins(2))));
        let asked = || service.asked.load(Ordering::SeqCst);
        let searches = WebSearches::new(vec![service.clone()]);
        let start = at("2026-03-10T12:00:00Z");
        let search = async |seconds: i64| {
            let now = start.plus_ms(seconds * 1_000);
            searches.search("x", now, soon()).await.reports[0].outcome
        };
        assert!(matches!(
            search(0).await,
            Err(WebSearchError::Blocked { .. })
        ));
        assert_eq!(
            search(119).await,
            blocked(Some(Duration::from_secs(1))).map(|found: Vec<WebResult>| found.len())
        );
        assert_eq!(asked(), 1);
        // It asks for a day, but is paused for only an hour.
        *service.outcome.lock() = blocked(Some(Duration::from_hours(24)));
        search(120).await.unwrap_err();
        search(120 + 3_599).await.unwrap_err();
        assert_eq!(asked(), 2);
        *service.outcome.lock() = Ok(Vec::new());
        assert_eq!(search(120 + 3_600).await, Ok(0));
        assert_eq!(search(120 + 3_601).await, Ok(0));
        assert_eq!(asked(), 4);
        // If it does not say how long, it is paused for five minutes.
        *service.outcome.lock() = blocked(None);
        search(4_000).await.unwrap_err();
        search(4_299).await.unwrap_err();
        assert_eq!(asked(), 5);
        search(4_300).await.unwrap_err();
        assert_eq!(asked(), 6);
    }
}
