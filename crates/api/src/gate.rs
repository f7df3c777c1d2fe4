//! What stands before every operation: who calls, may they now, may they at all, can they pay.
//!
//! One layer does all four, in this order, and settles the charge after the handler has answered.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::Method;

use crate::access::Presented;
use crate::caller::Caller;
use crate::error::{Error, ErrorCode, Result};
use crate::exchange::Exchange;
use crate::idempotency;
use crate::limiter::{Allowance, Subject};
use crate::meter::Charged;
use crate::operation::{Gate, Operation};
use crate::state::AppState;

/// An operation and the state it works on.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) state: AppState,
    pub(crate) operation: Arc<Operation>,
}

/// The layer.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match pass(&guard, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn pass(
    Guard { state, operation }: &Guard,
    request: Request,
    next: Next,
) -> Result<Response> {
    let exchange = Exchange::of(request.extensions())?.clone();
    exchange.set_operation(operation.clone());
    if operation.gate == Gate::None {
        return in_time(state, next.run(request)).await;
    }
    let caller = exchange.set_caller(identify(state, &exchange, operation.gate).await?);
    let (allowance, turn) = take_turn(state, caller);
    exchange.set_allowance(allowance);
    turn?;
    // A key that may GET may HEAD.
    let method = if request.method() == Method::HEAD {
        &Method::GET
    } else {
        request.method()
    };
    operation.admit(caller, method, request.uri().path())?;

    let terms = caller.terms(&state.settings);
    // What may be a repetition is answered without credits, and paid for when it turns out to be none.
    let price = if idempotency::may_repeat(&request) {
        0
    } else {
        operation.price.most
    };
    let reservation = state
        .meter
        .reserve_up_to(price, caller, terms, operation)
        .await?;
    *exchange.reservation.lock() = Some(reservation);
    let outcome = in_time(state, next.run(request)).await;
    let reservation = exchange.reservation.lock().take();
    let response = outcome?;
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        // Dropped, the reservation costs nothing.
        return Ok(response);
    }
    if let Some(mut reservation) = reservation {
        let credits = response
            .extensions()
            .get()
            .map_or(operation.price.most, |Charged(credits)| *credits);
        if credits > 0 {
            // Done already, unless the operation takes no key for repetitions.
            reservation.raise(operation.price.most, terms, caller.cap(terms))?;
        }
        exchange.set_charged(reservation.settle(credits).await?);
    }
    Ok(response)
}

/// Who calls. Without a credential that is the demo key where it reads, and an error elsewhere.
async fn identify(state: &AppState, exchange: &Exchange, gate: Gate) -> Result<Caller> {
    let member = match exchange.presented.as_ref().map_err(Error::again)? {
        Presented::Text(text) => Some(
            state
                .access
                .find_member(text, exchange.client, state.clock.now())
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
    Ok(Caller {
        member,
        client: exchange.client,
    })
}

/// Refuses whoever has no credential where the operator wants none of them.
pub(crate) fn admit_anonymous(state: &AppState) -> Result<()> {
    if state.settings.anonymous {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::CredentialRequired,
        "this server answers personal API keys and tokens only: Authorization: Bearer <key>",
    ))
}

/// Counts the request against the caller's minute; says what is left of it, too.
pub(crate) fn take_turn(state: &AppState, caller: &Caller) -> (Allowance, Result<()>) {
    let limit = caller.terms(&state.settings).requests_per_minute;
    match state
        .limiter
        .take(Subject::Payer(caller.payer()), limit, state.clock.now())
    {
        Ok(allowance) => (allowance, Ok(())),
        Err(allowance) => {
            let refusal = Error::retry_later(
                ErrorCode::RateLimited,
                u64::from(allowance.reset_seconds),
                format!(
                    "more than {limit} requests in a minute; the next window begins in {} s",
                    allowance.reset_seconds
                ),
            );
            (allowance, Err(refusal))
        }
    }
}

/// The answer, unless it takes too long.
pub(crate) async fn in_time<T>(state: &AppState, work: impl Future<Output = T>) -> Result<T> {
    tokio::time::timeout(state.settings.request_timeout, work)
        .await
        .map_err(|_| Error::retry_later(ErrorCode::Timeout, 5, "the answer took too long to make"))
}
