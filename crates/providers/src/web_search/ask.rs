//! What calls to all services have in common: limits on time and size, and what failures mean.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use url::Url;

use super::brave::Brave;
use super::exa::Exa;
use super::found::Draft;
use super::searxng::Searxng;
use super::serper::Serper;
use super::tavily::Tavily;
use super::wikipedia::Wikipedia;
use super::{
    MOST_RESULTS, Provider, Searching, WebResult, WebSearch, WebSearchError, WebSearchSettings,
    queries,
};
use crate::error::{AddressFault, Error, ParseError};
use crate::guard::Allow;
use crate::transport::{
    Call, Fetched, HostBudget, HttpBody, HttpRequest, Transport, TransportSettings, sniff,
};

/// Largest response that is read.
const SIZE_LIMIT: usize = 1 << 20;
/// Time limit for one service, from waiting for its budget to the last byte.
const TIME_LIMIT: Duration = Duration::from_secs(4);

/// The part of that time for waiting until the service may be called.
const LONGEST_QUEUE: Duration = Duration::from_secs(1);

/// One service: what is sent, and what the response means. Both are pure.
pub(super) trait Upstream: Send + Sync + 'static {
    /// Which service this is.
    const PROVIDER: Provider;

    /// The request for a cleaned query; `None` if nothing is left of it for this service.
    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest>;

    /// What the response says. Never panics, whatever the bytes.
    fn parse(body: &[u8]) -> Result<Answer, ParseError>;
}

/// A service's response.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Pages, best first; possibly none.
    Found(Vec<Draft>),
    /// Nothing, because the engines behind it returned nothing.
    EnginesBlocked,
}

/// A service behind a transport.
pub(super) struct Asked<U> {
    upstream: U,
    transport: Arc<Transport>,
}

impl<U: Upstream> Asked<U> {
    pub(super) const fn new(upstream: U, transport: Arc<Transport>) -> Self {
        Self {
            upstream,
            transport,
        }
    }

    async fn ask(&self, query: &str, limit: usize) -> Result<Vec<WebResult>, WebSearchError> {
        let limit = limit.clamp(1, MOST_RESULTS);
        let query = queries::cleaned(query);
        let Some(request) = self.upstream.request(&query, limit) else {
            return Ok(Vec::new());
        };
        let request = HttpRequest {
            size_limit: SIZE_LIMIT,
            accept: "application/json",
            ..request
        };
        let call = Search::<U> {
            request,
            limit,
            upstream: PhantomData,
        };
        match self.transport.call(call).await {
            Ok(Fetched::New(found)) => found.ok_or(WebSearchError::EnginesBlocked),
            // No validator was sent: no service may answer that nothing has changed.
            Ok(Fetched::NotModified) => Err(WebSearchError::Unreadable),
            Err(error) => {
                let state = meaning(&error);
                let status = match &error {
                    Error::Status { status, .. } => Some(*status),
                    _ => None,
                };
                // Not the error itself: the address in it contains the caller's search terms.
                tracing::warn!(
                    web_search.provider = U::PROVIDER.as_str(),
                    web_search.state = state.as_str(),
                    http.status = status,
                    "web search: {} {state}",
                    U::PROVIDER
                );
                Err(state)
            }
        }
    }
}

impl<U: Upstream> WebSearch for Asked<U> {
    fn provider(&self) -> Provider {
        U::PROVIDER
    }

    fn search<'a>(&'a self, query: &'a str, limit: usize, deadline: Instant) -> Searching<'a> {
        Box::pin(async move {
            let deadline = deadline.min(Instant::now() + TIME_LIMIT);
            timeout_at(deadline, self.ask(query, limit))
                .await
                .unwrap_or(Err(WebSearchError::TimedOut))
        })
    }
}

/// One search with one service.
struct Search<U> {
    request: HttpRequest,
    limit: usize,
    upstream: PhantomData<U>,
}

impl<U: Upstream> Call for Search<U> {
    /// `None` if the engines behind the service returned nothing.
    type Output = Option<Vec<WebResult>>;

    fn request(&self) -> HttpRequest {
        self.request.clone()
    }

    fn parse(&self, body: &HttpBody) -> Result<Self::Output, ParseError> {
        if let Some(outage) = sniff::page_instead_of_data(&body.bytes) {
            return Err(outage.into());
        }
        let Answer::Found(drafts) = U::parse(&body.bytes)? else {
            return Ok(None);
        };
        let results = drafts
            .into_iter()
            .filter_map(|draft| draft.finish(U::PROVIDER))
            .take(self.limit)
            .collect();
        Ok(Some(results))
    }
}

/// What a failed request says about the service.
fn meaning(error: &Error) -> WebSearchError {
    match error {
        // Limits on requests per second or per minute are soon over.
        Error::Status {
            status: 429,
            retry_after,
            ..
        } => WebSearchError::Blocked {
            retry_after: retry_after.or(Some(Duration::from_mins(1))),
        },
        // 402, 432 and 433: the key has used up its credits.
        Error::Status {
            status: 401 | 402 | 403 | 432 | 433 | 451,
            retry_after,
            ..
        } => WebSearchError::Blocked {
            retry_after: *retry_after,
        },
        Error::Status {
            status: 408 | 500..,
            ..
        }
        | Error::Connection { .. }
        | Error::Resting { .. }
        | Error::Blocked { .. }
        | Error::Client(_) => WebSearchError::Unreachable,
        Error::Timeout { .. } | Error::Queued { .. } => WebSearchError::TimedOut,
        Error::Disallowed { .. }
        | Error::Answer {
            source: ParseError::Outage(_),
            ..
        } => WebSearchError::Blocked { retry_after: None },
        Error::Status { .. }
        | Error::Address { .. }
        | Error::Redirect { .. }
        | Error::TooLarge { .. }
        | Error::Answer { .. } => WebSearchError::Unreadable,
    }
}

/// How search requests go out: someone is waiting for them.
fn settings(way_out: &TransportSettings) -> TransportSettings {
    TransportSettings {
        connect_timeout: Duration::from_secs(2),
        total_timeout: TIME_LIMIT.saturating_sub(LONGEST_QUEUE),
        longest_queue: LONGEST_QUEUE,
        // The claims in a text arrive close together.
        budget: HostBudget {
            spacing: Duration::from_millis(200),
            burst: 8,
        },
        retries: 0,
        ..way_out.clone()
    }
}

pub(super) fn services(
    wanted: &WebSearchSettings,
    way_out: &TransportSettings,
) -> Result<Vec<Arc<dyn WebSearch>>, Error> {
    let settings = settings(way_out);
    let mut services: Vec<Arc<dyn WebSearch>> = Vec::new();
    if let Some(address) = &wanted.searxng {
        let url = searxng_address(address)?;
        // The operator's own setting allows this one host, and for this one service only.
        let transport = Transport::new(TransportSettings {
            allow: Allow::only(&url),
            ..settings.clone()
        })?;
        services.push(Arc::new(Asked::new(
            Searxng::new(url.as_str()),
            Arc::new(transport),
        )));
    }
    let transport = Arc::new(Transport::new(settings)?);
    let shared = || Arc::clone(&transport);
    if wanted.wikipedia {
        services.push(Arc::new(Asked::new(Wikipedia::new(), shared())));
    }
    if let Some(key) = wanted.brave.clone() {
        services.push(Arc::new(Asked::new(Brave::new(key), shared())));
    }
    if let Some(key) = wanted.tavily.clone() {
        services.push(Arc::new(Asked::new(Tavily::new(key), shared())));
    }
    if let Some(key) = wanted.exa.clone() {
        services.push(Arc::new(Asked::new(Exa::new(key), shared())));
    }
    if let Some(key) = wanted.serper.clone() {
        services.push(Arc::new(Asked::new(Serper::new(key), shared())));
    }
    Ok(services)
}

/// The address of a SearXNG: that of its start page.
fn searxng_address(address: &str) -> Result<Url, Error> {
    let refuse = |fault| Error::Address {
        url: model::redact(address),
        fault,
    };
    let url = Url::parse(address.trim()).map_err(|_| refuse(AddressFault::Malformed))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse(AddressFault::Scheme));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse(AddressFault::Credentials));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refuse(AddressFault::Malformed));
    }
    Ok(url)
}
