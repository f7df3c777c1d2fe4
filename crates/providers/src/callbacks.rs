//! Callbacks: requests to addresses supplied by callers of the API.
//!
//! Anyone who supplies an address makes this process connect to it, so the rules are stricter than for addresses that
//! an operator configured: https only, no credentials, port 443 or one from 1024 up, and every address that the name
//! resolves to must be public. The rules are checked when an address is supplied and again at every connection, which
//! goes to the address that was checked. No redirect is followed, and only the status and `Retry-After` of the
//! response are read. When to retry is not decided here.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use model::redact;
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use url::{Host, Url};

use crate::error::{AddressFault, Error};
use crate::guard::{Allow, Names, OpenResolver, Passage, StrictResolver, check_url, only_public};
use crate::transport::{TransportSettings, find_blocked, retry_after};

/// Longest address that is accepted.
pub const LONGEST_ADDRESS: usize = 2_048;
/// Time limit for a whole request.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Time limit for resolving the name of an address that is only being checked.
const LOOK_UP: Duration = Duration::from_secs(2);

/// Which networks callbacks may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The public internet, and the addresses that the operator listed.
    #[default]
    Public,
    /// Every network, even without TLS: for tests and closed networks.
    Private,
}

/// Why an address cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallbackFault {
    /// Not an absolute address with a host.
    #[error("must be an absolute https address")]
    Malformed,
    /// Contains characters that an address parser drops or rewrites, so that a different address would be called.
    #[error("must not contain control characters, nor backslashes before its query")]
    Characters,
    /// Longer than [`LONGEST_ADDRESS`].
    #[error("must have at most {LONGEST_ADDRESS} characters")]
    TooLong,
    /// A scheme other than https.
    #[error("must begin with https://")]
    Scheme,
    /// Contains a user name or password.
    #[error("must not contain a user name or password")]
    Credentials,
    /// A port that belongs to another service.
    #[error("must use port 443 or one from 1024 to 65535")]
    Port,
    /// The host is, or resolves to, an address that is not public, or has a name that no public host has.
    #[error("must point to a public address")]
    Private,
}

/// What is posted.
#[derive(Clone, Debug)]
pub struct CallbackRequest {
    /// The destination.
    pub url: String,
    /// Headers in addition to the content type, which is JSON.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
}

/// A receiver's response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallbackReply {
    /// The status.
    pub status: u16,
    /// How long it asks not to be called again.
    pub retry_after: Option<Duration>,
}

/// Calls the addresses that callers supplied.
#[derive(Debug)]
pub struct Callbacks {
    guarded: Client,
    opened: Client,
    allow: Allow,
    names: Names,
    reach: Reach,
}

impl Callbacks {
    /// Sets up the clients with the user agent and the allowed hosts from these settings; makes no connection.
    pub fn new(settings: &TransportSettings, reach: Reach) -> Result<Self, Error> {
        // The TLS setup of this process; if another caller was here first, it is already done.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A connection is used once: the next request resolves and checks again.
        let client = || settings.client().timeout(TIMEOUT).pool_max_idle_per_host(0);
        let names = settings.names.clone();
        let guarded = client().dns_resolver(StrictResolver(names.clone()));
        let opened = client().dns_resolver(OpenResolver(names.clone()));
        Ok(Self {
            guarded: guarded.build().map_err(Error::Client)?,
            opened: opened.build().map_err(Error::Client)?,
            allow: settings.allow.clone(),
            names,
            reach,
        })
    }

    /// Checks an address that a caller supplies, and the addresses to which its name resolves now. A public name that
    /// cannot be resolved at the moment is accepted: it is checked again when it is called.
    pub async fn check(&self, address: &str) -> Result<(), CallbackFault> {
        let (url, passage) = self.read(address)?;
        let Some(Host::Domain(host)) = url.host() else {
            return Ok(());
        };
        if passage == Passage::Opened {
            return Ok(());
        }
        match tokio::time::timeout(LOOK_UP, self.names.look_up(host)).await {
            Ok(Ok(found)) => match only_public(host, found) {
                Ok(_) => Ok(()),
                Err(_) => Err(CallbackFault::Private),
            },
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// The checks that need only the address itself.
    fn read(&self, address: &str) -> Result<(Url, Passage), CallbackFault> {
        if address.chars().count() > LONGEST_ADDRESS {
            return Err(CallbackFault::TooLong);
        }
        let url = Url::parse(address.trim()).map_err(|_| CallbackFault::Malformed)?;
        let passage = match check_url(&url, &self.allow) {
            Ok(passage) if self.reach == Reach::Public => passage,
            Ok(_) => Passage::Opened,
            Err(
                Error::Blocked { .. }
                | Error::Address {
                    fault: AddressFault::Port,
                    ..
                },
            ) if self.reach == Reach::Private => Passage::Opened,
            Err(Error::Blocked { .. }) => return Err(CallbackFault::Private),
            Err(Error::Address { fault, .. }) => {
                return Err(match fault {
                    AddressFault::Scheme => CallbackFault::Scheme,
                    AddressFault::Credentials => CallbackFault::Credentials,
                    AddressFault::Port => CallbackFault::Port,
                    _ => CallbackFault::Malformed,
                });
            }
            Err(_) => return Err(CallbackFault::Malformed),
        };
        if passage == Passage::Guarded {
            if url.scheme() != "https" {
                return Err(CallbackFault::Scheme);
            }
            // The guard has already refused the other ports of services.
            if url.port_or_known_default() == Some(80) {
                return Err(CallbackFault::Port);
            }
        }
        // A backslash in a query stays a backslash; before the query it is read as a slash.
        let place = address.split(['?', '#']).next().unwrap_or_default();
        if address.contains(char::is_control) || place.contains('\\') {
            return Err(CallbackFault::Characters);
        }
        Ok((url, passage))
    }

    /// Posts once and returns the status. Boxed, so that the client and its TLS are compiled here once.
    pub fn post(
        &self,
        request: CallbackRequest,
    ) -> Pin<Box<dyn Future<Output = Result<CallbackReply, Error>> + Send + '_>> {
        Box::pin(async move {
            let shown = redact(&request.url);
            let refused = |fault| Error::Address {
                url: shown.clone(),
                fault,
            };
            let (url, passage) = self.read(&request.url).map_err(|fault| match fault {
                CallbackFault::Scheme => refused(AddressFault::Scheme),
                CallbackFault::Credentials => refused(AddressFault::Credentials),
                CallbackFault::Private => blocked(&request.url),
                CallbackFault::Port => refused(AddressFault::Port),
                CallbackFault::Malformed | CallbackFault::Characters | CallbackFault::TooLong => {
                    refused(AddressFault::Malformed)
                }
            })?;
            let client = match passage {
                Passage::Guarded => &self.guarded,
                Passage::Opened => &self.opened,
            };
            let headers = headers(&request).ok_or_else(|| refused(AddressFault::Header))?;
            let sent = client.post(url).headers(headers).body(request.body).send();
            let response = sent.await.map_err(|source| explain(shown, source))?;
            Ok(CallbackReply {
                status: response.status().as_u16(),
                retry_after: retry_after(response.headers()),
            })
        })
    }
}

fn headers(request: &CallbackRequest) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in &request.headers {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_str(value).ok()?,
        );
    }
    Some(headers)
}

/// The refusal for a host that is an address or has a name that no public host has.
fn blocked(address: &str) -> Error {
    let url = Url::parse(address.trim()).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    Error::Blocked {
        host: host.to_owned(),
        address: host.trim_matches(['[', ']']).parse().ok(),
    }
}

fn explain(url: String, source: reqwest::Error) -> Error {
    if let Some(blocked) = find_blocked(&source) {
        return Error::Blocked {
            host: blocked.host.clone(),
            address: Some(blocked.address),
        };
    }
    if source.is_timeout() {
        return Error::Timeout {
            url,
            limit: TIMEOUT,
        };
    }
    let source = source.without_url();
    Error::Connection { url, source }
}

#[cfg(test)]
mod tests;
