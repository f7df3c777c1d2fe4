//! Requests and responses, without a socket.

use bytes::Bytes;
use reqwest::header::HeaderMap;

use crate::error::ParseError;

/// Size limit of a body, in decompressed bytes, if a call does not name another.
pub const DEFAULT_SIZE_LIMIT: usize = 8 << 20;

/// One upstream call: what to send, and what the response means.
///
/// Both halves are pure; only [`Transport::send`](super::Transport::send) touches the network.
pub trait Call {
    /// The type into which the response is parsed.
    type Output;

    /// The request.
    fn request(&self) -> HttpRequest;

    /// Reads the response. Never panics, whatever the bytes.
    fn parse(&self, body: &HttpBody) -> Result<Self::Output, ParseError>;
}

/// A GET request, or a POST request if it has a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// Absolute http or https address without credentials.
    pub url: String,
    /// The `Accept` header.
    pub accept: &'static str,
    /// Additional headers, such as a key; they are sent only to the origin of `url`.
    pub headers: Vec<(String, String)>,
    /// Validator from an earlier response.
    pub etag: Option<String>,
    /// Validator from an earlier response.
    pub last_modified: Option<String>,
    /// Largest body that is accepted, in decompressed bytes.
    pub size_limit: usize,
    /// What happens to a larger one.
    pub overflow: Overflow,
    /// JSON to post. It goes to `url` only: a redirect of a posted request is refused.
    pub posted: Option<Bytes>,
}

/// What happens to a body that is larger than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// The request fails.
    #[default]
    Refuse,
    /// Its beginning is used.
    Cut,
}

impl HttpRequest {
    /// A plain request with the default size limit.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            accept: "*/*",
            headers: Vec::new(),
            etag: None,
            last_modified: None,
            size_limit: DEFAULT_SIZE_LIMIT,
            overflow: Overflow::Refuse,
            posted: None,
        }
    }

    /// Posts JSON.
    pub fn post(url: impl Into<String>, json: impl Into<Bytes>) -> Self {
        Self {
            posted: Some(json.into()),
            ..Self::get(url)
        }
    }

    /// With this `Accept` header.
    pub const fn accepting(mut self, accept: &'static str) -> Self {
        self.accept = accept;
        self
    }
}

/// What came back from the server.
#[derive(Clone, Debug)]
pub enum HttpAnswer {
    /// Nothing new since the validators of the request.
    NotModified,
    /// A body.
    Body(HttpBody),
}

/// A successful response, decompressed.
#[derive(Clone, Debug, Default)]
pub struct HttpBody {
    /// The address that answered, after redirects.
    pub url: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Bytes,
}

impl HttpBody {
    /// A body as if `url` had returned it without headers: for stored documents and tests.
    pub fn new(url: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        Self {
            url: url.into(),
            headers: HeaderMap::new(),
            bytes: bytes.into(),
        }
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// The parsed response to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched<T> {
    /// Nothing new since the validators of the request.
    NotModified,
    /// A new response.
    New(T),
}

impl<T> Fetched<T> {
    /// The new response, if there is one.
    pub fn new_answer(self) -> Option<T> {
        match self {
            Self::NotModified => None,
            Self::New(answer) => Some(answer),
        }
    }
}
