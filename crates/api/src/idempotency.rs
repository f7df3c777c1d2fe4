//! A request that is repeated with the same `Idempotency-Key` gets the first answer.
//!
//! The work is done in [`Idempotent::once`]. An effect that is one transaction includes [`Attempt::completion`], so
//! that the effect and the record commit together; if there is none, the charge and the record do. What is stored
//! never contains a secret: a replay leaves those fields out.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use model::DataMode;
use operations::{
    Attempt, Caller, ClientAddress, Credential, Error, ErrorCode, Member, Repeatable, Result,
    say_simulated,
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::{Begin, StoredAnswer};

use crate::error::{Failure, status_of};
use crate::extract::{read_body, require_json};
use crate::request_context::RequestContext;
use crate::state::AppState;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LONGEST_KEY: usize = 255;

/// A request that may be repeated.
pub(crate) struct Idempotent {
    /// Its body, as it was sent.
    pub(crate) body: Bytes,
    key: Option<Box<str>>,
    body_hash: [u8; 32],
    request_context: Arc<RequestContext>,
}

/// Whether a request may get the answer of an earlier one. It is charged only if it turns out to be the first.
pub(crate) fn may_repeat(request: &Request) -> bool {
    request.method() == Method::POST && request.headers().contains_key(KEY)
}

/// The parameters that are part of the question, such as `as_of`: all but the credential.
fn question(query: Option<&str>) -> String {
    let mut parameters: Vec<&str> = query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("api_key="))
        .collect();
    parameters.sort_unstable();
    parameters.join("&")
}

/// Distinguishes one request from another. A password is left out: its plain hash must not be stored next to its slow
/// one.
fn body_hash(bytes: &[u8], query: &str) -> [u8; 32] {
    if let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_slice(bytes)
        && fields.remove("password").is_some()
    {
        return Sha256::digest(serde_json::Value::Object(fields).to_string()).into();
    }
    if query.is_empty() {
        return Sha256::digest(bytes).into();
    }
    Sha256::new()
        .chain_update(bytes)
        .chain_update(b"\n")
        .chain_update(query)
        .finalize()
        .into()
}

/// The key of a request; a malformed one is rejected even where nothing is stored.
pub(crate) fn parse_key(headers: &HeaderMap) -> Result<Option<Box<str>>> {
    let Some(value) = headers.get(KEY) else {
        return Ok(None);
    };
    let bytes = value.as_bytes();
    if !(1..=LONGEST_KEY).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(Error::refused(
            ErrorCode::InvalidIdempotencyKey,
            "Idempotency-Key must have from 1 to 255 visible ASCII characters",
        ));
    }
    Ok(value.to_str().ok().map(Into::into))
}

/// The scope within which a key identifies a request. An API key has a scope of its own, because another key of the
/// same account may not be allowed to see its answers; the tokens of an account share one, since each may do everything
/// that the others may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope(String);

impl Scope {
    /// The scope of a credential of an account.
    pub(crate) fn of_member(member: &Member) -> Self {
        let account = member.account.0;
        Self(match &member.credential {
            Credential::Key { id, .. } => format!("{account}:key:{}", id.0),
            Credential::Token { .. } => account.to_string(),
        })
    }

    /// The scope of a caller without an account, by address.
    pub(crate) fn of_client(client: ClientAddress) -> Self {
        Self(format!("client:{client}"))
    }

    /// The scope of any caller.
    pub(crate) fn of_caller(caller: &Caller) -> Self {
        match &caller.member {
            Some(member) => Self::of_member(member),
            None => Self::of_client(caller.client),
        }
    }
}

/// The result of the work of a request.
pub(crate) struct Done {
    /// The answer.
    pub(crate) body: Vec<u8>,
    /// What a replay sees, if that is less.
    pub(crate) stored: Option<StoredAnswer>,
}

impl Idempotent {
    /// Reads the body, which must be JSON.
    pub(crate) async fn of_request(request: Request, state: &AppState) -> Result<Self> {
        require_json(request.headers())?;
        Self::of_any(request, state).await
    }

    /// Reads the body, whatever it is: for routes that take none.
    pub(crate) async fn of_any(request: Request, state: &AppState) -> Result<Self> {
        let request_context = RequestContext::of(request.extensions())?.clone();
        let key = parse_key(request.headers())?;
        let query = question(request.uri().query());
        let body = read_body(request, &state.http).await?;
        Ok(Self {
            key,
            body_hash: body_hash(&body, &query),
            body,
            request_context,
        })
    }

    /// Does the work, or repeats the first answer. `route` is the method and the path with its variables filled in: the
    /// same key may be used for another resource.
    pub(crate) async fn once<W>(
        self,
        state: &AppState,
        Scope(scope): Scope,
        route: String,
        work: W,
    ) -> Result<Response, Failure>
    where
        W: AsyncFnOnce(Bytes, Arc<Attempt>) -> Result<Done>,
    {
        let now = state.clock.now();
        let Some(key) = self.key else {
            let attempt = Arc::new(Attempt::new(None, now));
            return Ok(json(work(self.body, attempt).await?.body));
        };
        let records = state.store.idempotency();
        let (scope, route, key) = (&*scope, &*route, &*key);
        match records
            .begin(scope, route, key, &self.body_hash, now)
            .await?
        {
            Begin::Started => {}
            Begin::Replay(answer) => {
                // Nothing is charged for it.
                self.request_context.charge.release();
                return Ok(replay(state.store.mode(), answer));
            }
            Begin::InFlight => {
                return Err(Failure::from(Error::retry_later(
                    ErrorCode::IdempotencyInFlight,
                    1,
                    "the first request with this Idempotency-Key is still running",
                )));
            }
            Begin::OtherBody => {
                return Err(Failure::from(Error::refused(
                    ErrorCode::IdempotencyMismatch,
                    "this Idempotency-Key was used with another body",
                )));
            }
        }
        let repeatable = Repeatable {
            scope: scope.to_owned(),
            route: route.to_owned(),
            key: key.into(),
        };
        let attempt = Arc::new(Attempt::new(Some(repeatable), now));
        let outcome = async {
            self.request_context.pay(state)?;
            let Done { body, stored } = work(self.body, attempt.clone()).await?;
            if !attempt.is_taken() {
                let stored = stored.unwrap_or_else(|| StoredAnswer::json(body.clone()));
                self.request_context.commit(state, &attempt, stored).await?;
            }
            Ok::<_, Error>(body)
        };
        match outcome.await {
            Ok(body) => Ok(json(body)),
            Err(error) => {
                let failure = Failure::from(error);
                let status = status_of(failure.code);
                if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
                    records.abandon(scope, route, key).await?;
                    return Err(failure);
                }
                let stored = StoredAnswer {
                    status: status.as_u16(),
                    body: failure.body(),
                    content_type: "application/json".to_owned(),
                };
                records
                    .complete(scope, route, key, &stored, state.clock.now())
                    .await?;
                Err(failure)
            }
        }
    }
}

/// JSON that is made for this request only.
pub(crate) fn json(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// An answer that only HTTP has; in the demo world it says so.
pub(crate) fn answered(mode: DataMode, body: &impl Serialize) -> Result<Response> {
    let body = serde_json::to_vec(body).map_err(Error::internal)?;
    Ok(json(say_simulated(mode, body)))
}

fn replay(mode: DataMode, answer: StoredAnswer) -> Response {
    let StoredAnswer {
        status,
        body,
        content_type,
    } = answer;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    // Only what the operation itself answered is stored.
    let body = if content_type == "application/json" {
        say_simulated(mode, body)
    } else {
        body
    };
    let mut response = (status, body).into_response();
    if let Ok(content_type) = HeaderValue::from_str(&content_type) {
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, content_type);
    }
    response
        .headers_mut()
        .insert(REPLAYED, HeaderValue::from_static("true"));
    if !status.is_success() {
        // Its body already has our shape.
        response.extensions_mut().insert(Failure::of_stored(status));
    }
    response
}
