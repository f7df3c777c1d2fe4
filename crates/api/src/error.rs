//! The one place where an error meets a status.
//!
//! Every error of every layer leaves in one shape. `status`, `message` and `code` are the contract's; `error` repeats
//! the message for clients that read that field, and `error_code` is a word that does not change when prose does.

use std::borrow::Cow;

use analysis::Crowded;
use analysis::market::Unknown;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Result of a handler or a layer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request is not answered as asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is at fault; the message says how.
    #[error("{message}")]
    Refused {
        /// Which rule.
        code: ErrorCode,
        /// For a reader.
        message: Cow<'static, str>,
        /// Seconds after which another try makes sense.
        retry_after: Option<u64>,
    },
    /// The operation has a price that the caller's plan does not include.
    #[error("this operation needs a payment or the key of a paid plan")]
    Payment(Box<Payment>),
    /// No instrument has this symbol.
    #[error("{}", unknown_symbol(.0))]
    UnknownSymbol(Unknown),
    /// Nothing of a kind, such as a currency pair, has this name.
    #[error("{}", unknown_name(.0, .1))]
    UnknownName(&'static str, Unknown),
    /// The store could not answer.
    #[error("internal error")]
    Store(#[from] store::Error),
    /// Something else of ours failed.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

macro_rules! error_codes {
    ($($variant:ident $status:literal $word:literal $meaning:literal;)*) => {
        /// The stable words of `error_code`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in order of status.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The status it is answered with.
            pub const fn status(self) -> StatusCode {
                let number: u16 = match self { $(Self::$variant => $status,)* };
                match StatusCode::from_u16(number) {
                    Ok(status) => status,
                    Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
                }
            }

            /// The word.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// What it means, for the documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

// A table is read and compared at a glance, which three matches are not: hence the macro.
error_codes! {
    InvalidRequest        400 "invalid_request"         "A parameter or body field is missing, of the wrong type or out of range; the message names it.";
    InvalidJson           400 "invalid_json"            "The body is no JSON; the message gives line and column.";
    ConflictingCredentials 400 "conflicting_credentials" "Two different credentials were sent.";
    InvalidIdempotencyKey 400 "invalid_idempotency_key" "Idempotency-Key is longer than 255 characters or not visible ASCII.";
    CredentialRequired    401 "credential_required"     "The operation needs an API key or a token, and there was none.";
    InvalidCredential     401 "invalid_credential"      "The API key or token is unknown, malformed or revoked.";
    TokenExpired          401 "token_expired"           "The token is older than seven days.";
    WrongPassword         401 "wrong_password"          "No account has this e-mail address and password.";
    PaymentRequired       402 "payment_required"        "The operation is paid for by call or by a paid plan.";
    AccountDisabled       403 "account_disabled"        "The operator of this server has disabled the account.";
    DemoKeyRefused        403 "demo_key_refused"        "The demo key reads only; this operation needs a personal key.";
    TokenRequired         403 "token_required"          "The operation takes a token from /auth/login, not an API key.";
    EndpointNotAllowed    403 "endpoint_not_allowed"    "The key is restricted to other endpoints.";
    CategoryNotAllowed    403 "category_not_allowed"    "The key is restricted to other categories.";
    PlanRequired          403 "plan_required"           "The operation needs a larger plan.";
    BudgetExceeded        403 "budget_exceeded"         "The call could cost more than what is left of the budget it was given; over HTTP no call has one.";
    RegistrationClosed    403 "registration_closed"     "This server does not let new accounts register themselves.";
    NotExposed            403 "not_exposed"             "The operation answers only the machine it runs on, or the bearer of its own token.";
    UnknownSymbol         404 "unknown_symbol"          "No instrument has this symbol; `suggestions` may name what was meant.";
    NotFound              404 "not_found"               "No such thing, or not yours; `suggestions` may name what was meant.";
    UnknownPath           404 "unknown_path"            "No operation has this path.";
    MethodNotAllowed      405 "method_not_allowed"      "The path exists, the method does not; see the Allow header.";
    BodyTimeout           408 "body_timeout"            "The request body did not arrive in time.";
    EmailTaken            409 "email_taken"             "An account with this e-mail address exists.";
    IdempotencyInFlight   409 "idempotency_in_flight"   "The first request with this Idempotency-Key is still running.";
    TooManyKeys           409 "too_many_keys"           "The account has as many API keys as it may have; revoke one first.";
    BodyTooLarge          413 "body_too_large"          "The request body is longer than the limit.";
    AddressTooLong        414 "address_too_long"        "Path and query are longer than the limit.";
    WrongContentType      415 "wrong_content_type"      "The body must be sent as application/json.";
    UnknownHost           421 "unknown_host"            "The server does not answer under this host name (`server.hosts`).";
    IdempotencyMismatch   422 "idempotency_mismatch"    "This Idempotency-Key was used with another body.";
    RateLimited           429 "rate_limited"            "Too many requests in this minute; see Retry-After.";
    WorkLimited           429 "work_limited"            "The account has as much heavy work running or waiting as it may; see Retry-After.";
    TooManyStreams        429 "too_many_streams"        "The account or address has as many streams open as it may.";
    LoginLimited          429 "login_limited"           "Too many log-ins failed or succeeded in this minute, or are under way at once; see Retry-After.";
    CredentialsLimited    429 "credentials_limited"     "Too many unknown API keys or tokens came from this address in this minute; see Retry-After.";
    CreditsExhausted      429 "credits_exhausted"       "The credits of this month are used up and the plan has no overage.";
    SpendingCapReached    429 "spending_cap_reached"    "The call could exceed the spending cap of this month.";
    HeadersTooLarge       431 "headers_too_large"       "The request headers are longer than the limit.";
    Cancelled             499 "cancelled"               "Whoever asked no longer wants the answer; over HTTP nobody reads this.";
    Internal              500 "internal_error"          "A fault of the server; worth another try after a pause.";
    Busy                  503 "busy"                    "The server is overloaded; see Retry-After.";
    Timeout               503 "timeout"                 "The answer took too long to make.";
    NotReady              503 "not_ready"               "The server does not keep its promises at this moment; `problems` and the rest of the body say why.";
    SourceUnavailable     503 "source_unavailable"      "An upstream source is down and nothing is cached; the message names it.";
}

impl Error {
    /// A refusal with that code.
    pub fn refused(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    /// A refusal that ends after some seconds.
    pub fn retry_later(
        code: ErrorCode,
        seconds: u64,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Refused {
            code,
            message: message.into(),
            retry_after: Some(seconds),
        }
    }

    /// A parameter or field that breaks its rule; the message names it.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::refused(ErrorCode::InvalidRequest, message)
    }

    /// Nothing by that name, or not the caller's.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::refused(ErrorCode::NotFound, message)
    }

    /// A failure of ours, whose cause goes to the log only.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The same refusal once more; its cause, if it has one, stays with the first.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Refused {
                code,
                message,
                retry_after,
            } => Self::Refused {
                code: *code,
                message: message.clone(),
                retry_after: *retry_after,
            },
            Self::UnknownSymbol(unknown) => Self::UnknownSymbol(unknown.clone()),
            Self::UnknownName(kind, unknown) => Self::UnknownName(kind, unknown.clone()),
            other => Self::internal(other.to_string()),
        }
    }

    /// The word and status.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Refused { code, .. } => *code,
            Self::Payment(_) => ErrorCode::PaymentRequired,
            Self::UnknownSymbol(_) => ErrorCode::UnknownSymbol,
            Self::UnknownName(..) => ErrorCode::NotFound,
            Self::Store(store::Error::Busy) => ErrorCode::Busy,
            Self::Store(_) | Self::Internal(_) => ErrorCode::Internal,
        }
    }

    pub(crate) fn into_failure(self) -> Failure {
        let code = self.code();
        let message = match &self {
            Self::Store(store::Error::Busy) => Cow::Borrowed("the store is busy, please try again"),
            Self::Refused { message, .. } => message.clone(),
            other => Cow::Owned(other.to_string()),
        };
        let retry_after = match &self {
            Self::Refused { retry_after, .. } => *retry_after,
            Self::Store(store::Error::Busy) => Some(1),
            _ => None,
        };
        let (payment, suggestions) = match self {
            Self::Payment(payment) => (Some(payment), Vec::new()),
            Self::UnknownSymbol(unknown) | Self::UnknownName(_, unknown) => {
                (None, unknown.suggestions)
            }
            _ => (None, Vec::new()),
        };
        Failure {
            code,
            message,
            retry_after,
            payment,
            suggestions,
            details: None,
        }
    }
}

fn unknown_symbol(unknown: &Unknown) -> String {
    unknown_name("symbol", unknown)
}

fn unknown_name(kind: &str, unknown: &Unknown) -> String {
    let Unknown { asked, suggestions } = unknown;
    if suggestions.is_empty() {
        format!("there is no {kind} {asked:?} here")
    } else {
        let list = suggestions.join(", ");
        format!("there is no {kind} {asked:?} here; did you mean {list}?")
    }
}

/// What the market crate refuses is always the caller's to correct, and its message names the key.
impl From<market::Error> for Error {
    fn from(error: market::Error) -> Self {
        // The name of an unknown filter comes from outside and may be long.
        let message: String = error.to_string().chars().take(600).collect();
        Self::invalid(message)
    }
}

impl From<analysis::Error> for Error {
    fn from(error: analysis::Error) -> Self {
        match error {
            analysis::Error::Store(error) => Self::Store(error),
            analysis::Error::Crowded(crowded) => crowded.into(),
            other => Self::internal(other),
        }
    }
}

impl From<Crowded> for Error {
    fn from(crowded: Crowded) -> Self {
        match crowded {
            Crowded::Everybody => Self::retry_later(
                ErrorCode::Busy,
                5,
                "too much work of this kind is waiting, please try again",
            ),
            Crowded::Own => Self::retry_later(
                ErrorCode::WorkLimited,
                5,
                "this account has as much work of this kind running or waiting as it may",
            ),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if self.code() == ErrorCode::Internal {
            tracing::error!(
                error = &self as &dyn std::error::Error,
                "request failed: {}",
                causes(&self)
            );
        }
        self.into_failure().into_response()
    }
}

/// The chain of causes on one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// What an error says, independent of how it is written. Travels as a response extension, so that the frame can write
/// it as RFC 9457 for those who ask.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) payment: Option<Box<Payment>>,
    pub(crate) suggestions: Vec<String>,
    /// Further fields of the body.
    pub(crate) details: Option<Box<Map<String, Value>>>,
}

impl Failure {
    /// What stands in for an error answer that some library made.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let (code, message) = match status.as_u16() {
            404 => (
                ErrorCode::UnknownPath,
                "no operation has this path; see /docs",
            ),
            405 => (
                ErrorCode::MethodNotAllowed,
                "this path does not take this method; see the Allow header",
            ),
            408 => (
                ErrorCode::BodyTimeout,
                "the request body did not arrive in time",
            ),
            413 => (ErrorCode::BodyTooLarge, "the request body is too long"),
            415 => (
                ErrorCode::WrongContentType,
                "send the body with content-type: application/json",
            ),
            503 => (ErrorCode::Busy, "the server is overloaded"),
            500.. => (ErrorCode::Internal, "internal error"),
            _ => (ErrorCode::InvalidRequest, "the request cannot be read"),
        };
        Self {
            code,
            message: Cow::Borrowed(message),
            retry_after: None,
            payment: None,
            suggestions: Vec::new(),
            details: None,
        }
    }

    /// Marks a stored error answer, whose body has our shape already.
    pub(crate) fn of_stored(status: StatusCode) -> Self {
        let code = ErrorCode::ALL
            .iter()
            .copied()
            .find(|code| code.status() == status);
        Self {
            code: code.unwrap_or(ErrorCode::InvalidRequest),
            message: Cow::Borrowed("this request failed before with the same Idempotency-Key"),
            retry_after: None,
            payment: None,
            suggestions: Vec::new(),
            details: None,
        }
    }

    /// The body of the house.
    pub(crate) fn body(&self) -> Vec<u8> {
        let body = ErrorBody {
            status: "error",
            message: self.message.clone(),
            code: self.code.status().as_u16(),
            error: self.message.clone(),
            error_code: self.code.word(),
            payment: self.payment.clone(),
            suggestions: self.suggestions.clone(),
        };
        self.written(&body)
    }

    /// The body of RFC 9457.
    pub(crate) fn problem(&self) -> Vec<u8> {
        let status = self.code.status();
        let problem = Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: &self.message,
            error_code: self.code.word(),
            payment: self.payment.as_deref(),
            suggestions: &self.suggestions,
        };
        self.written(&problem)
    }

    fn written(&self, body: &impl Serialize) -> Vec<u8> {
        let Some(details) = &self.details else {
            return serde_json::to_vec(body).unwrap_or_default();
        };
        let mut whole = match serde_json::to_value(body) {
            Ok(Value::Object(whole)) => whole,
            _ => Map::new(),
        };
        for (name, value) in details.iter() {
            whole.entry(name).or_insert_with(|| value.clone());
        }
        serde_json::to_vec(&whole).unwrap_or_default()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (
            self.code.status(),
            [(header::CONTENT_TYPE, "application/json")],
            self.body(),
        )
            .into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if self.code.status() == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// An error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// Always `error`.
    status: &'static str,
    /// What is wrong, for a reader.
    message: Cow<'static, str>,
    /// The HTTP status.
    code: u16,
    /// The message again.
    error: Cow<'static, str>,
    /// A stable word.
    error_code: &'static str,
    /// What would be accepted instead; with 402 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Box<Payment>>,
    /// Symbols that may have been meant; with an unknown symbol only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Problem<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    error_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<&'a Payment>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    suggestions: &'a [String],
}

/// What a payment-gated operation accepts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Payment {
    /// Always `plan_key`: the key of a paid plan opens the operation.
    pub scheme: &'static str,
    /// Ways to pay for this call.
    pub accepts: Vec<Offer>,
    /// Plans whose keys open it.
    pub plans: Vec<&'static str>,
}

/// One way to pay.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Offer {
    /// For a reader.
    pub description: String,
    /// Price in US dollars.
    pub amount_usd: f64,
    /// The same in credits.
    pub credits: u64,
    /// The path that is paid for.
    pub resource: String,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_are_distinct_and_statuses_are_errors() {
        let words: HashSet<_> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            assert!(code.status().is_client_error() || code.status().is_server_error());
            assert!(!code.meaning().is_empty());
        }
    }

    #[test]
    fn causes_stay_inside() {
        let failure = Error::internal("the disk is on fire").into_failure();
        assert!(!String::from_utf8(failure.body()).unwrap().contains("fire"));
    }
}
