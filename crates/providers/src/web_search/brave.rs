//! Brave Search: `GET /res/v1/web/search` with the key in `X-Subscription-Token`.

use serde::Deserialize;
use serde_json::Value;

use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use super::{ApiKey, Provider, queries};
use crate::error::ParseError;
use crate::transport::HttpRequest;

const ENDPOINT: &str = "https://api.search.brave.com/res/v1/web/search";
/// Most words of a query that it accepts.
const MOST_WORDS: usize = 50;

#[derive(Deserialize)]
struct Payload {
    /// Shows that this is a response to a search: one without results has nothing else.
    #[serde(rename = "type")]
    _kind: String,
    web: Option<Web>,
}

#[derive(Deserialize)]
struct Web {
    #[serde(default)]
    results: Vec<Value>,
}

#[derive(Deserialize)]
struct Item {
    title: Option<String>,
    url: Option<String>,
    description: Option<String>,
    /// ISO 8601, if it is known.
    page_age: Option<String>,
}

pub(super) struct Brave {
    endpoint: String,
    key: ApiKey,
}

impl Brave {
    pub(super) fn new(key: ApiKey) -> Self {
        Self::at(ENDPOINT, key)
    }

    pub(super) fn at(endpoint: &str, key: ApiKey) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            key,
        }
    }
}

impl Upstream for Brave {
    const PROVIDER: Provider = Provider::Brave;

    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest> {
        if query.is_empty() {
            return None;
        }
        let limit = limit.to_string();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("q", &queries::first_words(query, MOST_WORDS))
            .append_pair("count", &limit)
            .append_pair("result_filter", "web")
            .append_pair("text_decorations", "false");
        let mut request = HttpRequest::get(format!("{}?{}", self.endpoint, form.finish()));
        request.headers.push((
            "x-subscription-token".to_owned(),
            self.key.expose().to_owned(),
        ));
        Some(request)
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
        let results = payload.web.map(|web| web.results).unwrap_or_default();
        let drafts = items::<Item>(results)
            .map(|item| Draft {
                title: item.title,
                url: item.url,
                snippet: item.description,
                published: item.page_age,
            })
            .collect();
        Ok(Answer::Found(drafts))
    }
}
