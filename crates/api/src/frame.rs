//! What surrounds every request: request id, size limits, panics, error shape, headers, CORS and counting.
//!
//! This is one layer, because each extra one costs every request. Whatever answers inside it, operation or not, leaves
//! with the same headers and, if it is an error, in the same shape.

use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use model::DataMode;
use operations::{Allowance, Caller, Error, ErrorCode, Subject, say_simulated};
use tracing::Instrument;

use crate::error::{Failure, status_of};
use crate::guest::OfAGuest;
use crate::metrics::RouteMetrics;
use crate::presented::Presented;
use crate::request_context::RequestContext;
use crate::state::AppState;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_LIMIT_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const CREDITS_CHARGED: HeaderName = HeaderName::from_static("x-credits-charged");
const DATA_MODE: HeaderName = HeaderName::from_static("x-data-mode");
const PROBLEM: &str = "application/problem+json";

/// Every header that a page of another origin may read.
const EXPOSED: &str = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit, RateLimit-Policy, \
     Retry-After, X-Request-Id, X-Credits-Charged, X-Data-Mode, Idempotency-Replayed, ETag, WWW-Authenticate, Allow, \
     Mcp-Session-Id";
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const REQUEST_HEADERS: &str = "Authorization, X-API-Key, Content-Type, Accept, Idempotency-Key, If-None-Match, \
     Last-Event-ID, X-Request-Id, Cache-Control, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name";

/// The frame's state.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) state: AppState,
    /// Counts requests that no operation answers.
    pub(crate) unmatched: RouteMetrics,
}

/// The layer.
pub(crate) async fn frame(
    State(Frame { state, unmatched }): State<Frame>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let request_context = RequestContext::open(&request, &state.http);
    let wishes = Wishes::of(request.headers());
    let method = request.method().clone();
    request.extensions_mut().insert(request_context.clone());

    let origin = state
        .http
        .origins
        .allowed(request.headers().get(header::ORIGIN));
    let mut response = if let Some(refusal) = oversize(&request, &state) {
        Failure::from(refusal).into_response()
    } else if !state.http.hosts.admits(request.headers(), request.uri()) {
        Failure::from(Error::refused(
            ErrorCode::UnknownHost,
            "this server does not serve this host name; its operator can add the name to server.hosts",
        ))
        .into_response()
    } else if method == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    {
        preflight()
    } else {
        // The path without its query, because the query may hold a key.
        let span = tracing::debug_span!("request", request.id = ?request_context.id, http.method = %method, http.path = request.uri().path());
        match AssertUnwindSafe(next.run(request))
            .catch_unwind()
            .instrument(span)
            .await
        {
            Ok(response) => response,
            Err(panic) => Failure::from(Error::internal(panic_message(&*panic))).into_response(),
        }
    };
    let is_of_a_guest = response.extensions().get::<OfAGuest>().is_some();
    if !is_of_a_guest {
        tidy_status(&mut response, &method);
        tidy_error(&mut response, &wishes, &method, state.store.mode());
    }

    let allowance = match request_context.allowance() {
        Some(allowance) => allowance,
        None => peek(&state, &request_context),
    };
    let headers = response.headers_mut();
    write_allowance(headers, allowance);
    headers.insert(REQUEST_ID, request_context.id.clone());
    // A guest's calls are charged where they are answered, and the guest reports that itself.
    if !is_of_a_guest {
        headers.insert(CREDITS_CHARGED, number(request_context.charge.credits()));
    }
    headers.insert(DATA_MODE, data_mode(&state));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if state.http.origins.vary() {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if wishes.is_cross_origin {
            headers.insert(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(EXPOSED),
            );
        }
    }

    let elapsed = started.elapsed();
    let status = response.status();
    let metrics = request_context
        .route()
        .map_or(&unmatched, |route| &route.metrics);
    metrics.record(status, elapsed);
    if status.is_server_error() {
        let endpoint = request_context
            .route()
            .map_or("unmatched", |route| &*route.tariff.endpoint);
        tracing::warn!(
            request.id = ?request_context.id, http.endpoint = endpoint, http.status = status.as_u16(),
            duration_ms = elapsed.as_millis() as u64, "{endpoint} answered {status}"
        );
    }
    response
}

/// What the request says about the format of the answer.
struct Wishes {
    problem: bool,
    is_cross_origin: bool,
}

impl Wishes {
    fn of(headers: &HeaderMap) -> Self {
        let accepts_problem =
            |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains(PROBLEM));
        Self {
            problem: headers.get_all(header::ACCEPT).iter().any(accepts_problem),
            is_cross_origin: headers.contains_key(header::ORIGIN),
        }
    }
}

fn oversize(request: &Request, state: &AppState) -> Option<Error> {
    let settings = &state.http;
    let address = request
        .uri()
        .path_and_query()
        .map_or(0, |whole| whole.as_str().len());
    if address > settings.address_limit {
        let limit = settings.address_limit;
        return Some(Error::refused(
            ErrorCode::AddressTooLong,
            format!("path and query are longer than {limit} bytes"),
        ));
    }
    let total: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.as_bytes().len() + 4)
        .sum();
    (total > settings.header_limit).then(|| {
        Error::refused(
            ErrorCode::HeadersTooLarge,
            format!("headers are longer than {} bytes", settings.header_limit),
        )
    })
}

/// The answer to a browser that asks before it calls. It holds for every path, so that even a 404 can be read.
fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static(METHODS),
    );
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(REQUEST_HEADERS),
    );
    headers.insert(
        header::ACCESS_CONTROL_MAX_AGE,
        HeaderValue::from_static("86400"),
    );
    headers.insert(header::ALLOW, HeaderValue::from_static(METHODS));
    headers.insert(
        header::VARY,
        HeaderValue::from_static("Access-Control-Request-Method, Access-Control-Request-Headers"),
    );
    response
}

/// `OPTIONS` on a path that exists is answered from what the router allows there.
fn tidy_status(response: &mut Response, method: &Method) {
    if response.status() != StatusCode::METHOD_NOT_ALLOWED {
        return;
    }
    let allowed = response
        .headers()
        .get(header::ALLOW)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let allowed = if allowed.is_empty() {
        "OPTIONS".to_owned()
    } else {
        format!("{allowed},OPTIONS")
    };
    if let Ok(value) = HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    if method == Method::OPTIONS {
        *response.status_mut() = StatusCode::NO_CONTENT;
        *response.body_mut() = Body::empty();
    }
}

/// Gives our shape to an error that some library made, and gives every error the format that was asked for. In the demo
/// world every error says that the data are simulated.
fn tidy_error(response: &mut Response, wishes: &Wishes, method: &Method, mode: DataMode) {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return;
    }
    let ours = response.extensions_mut().remove::<Failure>();
    // A stored body already says so.
    let is_whole = |failure: &Failure| failure.is_stored || mode == DataMode::Real;
    if ours.as_ref().is_some_and(is_whole) && !wishes.problem {
        return;
    }
    let failure = ours.unwrap_or_else(|| Failure::of_status(status));
    let (content_type, body) = if wishes.problem {
        (PROBLEM, failure.problem())
    } else {
        ("application/json", failure.body())
    };
    let body = say_simulated(mode, body);
    *response.status_mut() = status_of(failure.code);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    *response.body_mut() = if method == Method::HEAD {
        Body::empty()
    } else {
        Body::from(body)
    };
}

/// What the caller may still do, if the answer did not come through a gate. A credential that is not cached counts as
/// none, because nothing outside the gates may put load on the store.
fn peek(state: &AppState, request_context: &RequestContext) -> Allowance {
    let member = match &request_context.presented {
        Ok(Presented::Text(text)) => state.access.recall(text, state.clock.now()),
        _ => None,
    };
    let caller = Caller {
        member,
        client: request_context.client,
    };
    let limit = caller.terms(&state.settings).requests_per_minute;
    state
        .limiter
        .peek(Subject::Payer(caller.payer()), limit, state.clock.now())
}

fn write_allowance(headers: &mut HeaderMap, allowance: Allowance) {
    use std::io::Write;

    let Allowance {
        limit,
        remaining,
        reset_seconds,
    } = allowance;
    headers.insert(RATE_LIMIT_LIMIT, number(u64::from(limit)));
    headers.insert(RATE_LIMIT_REMAINING, number(u64::from(remaining)));
    headers.insert(RATE_LIMIT_RESET, number(u64::from(reset_seconds)));
    let mut buffer = [0_u8; 64];
    let mut write = |arguments: std::fmt::Arguments<'_>| {
        let mut rest = &mut buffer[..];
        let _ = rest.write_fmt(arguments);
        let written = 64 - rest.len();
        HeaderValue::from_bytes(&buffer[..written]).ok()
    };
    if let Some(value) = write(format_args!("\"default\";q={limit};w=60")) {
        headers.insert(RATE_LIMIT_POLICY, value);
    }
    if let Some(value) = write(format_args!("\"default\";r={remaining};t={reset_seconds}")) {
        headers.insert(RATE_LIMIT, value);
    }
}

/// A number as a header; small ones are created once.
fn number(number: u64) -> HeaderValue {
    static SMALL: LazyLock<Vec<HeaderValue>> =
        LazyLock::new(|| (0..=1_200_u64).map(HeaderValue::from).collect());
    usize::try_from(number)
        .ok()
        .and_then(|index| SMALL.get(index).cloned())
        .unwrap_or_else(|| HeaderValue::from(number))
}

fn data_mode(state: &AppState) -> HeaderValue {
    match state.store.mode() {
        DataMode::Demo => HeaderValue::from_static("demo"),
        DataMode::Real => HeaderValue::from_static("real"),
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a handler panicked: {}",
        message.unwrap_or("without a message")
    )
}
