//! JSON bodies.

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use operations::{Checked, Error, ErrorCode, Result, parse_body};

use crate::error::Failure;
use crate::settings::Settings;
use crate::state::AppState;

/// A checked body.
#[derive(Clone, Debug)]
pub struct ValidJson<T>(pub T);

impl<T: Checked> FromRequest<AppState> for ValidJson<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Failure> {
        require_json(request.headers())?;
        let bytes = read_body(request, &state.http).await?;
        Ok(Self(parse_body(&bytes)?))
    }
}

/// Rejects anything that is not sent as JSON.
pub(crate) fn require_json(headers: &HeaderMap) -> Result<()> {
    let essence = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|essence| essence.trim().to_ascii_lowercase());
    match essence.as_deref() {
        Some("application/json") => Ok(()),
        Some(other) if other.starts_with("application/") && other.ends_with("+json") => Ok(()),
        _ => Err(Error::refused(
            ErrorCode::WrongContentType,
            "send the body with content-type: application/json",
        )),
    }
}

/// The whole body, if it is short enough and arrives in time.
pub(crate) async fn read_body(request: Request, settings: &Settings) -> Result<Bytes> {
    let limit = settings.body_limit;
    let too_large = || {
        Error::refused(
            ErrorCode::BodyTooLarge,
            format!("the body is longer than {limit} bytes"),
        )
    };
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let body = Limited::new(request.into_body(), limit).collect();
    match tokio::time::timeout(settings.body_timeout, body).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Error::invalid("the body ended early")),
        Err(_) => Err(Error::refused(
            ErrorCode::BodyTimeout,
            "the body did not arrive in time",
        )),
    }
}
