//! Exa: `POST /search` with the key in `x-api-key`; the beginning of each page's text comes along.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use super::{ApiKey, Provider};
use crate::error::ParseError;
use crate::transport::HttpRequest;

const ENDPOINT: &str = "https://api.exa.ai/search";
/// Characters of a page's text that are requested.
const TEXT: usize = 1_000;

#[derive(Deserialize)]
struct Payload {
    results: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    title: Option<String>,
    url: Option<String>,
    text: Option<String>,
    published_date: Option<String>,
}

pub(super) struct Exa {
    endpoint: String,
    key: ApiKey,
}

impl Exa {
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

impl Upstream for Exa {
    const PROVIDER: Provider = Provider::Exa;

    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest> {
        if query.is_empty() {
            return None;
        }
        let asked = json!({
            "query": query,
            "numResults": limit,
            "type": "auto",
            "contents": {"text": {"maxCharacters": TEXT}},
        });
        let mut request = HttpRequest::post(&self.endpoint, asked.to_string());
        request
            .headers
            .push(("x-api-key".to_owned(), self.key.expose().to_owned()));
        Some(request)
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
        let drafts = items::<Item>(payload.results)
            .map(|item| Draft {
                title: item.title,
                url: item.url,
                snippet: item.text,
                published: item.published_date,
            })
            .collect();
        Ok(Answer::Found(drafts))
    }
}
