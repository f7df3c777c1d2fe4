//! The API over HTTP: one request, one answer or one stream of events.
//!
//! Answers are bounded in size and time, redirects are not followed (a credential must not travel on), and whatever the
//! server says in an error is cleaned before anybody sees it.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, Url};
use serde_json::Value;

use crate::address::{is_this_machine, parse_address};
use crate::error::{Error, Result};
use crate::events::{Event, EventReader};
use crate::plain;

/// Longest answer; the longest that the service sends are some megabytes of candles.
pub(crate) const MOST_BYTES: usize = 32 << 20;
/// How much of an error is read.
const MOST_ERROR_BYTES: usize = 64 << 10;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A backtest may wait for its turn.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(2);
/// Silence of a stream; a source may take as long as an answer.
const STREAM_SILENCE: Duration = ANSWER_TIMEOUT;

/// The header in which a server within this process is shown its pass.
pub const PASS_HEADER: &str = "x-assay-pass";

/// Parameters of a request.
pub(crate) type Query = [(&'static str, String)];

/// A server of the API and who asks it.
#[derive(Debug)]
pub struct Service {
    client: Client,
    base: Url,
    credential: Option<HeaderValue>,
    pass: Option<HeaderValue>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// As the server wrote it.
    pub(crate) text: String,
    pub(crate) value: Value,
}

impl Service {
    /// A server at that address, asked with that key; connects to nothing yet.
    pub fn new(address: &str, key: Option<&str>) -> Result<Self> {
        let base = parse_address(address)?;
        // The TLS of this process; whoever sets up another client finds it done.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut client = Client::builder()
            .user_agent(concat!("assay-client/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT);
        if is_this_machine(&base) {
            // A proxy of the environment cannot reach it.
            client = client.no_proxy();
        }
        let credential = match key {
            Some(key) => Some(credential(key)?),
            None => None,
        };
        Ok(Self {
            client: client.build().map_err(Error::Client)?,
            base,
            credential,
            pass: None,
        })
    }

    /// Shows this pass with every request.
    pub fn with_pass(mut self, pass: &str) -> Self {
        self.pass = HeaderValue::from_str(pass).ok();
        self
    }

    /// `GET`; the path below `/api/v1`.
    pub(crate) async fn get(&self, path: &[&str], query: &Query) -> Result<Answer> {
        let request = self.request(Method::GET, path, query, ANSWER_TIMEOUT);
        self.answer(request).await
    }

    /// `POST`; the path below `/api/v1`.
    pub(crate) async fn post(&self, path: &[&str], query: &Query, body: &Value) -> Result<Answer> {
        let request = self
            .request(Method::POST, path, query, ANSWER_TIMEOUT)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        self.answer(request).await
    }

    /// `POST` where an answer as one document has to be asked for; the path below `/api/v1`.
    pub(crate) async fn post_for_json(
        &self,
        path: &[&str],
        query: &Query,
        body: &Value,
    ) -> Result<Answer> {
        let request = self
            .request(Method::POST, path, query, ANSWER_TIMEOUT)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        self.answer(request).await
    }

    /// `POST` of a stream; the path below `/api/v1`.
    pub(crate) async fn post_for_events(
        &self,
        path: &[&str],
        query: &Query,
        body: &Value,
    ) -> Result<Events> {
        let request = self
            .request(Method::POST, path, query, Duration::MAX)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        self.stream(request).await
    }

    /// `GET` of a stream; the path below `/api/v1`.
    pub(crate) async fn events(&self, path: &[&str], query: &Query) -> Result<Events> {
        let request = self.request(Method::GET, path, query, Duration::MAX);
        self.stream(request).await
    }

    /// `GET` of a stream without end, from the event with that id on; the path below `/api/v1`.
    pub(crate) async fn events_after(
        &self,
        path: &[&str],
        query: &Query,
        after: Option<&str>,
    ) -> Result<Events> {
        let mut request = self.request(Method::GET, path, query, Duration::MAX);
        // What the server wrote may be anything.
        if let Some(id) = after.and_then(|id| HeaderValue::from_str(id).ok()) {
            request = request.header("last-event-id", id);
        }
        let mut events = self.stream(request).await?;
        events.is_endless = true;
        Ok(events)
    }

    /// `DELETE`; the path below `/api/v1`.
    pub(crate) async fn delete(&self, path: &[&str]) -> Result<Answer> {
        let request = self.request(Method::DELETE, path, &[], ANSWER_TIMEOUT);
        self.answer(request).await
    }

    async fn stream(&self, request: RequestBuilder) -> Result<Events> {
        let request = request.header(ACCEPT, "text/event-stream");
        let response = self.send(request).await?;
        let is_stream = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.starts_with("text/event-stream"));
        if !is_stream {
            return Err(Error::Unreadable(self.base.to_string()));
        }
        Ok(Events {
            response,
            reader: EventReader::default(),
            waiting: VecDeque::new(),
            bytes: 0,
            is_endless: false,
        })
    }

    fn request(
        &self,
        method: Method,
        path: &[&str],
        query: &Query,
        timeout: Duration,
    ) -> RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(["api", "v1"]).extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut request = self.client.request(method, url);
        if timeout < Duration::MAX {
            request = request.timeout(timeout);
        }
        if let Some(credential) = &self.credential {
            request = request.header(AUTHORIZATION, credential.clone());
        }
        if let Some(pass) = &self.pass {
            request = request.header(PASS_HEADER, pass.clone());
        }
        request
    }

    /// Sends a request; a status that is no success is an error.
    async fn send(&self, request: RequestBuilder) -> Result<Response> {
        let sent = tokio::time::timeout(ANSWER_TIMEOUT, request.send()).await;
        let response = sent
            .map_err(|_| Error::TimedOut(self.base.to_string()))?
            .map_err(|error| self.unreachable(error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let text = self
            .read(response, MOST_ERROR_BYTES)
            .await
            .unwrap_or_default();
        Err(self.refused(status, retry_after, &text))
    }

    async fn answer(&self, request: RequestBuilder) -> Result<Answer> {
        let response = self.send(request).await?;
        let text = self.read(response, MOST_BYTES).await?;
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Answer { text, value }),
            Err(_) => Err(Error::Unreadable(self.base.to_string())),
        }
    }

    async fn read(&self, mut response: Response, most: usize) -> Result<String> {
        let mut bytes = Vec::new();
        loop {
            let piece = response.chunk().await.map_err(|error| {
                if error.is_timeout() {
                    Error::TimedOut(self.base.to_string())
                } else {
                    Error::BrokenOff(Some(error))
                }
            })?;
            let Some(piece) = piece else {
                return String::from_utf8(bytes)
                    .map_err(|_| Error::Unreadable(self.base.to_string()));
            };
            if bytes.len() + piece.len() > most {
                return Err(Error::TooLong);
            }
            bytes.extend_from_slice(&piece);
        }
    }

    fn unreachable(&self, error: reqwest::Error) -> Error {
        let address = self.base.to_string();
        if error.is_timeout() && !error.is_connect() {
            Error::TimedOut(address)
        } else {
            Error::Unreachable {
                address,
                source: error.without_url(),
            }
        }
    }

    /// What the server says in an error, or what the status says where it says nothing.
    fn refused(&self, status: u16, retry_after: Option<u64>, text: &str) -> Error {
        let body: Value = serde_json::from_str(text).unwrap_or_default();
        let said = ["message", "error", "detail"]
            .iter()
            .find_map(|key| body.get(*key)?.as_str())
            .map(plain::line)
            .filter(|message| !message.is_empty());
        let suggestions = crate::page::rows(&body, "suggestions")
            .iter()
            .filter_map(|suggestion| match suggestion {
                Value::String(name) => Some(plain::line(name)),
                other => ["symbol", "ticker", "name", "id"]
                    .iter()
                    .find_map(|key| other.get(*key)?.as_str())
                    .map(plain::line),
            })
            .collect();
        Error::Refused {
            status,
            message: said.unwrap_or_else(|| format!("{} answers with status {status}", self.base)),
            retry_after,
            suggestions,
        }
    }
}

/// A stream of events.
pub(crate) struct Events {
    response: Response,
    reader: EventReader,
    waiting: VecDeque<Event>,
    bytes: usize,
    /// What is bounded is each event, not all of them.
    is_endless: bool,
}

impl Events {
    /// The next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(Some(event));
            }
            let piece = tokio::time::timeout(STREAM_SILENCE, self.response.chunk())
                .await
                .map_err(|_| Error::BrokenOff(None))?
                .map_err(|error| Error::BrokenOff(Some(error.without_url())))?;
            let Some(piece) = piece else {
                return Ok(None);
            };
            self.bytes += piece.len();
            if self.bytes > MOST_BYTES {
                return Err(Error::TooLong);
            }
            self.waiting.extend(self.reader.push(&piece));
            if self.is_endless && !self.waiting.is_empty() {
                self.bytes = 0;
            }
        }
    }
}

fn credential(key: &str) -> Result<HeaderValue> {
    let unusable = || Error::Usage("the API key contains characters that no key has".to_owned());
    let mut value =
        HeaderValue::from_str(&format!("Bearer {}", key.trim())).map_err(|_| unusable())?;
    value.set_sensitive(true);
    Ok(value)
}
