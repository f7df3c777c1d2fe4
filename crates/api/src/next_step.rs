//! What the reader of an error should do next, for programs and models that call over HTTP.

use operations::ErrorCode;

/// One sentence.
pub(crate) const fn next_step(code: ErrorCode) -> &'static str {
    use ErrorCode as Code;
    match code {
        Code::InvalidRequest
        | Code::InvalidJson
        | Code::WrongContentType
        | Code::BodyTooLarge
        | Code::AddressTooLong
        | Code::HeadersTooLarge
        | Code::InvalidIdempotencyKey => {
            "Correct what the message names and send the request again; fields and bounds are in /openapi.json."
        }
        Code::UnknownSymbol => {
            "Find the symbol with GET /api/v1/ticker/resolve?q=NAME, or take one of `suggestions`."
        }
        Code::NotFound => {
            "Check the id or name; ids come from the list or search operation of the same subject."
        }
        Code::UnknownPath | Code::MethodNotAllowed => {
            "Look up method and path in /llms.txt or /openapi.json."
        }
        Code::CredentialRequired | Code::DemoKeyRefused => {
            "Send a personal key as Authorization: Bearer KEY; the operator makes one with `assay key create`, an account with POST /api/v1/keys."
        }
        Code::InvalidCredential => "Send a key that is known and not revoked, and nothing else.",
        Code::ConflictingCredentials => "Send one credential only.",
        Code::TokenExpired | Code::TokenRequired => {
            "Get a token with POST /auth/login and send it as Authorization: Bearer TOKEN."
        }
        Code::WrongPassword => "Check e-mail address and password; do not try at random.",
        Code::EndpointNotAllowed | Code::CategoryNotAllowed => {
            "Do not repeat it with this key; use one without this restriction, or another operation."
        }
        Code::PlanRequired | Code::PaymentRequired => {
            "Do not repeat it with this key; the account needs a plan that includes the operation."
        }
        Code::AccountDisabled
        | Code::RegistrationClosed
        | Code::NotExposed
        | Code::OriginRefused
        | Code::UnknownHost => "Do not repeat it; ask the operator of this server.",
        Code::BudgetExceeded => "Raise the budget or ask for less.",
        Code::CreditsExhausted | Code::SpendingCapReached => {
            "Do not repeat it this month; GET /api/v1/usage says what is left."
        }
        Code::RateLimited
        | Code::RunsLimited
        | Code::WorkLimited
        | Code::TooManyStreams
        | Code::LoginLimited
        | Code::CredentialsLimited => {
            "Wait for Retry-After where it is given, then go on more slowly or with fewer at once."
        }
        Code::TooManyEntries | Code::TooManyKeys => "Delete one first.",
        Code::EmailTaken => "Log in with POST /auth/login instead.",
        Code::IdempotencyInFlight => "Wait for the first request and repeat it with the same key.",
        Code::IdempotencyMismatch => "Use a new Idempotency-Key for another body.",
        Code::Internal | Code::Busy | Code::Timeout | Code::BodyTimeout => {
            "Try again after a pause, at most a few times; nothing was charged."
        }
        Code::NotReady => "Wait until GET /ready answers 200; `problems` says what is missing.",
        Code::SourceUnavailable => {
            "Go on without it, or try again after a pause; nothing was charged."
        }
        Code::Cancelled => "Nothing; nothing was charged.",
    }
}
