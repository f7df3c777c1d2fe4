//! Tavily: `POST /search` with the key as a bearer token.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Answer, Upstream};
use super::found::{Draft, items};
use super::{ApiKey, Provider};
use crate::error::ParseError;
use crate::transport::HttpRequest;

const ENDPOINT: &str = "https://api.tavily.com/search";

#[derive(Deserialize)]
struct Payload {
    results: Vec<Value>,
}

#[derive(Deserialize)]
struct Item {
    title: Option<String>,
    url: Option<String>,
    content: Option<String>,
    published_date: Option<String>,
}

pub(super) struct Tavily {
    endpoint: String,
    key: ApiKey,
}

impl Tavily {
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

impl Upstream for Tavily {
    const PROVIDER: Provider = Provider::Tavily;

    fn request(&self, query: &str, limit: usize) -> Option<HttpRequest> {
        if query.is_empty() {
            return None;
        }
        let asked = json!({"query": query, "max_results": limit, "search_depth": "basic"});
        let mut request = HttpRequest::post(&self.endpoint, asked.to_string());
        let bearer = format!("Bearer {}", self.key.expose());
        request.headers.push(("authorization".to_owned(), bearer));
        Some(request)
    }

    fn parse(body: &[u8]) -> Result<Answer, ParseError> {
        let payload: Payload = serde_json::from_slice(body)?;
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
