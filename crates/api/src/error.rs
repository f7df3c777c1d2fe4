//! The one place where errors are mapped to statuses.
//!
//! Every error of every layer leaves in one shape. `status`, `message` and `code` are part of the contract; `error`
//! repeats the message for clients that read that field, and `error_code` is a word that stays the same when the
//! wording changes.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use operations::{Error, ErrorCode, Payment};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::next_step::next_step;

/// What an error says, however it is written. It travels as a response extension, so that the frame can write it as RFC
/// 9457 for those who ask. A server error is logged when it becomes a response.
#[derive(Clone, Debug)]
pub struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) payment: Option<Box<Payment>>,
    pub(crate) suggestions: Vec<String>,
    /// Further fields of the body.
    pub(crate) details: Option<Box<Map<String, Value>>>,
    /// Marks a stored answer, whose body is not the one written here.
    pub(crate) is_stored: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = error.code();
        if code == ErrorCode::Internal {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "request failed: {}",
                causes(&error)
            );
        }
        let message = match &error {
            Error::Store(store::Error::Busy) => {
                Cow::Borrowed("the store is busy, please try again")
            }
            Error::Refused { message, .. } => message.clone(),
            other => Cow::Owned(other.to_string()),
        };
        let retry_after = error.retry_after();
        let (payment, suggestions) = match error {
            Error::Payment(payment) => (Some(payment), Vec::new()),
            Error::UnknownSymbol(unknown) | Error::UnknownName(_, unknown) => {
                (None, unknown.suggestions)
            }
            _ => (None, Vec::new()),
        };
        Self {
            code,
            message,
            retry_after,
            payment,
            suggestions,
            details: None,
            is_stored: false,
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<analysis::Error> for Failure {
    fn from(error: analysis::Error) -> Self {
        Error::from(error).into()
    }
}

/// The codes that an answer over HTTP can have: here a call has no budget, and a caller that cancels never reads an
/// answer.
pub(crate) fn answered_codes() -> impl Iterator<Item = ErrorCode> {
    let others = [ErrorCode::BudgetExceeded, ErrorCode::Cancelled];
    let codes = ErrorCode::ALL.iter().copied();
    codes.filter(move |code| !others.contains(code))
}

/// The status of an error.
pub(crate) fn status_of(code: ErrorCode) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
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

impl Failure {
    /// What replaces an error answer that some library made.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let (code, message) = match status.as_u16() {
            404 => (
                ErrorCode::UnknownPath,
                "no operation has this path; see /docs",
            ),
            405 => (
                ErrorCode::MethodNotAllowed,
                "this path does not support this method; see the Allow header",
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
            is_stored: false,
        }
    }

    /// Marks a stored error answer, whose body already has our shape.
    pub(crate) fn of_stored(status: StatusCode) -> Self {
        let code = ErrorCode::ALL
            .iter()
            .copied()
            .find(|code| status_of(*code) == status);
        Self {
            code: code.unwrap_or(ErrorCode::InvalidRequest),
            message: Cow::Borrowed("this request failed before with the same Idempotency-Key"),
            retry_after: None,
            payment: None,
            suggestions: Vec::new(),
            details: None,
            is_stored: true,
        }
    }

    /// The body of every error.
    pub(crate) fn body(&self) -> Vec<u8> {
        let body = ErrorBody {
            status: "error",
            message: self.message.clone(),
            code: self.code.status(),
            error: self.message.clone(),
            error_code: self.code.word(),
            next_step: next_step(self.code),
            payment: self.payment.clone(),
            suggestions: self.suggestions.clone(),
        };
        self.written(&body)
    }

    /// The body of RFC 9457.
    pub(crate) fn problem(&self) -> Vec<u8> {
        let status = status_of(self.code);
        let problem = Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: &self.message,
            error_code: self.code.word(),
            next_step: next_step(self.code),
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
            status_of(self.code),
            [(header::CONTENT_TYPE, "application/json")],
            self.body(),
        )
            .into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if status_of(self.code) == StatusCode::UNAUTHORIZED {
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
    #[schema(schema_with = status_word)]
    status: &'static str,
    /// What is wrong, for a reader.
    message: Cow<'static, str>,
    /// The HTTP status.
    code: u16,
    /// The same message.
    error: Cow<'static, str>,
    /// A stable error code.
    #[schema(schema_with = code_word)]
    error_code: &'static str,
    /// What to do about it, in one sentence.
    next_step: &'static str,
    /// What would be accepted instead; with 402 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    payment: Option<Box<Payment>>,
    /// Similar symbols; with an unknown symbol only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<String>,
}

fn status_word() -> Object {
    word("Always `error`.", ["error"])
}

fn code_word() -> Object {
    let words = answered_codes().map(ErrorCode::word);
    word("Stable error code.", words)
}

fn word(meaning: &str, words: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(meaning))
        .enum_values(Some(words))
        .build()
}

#[derive(Debug, Serialize)]
struct Problem<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    error_code: &'static str,
    next_step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<&'a Payment>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    suggestions: &'a [String],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_of_its_own_number() {
        for code in ErrorCode::ALL {
            assert_eq!(status_of(*code).as_u16(), code.status());
        }
    }

    #[test]
    fn causes_stay_inside() {
        let failure = Failure::from(Error::internal("the disk is on fire"));
        assert!(!String::from_utf8(failure.body()).unwrap().contains("fire"));
    }
}
