//! Counters for operators.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header;

use crate::error::{Error, ErrorCode, Result};
use crate::exchange::Exchange;
use crate::state::AppState;

/// Shows the counters in the Prometheus text format, to this machine only unless the operator opened them.
#[utoipa::path(get, path = "/metrics", tag = "operations",
    responses((status = 200, description = "Counters", content_type = "text/plain", body = String),
              (status = 403, description = "`not_exposed`: asked from another machine")))]
pub(crate) async fn show(State(state): State<AppState>, request: Request) -> Result<Response> {
    if !state.settings.metrics_exposed && !is_local(&request)? {
        return Err(Error::refused(
            ErrorCode::NotExposed,
            "metrics are shown to the machine itself only",
        ));
    }
    let content_type = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((content_type, state.exposition.render()).into_response())
}

/// Whether this machine asks for itself, and does not merely pass a question on.
fn is_local(request: &Request) -> Result<bool> {
    let dialled = Exchange::of(request.extensions())?
        .peer
        .is_some_and(|peer| peer.is_loopback());
    let is_passed_on = ["x-forwarded-for", "forwarded"]
        .iter()
        .any(|name| request.headers().contains_key(*name));
    Ok(dialled && !is_passed_on)
}
