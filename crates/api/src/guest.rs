//! A separate protocol next to the routes, such as the protocol of tools for models.
//!
//! What holds for every request over HTTP holds for a guest's as well: request id, host names, sizes, counting, the
//! rules for credentials, and who may call without one. In addition, pages of other origins are turned away, because
//! what a guest does with a request is not known here. Limits, gates and prices are applied where its calls are
//! answered, and its answers, errors included, leave as it wrote them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::header;
use operations::{Error, ErrorCode, Gate, Price, Result, Tariff};

use crate::error::Failure;
use crate::extract::read_body;
use crate::frame::{Frame, frame};
use crate::gate::identify;
use crate::metrics::RouteMetrics;
use crate::request_context::RequestContext;
use crate::router::{Route, compression};
use crate::state::AppState;

/// Marks the answer of a guest.
#[derive(Clone, Copy)]
pub(crate) struct OfAGuest;

/// The guest's entry point and the state that its requests are checked against.
#[derive(Clone)]
struct Door {
    state: AppState,
    route: Arc<Route>,
}

/// The whole interface with a guest at its own path, which must not be one of ours. Each of its requests reaches it
/// with a complete body and with its [`operations::Caller`] as an extension.
pub fn with_guest(router: Router, state: &AppState, path: &str, guest: Router) -> Router {
    let frame_state = Frame {
        state: state.clone(),
        unmatched: RouteMetrics::new("any", path),
    };
    let door = Door {
        state: state.clone(),
        route: Arc::new(Route {
            // Each of its calls sets its own cost.
            tariff: Arc::new(Tariff::new(0, Price::FREE, Gate::Read, "POST", path)),
            admits_itself: false,
            metrics: RouteMetrics::new("POST", path),
        }),
    };
    let guest = guest
        .route_layer(from_fn_with_state(door, enter))
        .route_layer((compression(), from_fn_with_state(frame_state, frame)));
    router.merge(guest)
}

/// The layer in front of a guest.
async fn enter(State(door): State<Door>, request: Request, next: Next) -> Response {
    let request = match admit(&door, request).await {
        Ok(request) => request,
        Err(error) => return Failure::from(error).into_response(),
    };
    let mut response = next.run(request).await;
    response.extensions_mut().insert(OfAGuest);
    response
}

async fn admit(Door { state, route }: &Door, request: Request) -> Result<Request> {
    let request_context = RequestContext::of(request.extensions())?.clone();
    request_context.set_route(route.clone());
    let origin = request.headers().get(header::ORIGIN);
    if origin.is_some() && state.http.origins.allowed(origin).is_none() {
        return Err(Error::refused(
            ErrorCode::OriginRefused,
            "pages of this origin may not call this; the operator can add it to server.cors_origins",
        ));
    }
    let caller = identify(state, &request_context, Gate::Read).await?;
    request_context.set_caller(caller.clone());
    let (mut parts, body) = request.into_parts();
    let body = read_body(Request::new(body), &state.http).await?;
    parts.extensions.insert(caller);
    Ok(Request::from_parts(parts, Body::from(body)))
}
