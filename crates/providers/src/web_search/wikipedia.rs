//! Wikipedia in English, through MediaWiki's action API: a search whose pages come with the plain text of their
//! beginning.
//!
//! Errors come with status 200 and an `error` of their own. An article has no publication date.

use serde::Deserialize;
use serde_json::Value;

use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use super::{Provider, queries};
use crate::error::{Outage, ParseError};
use crate::transport::HttpRequest;

const ENDPOINT: &str = "https://en.wikipedia.org/w/api.php";

#[derive(Deserialize)]
struct Payload {
    query: Option<Query>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Query {
    #[serde(default)]
    pages: Vec<Value>,
}

/// Why there is no result.
#[derive(Deserialize)]
struct Refusal {
    code: String,
}

/// Codes that say nothing about the query.
const REFUSALS: [&str; 6] = [
    "ratelimited",
    "maxlag",
    "readonly",
    "blocked",
    "autoblocked",
    "readapidenied",
];

#[derive(Deserialize)]
struct Page {
    /// Position among the results, from 1: pages come in the order of their ids.
    #[serde(default)]
    index: i64,
    title: Option<String>,
    extract: Option<String>,
    canonicalurl: Option<String>,
    fullurl: Option<String>,
}

pub(super) struct Wikipedia {
    endpoint: String,
}

impl Wikipedia {
    pub(super) fn new() -> Self {
        Self::at(ENDPOINT)
    }

    pub(super) fn at(endpoint: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
        }
    }
}

impl Upstream for Wikipedia {
    const PROVIDER: Provider = Provider::Wikipedia;

    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest> {
        let words = queries::words(query);
        if words.is_empty() {
            return None;
        }
        let limit = limit.to_string();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("action", "query")
            .append_pair("format", "json")
            .append_pair("formatversion", "2")
            .append_pair("generator", "search")
            .append_pair("gsrnamespace", "0")
            .append_pair("gsrlimit", &limit)
            .append_pair("gsrsearch", &words)
            .append_pair("prop", "extracts|info")
            .append_pair("inprop", "url")
            // Several extracts at once are available only for introductions.
            .append_pair("exintro", "1")
            .append_pair("explaintext", "1")
            .append_pair("exlimit", "max");
        let url = format!("{}?{}", self.endpoint, form.finish());
        Some(HttpRequest::get(url))
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
        if let Some(refusal) = payload.error {
            return Err(if REFUSALS.contains(&refusal.code.as_str()) {
                Outage::Refusal.into()
            } else {
                ParseError::Empty
            });
        }
        // A search that finds nothing has no `query` at all.
        let pages = payload.query.map(|query| query.pages).unwrap_or_default();
        let mut pages: Vec<Page> = items(pages).collect();
        pages.sort_by_key(|page| page.index);
        let drafts = pages
            .into_iter()
            .map(|page| Draft {
                title: page.title,
                url: page.canonicalurl.or(page.fullurl),
                snippet: page.extract,
                published: None,
            })
            .collect();
        Ok(Answer::Found(drafts))
    }
}
