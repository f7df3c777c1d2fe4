//! Counters for operators.
//!
//! Behind a proxy on the same machine every request comes from loopback. A forwarded request says so in one way or
//! another; anybody who runs a proxy that hides it should set a token.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Version, header};

use operations::{Error, ErrorCode, Result, digest};

use crate::error::Failure;
use crate::hosts::names_loopback;
use crate::request_context::RequestContext;
use crate::settings::{MetricsAccess, Settings};
use crate::state::AppState;

/// Headers that proxies add, and headers that a browser adds to the requests of a page.
const PASSED_ON: [&str; 12] = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "cdn-loop",
    "origin",
];

/// Shows the counters in the Prometheus text format: to this machine only, or to requests with the token that the
/// operator has set, or to everybody if the operator allows it.
#[utoipa::path(get, path = "/metrics", tag = "operations",
    responses((status = 200, description = "The counters", content_type = "text/plain", body = String),
              (status = 403, description = "`not_exposed`: requested from another machine, through a proxy or without the token")))]
pub(crate) async fn show(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, Failure> {
    let refusal = match &state.http.metrics {
        MetricsAccess::Everyone => None,
        MetricsAccess::Token(expected) => (!bears(request.headers(), expected))
            .then_some("metrics are served with their token only"),
        MetricsAccess::ThisMachine => (!is_local(&request, &state.http)?)
            .then_some("metrics are served to the machine itself only, not through a proxy"),
    };
    if let Some(refusal) = refusal {
        return Err(Error::refused(ErrorCode::NotExposed, refusal).into());
    }
    let content_type = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((content_type, state.exposition.render()).into_response())
}

/// Whether the request carries the token. Digests are compared, so that the timing reveals nothing about the token.
fn bears(headers: &HeaderMap, expected: &[u8; 32]) -> bool {
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.trim().split_once(' '))
        .is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && digest(token.trim()) == *expected
        })
}

/// Whether the request comes from this machine itself and was not merely forwarded by it.
fn is_local(request: &Request, settings: &Settings) -> Result<bool> {
    let Some(peer) = RequestContext::of(request.extensions())?.peer else {
        return Ok(false);
    };
    let is_proxy = settings
        .trusted_proxies
        .iter()
        .any(|network| network.contains(&peer));
    let headers = request.headers();
    let is_passed_on = PASSED_ON.iter().any(|name| headers.contains_key(*name))
        // Collectors use HTTP/1.1; a proxy that says nothing about itself often uses 1.0.
        || request.version() < Version::HTTP_11;
    Ok(peer.is_loopback() && !is_proxy && !is_passed_on && names_loopback(headers, request.uri()))
}
