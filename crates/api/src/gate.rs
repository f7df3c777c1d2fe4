//! What runs before every route: it identifies the caller and applies what operations require of every call.
//!
//! One layer does both, and settles the charge after the handler has answered.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use operations::{
    Caller, ClientAddress, Error, ErrorCode, Gate, Reserving, Result, admit, admit_anonymous,
    in_time,
};

use crate::error::Failure;
use crate::idempotency::may_repeat;
use crate::presented::Presented;
use crate::request_context::RequestContext;
use crate::router::Route;
use crate::state::AppState;

/// A route and the state it works on.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) state: AppState,
    pub(crate) route: Arc<Route>,
}

/// The layer.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match pass(&guard, request, next).await {
        Ok(response) => response,
        Err(error) => Failure::from(error).into_response(),
    }
}

async fn pass(Guard { state, route }: &Guard, request: Request, next: Next) -> Result<Response> {
    let request_context = RequestContext::of(request.extensions())?.clone();
    request_context.set_route(route.clone());
    let tariff = &route.tariff;
    if tariff.gate == Gate::None || route.admits_itself {
        let of_the_api = request.uri().path().starts_with("/api/");
        request_context.set_caller(recognise(state, &request_context, of_the_api).await);
        return in_time(state, next.run(request)).await;
    }
    let caller = request_context.set_caller(identify(state, &request_context, tariff.gate).await?);
    // A key that may GET may also HEAD.
    let method = match request.method().as_str() {
        "HEAD" => "GET",
        other => other,
    };
    let reserving = if may_repeat(&request) {
        Reserving::WhenFirst
    } else {
        Reserving::Now
    };
    let (address, charge) = ((method, request.uri().path()), &request_context.charge);
    let admission = admit(state, caller, tariff, address, charge, reserving).await;
    request_context.set_allowance(admission.allowance);
    admission.outcome?;

    let outcome = in_time(state, next.run(request)).await;
    // A reservation that is dropped costs nothing.
    let response = outcome.inspect_err(|_| charge.release())?;
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        charge.release();
        return Ok(response);
    }
    if charge.is_open() {
        // Already paid, unless the route takes no idempotency key.
        charge.pay(state, caller, tariff)?;
        charge.settle(tariff.price.most).await?;
    }
    Ok(response)
}

/// Who calls a route that is open to everybody: an account if its credential is good, otherwise a stranger. Outside the
/// API nothing puts load on the store.
async fn recognise(state: &AppState, request_context: &RequestContext, of_the_api: bool) -> Caller {
    let client = request_context.client;
    let member = match &request_context.presented {
        Ok(Presented::Text(text)) if of_the_api => {
            let found = state.access.find_member(text, client, state.clock.now());
            found.await.ok()
        }
        _ => None,
    };
    Caller { member, client }
}

/// Who calls. Without a credential, that is the demo key for reads and an error for anything else.
pub(crate) async fn identify(
    state: &AppState,
    request_context: &RequestContext,
    gate: Gate,
) -> Result<Caller> {
    let presented = request_context.presented.as_ref().map_err(Error::again)?;
    find_caller(state, presented, request_context.client, gate).await
}

/// Who calls with that credential and from that address.
pub(crate) async fn find_caller(
    state: &AppState,
    presented: &Presented,
    client: ClientAddress,
    gate: Gate,
) -> Result<Caller> {
    let member = match presented {
        Presented::Text(text) => Some(
            state
                .access
                .find_member(text, client, state.clock.now())
                .await?,
        ),
        Presented::Nothing if gate != Gate::Read => {
            return Err(Error::refused(
                ErrorCode::CredentialRequired,
                "this operation needs an API key or a token: Authorization: Bearer <key>",
            ));
        }
        Presented::Nothing | Presented::Demo => {
            admit_anonymous(state)?;
            None
        }
    };
    Ok(Caller { member, client })
}
