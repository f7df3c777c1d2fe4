//! The routes: every operation of the registry, and the few things that only HTTP has.
//!
//! Everything follows from an operation's line in its table: routing, limits, charging, counting and the entry in the
//! OpenAPI document.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get};
use operations::{Gate, Price, Tariff};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate, SizeAbove};
use utoipa::openapi::path::{HttpMethod, Operation as Description, Paths};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;
use utoipa_axum::routes;

use crate::binding::bind;
use crate::frame::{Frame, frame};
use crate::gate::{Guard, guard};
use crate::metrics::RouteMetrics;
use crate::openapi::with_parameter;
use crate::routes::{
    agents as agent_runs, ask, auth, health, llms, metrics, ready, report_page, sources, stream,
    subscribe, ws,
};
use crate::state::AppState;

/// What only HTTP has; the operations are in their own table (`agents::registry`).
fn own_lines() -> Vec<Line> {
    vec![
        line(
            routes!(stream::stream),
            Price::up_to(1, "1 per connection"),
            Gate::Read,
        ),
        with_parameter(
            line(
                routes!(subscribe::subscribe),
                Price::up_to(1, "1 per connection"),
                Gate::Read,
            ),
            "events",
            subscribe::event_words(),
        ),
        Line {
            alias: Some("/ws"),
            admits_itself: true,
            ..line(
                routes!(ws::ws),
                Price::up_to(1, "1 per connection"),
                Gate::Read,
            )
        },
        with_parameter(
            line(routes!(ask::stream), ask::PRICE, Gate::Read),
            ask::INCLUDE,
            ask::include_words(),
        ),
        line(routes!(auth::register), Price::FREE, Gate::None),
        line(routes!(auth::login), Price::FREE, Gate::None),
        line(routes!(auth::logout), Price::FREE, Gate::Jwt),
        line(routes!(llms::show), Price::FREE, Gate::None),
        line(routes!(crate::openapi::show), Price::FREE, Gate::None),
    ]
}

/// The routes for those who operate the process.
fn probe_lines() -> Vec<Line> {
    vec![
        line(routes!(health::health), Price::FREE, Gate::None),
        line(routes!(ready::ready), Price::FREE, Gate::None),
        line(routes!(sources::sources), Price::FREE, Gate::None),
        line(routes!(metrics::show), Price::FREE, Gate::None),
    ]
}

/// Every route: the operations in the order of their table, then what only HTTP has.
pub(crate) fn table() -> Vec<Line> {
    let registry = agents::registry();
    let entries = registry.entries().iter();
    let mut lines: Vec<Line> = entries
        .map(|entry| match entry.about.name {
            agents::marketplace::RUN_AGENT => agent_runs::line(entry),
            _ => bind(entry),
        })
        .collect();
    lines.extend(own_lines());
    lines.extend(probe_lines());
    lines
}

/// A route as the gate and the frame know it.
pub(crate) struct Route {
    pub(crate) tariff: Arc<Tariff>,
    /// Its handler identifies and admits the caller, who is not known until the request is answered.
    pub(crate) admits_itself: bool,
    pub(crate) metrics: RouteMetrics,
}

/// One operation of the table.
pub struct Line {
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
    pub(crate) paths: Paths,
    pub(crate) methods: MethodRouter<AppState>,
    /// Another spelling of the path, which the document omits.
    pub(crate) alias: Option<&'static str>,
    /// Its handler applies price and gate.
    pub(crate) admits_itself: bool,
    pub(crate) price: Price,
    pub(crate) gate: Gate,
}

/// One operation, its price and its gate.
pub fn line(
    (schemas, paths, methods): UtoipaMethodRouter<AppState>,
    price: Price,
    gate: Gate,
) -> Line {
    Line {
        schemas,
        paths,
        methods,
        alias: None,
        admits_itself: false,
        price,
        gate,
    }
}

impl Line {
    /// The path, method and description of every operation of this line; there is one.
    pub(crate) fn operations(&self) -> Vec<(String, &'static str, &Description)> {
        let mut found = Vec::new();
        for (path, item) in &self.paths.paths {
            for (method, description) in [
                (HttpMethod::Get, &item.get),
                (HttpMethod::Post, &item.post),
                (HttpMethod::Put, &item.put),
                (HttpMethod::Patch, &item.patch),
                (HttpMethod::Delete, &item.delete),
            ] {
                if let Some(description) = description {
                    found.push((path.clone(), method_name(&method), description));
                }
            }
        }
        found
    }
}

fn method_name(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
        HttpMethod::Head => "HEAD",
        HttpMethod::Options => "OPTIONS",
        HttpMethod::Trace => "TRACE",
    }
}

/// The whole interface. Serve it with `into_make_service_with_connect_info::<SocketAddr>()`: limits and `/metrics`
/// depend on the peer's address.
pub fn router(state: AppState) -> Router {
    router_with(state, Vec::new())
}

/// Like [`router`], with additional lines. For tests of the layers.
pub fn router_with(state: AppState, further: Vec<Line>) -> Router {
    let lines = table().into_iter().chain(further);
    let pages = Router::new()
        .route("/", get(crate::front::front))
        .route("/reports/{file}", get(report_page::show))
        .merge(crate::openapi::reference());
    framed(&state, routed(&state, lines).merge(pages))
}

/// The routes of a process that serves nothing else: `/health`, `/ready` and `/metrics`.
pub fn probes(state: AppState) -> Router {
    framed(&state, routed(&state, probe_lines()))
}

/// Each line behind its guard.
fn routed(state: &AppState, lines: impl IntoIterator<Item = Line>) -> Router<AppState> {
    let mut router = Router::new();
    for (index, line) in lines.into_iter().enumerate() {
        let Some((path, method, _)) = line.operations().into_iter().next() else {
            continue;
        };
        let tariff = Tariff::new(index, line.price, line.gate, method, &path);
        let guard_state = Guard {
            state: state.clone(),
            route: Arc::new(Route {
                tariff: Arc::new(tariff),
                admits_itself: line.admits_itself,
                metrics: RouteMetrics::new(method, &path),
            }),
        };
        // Only if the method fits: a request with the wrong one has no route.
        let methods = line
            .methods
            .route_layer(from_fn_with_state(guard_state, guard));
        if let Some(alias) = line.alias {
            router = router.route(alias, methods.clone());
        }
        router = router.route(&path, methods);
    }
    router
}

/// The routes inside the frame that every request passes.
fn framed(state: &AppState, routes: Router<AppState>) -> Router {
    let frame_state = Frame {
        state: state.clone(),
        unmatched: RouteMetrics::new("any", "unmatched"),
    };
    // As a service inside another router, so that the frame also sees the Allow header, which a router adds last.
    Router::new()
        .fallback_service(routes.with_state(state.clone()))
        .layer((compression(), from_fn_with_state(frame_state, frame)))
}

/// Only for those who ask, and only if it pays off.
pub(crate) fn compression() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(SizeAbove::new(512)))
}
