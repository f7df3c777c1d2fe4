//! Another Assay that answers over HTTP.
//!
//! Its address comes from the person who started this program, so it may be a private one.

use std::fmt;
use std::time::Duration;

use http::{Method, StatusCode, header};
use operations::{Entry, ErrorCode, Place, Verb};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::backend::Answer;
use crate::error::{Error, Result};
use crate::refusal::Refusal;

/// Longer than any answer takes.
const WITHIN: Duration = Duration::from_mins(2);
/// Longest answer in bytes.
const LONGEST_ANSWER: usize = 16 << 20;

/// Another Assay.
pub struct Remote {
    base: Url,
    key: Option<Box<str>>,
    client: reqwest::Client,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

/// The content of an HTTP error.
#[derive(Deserialize)]
struct ErrorBody {
    message: String,
    error_code: String,
}

impl Remote {
    /// The Assay at that address, called with that key or, without one, with what everybody may do.
    pub fn new(address: &str, key: Option<&str>) -> Result<Self> {
        // The process may already have one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let base = Url::parse(address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && !url.cannot_be_a_base())
            .ok_or_else(|| Error::Address(address.to_owned()))?;
        let client = reqwest::Client::builder()
            .timeout(WITHIN)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(Error::Client)?;
        Ok(Self {
            base,
            key: key.map(Into::into),
            client,
        })
    }

    pub(crate) async fn call(
        &self,
        entry: &Entry,
        arguments: Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        // Dropping the request closes its connection, which ends the work at the other end.
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(refusal(ErrorCode::Cancelled, "the call was cancelled")),
            answer = self.ask(entry, arguments) => answer,
        }
    }

    async fn ask(&self, entry: &Entry, arguments: Map<String, Value>) -> Result<Answer, Refusal> {
        let unreachable = |error: reqwest::Error| {
            let why = if error.is_timeout() {
                "does not answer in time"
            } else {
                "cannot be reached"
            };
            let message = format!("the server at {} {why}", self.base);
            refusal(ErrorCode::SourceUnavailable, message)
        };
        let (url, body) = address(&self.base, entry, arguments)?;
        let method = match entry.about.address.verb {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
        };
        // One document is requested, even if it could also be sent event by event.
        let mut request = self
            .client
            .request(method, url)
            .header(header::ACCEPT, "application/json");
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request
                .header(header::CONTENT_TYPE, "application/json")
                .body(Value::Object(body).to_string());
        }
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let number = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok()?.parse::<u64>().ok()
        };
        let credits = number("x-credits-charged").unwrap_or(0);
        let retry_after = number("retry-after");
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > LONGEST_ANSWER {
                return Err(refusal(ErrorCode::Internal, "the answer is too long"));
            }
            body.extend_from_slice(&chunk);
        }
        if status == StatusCode::OK {
            return Ok(Answer { body, credits });
        }
        Err(refused(status, &body, retry_after))
    }
}

fn refusal(code: ErrorCode, message: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal {
        code,
        message: message.into(),
        retry_after: None,
    }
}

/// An error of the other Assay.
fn refused(status: StatusCode, body: &[u8], retry_after: Option<u64>) -> Refusal {
    let known = serde_json::from_slice::<ErrorBody>(body).ok();
    let Some(ErrorBody {
        message,
        error_code,
    }) = known
    else {
        let message = format!("the server answered {status}, which is no answer of an Assay");
        return refusal(ErrorCode::SourceUnavailable, message);
    };
    let mut codes = ErrorCode::ALL.iter().copied();
    let code = codes.find(|code| code.word() == error_code);
    Refusal {
        code: code.unwrap_or(ErrorCode::Internal),
        message: message.into(),
        retry_after,
    }
}

/// The path at which HTTP has an operation with these arguments, and the remaining ones for the body.
fn address(
    base: &Url,
    entry: &Entry,
    mut arguments: Map<String, Value>,
) -> Result<(Url, Option<Map<String, Value>>), Refusal> {
    let mut url = base.clone();
    let mut query = Vec::new();
    let mut segments: Vec<String> = entry
        .about
        .address
        .path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(str::to_owned)
        .collect();
    for field in &entry.input.fields {
        let Some(value) = arguments.shift_remove(field.name) else {
            continue;
        };
        let Some(text) = written(field.name, value)? else {
            continue;
        };
        match field.place {
            Place::Query => query.push((field.name, text)),
            Place::Path => {
                let variable = format!("{{{}}}", field.name);
                for segment in segments.iter_mut().filter(|segment| **segment == variable) {
                    segment.clone_from(&text);
                }
            }
        }
    }
    if let Some(missing) = segments.iter().find(|segment| segment.starts_with('{')) {
        let name = missing.trim_matches(['{', '}']);
        return Err(Refusal::invalid(format!("{name} is missing")));
    }
    if entry.about.takes_as_of
        && let Some(as_of) = arguments.shift_remove("as_of")
        && let Some(as_of) = written("as_of", as_of)?
    {
        query.push(("as_of", as_of));
    }
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url.set_query(None);
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    Ok((url, entry.input.body.is_some().then_some(arguments)))
}

/// A value as a query carries it; `None` for one that counts as absent.
fn written(name: &str, value: Value) -> Result<Option<String>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Bool(_) | Value::Number(_) => Ok(Some(value.to_string())),
        Value::Array(items) => {
            let mut texts = Vec::with_capacity(items.len());
            for item in items {
                texts.extend(written(name, item)?);
            }
            Ok(Some(texts.join(",")))
        }
        Value::Object(_) => Err(Refusal::invalid(format!("{name} must be a single value"))),
    }
}

#[cfg(test)]
mod tests {
    use operations::Registry;
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_go_where_http_carries_them() {
        let registry = Registry::new();
        let base = Url::parse("http://localhost:8080/assay/").unwrap();
        for (name, arguments, expected, rest) in [
            (
                "list_candles",
                json!({"symbol": "A/B ^", "range": "1mo", "as_of": "2026-01-02T00:00:00Z"}),
                "/assay/api/v1/ticker/A%2FB%20^/candles?range=1mo&as_of=2026-01-02T00%3A00%3A00Z",
                None,
            ),
            (
                "list_calendar_events",
                json!({"tickers": ["AAPL", "MSFT"], "limit": 3, "from": null}),
                "/assay/api/v1/events/calendar?tickers=AAPL%2CMSFT&limit=3",
                None,
            ),
            (
                "correlate_tickers",
                json!({"tickers": ["AAPL", "MSFT"], "as_of": "2026-01-02T00:00:00Z"}),
                "/assay/api/v1/correlation?as_of=2026-01-02T00%3A00%3A00Z",
                Some(json!({"tickers": ["AAPL", "MSFT"]})),
            ),
        ] {
            let mut entries = registry.entries().iter();
            let entry = entries.find(|entry| entry.about.name == name).unwrap();
            let (url, body) =
                address(&base, entry, arguments.as_object().unwrap().clone()).unwrap();
            let found: &str = &url.as_str()["http://localhost:8080".len()..];
            assert_eq!(found.replace("%5E", "^"), expected);
            assert_eq!(body.map(Value::Object), rest);
        }
    }

    #[test]
    fn only_addresses_of_the_web_are_taken() {
        for (address, is_good) in [
            ("http://localhost:8080", true),
            ("https://assay.example/", true),
            ("localhost:8080", false),
            ("file:///etc", false),
            ("", false),
        ] {
            assert_eq!(Remote::new(address, None).is_ok(), is_good, "{address}");
        }
    }
}
