//! Serper, which returns Google's results: `POST /search` with the key in `X-API-KEY`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use super::{ApiKey, Provider};
use crate::error::ParseError;
use crate::transport::HttpRequest;

const ENDPOINT: &str = "https://google.serper.dev/search";

#[derive(Deserialize)]
struct Payload {
    organic: Vec<Value>,
}

#[derive(Deserialize)]
struct Item {
    title: Option<String>,
    link: Option<String>,
    snippet: Option<String>,
    /// For example `Mar 9, 2026`, or a relative date.
    date: Option<String>,
}

pub(super) struct Serper {
    endpoint: String,
    key: ApiKey,
}

impl Serper {
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

impl Upstream for Serper {
    const PROVIDER: Provider = Provider::Serper;

    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest> {
        if query.is_empty() {
            return None;
        }
        let asked = json!({"q": query, "num": limit});
        let mut request = HttpRequest::post(&self.endpoint, asked.to_string());
        request
            .headers
            .push(("x-api-key".to_owned(), self.key.expose().to_owned()));
        Some(request)
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
        let drafts = items::<Item>(payload.organic)
            .map(|item| Draft {
                title: item.title,
                url: item.link,
                snippet: item.snippet,
                published: item.date,
            })
            .collect();
        Ok(Answer::Found(drafts))
    }
}
