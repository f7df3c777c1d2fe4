//! Why no usable result came back.

use std::net::IpAddr;
use std::time::Duration;

/// Why a request produced no answer. Addresses inside are redacted: no secret from a query string leaks through a
/// log.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Text that is not an address that may be requested.
    #[error("{url:?} cannot be fetched: {fault}")]
    Address {
        /// The address, redacted.
        url: String,
        /// What is wrong with it.
        fault: AddressFault,
    },
    /// The host is, or resolves to, an address inside a private network, or has a name that no public host has.
    #[error("{host} is refused: {}", .address.map_or_else(|| "no public host has such a name".to_owned(), |address| format!("{address} is not a public address")))]
    Blocked {
        /// Host as requested.
        host: String,
        /// The address to which it resolves; `None` if the name was enough.
        address: Option<IpAddr>,
    },
    /// A redirect that will not be followed.
    #[error("redirect from {url} is refused: {fault}")]
    Redirect {
        /// The address that redirected, redacted.
        url: String,
        /// Why it is refused.
        fault: RedirectFault,
    },
    /// No response in time.
    #[error("{url} did not answer within {limit:?}")]
    Timeout {
        /// The address, redacted.
        url: String,
        /// The time allowed.
        limit: Duration,
    },
    /// The connection failed or broke off.
    #[error("no connection to {url}")]
    Connection {
        /// The address, redacted.
        url: String,
        /// What the client reports.
        #[source]
        source: reqwest::Error,
    },
    /// Response with a status other than success.
    #[error("{url} answered {status}")]
    Status {
        /// The address, redacted.
        url: String,
        /// The status.
        status: u16,
        /// How long the server asks not to be contacted.
        retry_after: Option<Duration>,
    },
    /// The body, after decompression, is larger than allowed.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// The address, redacted.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The host has failed often and is not contacted for a while, or asked for that.
    #[error("{host} keeps failing and is not contacted for another {wait:?}")]
    Resting {
        /// The host.
        host: String,
        /// Time remaining.
        wait: Duration,
    },
    /// So many requests to this host are queued that this one would wait too long.
    #[error("requests to {host} are queued for {wait:?}")]
    Queued {
        /// The host.
        host: String,
        /// How long it would have waited.
        wait: Duration,
    },
    /// The site asks programs to stay away.
    #[error("robots.txt does not allow programs to read {url}")]
    Disallowed {
        /// The address, redacted.
        url: String,
    },
    /// A response came, but not the one requested.
    #[error("answer of {url} cannot be read")]
    Answer {
        /// The address, redacted.
        url: String,
        /// What is wrong with it.
        #[source]
        source: ParseError,
    },
    /// The client could not be set up.
    #[error("http client cannot be built")]
    Client(#[source] reqwest::Error),
}

impl Error {
    /// The reason, in words that strangers may read: nothing about addresses or the network of this machine.
    pub fn reason(&self) -> String {
        match self {
            Self::Address { .. } => "invalid address",
            Self::Blocked { .. } => "private address",
            Self::Redirect { .. } => "redirect refused",
            Self::Timeout { .. } => "timeout",
            Self::Connection { .. } | Self::Client(_) => "connection failed",
            Self::Status { status, .. } => return format!("status {status}"),
            Self::TooLarge { .. } => "answer too large",
            Self::Resting { .. } => "keeps failing",
            Self::Queued { .. } => "too many requests waiting",
            Self::Disallowed { .. } => "not allowed by robots.txt",
            Self::Answer { .. } => "answer cannot be read",
        }
        .to_owned()
    }
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// Not an absolute address.
    #[error("not an absolute address")]
    Malformed,
    /// A scheme other than http and https.
    #[error("only http and https are fetched")]
    Scheme,
    /// Contains a user name or password.
    #[error("it holds credentials")]
    Credentials,
    /// Has no host.
    #[error("it has no host")]
    Host,
    /// A port below 1024 that is neither 80 nor 443.
    #[error("its port belongs to another service than the web")]
    Port,
    /// A header of the request cannot be sent.
    #[error("a header of the request is malformed")]
    Header,
}

/// Why a redirect is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedirectFault {
    /// From https to http.
    #[error("it leaves https")]
    Downgrade,
    /// Too many in a row.
    #[error("too many in a row")]
    TooMany,
    /// The `Location` header is absent or malformed.
    #[error("it does not name an address")]
    Target,
    /// The posted data was meant for the first address.
    #[error("it would post to another address")]
    Posted,
}

impl Error {
    /// Whether the same request may succeed after a pause.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. }
            | Self::Connection { .. }
            | Self::Resting { .. }
            | Self::Queued { .. } => true,
            Self::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
            }
            Self::Answer { source, .. } => matches!(source, ParseError::Outage(_)),
            Self::Address { .. }
            | Self::Blocked { .. }
            | Self::Redirect { .. }
            | Self::TooLarge { .. }
            | Self::Disallowed { .. }
            | Self::Client(_) => false,
        }
    }

    /// Whether the host, rather than this one request, is in trouble.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Connection { .. } => true,
            Self::Status { status, .. } => *status >= 500,
            Self::Answer { source, .. } => matches!(source, ParseError::Outage(_)),
            _ => false,
        }
    }

    /// How long to wait before trying again, if that is known.
    pub const fn wait(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            Self::Resting { wait, .. } | Self::Queued { wait, .. } => Some(*wait),
            _ => None,
        }
    }
}

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// A page or a refusal came where data was due: the source is down or shuts programs out, whatever the status
    /// says.
    #[error(transparent)]
    Outage(#[from] Outage),
    /// Neither RSS nor Atom nor JSON Feed.
    #[error("not a feed")]
    NotAFeed,
    /// Empty.
    #[error("empty answer")]
    Empty,
    /// A type of document that is not supported here.
    #[error("documents of type {0:?} are not read")]
    Unsupported(String),
    /// JSON that is malformed or has an unexpected structure.
    #[error("malformed json")]
    Json(#[from] serde_json::Error),
    /// Too large once decompressed.
    #[error("larger than {0} bytes when decompressed")]
    TooLarge(usize),
    /// Compressed data that ends early or is damaged.
    #[error("damaged compressed data")]
    Damaged(#[source] std::io::Error),
    /// The parser failed on this input: a bug worth reporting, contained to this one response.
    #[error("the parser failed on this answer")]
    Defect,
}

/// What came instead of the data that was due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Outage {
    /// A web page.
    #[error("a web page was returned instead of data")]
    Page,
    /// A CAPTCHA, consent or proof-of-work page.
    #[error("a bot check was returned instead of data")]
    Challenge,
    /// A response in the agreed format which says that the source does not serve this now.
    #[error("the source refused to answer")]
    Refusal,
}
