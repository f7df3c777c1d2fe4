//! Chat models: any server that speaks the OpenAI-compatible chat completions protocol, as configured by the
//! operator.
//!
//! The address may be private, because only the operator sets it. No redirect is followed, so that the key goes
//! nowhere else. [`ChatModel::begin`] sends a request and retries if a pause may help; [`Reply::next`] then delivers
//! the text as it is written. Time, size and cost have limits here, whatever the server does. What a model says is
//! data: this module neither trusts nor displays it.

mod purse;
mod read;
mod wire;

use std::collections::BTreeSet;
use std::time::Duration;

use model::{SecretUrl, Timestamp};
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::SourceHealth;
use crate::guard::OpenResolver;
use crate::transport::{TransportSettings, retry_after};
use crate::web_search::ApiKey;
use purse::{Purse, Taken};
use read::Body;

pub use purse::{Prices, SpendingLimits};

/// Most bytes of text accepted from one reply.
pub const LONGEST_TEXT: usize = 32 << 10;
/// Most tool calls in one reply.
pub const MOST_CALLS: usize = 20;
/// Bytes of an error's body that are examined.
const LONGEST_FAULT: usize = 4 << 10;
/// Attempts per request, including the first.
const TRIES: u32 = 3;

/// How a model is reached.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The address up to `/chat/completions`, for example `http://127.0.0.1:11434/v1`.
    pub base_url: SecretUrl,
    /// The key, if the server requires one.
    pub key: Option<ApiKey>,
    /// The name of the model on that server.
    pub model: String,
    /// Time limits.
    pub time: TimeLimits,
    /// Limits on tokens and cost.
    pub spending: SpendingLimits,
    /// Replies in progress at the same time.
    pub at_once: usize,
}

/// How long a model may take.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// Without any sign of life.
    pub silence: Duration,
    /// In total, including retries.
    pub whole: Duration,
}

/// A request to a model.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// The role that it takes, and its rules.
    pub instructions: String,
    /// The material that it works on.
    pub input: String,
    /// Longest reply in tokens.
    pub most_tokens: u32,
    /// The tools it may call; if there are any, it calls one instead of writing text.
    pub tools: Vec<Tool>,
    /// Whether the reply must be a single JSON object.
    pub is_json: bool,
}

/// A tool that a model may call.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

/// A tool call by a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The name, as the model wrote it.
    pub name: String,
    /// The arguments, as the model wrote them.
    pub arguments: Map<String, Value>,
}

/// A part of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text that continues the text before.
    Text(String),
    /// A complete tool call.
    Call(ToolCall),
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Whether the text exceeded the permitted length.
    pub is_cut: bool,
}

/// Why a model gave no reply, or only part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// No connection, or the server is down.
    #[error("the language model cannot be reached")]
    Unreachable,
    /// No sign of life, or too slow overall.
    #[error("the language model did not answer in time")]
    TimedOut,
    /// The server is overloaded.
    #[error("the language model is busy")]
    Busy,
    /// The server rejects such a request, for example without a valid key or for an unknown model.
    #[error("the language model refuses the request (status {status})")]
    Refused {
        /// Its status.
        status: u16,
    },
    /// It responded, but not in the agreed format.
    #[error("the language model gave an answer that cannot be read")]
    Unreadable,
    /// The operator's daily limit.
    #[error("the language model has reached its limit of this day")]
    Spent,
}

impl ChatError {
    /// The word, for metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Busy => "busy",
            Self::Refused { .. } => "refused",
            Self::Unreadable => "unreadable",
            Self::Spent => "spent",
        }
    }

    const fn is_retryable(self) -> bool {
        matches!(self, Self::Unreachable | Self::Busy)
    }
}

/// Parameters that some servers do not know; each is left out once a server has said so.
const OPTIONAL: [&str; 5] = [
    "stream_options",
    "max_tokens",
    "temperature",
    "response_format",
    "tool_choice",
];

/// A chat model.
#[derive(Debug)]
pub struct ChatModel {
    client: Client,
    address: Url,
    settings: ChatSettings,
    /// Pause before the second attempt; it doubles each time.
    pause: Duration,
    purse: Purse,
    turns: Semaphore,
    /// The parameters in [`OPTIONAL`] that this server rejected.
    refused: Mutex<BTreeSet<&'static str>>,
    health: Mutex<SourceHealth>,
}

/// Why the settings cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatSettingsFault {
    /// The address.
    #[error("base_url must be an absolute http or https address without user name or password")]
    Address,
    /// The model.
    #[error("model must be named")]
    Model,
    /// The client.
    #[error("the connection cannot be set up")]
    Client,
}

impl ChatModel {
    /// Sets up the model; makes no connection. `way_out` says how requests go out in general.
    pub fn new(
        settings: ChatSettings,
        way_out: &TransportSettings,
    ) -> Result<Self, ChatSettingsFault> {
        // The TLS setup of this process; if another caller was here first, it is already done.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = address(settings.base_url.expose()).ok_or(ChatSettingsFault::Address)?;
        if settings.model.trim().is_empty() {
            return Err(ChatSettingsFault::Model);
        }
        let client = way_out
            .client()
            .dns_resolver(OpenResolver(way_out.names.clone()))
            .build();
        Ok(Self {
            client: client.map_err(|_| ChatSettingsFault::Client)?,
            address,
            pause: way_out.backoff,
            purse: Purse::new(settings.spending),
            turns: Semaphore::new(settings.at_once.max(1)),
            refused: Mutex::default(),
            health: Mutex::default(),
            settings,
        })
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.settings.model
    }

    /// Sends a request and returns when the reply begins. `now` determines the day against which it counts. The reply
    /// ends at `deadline`, or earlier if the limits in the settings say so.
    pub async fn begin(
        &self,
        request: &ChatRequest,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<Reply<'_>, ChatError> {
        let deadline = deadline.min(Instant::now() + self.settings.time.whole);
        let turn = timeout_at(deadline, self.turns.acquire()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(ChatError::Busy);
        };
        let about = wire::length(request);
        let taken = self
            .purse
            .take(now, about, u64::from(request.most_tokens))
            .ok_or(ChatError::Spent)?;
        let mut pause = self.pause;
        let mut tries = 1;
        let response = loop {
            let (fault, asked) = match self.send(request, deadline).await {
                Ok(response) => break response,
                Err(Unsent::Adapted) => continue,
                Err(Unsent::Failed(fault, asked)) => (fault, asked),
            };
            let wait = asked.unwrap_or(pause).max(pause);
            let is_over = tries == TRIES || Instant::now() + wait >= deadline;
            if !fault.is_retryable() || is_over {
                self.health.lock().note(Err(fault.as_str()), now);
                return Err(fault);
            }
            tokio::time::sleep(wait).await;
            pause *= 2;
            tries += 1;
        };
        self.health.lock().note(Ok(()), now);
        Ok(Reply {
            body: Body::new(response),
            deadline,
            silence: self.settings.time.silence,
            purse: &self.purse,
            taken: Some(taken),
            ended: Ended {
                input_tokens: about,
                ..Ended::default()
            },
            text: 0,
            calls: 0,
            _turn: turn,
        })
    }

    /// The result of the last request: whether the model began to answer.
    pub fn health(&self) -> SourceHealth {
        *self.health.lock()
    }

    async fn send(&self, request: &ChatRequest, deadline: Instant) -> Result<Response, Unsent> {
        let refused = self.refused.lock().clone();
        let body = wire::request(&self.settings.model, request, &refused);
        let mut sent = self
            .client
            .post(self.address.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(
                ACCEPT,
                HeaderValue::from_static("text/event-stream, application/json"),
            )
            .body(body);
        if let Some(key) = &self.settings.key {
            sent = sent.bearer_auth(key.expose());
        }
        let until = deadline.min(Instant::now() + self.settings.time.silence);
        let failed = |fault| Unsent::Failed(fault, None);
        let response = match timeout_at(until, sent.send()).await {
            Err(_) => return Err(failed(ChatError::TimedOut)),
            Ok(Err(error)) if error.is_timeout() => return Err(failed(ChatError::TimedOut)),
            Ok(Err(_)) => return Err(failed(ChatError::Unreachable)),
            Ok(Ok(response)) => response,
        };
        let status = response.status().as_u16();
        match status {
            200..=299 => Ok(response),
            429 | 503 | 529 => {
                let asked = retry_after(response.headers());
                Err(Unsent::Failed(ChatError::Busy, asked))
            }
            408 | 500.. => Err(failed(ChatError::Unreachable)),
            400 | 422 => Err(if self.adapt(response, until, &refused).await {
                Unsent::Adapted
            } else {
                failed(ChatError::Refused { status })
            }),
            status => Err(failed(ChatError::Refused { status })),
        }
    }

    /// Notes which parameter a server does not know; returns whether there is one that was sent to it.
    async fn adapt(
        &self,
        response: Response,
        until: Instant,
        sent_without: &BTreeSet<&'static str>,
    ) -> bool {
        let fault = read::beginning(response, LONGEST_FAULT, until).await;
        let unknown = OPTIONAL
            .into_iter()
            .find(|name| !sent_without.contains(name) && fault.contains(name));
        if let Some(name) = unknown {
            tracing::info!(
                chat.parameter = name,
                "the language model does not take {name}; it is left out from now on"
            );
            self.refused.lock().insert(name);
        }
        unknown.is_some()
    }
}

/// Why a request brought no reply.
enum Unsent {
    /// The server does not know a parameter; without that parameter it may work.
    Adapted,
    Failed(ChatError, Option<Duration>),
}

/// A reply in progress. Dropping it ends the request.
#[derive(Debug)]
pub struct Reply<'a> {
    body: Body,
    deadline: Instant,
    silence: Duration,
    purse: &'a Purse,
    taken: Option<Taken>,
    ended: Ended,
    text: usize,
    calls: usize,
    _turn: SemaphorePermit<'a>,
}

impl Reply<'_> {
    /// The next piece; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Piece>, ChatError> {
        if self.ended.is_cut {
            return Ok(None);
        }
        let piece = loop {
            let until = self.deadline.min(Instant::now() + self.silence);
            let read = timeout_at(until, self.body.next()).await;
            match read.map_err(|_| ChatError::TimedOut)?? {
                Some(read::Read::Piece(piece)) => break piece,
                Some(read::Read::Usage { input, output }) => {
                    self.ended.input_tokens = input;
                    self.ended.output_tokens = output;
                }
                Some(read::Read::Cut) => self.ended.is_cut = true,
                None => return Ok(None),
            }
        };
        match &piece {
            Piece::Text(text) => {
                self.text += text.len();
                self.ended.is_cut |= self.text > LONGEST_TEXT;
            }
            Piece::Call(_) => {
                self.calls += 1;
                self.ended.is_cut |= self.calls >= MOST_CALLS;
            }
        }
        if !self.body.said_usage() {
            self.ended.output_tokens = (self.text as u64).div_ceil(4);
        }
        Ok(Some(piece))
    }

    /// Usage so far; estimated if the server did not report it.
    pub const fn ended(&self) -> Ended {
        self.ended
    }
}

impl Drop for Reply<'_> {
    fn drop(&mut self) {
        if let Some(taken) = self.taken.take() {
            self.purse.settle(taken, self.ended);
        }
    }
}

/// The address of completions below a base address.
fn address(base: &str) -> Option<Url> {
    let base = base.trim().trim_end_matches('/');
    let url = Url::parse(&format!("{base}/chat/completions")).ok()?;
    let is_usable = matches!(url.scheme(), "http" | "https")
        && url.host().is_some()
        && url.username().is_empty()
        && url.password().is_none();
    is_usable.then_some(url)
}

#[cfg(test)]
mod tests;
