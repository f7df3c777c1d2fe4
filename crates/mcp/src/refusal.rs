//! Why a call was refused, in words that tell a model what to do next.

use std::borrow::Cow;

use operations::{Error, ErrorCode};

/// Why a call was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The stable code.
    pub(crate) code: ErrorCode,
    /// What is wrong.
    pub(crate) message: Cow<'static, str>,
    /// Seconds after which it makes sense to try again.
    pub(crate) retry_after: Option<u64>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let code = error.code();
        if code == ErrorCode::Internal {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "call failed: {error}"
            );
        }
        Self {
            code,
            retry_after: error.retry_after(),
            message: match error {
                Error::Refused { message, .. } => message,
                other => Cow::Owned(other.to_string()),
            },
        }
    }
}

impl Refusal {
    /// An argument that breaks its rule.
    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code: ErrorCode::InvalidRequest,
            message: message.into(),
            retry_after: None,
        }
    }

    /// The code, the message and what to do next.
    pub(crate) fn text(&self) -> String {
        let (code, message) = (self.code.word(), &self.message);
        let advice = advice(self.code);
        let wait = self
            .retry_after
            .map_or_else(String::new, |seconds| format!(" Wait {seconds} s first."));
        format!("{code}: {message}\nNext: {advice}{wait}")
    }
}

/// What the reader of the error should do.
const fn advice(code: ErrorCode) -> &'static str {
    use ErrorCode as Code;
    match code {
        Code::InvalidRequest
        | Code::InvalidJson
        | Code::WrongContentType
        | Code::BodyTooLarge
        | Code::AddressTooLong
        | Code::HeadersTooLarge
        | Code::InvalidIdempotencyKey => {
            "correct the arguments that the message names and call again."
        }
        Code::UnknownSymbol => "call resolve_tickers with the name to find the symbol.",
        Code::NotFound => {
            "check the id or name; ids of briefs come from search_briefs and list_briefs, ids of receipts from verify_claim."
        }
        Code::CredentialRequired
        | Code::DemoKeyRefused
        | Code::InvalidCredential
        | Code::TokenExpired
        | Code::ConflictingCredentials
        | Code::WrongPassword
        | Code::TokenRequired => {
            "tell the user that this needs a personal API key: `assay key create` makes one; send it as Authorization: Bearer, or set ASSAY_API_KEY for `assay mcp`."
        }
        Code::EndpointNotAllowed
        | Code::CategoryNotAllowed
        | Code::PlanRequired
        | Code::PaymentRequired
        | Code::AccountDisabled
        | Code::RegistrationClosed
        | Code::NotExposed
        | Code::OriginRefused => {
            "do not repeat the call; use another tool, or tell the user what the key does not permit."
        }
        Code::BudgetExceeded | Code::CreditsExhausted | Code::SpendingCapReached => {
            "do not repeat the call; tell the user that the credits do not suffice. show_usage shows what is left."
        }
        Code::RateLimited
        | Code::RunsLimited
        | Code::WorkLimited
        | Code::TooManyStreams
        | Code::LoginLimited
        | Code::CredentialsLimited => "call again later, and less often.",
        Code::TooManyEntries | Code::TooManyKeys | Code::EmailTaken => {
            "remove something first, or tell the user."
        }
        Code::IdempotencyInFlight | Code::IdempotencyMismatch => {
            "wait for the first call, or use another key."
        }
        Code::Cancelled => "nothing; nothing was charged.",
        Code::UnknownPath | Code::MethodNotAllowed => {
            "the server is of another version and does not offer this; use another tool."
        }
        Code::UnknownHost => "tell the user that the address of the server is wrong.",
        Code::Internal
        | Code::Busy
        | Code::Timeout
        | Code::NotReady
        | Code::BodyTimeout
        | Code::SourceUnavailable => "try again once; if it fails again, go on without this tool.",
    }
}
