//! The route table: every operation with its price and its gate, on one page.
//!
//! Fixed words stand before variables. A new operation is one line here and one handler; everything else follows from
//! the line: routing, limits, charging, counting and the entry in the OpenAPI document.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::MethodRouter;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate, SizeAbove};
use utoipa::openapi::path::{HttpMethod, Operation as Description, Paths};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;
use utoipa_axum::routes;

use crate::frame::{Frame, frame};
use crate::gate::{Guard, guard};
use crate::metrics::OperationMetrics;
use crate::operation::{Gate, Operation, Price};
use crate::operations::{Entry, operation};
use crate::routes::{
    auth, backtest, billing, brief, calendar, clusters, commodities, compare, congress,
    correlation, crypto, diff, economy, entities, extract, feed, filings, findings, forex, health,
    insider, keys, market, metrics, portfolio, ready, screener, search, sectors, similar, stream,
    suggest, ticker, timeline, topics, trending, usage, watchlists,
};
use crate::state::AppState;

/// The table.
pub(crate) fn table() -> Vec<Line> {
    vec![
        // News.
        line(routes!(feed::feed), Price::fixed(1), Gate::Read),
        line(routes!(feed::agent_feed), Price::fixed(1), Gate::Read),
        line(routes!(search::search), Price::fixed(1), Gate::Read),
        line(routes!(brief::brief), Price::fixed(1), Gate::Read),
        line(routes!(similar::similar), Price::fixed(1), Gate::Read),
        line(routes!(entities::entities), Price::fixed(1), Gate::Read),
        line(
            routes!(entities::entity_briefs),
            Price::fixed(1),
            Gate::Read,
        ),
        line(routes!(findings::events), Price::fixed(1), Gate::Read),
        line(
            routes!(findings::contradictions),
            Price::fixed(1),
            Gate::Read,
        ),
        line(routes!(findings::data), Price::fixed(1), Gate::Read),
        line(routes!(clusters::clusters), Price::fixed(1), Gate::Read),
        line(routes!(topics::context), Price::fixed(5), Gate::Read),
        line(routes!(topics::intelligence), Price::fixed(8), Gate::Read),
        line(
            routes!(stream::stream),
            Price::up_to(1, "1 per connection"),
            Gate::Read,
        ),
        line(routes!(trending::trending), Price::fixed(1), Gate::Read),
        line(routes!(trending::entities), Price::fixed(1), Gate::Read),
        line(routes!(suggest::suggest), Price::FREE, Gate::Read),
        line(routes!(timeline::timeline), Price::fixed(1), Gate::Read),
        line(routes!(diff::diff), Price::fixed(1), Gate::Read),
        line(routes!(compare::sources), Price::fixed(2), Gate::Read),
        line(
            routes!(extract::extract),
            Price::up_to(5, "1 per URL"),
            Gate::Key,
        ),
        // Tickers.
        line(
            routes!(ticker::resolve::resolve),
            Price::fixed(1),
            Gate::Read,
        ),
        line(routes!(ticker::record::record), Price::fixed(1), Gate::Read),
        line(routes!(ticker::price::price), Price::fixed(1), Gate::Read),
        line(routes!(ticker::score::score), Price::fixed(5), Gate::Read),
        line(
            routes!(ticker::sentiment::history),
            Price::fixed(2),
            Gate::Read,
        ),
        line(
            routes!(ticker::sentiment::signals),
            Price::fixed(2),
            Gate::Read,
        ),
        line(
            routes!(ticker::impact::impact),
            Price::fixed(ticker::impact::CREDITS),
            Gate::Read,
        ),
        line(routes!(ticker::news::news), Price::fixed(1), Gate::Read),
        line(
            routes!(ticker::analysis::analysis_of),
            Price::fixed(ticker::analysis::CREDITS),
            Gate::Read,
        ),
        line(
            routes!(ticker::candles::candles),
            Price::fixed(1),
            Gate::Read,
        ),
        line(
            routes!(ticker::technicals::technicals_of),
            Price::fixed(2),
            Gate::Read,
        ),
        line(
            routes!(ticker::earnings::earnings),
            Price::fixed(2),
            Gate::Read,
        ),
        line(
            routes!(ticker::financials::financials),
            Price::fixed(2),
            Gate::Read,
        ),
        line(
            routes!(ticker::competitors::competitors),
            Price::fixed(2),
            Gate::Read,
        ),
        line(routes!(ticker::full::full), Price::fixed(5), Gate::Read),
        line(routes!(insider::of_ticker), Price::fixed(2), Gate::Read),
        line(routes!(insider::recent), Price::fixed(2), Gate::Read),
        line(routes!(filings::of_ticker), Price::fixed(2), Gate::Read),
        line(routes!(filings::search), Price::fixed(2), Gate::Read),
        line(
            routes!(ticker::analysts::analysts),
            Price::fixed(2),
            Gate::Read,
        ),
        line(routes!(congress::trades), Price::fixed(2), Gate::Read),
        line(
            routes!(ticker::institutions::institutions),
            Price::fixed(2),
            Gate::Read,
        ),
        // Trading.
        line(
            routes!(portfolio::feed),
            Price::fixed(portfolio::CREDITS),
            Gate::Read,
        ),
        line(routes!(sectors::sectors), Price::fixed(2), Gate::Read),
        line(
            routes!(screener::screen),
            Price::fixed(screener::CREDITS),
            Gate::Read,
        ),
        line(routes!(screener::presets), Price::FREE, Gate::Read),
        line(
            routes!(screener::natural::ask),
            Price::fixed(screener::CREDITS),
            Gate::Read,
        ),
        line(
            routes!(backtest::run),
            Price::fixed(backtest::CREDITS),
            Gate::Read,
        ),
        line(
            routes!(correlation::correlate),
            Price::fixed(correlation::CREDITS),
            Gate::Read,
        ),
        line(routes!(watchlists::create), Price::FREE, Gate::Key).also("/api/v1/watchlist"),
        line(routes!(watchlists::list), Price::FREE, Gate::Key).also("/api/v1/watchlist"),
        line(routes!(watchlists::show), Price::FREE, Gate::Key).also("/api/v1/watchlist/{id}"),
        line(routes!(watchlists::remove), Price::FREE, Gate::Key).also("/api/v1/watchlist/{id}"),
        line(routes!(watchlists::add_items), Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items"),
        line(routes!(watchlists::remove_item), Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items/{ticker}"),
        line(
            routes!(watchlists::technicals::technicals_of),
            Price::fixed(3),
            Gate::Key,
        )
        .also("/api/v1/watchlists/{id}/technicals"),
        // Markets, economy, coins.
        line(routes!(market::movers), Price::fixed(1), Gate::Read),
        line(routes!(market::summary), Price::fixed(1), Gate::Read),
        operation::<forex::List>(Price::fixed(1), Gate::Read),
        operation::<forex::Show>(Price::fixed(1), Gate::Read),
        line(routes!(commodities::list), Price::fixed(1), Gate::Read),
        line(routes!(commodities::show), Price::fixed(1), Gate::Read),
        line(routes!(economy::list), Price::fixed(2), Gate::Read),
        line(routes!(economy::yields), Price::fixed(2), Gate::Read),
        line(routes!(economy::show), Price::fixed(2), Gate::Read),
        line(routes!(crypto::overview), Price::fixed(1), Gate::Read),
        line(routes!(crypto::top), Price::fixed(1), Gate::Read),
        line(routes!(crypto::defi::overview), Price::fixed(2), Gate::Read),
        line(routes!(crypto::defi::show), Price::fixed(2), Gate::Read),
        line(routes!(crypto::coin::show), Price::fixed(1), Gate::Read),
        line(routes!(crypto::coin::chart), Price::fixed(1), Gate::Read),
        line(routes!(calendar::calendar), Price::fixed(1), Gate::Read),
        // Account.
        line(routes!(auth::register), Price::FREE, Gate::None),
        line(routes!(auth::login), Price::FREE, Gate::None),
        line(routes!(auth::logout), Price::FREE, Gate::Jwt),
        line(routes!(keys::create), Price::FREE, Gate::Jwt),
        line(routes!(keys::list), Price::FREE, Gate::Key),
        line(routes!(keys::revoke), Price::FREE, Gate::Jwt),
        line(routes!(usage::show), Price::FREE, Gate::Key),
        line(routes!(billing::set_cap), Price::FREE, Gate::Jwt),
        // Operations.
        line(routes!(health::health), Price::FREE, Gate::None),
        line(routes!(ready::ready), Price::FREE, Gate::None),
        line(routes!(metrics::show), Price::FREE, Gate::None),
        line(routes!(crate::openapi::show), Price::FREE, Gate::None),
    ]
}

/// One operation of the table.
pub struct Line {
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
    pub(crate) paths: Paths,
    methods: MethodRouter<AppState>,
    /// Another spelling of the path, which the document does not show.
    alias: Option<&'static str>,
    pub(crate) price: Price,
    pub(crate) gate: Gate,
    /// The operation, where other interfaces may call it as well.
    pub(crate) entry: Option<Entry>,
}

/// One operation, its price and its gate.
pub fn line(
    (schemas, paths, methods): UtoipaMethodRouter<AppState>,
    price: Price,
    gate: Gate,
) -> Line {
    line_of(schemas, paths, methods, price, gate)
}

pub(crate) fn line_of(
    schemas: Vec<(String, RefOr<Schema>)>,
    paths: Paths,
    methods: MethodRouter<AppState>,
    price: Price,
    gate: Gate,
) -> Line {
    Line {
        schemas,
        paths,
        methods,
        alias: None,
        price,
        gate,
        entry: None,
    }
}

impl Line {
    /// Answers under another path as well.
    #[must_use]
    fn also(mut self, path: &'static str) -> Self {
        self.alias = Some(path);
        self
    }

    /// Path, method and description of every operation of this line; there is one.
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
/// depend on who dialled.
pub fn router(state: AppState) -> Router {
    router_with(state, Vec::new())
}

/// As [`router`], with further lines. For tests of the layers.
pub fn router_with(state: AppState, further: Vec<Line>) -> Router {
    let mut router = Router::new();
    for (index, line) in table().into_iter().chain(further).enumerate() {
        let Some((path, method, _)) = line.operations().into_iter().next() else {
            continue;
        };
        let operation = Operation::new(index, line.price, line.gate, method, &path);
        let guard_state = Guard {
            state: state.clone(),
            operation: Arc::new(operation),
        };
        // Only where the method fits: a wrong one is nobody's request.
        let methods = line
            .methods
            .route_layer(from_fn_with_state(guard_state, guard));
        if let Some(alias) = line.alias {
            router = router.route(alias, methods.clone());
        }
        router = router.route(&path, methods);
    }
    let frame_state = Frame {
        state: state.clone(),
        unmatched: OperationMetrics::new("any", "unmatched"),
    };
    let operations = router.merge(crate::openapi::reference()).with_state(state);
    // As a service inside another router, so that the frame also sees the Allow header, which a router adds last.
    Router::new()
        .fallback_service(operations)
        .layer((compression(), from_fn_with_state(frame_state, frame)))
}

/// Only for those who ask, and only where it pays.
fn compression() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(SizeAbove::new(512)))
}
