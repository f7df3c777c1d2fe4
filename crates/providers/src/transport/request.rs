//! What is asked and what is answered, without a socket.

use bytes::Bytes;
use reqwest::header::HeaderMap;

use crate::error::ParseError;

/// Size limit of a body, in decompressed bytes, where a call names no other.
pub const DEFAULT_SIZE_LIMIT: usize = 8 << 20;

/// One upstream call: what to send, and what its answer means.
///
/// Both halves are pure; only [`Transport::send`](super::Transport::send) touches the network.
pub trait Call {
    /// What the answer is read into.
    type Output;

    /// The request.
    fn request(&self) -> HttpRequest;

    /// Reads the answer. Never panics, whatever the bytes.
    fn parse(&self, body: &HttpBody) -> Result<Self::Output, ParseError>;
}

/// A GET request, or a POST request where it has a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// Absolute http or https address without credentials.
    pub url: String,
    /// The `Accept` header.
    pub accept: &'static str,
    /// Further headers, such as a key; they reach the origin of `url` only.
    pub headers: Vec<(String, String)>,
    /// Validator of an earlier answer.
    pub etag: Option<String>,
    /// Validator of an earlier answer.
    pub last_modified: Option<String>,
    /// Largest body that is taken, in decompressed bytes.
    pub size_limit: usize,
    /// What becomes of a larger one.
    pub overflow: Overflow,
    /// JSON that is posted. It goes to `url` only: a redirect of a posted request is refused.
    pub posted: Option<Bytes>,
}

/// What becomes of a body that is larger than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// The request fails.
    #[default]
    Refuse,
    /// Its beginning is taken.
    Cut,
}

impl HttpRequest {
    /// A plain request of the default size limit.
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

/// What came back.
#[derive(Clone, Debug)]
pub enum HttpAnswer {
    /// Nothing new since the validators of the request.
    NotModified,
    /// A body.
    Body(HttpBody),
}

/// A successful answer, decompressed.
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
    /// A body as if `url` had answered it without headers: for stored documents and tests.
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

/// The read answer of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched<T> {
    /// Nothing new since the validators of the request.
    NotModified,
    /// A new answer.
    New(T),
}

impl<T> Fetched<T> {
    /// The new answer, if there is one.
    pub fn new_answer(self) -> Option<T> {
        match self {
            Self::NotModified => None,
            Self::New(answer) => Some(answer),
        }
    }
}
