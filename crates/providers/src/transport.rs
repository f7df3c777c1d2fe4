//! The only socket: sends a request and returns its body, or says why not.
//!
//! [`Transport::send`] adds everything that is the same for all sources: the private-address guard, the contact in
//! the user agent, time limits, the host's budget and circuit breaker, retries with growing pauses, and a limit on
//! the decompressed size. What the body means is up to the [`Call`].

mod body;
mod hosts;
mod request;
mod settings;
pub mod sniff;

use std::pin::Pin;
use std::time::Duration;

use model::redact;
use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LOCATION, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use text::date::{self, Order};
use tokio::time::Instant;
use url::Url;

use crate::error::{AddressFault, Error, ParseError, RedirectFault};
use crate::guard::{self, Blocked, OpenResolver, Passage, PublicResolver};
use hosts::{Hosts, Outcome};

pub use request::{Call, DEFAULT_SIZE_LIMIT, Fetched, HttpAnswer, HttpBody, HttpRequest, Overflow};
pub use settings::{HostBudget, TransportSettings};

/// Redirects that are followed before a request is abandoned.
const MAX_REDIRECTS: usize = 5;

/// Longest pause that a server may request.
const LONGEST_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Sends requests. Cheap to share behind an `Arc`; there is one per purpose in a process, so that budgets hold.
#[derive(Debug)]
pub struct Transport {
    guarded: Client,
    opened: Client,
    hosts: Hosts,
    settings: TransportSettings,
}

impl Transport {
    /// Sets up the clients; makes no connection.
    pub fn new(settings: TransportSettings) -> Result<Self, Error> {
        // The TLS setup of this process; anyone who sets up a second transport finds it already done.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let names = &settings.names;
        let guarded = settings
            .client()
            .dns_resolver(PublicResolver(names.clone()));
        let opened = settings.client().dns_resolver(OpenResolver(names.clone()));
        Ok(Self {
            guarded: guarded.build().map_err(Error::Client)?,
            opened: opened.build().map_err(Error::Client)?,
            hosts: Hosts::new(&settings),
            settings,
        })
    }

    /// The same outbound route with its own budgets and circuit breakers. Requests made on behalf of API callers must
    /// neither use up the budget of a host that feeds need nor trip its breaker, and the reverse.
    pub fn separate(&self) -> Self {
        Self {
            guarded: self.guarded.clone(),
            opened: self.opened.clone(),
            hosts: Hosts::new(&self.settings),
            settings: self.settings.clone(),
        }
    }

    /// The settings it was set up with.
    pub const fn settings(&self) -> &TransportSettings {
        &self.settings
    }

    /// Sends the request of a call and reads the response. Reading happens off the event loop, where a parser defect
    /// takes down only this one response.
    pub async fn call<C>(&self, call: C) -> Result<Fetched<C::Output>, Error>
    where
        C: Call + Send + 'static,
        C::Output: Send + 'static,
    {
        let request = call.request();
        let result = match self.fetch(&request).await? {
            HttpAnswer::NotModified => Ok(Fetched::NotModified),
            HttpAnswer::Body(body) => {
                let url = redact(&body.url);
                let parsed = tokio::task::spawn_blocking(move || call.parse(&body)).await;
                let parsed = parsed.unwrap_or(Err(ParseError::Defect));
                parsed
                    .map(Fetched::New)
                    .map_err(|source| Error::Answer { url, source })
            }
        };
        // Only the contents of the body show whether the host is healthy.
        self.record(&request, result.as_ref().err());
        result
    }

    /// Sends a request, retries if a pause may help, and reads the body up to its limit. What the body means is left
    /// to the caller.
    pub async fn send(&self, request: &HttpRequest) -> Result<HttpAnswer, Error> {
        let answer = self.fetch(request).await?;
        self.record(request, None);
        Ok(answer)
    }

    fn record(&self, request: &HttpRequest, error: Option<&Error>) {
        self.hosts
            .record(&host_key(&request.url), Instant::now(), &outcome(error));
    }

    /// Boxed, so that the client and its TLS are compiled here once, and not by every crate that polls a request.
    fn fetch<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpAnswer, Error>> + Send + 'a>> {
        Box::pin(async move {
            let mut attempt = 0;
            loop {
                let error = match self.attempt(request).await {
                    Ok(answer) => return Ok(answer),
                    Err(error) => error,
                };
                // A host that asks for a longer pause than a caller would wait for has given its answer: the caller
                // reschedules.
                let pause = self.settings.pause_before_retry(attempt, error.wait());
                match pause {
                    Some(pause) if is_retryable(&error) => {
                        tracing::debug!(%error, attempt, pause_ms = pause.as_millis() as u64, "request is tried again");
                        tokio::time::sleep(pause).await;
                        attempt += 1;
                    }
                    _ => return Err(error),
                }
            }
        })
    }

    /// One attempt, including redirects.
    async fn attempt(&self, request: &HttpRequest) -> Result<HttpAnswer, Error> {
        let (url, passage) = guard::check(&request.url, &self.settings.allow)?;
        let limit = self.settings.total_timeout;
        let host = host_key(url.as_str());
        self.wait_for_slot(&host).await?;
        let round_trip = self.round_trip(request, url, passage);
        let result = tokio::time::timeout(limit, round_trip)
            .await
            .unwrap_or_else(|_| {
                Err(Error::Timeout {
                    url: redact(&request.url),
                    limit,
                })
            });
        if let Err(error) = &result {
            self.record(request, Some(error));
        }
        result
    }

    async fn wait_for_slot(&self, host: &str) -> Result<(), Error> {
        let pause = self.hosts.admit(host, Instant::now())?;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    /// Follows redirects by hand, because the guard checks each hop like a new request.
    async fn round_trip(
        &self,
        request: &HttpRequest,
        first: Url,
        passage: Passage,
    ) -> Result<HttpAnswer, Error> {
        let (mut url, mut passage) = (first, passage);
        let mut same_origin = true;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.dial(request, &url, passage, same_origin).await?;
            let status = response.status();
            if status == StatusCode::NOT_MODIFIED {
                return Ok(HttpAnswer::NotModified);
            }
            if !is_redirect(status) {
                return self
                    .load(request, &url, response)
                    .await
                    .map(HttpAnswer::Body);
            }
            if request.posted.is_some() {
                return Err(Error::Redirect {
                    url: redact(url.as_str()),
                    fault: RedirectFault::Posted,
                });
            }
            let next = redirect_target(&url, response.headers())?;
            passage = guard::check_url(&next, &self.settings.allow)?;
            // What the caller put into the headers was meant for the first origin and goes nowhere else.
            same_origin &= next.origin() == url.origin();
            url = next;
        }
        Err(Error::Redirect {
            url: redact(url.as_str()),
            fault: RedirectFault::TooMany,
        })
    }

    async fn dial(
        &self,
        request: &HttpRequest,
        url: &Url,
        passage: Passage,
        same_origin: bool,
    ) -> Result<Response, Error> {
        let client = match passage {
            Passage::Guarded => &self.guarded,
            Passage::Opened => &self.opened,
        };
        let headers = request_headers(request, same_origin).ok_or_else(|| Error::Address {
            url: redact(url.as_str()),
            fault: AddressFault::Header,
        })?;
        let sent = match &request.posted {
            None => client.get(url.clone()),
            Some(json) => client
                .post(url.clone())
                .header(CONTENT_TYPE, "application/json")
                .body(json.clone()),
        };
        sent.headers(headers)
            .send()
            .await
            .map_err(|source| self.explain(url, source))
    }

    async fn load(
        &self,
        request: &HttpRequest,
        url: &Url,
        response: Response,
    ) -> Result<HttpBody, Error> {
        let status = response.status();
        if !status.is_success() {
            let retry_after = retry_after(response.headers());
            return Err(Error::Status {
                url: redact(url.as_str()),
                status: status.as_u16(),
                retry_after,
            });
        }
        let headers = response.headers().clone();
        let bytes = match body::load(response, request.size_limit, request.overflow).await {
            Ok(bytes) => bytes,
            Err(body::Fault::TooLarge) => {
                return Err(Error::TooLarge {
                    url: redact(url.as_str()),
                    limit: request.size_limit,
                });
            }
            Err(body::Fault::Broken(source)) => return Err(self.explain(url, source)),
        };
        Ok(HttpBody {
            url: url.to_string(),
            headers,
            bytes,
        })
    }

    /// Converts the client's error into its actual cause.
    fn explain(&self, url: &Url, source: reqwest::Error) -> Error {
        if let Some(blocked) = find_blocked(&source) {
            return Error::Blocked {
                host: blocked.host.clone(),
                address: Some(blocked.address),
            };
        }
        let source = source.without_url();
        let url = redact(url.as_str());
        if source.is_timeout() {
            Error::Timeout {
                url,
                limit: self.settings.connect_timeout,
            }
        } else {
            Error::Connection { url, source }
        }
    }
}

/// Blocked names and refused redirects will not change; a paused host stays paused; a 200 with a wrong body is for
/// the caller to judge.
fn is_retryable(error: &Error) -> bool {
    matches!(
        error,
        Error::Timeout { .. } | Error::Connection { .. } | Error::Status { .. }
    ) && error.is_retryable()
}

fn outcome(error: Option<&Error>) -> Outcome {
    match error {
        Some(Error::Status {
            status: 429 | 503,
            retry_after: Some(wait),
            ..
        }) => Outcome::AskedToWait(*wait),
        Some(error) if error.is_outage() => Outcome::Failed,
        // The host is alive; it is only this address that does not work.
        Some(_) | None => Outcome::Answered,
    }
}

/// Budgets and circuit breakers apply per host and port.
fn host_key(url: &str) -> String {
    let Ok(url) = Url::parse(url.trim()) else {
        return String::new();
    };
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => String::new(),
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn redirect_target(from: &Url, headers: &HeaderMap) -> Result<Url, Error> {
    let refuse = |fault| Error::Redirect {
        url: redact(from.as_str()),
        fault,
    };
    let location = headers
        .get(LOCATION)
        .ok_or_else(|| refuse(RedirectFault::Target))?;
    let location = String::from_utf8_lossy(location.as_bytes());
    let next = from
        .join(location.trim())
        .map_err(|_| refuse(RedirectFault::Target))?;
    if from.scheme() == "https" && next.scheme() == "http" {
        return Err(refuse(RedirectFault::Downgrade));
    }
    Ok(next)
}

/// The headers of one hop. Everything the call itself set, including validators, is only for the origin it named.
fn request_headers(request: &HttpRequest, same_origin: bool) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_str(request.accept).ok()?);
    if same_origin {
        for (name, value) in &request.headers {
            headers.insert(
                HeaderName::from_bytes(name.as_bytes()).ok()?,
                HeaderValue::from_str(value).ok()?,
            );
        }
        let validators = [
            (IF_NONE_MATCH, &request.etag),
            (IF_MODIFIED_SINCE, &request.last_modified),
        ];
        for (name, value) in validators {
            // A stored validator that no longer fits into a header costs a full response, not the request.
            if let Some(value) = value
                .as_deref()
                .and_then(|value| HeaderValue::from_str(value).ok())
            {
                headers.insert(name, value);
            }
        }
    }
    Some(headers)
}

/// Seconds, or a date measured against the server's own `Date`, so that no clock is needed here.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds).min(LONGEST_RETRY_AFTER));
    }
    let until = date::parse(text, Order::Undeclared)?;
    let now = date::parse(
        headers.get(reqwest::header::DATE)?.to_str().ok()?,
        Order::Undeclared,
    )?;
    let wait = u64::try_from(until.since_ms(now)).ok()?;
    Some(Duration::from_millis(wait).min(LONGEST_RETRY_AFTER))
}

pub(crate) fn find_blocked(error: &reqwest::Error) -> Option<&Blocked> {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if let Some(blocked) = error.downcast_ref::<Blocked>() {
            return Some(blocked);
        }
        source = error.source();
    }
    None
}

impl TransportSettings {
    pub(crate) fn client(&self) -> reqwest::ClientBuilder {
        Client::builder()
            .user_agent(self.user_agent())
            .redirect(Policy::none())
            // A proxy from the environment would resolve names itself, bypassing the guard.
            .no_proxy()
            .referer(false)
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(Duration::from_mins(1))
            .pool_max_idle_per_host(2)
            .http1_only()
    }
}

#[cfg(test)]
mod tests;
