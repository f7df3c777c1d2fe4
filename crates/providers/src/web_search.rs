//! Live web search: results for a few words from the search services that the operator has chosen.
//!
//! Each service has a file with its payload types and what they mean; [`ask`] is what all of them have in common, and
//! [`WebSearches`] calls them side by side and remembers which of them refuse. A service that refuses is
//! distinguished from one that finds nothing. Whatever a result says is data: it is truncated, stripped of markup and
//! never fetched.

mod ask;
mod brave;
mod exa;
mod found;
mod queries;
mod searxng;
mod serper;
mod side_by_side;
mod tavily;
mod wikipedia;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use model::Timestamp;
use tokio::time::Instant;

use crate::error::Error;
use crate::transport::TransportSettings;

pub use side_by_side::{Report, WebAnswer, WebSearches};

/// Results that a search returns, from one service and from all together.
pub const MOST_RESULTS: usize = 20;
/// Characters of a query that are sent.
pub const LONGEST_QUERY: usize = 300;

/// A search service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each service names itself")]
pub enum Provider {
    Searxng,
    Wikipedia,
    Brave,
    Tavily,
    Exa,
    Serper,
}

impl Provider {
    /// The word of the wire contract and of the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Searxng => "searxng",
            Self::Wikipedia => "wikipedia",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Exa => "exa",
            Self::Serper => "serper",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A page that a service found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebResult {
    /// Its title, plain text of at most 300 characters.
    pub title: String,
    /// Its address: http or https, without credentials, not to a private address.
    pub url: String,
    /// The same address in a form that is equal for equal pages.
    pub canonical_url: String,
    /// Registrable domain.
    pub domain: String,
    /// What the service quotes from it, plain text of at most 1,000 characters; may be empty.
    pub snippet: String,
    /// When it was published, if the service says so.
    pub published: Option<Timestamp>,
    /// The service that found it.
    pub provider: Provider,
}

/// Why a service gave no results. Finding nothing is not one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebSearchError {
    /// The service refuses: no valid key, too many requests, a bot check or a page instead of results.
    #[error("is blocked")]
    Blocked {
        /// How long it should not be contacted, if that is known.
        retry_after: Option<Duration>,
    },
    /// It responds, but nothing came from the engines on which it draws. The query may be the cause, so it may be
    /// called again.
    #[error("is blocked by the engines behind it")]
    EnginesBlocked,
    /// No connection, or the service is down.
    #[error("cannot be reached")]
    Unreachable,
    /// It responded, but not in the agreed format.
    #[error("gave an answer that cannot be read")]
    Unreadable,
    /// It did not respond in time.
    #[error("did not answer in time")]
    TimedOut,
}

impl WebSearchError {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blocked { .. } | Self::EnginesBlocked => "blocked",
            Self::Unreachable => "unreachable",
            Self::Unreadable => "unreadable",
            Self::TimedOut => "timed_out",
        }
    }
}

/// A search in progress.
pub type Searching<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<WebResult>, WebSearchError>> + Send + 'a>>;

/// Finds pages on the web.
pub trait WebSearch: Send + Sync + 'static {
    /// Which service this is.
    fn provider(&self) -> Provider;

    /// At most `limit` pages, best first, before `deadline`.
    fn search<'a>(&'a self, query: &'a str, limit: usize, deadline: Instant) -> Searching<'a>;
}

/// The key of a service. Displays itself masked.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key that is valid in a header: visible ASCII, at most 512 characters.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_sendable =
            (1..=512).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_sendable.then(|| Self(text.to_owned()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}

/// Which services the operator wants to use; none by default.
#[derive(Clone, Debug, Default)]
pub struct WebSearchSettings {
    /// Address of the operator's SearXNG, for example `http://127.0.0.1:8888`. It may be private.
    pub searxng: Option<String>,
    /// Wikipedia in English.
    pub wikipedia: bool,
    /// Key for Brave Search.
    pub brave: Option<ApiKey>,
    /// Key for Tavily.
    pub tavily: Option<ApiKey>,
    /// Key for Exa.
    pub exa: Option<ApiKey>,
    /// Key for Serper.
    pub serper: Option<ApiKey>,
}

impl WebSearchSettings {
    /// The services, ready to use; makes no connection. `way_out` says how requests go out in general.
    pub fn services(&self, way_out: &TransportSettings) -> Result<Vec<Arc<dyn WebSearch>>, Error> {
        ask::services(self, way_out)
    }
}

#[cfg(test)]
mod tests;
