//! A request that is repeated with the same `Idempotency-Key` gets the first answer.
//!
//! A handler takes [`Idempotent`] instead of `ValidJson` and does its work in [`Idempotent::once`]. An effect that is
//! one transaction takes [`Attempt::completion`] into it, so that effect and record commit together. What is stored
//! never bears a secret: a replay leaves those fields out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use model::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::{Begin, Completion, StoredAnswer};

use crate::caller::{Caller, Credential, Member};
use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode, Failure, Result};
use crate::exchange::Exchange;
use crate::extract::Checked;
use crate::extract::{parse, read_body, require_json};
use crate::meter::{Charge, Charged};
use crate::state::AppState;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LONGEST_KEY: usize = 255;

/// A checked JSON body of a request that may be repeated.
pub struct Idempotent<T> {
    /// The body.
    pub body: T,
    key: Option<Box<str>>,
    body_hash: [u8; 32],
    exchange: Arc<Exchange>,
}

impl<T: Checked> FromRequest<AppState> for Idempotent<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let (body, rest) = Idempotent::of_bytes(request, state).await?.apart();
        let Idempotent {
            body: (),
            key,
            body_hash,
            exchange,
        } = rest;
        Ok(Self {
            body: parse(&body)?,
            key,
            body_hash,
            exchange,
        })
    }
}

impl Idempotent<Bytes> {
    /// The body as it was sent.
    pub(crate) async fn of_bytes(request: Request, state: &AppState) -> Result<Self> {
        let exchange = Exchange::of(request.extensions())?.clone();
        let key = read_key(request.headers())?;
        require_json(request.headers())?;
        let query = question(request.uri().query());
        let bytes = read_body(request, &state.settings).await?;
        Ok(Self {
            key,
            body_hash: body_hash(&bytes, &query),
            body: bytes,
            exchange,
        })
    }
}

/// Whether a request may get the answer of an earlier one. It is paid for only when it turns out to be the first.
pub(crate) fn may_repeat(request: &Request) -> bool {
    request.method() == Method::POST && request.headers().contains_key(KEY)
}

/// The parameters that belong to the question, such as `as_of`: all but the credential.
fn question(query: Option<&str>) -> String {
    let mut parameters: Vec<&str> = query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("api_key="))
        .collect();
    parameters.sort_unstable();
    parameters.join("&")
}

/// Tells one question from another. A password is left out: its plain hash must not lie beside its slow one.
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

fn read_key(headers: &HeaderMap) -> Result<Option<Box<str>>> {
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

/// Whose requests a key tells apart. An API key has a scope of its own, because another key of the same account may not
/// be allowed to see what it was answered; the tokens of an account share one, since each may do all that the other may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope(String);

impl Scope {
    /// The scope of a credential of an account.
    pub fn of_member(member: &Member) -> Self {
        let account = member.account.0;
        Self(match &member.credential {
            Credential::Key { id, .. } => format!("{account}:key:{}", id.0),
            Credential::Token { .. } => account.to_string(),
        })
    }

    /// The scope of whoever calls without an account from an address.
    pub fn of_client(client: ClientAddress) -> Self {
        Self(format!("client:{client}"))
    }

    /// The scope of whoever calls.
    pub fn of_caller(caller: &Caller) -> Self {
        match &caller.member {
            Some(member) => Self::of_member(member),
            None => Self::of_client(caller.client),
        }
    }
}

/// One try at a request, to be completed by its effect.
pub struct Attempt<'a> {
    scope: &'a str,
    route: &'a str,
    key: Option<&'a str>,
    /// When the request came.
    pub now: Timestamp,
    is_taken: AtomicBool,
}

impl Attempt<'_> {
    /// The record for the transaction of the effect; `None` when the caller sent no key. The effect must commit it, or
    /// the work must fail.
    pub fn completion<'b>(&'b self, answer: &'b StoredAnswer) -> Option<Completion<'b>> {
        let key = self.key?;
        self.is_taken.store(true, Ordering::Relaxed);
        Some(Completion {
            scope: self.scope,
            route: self.route,
            key,
            answer,
            now: self.now,
        })
    }

    /// As [`completion`](Self::completion), for an effect that must be whole although the caller hangs up.
    pub(crate) fn record(&self, answer: &Answer) -> Option<Record> {
        let Completion {
            scope,
            route,
            key,
            answer,
            now,
        } = self.completion(answer.stored())?;
        Some(Record {
            scope: scope.to_owned(),
            route: route.to_owned(),
            key: key.to_owned(),
            answer: answer.clone(),
            now,
        })
    }

    /// Writes the charge of an answer together with its record.
    pub(crate) async fn charge(
        &self,
        state: &AppState,
        charge: &Charge,
        credits: u64,
        answer: &Answer,
    ) -> Result<()> {
        let (store, record) = (state.store.clone(), self.record(answer));
        let write = |entry| async move {
            let completion = record.as_ref().map(Record::completion);
            store.ledger().append_completing(entry, completion).await?;
            Ok(())
        };
        charge.commit(credits, write).await
    }
}

/// The record of a request that is answered, for the transaction of an effect that outlives the request.
pub(crate) struct Record {
    scope: String,
    route: String,
    key: String,
    answer: StoredAnswer,
    now: Timestamp,
}

impl Record {
    /// As the store takes it.
    pub(crate) fn completion(&self) -> Completion<'_> {
        Completion {
            scope: &self.scope,
            route: &self.route,
            key: &self.key,
            answer: &self.answer,
            now: self.now,
        }
    }
}

/// An answer and the form of it that a replay sees.
pub struct Answer {
    body: Vec<u8>,
    stored: StoredAnswer,
}

impl Answer {
    /// A JSON answer. `secrets` are top-level fields that only the first answer has.
    pub fn json<T: Serialize>(value: &T, secrets: &[&str]) -> Result<Self> {
        let body = serde_json::to_vec(value).map_err(Error::internal)?;
        let mut public = serde_json::to_value(value).map_err(Error::internal)?;
        if let Some(fields) = public.as_object_mut() {
            fields.retain(|name, _| !secrets.contains(&name.as_str()));
        }
        let stored = StoredAnswer {
            status: StatusCode::OK.as_u16(),
            body: serde_json::to_vec(&public).map_err(Error::internal)?,
            content_type: "application/json".to_owned(),
        };
        Ok(Self { body, stored })
    }

    /// JSON that bears no secret.
    fn public(body: Vec<u8>) -> Self {
        let stored = StoredAnswer {
            status: StatusCode::OK.as_u16(),
            body: body.clone(),
            content_type: "application/json".to_owned(),
        };
        Self { body, stored }
    }

    /// What a replay answers.
    pub fn stored(&self) -> &StoredAnswer {
        &self.stored
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.body).into_response()
    }
}

impl<T> Idempotent<T> {
    /// The body, and what remembers the answer to it.
    pub fn apart(self) -> (T, Idempotent<()>) {
        let Self {
            body,
            key,
            body_hash,
            exchange,
        } = self;
        let rest = Idempotent {
            body: (),
            key,
            body_hash,
            exchange,
        };
        (body, rest)
    }

    /// Does the work, or answers as the first time. `route` is the method and path.
    pub async fn once<W>(
        self,
        state: &AppState,
        Scope(scope): &Scope,
        route: &str,
        work: W,
    ) -> Result<Response>
    where
        W: AsyncFnOnce(T, &Attempt<'_>) -> Result<Answer>,
    {
        let now = state.clock.now();
        let key = self.key.as_deref();
        let attempt = Attempt {
            scope,
            route,
            key,
            now,
            is_taken: AtomicBool::new(false),
        };
        let Some(key) = key else {
            return Ok(work(self.body, &attempt).await?.into_response());
        };
        let records = state.store.idempotency();
        match records
            .begin(scope, route, key, &self.body_hash, now)
            .await?
        {
            Begin::Started => {}
            Begin::Replay(answer) => return Ok(replay(answer)),
            Begin::InFlight => {
                return Err(Error::retry_later(
                    ErrorCode::IdempotencyInFlight,
                    1,
                    "the first request with this Idempotency-Key is still running",
                ));
            }
            Begin::OtherBody => {
                return Err(Error::refused(
                    ErrorCode::IdempotencyMismatch,
                    "this Idempotency-Key was used with another body",
                ));
            }
        }
        let outcome = match self.exchange.pay(&state.settings) {
            Ok(()) => work(self.body, &attempt).await,
            Err(refusal) => Err(refusal),
        };
        match outcome {
            Ok(answer) => {
                if !attempt.is_taken.load(Ordering::Relaxed) {
                    records
                        .complete(scope, route, key, &answer.stored, state.clock.now())
                        .await?;
                }
                Ok(answer.into_response())
            }
            Err(error) => {
                let status = error.code().status();
                if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
                    records.abandon(scope, route, key).await?;
                    return Err(error);
                }
                let failure = error.again().into_failure();
                let stored = StoredAnswer {
                    status: status.as_u16(),
                    body: failure.body(),
                    content_type: "application/json".to_owned(),
                };
                records
                    .complete(scope, route, key, &stored, state.clock.now())
                    .await?;
                Err(error)
            }
        }
    }
}

impl Idempotent<()> {
    /// Answers a question that costs `credits` with JSON. Where it may be repeated, charge and answer are written together; else
    /// the gate charges.
    pub(crate) async fn charged(
        self,
        state: &AppState,
        caller: &Caller,
        charge: Charge,
        (route, credits): (&str, u64),
        make: impl Future<Output = Result<Vec<u8>>>,
    ) -> Result<Response> {
        if self.key.is_none() {
            let body = make.await?;
            return Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response());
        }
        let scope = Scope::of_caller(caller);
        self.once(state, &scope, route, async |(), attempt| {
            let answer = Answer::public(make.await?);
            attempt.charge(state, &charge, credits, &answer).await?;
            Ok(answer)
        })
        .await
    }
}

fn replay(answer: StoredAnswer) -> Response {
    let StoredAnswer {
        status,
        body,
        content_type,
    } = answer;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = (status, body).into_response();
    if let Ok(content_type) = HeaderValue::from_str(&content_type) {
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, content_type);
    }
    response
        .headers_mut()
        .insert(REPLAYED, HeaderValue::from_static("true"));
    response.extensions_mut().insert(Charged(0));
    if !status.is_success() {
        // Its body has our shape already.
        response.extensions_mut().insert(Failure::of_stored(status));
    }
    response
}
