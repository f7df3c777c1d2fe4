//! SearXNG, a metasearch engine that operators run themselves: `GET /search?format=json`.
//!
//! JSON must be enabled in its settings (`search.formats`); without it the response is 403. Its own upstreams often
//! block it: it then returns 200 with nothing and names them, which is not the same as no results.

use serde::Deserialize;
use serde_json::Value;

use super::Provider;
use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use crate::error::ParseError;
use crate::transport::HttpRequest;

#[derive(Deserialize)]
struct Payload {
    results: Vec<Value>,
    /// Names of engines, each with the reason why it returned nothing.
    #[serde(default)]
    unresponsive_engines: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    url: Option<String>,
    title: Option<String>,
    content: Option<String>,
    published_date: Option<String>,
}

pub(super) struct Searxng {
    base: String,
}

impl Searxng {
    pub(super) fn new(base: &str) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
        }
    }
}

impl Upstream for Searxng {
    const PROVIDER: Provider = Provider::Searxng;

    fn request(&self, query: &str, _: usize) -> Option<HttpRequest> {
        // `!engine`, `!!elsewhere` and `:language` are SearXNG commands; `!!` would send the request to another site.
        let plain: Vec<&str> = query
            .split(' ')
            .map(|word| word.trim_start_matches(['!', ':', '?']))
            .filter(|word| !word.is_empty())
            .collect();
        if plain.is_empty() {
            return None;
        }
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("q", &plain.join(" "))
            .append_pair("format", "json");
        let url = format!("{}/search?{}", self.base, form.finish());
        Some(HttpRequest::get(url))
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
        if payload.results.is_empty() && !payload.unresponsive_engines.is_empty() {
            return Ok(Answer::EnginesBlocked);
        }
        let drafts = items::<Item>(payload.results)
            .map(|item| Draft {
                title: item.title,
                url: item.url,
                snippet: item.content,
                published: item.published_date,
            })
            .collect();
        Ok(Answer::Found(drafts))
    }
}
