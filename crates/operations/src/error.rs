//! Why an operation gives no answer, whichever interface asked.
//!
//! Each interface writes an error down in its own form; the words of [`ErrorCode`] are the same in all of them and do not
//! change when prose does.

use std::borrow::Cow;

use analysis::Crowded;
use analysis::market::{PricedSeries, Unknown};
use serde::Serialize;
use utoipa::ToSchema;

/// The result of an operation or of a layer around it.
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

            /// The number that the contract gives it: HTTP's status, and `code` in every interface.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
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
    InvalidJson           400 "invalid_json"            "The body is not valid JSON; the message gives line and column.";
    ConflictingCredentials 400 "conflicting_credentials" "Two different credentials were sent.";
    InvalidIdempotencyKey 400 "invalid_idempotency_key" "Idempotency-Key is longer than 255 characters or not visible ASCII.";
    CredentialRequired    401 "credential_required"     "The operation needs an API key or a token, and there was none.";
    InvalidCredential     401 "invalid_credential"      "The API key or token is unknown, malformed or revoked.";
    TokenExpired          401 "token_expired"           "The token is older than seven days.";
    WrongPassword         401 "wrong_password"          "No account has this e-mail address and password.";
    PaymentRequired       402 "payment_required"        "The operation is paid for by call or by a paid plan.";
    AccountDisabled       403 "account_disabled"        "The operator of this server has disabled the account.";
    DemoKeyRefused        403 "demo_key_refused"        "The demo key is read-only; this operation needs a personal key.";
    TokenRequired         403 "token_required"          "The operation takes a token from /auth/login, not an API key.";
    EndpointNotAllowed    403 "endpoint_not_allowed"    "The key is restricted to other endpoints.";
    CategoryNotAllowed    403 "category_not_allowed"    "The key is restricted to other categories.";
    PlanRequired          403 "plan_required"           "The operation needs a larger plan.";
    BudgetExceeded        403 "budget_exceeded"         "The call could cost more than the rest of its budget; calls over HTTP have no budget.";
    RegistrationClosed    403 "registration_closed"     "This server does not let new accounts register themselves.";
    NotExposed            403 "not_exposed"             "The operation is available only on the machine it runs on, or with its own token.";
    OriginRefused         403 "origin_refused"          "Pages of this origin may not call this (`server.cors_origins`).";
    UnknownSymbol         404 "unknown_symbol"          "No instrument has this symbol; `suggestions` may name what was meant.";
    NotFound              404 "not_found"               "It does not exist or belongs to someone else; `suggestions` may name what was meant.";
    UnknownPath           404 "unknown_path"            "No operation has this path.";
    MethodNotAllowed      405 "method_not_allowed"      "The path exists, but not with this method; see the Allow header.";
    BodyTimeout           408 "body_timeout"            "The request body did not arrive in time.";
    EmailTaken            409 "email_taken"             "An account with this e-mail address exists.";
    IdempotencyInFlight   409 "idempotency_in_flight"   "The first request with this Idempotency-Key is still running.";
    TooManyKeys           409 "too_many_keys"           "The account has reached its limit of API keys; revoke one first.";
    TooManyEntries        409 "too_many_entries"        "The account has reached its limit of memories, documents, monitors, alerts, webhooks, reports or feedback; the message names it.";
    BodyTooLarge          413 "body_too_large"          "The request body is longer than the limit.";
    AddressTooLong        414 "address_too_long"        "Path and query are longer than the limit.";
    WrongContentType      415 "wrong_content_type"      "The body must be sent as application/json.";
    UnknownHost           421 "unknown_host"            "The server does not answer under this host name (`server.hosts`).";
    IdempotencyMismatch   422 "idempotency_mismatch"    "This Idempotency-Key was used with another body.";
    RateLimited           429 "rate_limited"            "Too many requests in this minute; see Retry-After.";
    WorkLimited           429 "work_limited"            "The account has reached its limit of running and waiting heavy work; see Retry-After.";
    TooManyStreams        429 "too_many_streams"        "The account or address has reached its limit of open streams.";
    LoginLimited          429 "login_limited"           "Too many log-ins failed or succeeded in this minute, or are under way at once; see Retry-After.";
    CredentialsLimited    429 "credentials_limited"     "Too many unknown API keys or tokens came from this address in this minute; see Retry-After.";
    RunsLimited           429 "runs_limited"            "The free plan has used up its runs of the day; see Retry-After.";
    CreditsExhausted      429 "credits_exhausted"       "The credits of this month are used up and the plan has no overage.";
    SpendingCapReached    429 "spending_cap_reached"    "The call could exceed the spending cap of this month.";
    HeadersTooLarge       431 "headers_too_large"       "The request headers are longer than the limit.";
    Cancelled             499 "cancelled"               "The caller cancelled the call; never sent over HTTP.";
    Internal              500 "internal_error"          "An error of the server; try again after a pause.";
    Busy                  503 "busy"                    "The server is overloaded; see Retry-After.";
    Timeout               503 "timeout"                 "The answer took too long to make.";
    NotReady              503 "not_ready"               "The server is degraded; `problems` and the rest of the body say why.";
    SourceUnavailable     503 "source_unavailable"      "An upstream source is down or not configured, and nothing is cached; the message names it.";
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

    /// No account has that API key or token, or has it no longer.
    pub fn unknown_credential() -> Self {
        Self::refused(
            ErrorCode::InvalidCredential,
            "this API key or token is unknown or revoked",
        )
    }

    /// The same refusal once more; its cause, if it has one, stays with the first.
    pub fn again(&self) -> Self {
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

    /// Seconds after which another try makes sense.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            Self::Store(store::Error::Busy) => Some(1),
            _ => None,
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
}

fn unknown_symbol(unknown: &Unknown) -> String {
    let message = unknown_name("symbol", unknown);
    let asked = unknown.asked.as_str();
    // What answers hand out as a pair or commodity is no instrument, and is served elsewhere.
    let elsewhere = if let Ok(pair) = PricedSeries::find_currency_pair(asked) {
        Some(("currency pair", format!("/api/v1/forex/{}", pair.code)))
    } else if let Ok(commodity) = PricedSeries::find_commodity(asked) {
        let path = format!("/api/v1/commodities/{}", commodity.code);
        Some(("commodity", path))
    } else {
        None
    };
    match elsewhere {
        Some((kind, path)) => {
            format!("there is no symbol {asked:?} here; the {kind} of this name is at {path}")
        }
        None => message,
    }
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
                "this account has reached its limit of running and waiting work of this kind",
            ),
        }
    }
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
            assert!((400..600).contains(&code.status()));
            assert!(!code.meaning().is_empty());
        }
    }
}
