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
        operation::<feed::Feed>(Price::fixed(1), Gate::Read),
        operation::<feed::AgentFeed>(Price::fixed(1), Gate::Read),
        operation::<search::Search>(Price::fixed(1), Gate::Read),
        operation::<brief::ShowBrief>(Price::fixed(1), Gate::Read),
        operation::<similar::Similar>(Price::fixed(1), Gate::Read),
        operation::<entities::Entities>(Price::fixed(1), Gate::Read),
        operation::<entities::EntityBriefs>(Price::fixed(1), Gate::Read),
        operation::<findings::Events>(Price::fixed(1), Gate::Read),
        operation::<findings::Contradictions>(Price::fixed(1), Gate::Read),
        operation::<findings::Data>(Price::fixed(1), Gate::Read),
        operation::<clusters::Clusters>(Price::fixed(1), Gate::Read),
        operation::<topics::TopicContext>(Price::fixed(5), Gate::Read),
        operation::<topics::TopicIntelligence>(Price::fixed(8), Gate::Read),
        line(
            routes!(stream::stream),
            Price::up_to(1, "1 per connection"),
            Gate::Read,
        ),
        operation::<trending::TrendingBriefs>(Price::fixed(1), Gate::Read),
        operation::<trending::TrendingEntities>(Price::fixed(1), Gate::Read),
        operation::<suggest::Suggest>(Price::FREE, Gate::Read),
        operation::<timeline::Timeline>(Price::fixed(1), Gate::Read),
        operation::<diff::DiffBrief>(Price::fixed(1), Gate::Read),
        operation::<compare::CompareSources>(Price::fixed(2), Gate::Read),
        line(
            routes!(extract::extract),
            Price::up_to(5, "1 per URL"),
            Gate::Key,
        ),
        // Tickers.
        operation::<ticker::resolve::Resolve>(Price::fixed(1), Gate::Read),
        operation::<ticker::record::Record>(Price::fixed(1), Gate::Read),
        operation::<ticker::price::Price>(Price::fixed(1), Gate::Read),
        operation::<ticker::score::Score>(Price::fixed(5), Gate::Read),
        operation::<ticker::sentiment::History>(Price::fixed(2), Gate::Read),
        operation::<ticker::sentiment::Signals>(Price::fixed(2), Gate::Read),
        operation::<ticker::impact::MeasureImpact>(
            Price::fixed(ticker::impact::CREDITS),
            Gate::Read,
        ),
        operation::<ticker::news::News>(Price::fixed(1), Gate::Read),
        operation::<ticker::analysis::Analysis>(
            Price::fixed(ticker::analysis::CREDITS),
            Gate::Read,
        ),
        operation::<ticker::candles::Candles>(Price::fixed(1), Gate::Read),
        operation::<ticker::technicals::ShowTechnicals>(Price::fixed(2), Gate::Read),
        operation::<ticker::earnings::Earnings>(Price::fixed(2), Gate::Read),
        operation::<ticker::financials::ShowFinancials>(Price::fixed(2), Gate::Read),
        operation::<ticker::competitors::Competitors>(Price::fixed(2), Gate::Read),
        operation::<ticker::full::Full>(Price::fixed(5), Gate::Read),
        operation::<insider::OfTicker>(Price::fixed(2), Gate::Read),
        operation::<insider::Recent>(Price::fixed(2), Gate::Read),
        operation::<filings::OfTicker>(Price::fixed(2), Gate::Read),
        operation::<filings::Search>(Price::fixed(2), Gate::Read),
        operation::<ticker::analysts::Analysts>(Price::fixed(2), Gate::Read),
        operation::<congress::Trades>(Price::fixed(2), Gate::Read),
        operation::<ticker::institutions::Institutions>(Price::fixed(2), Gate::Read),
        // Trading.
        operation::<portfolio::PortfolioFeed>(Price::fixed(portfolio::CREDITS), Gate::Read),
        operation::<sectors::Sectors>(Price::fixed(2), Gate::Read),
        operation::<screener::ScreenTickers>(Price::fixed(screener::CREDITS), Gate::Read),
        operation::<screener::Presets>(Price::FREE, Gate::Read),
        operation::<screener::natural::ScreenInWords>(Price::fixed(screener::CREDITS), Gate::Read),
        operation::<backtest::Backtest>(Price::fixed(backtest::CREDITS), Gate::Read),
        operation::<correlation::Correlate>(Price::fixed(correlation::CREDITS), Gate::Read),
        line(routes!(watchlists::create), Price::FREE, Gate::Key).also("/api/v1/watchlist"),
        operation::<watchlists::List>(Price::FREE, Gate::Key).also("/api/v1/watchlist"),
        operation::<watchlists::Show>(Price::FREE, Gate::Key).also("/api/v1/watchlist/{id}"),
        operation::<watchlists::Remove>(Price::FREE, Gate::Key).also("/api/v1/watchlist/{id}"),
        line(routes!(watchlists::add_items), Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items"),
        operation::<watchlists::RemoveItem>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items/{ticker}"),
        operation::<watchlists::technicals::ShowTechnicals>(Price::fixed(3), Gate::Key)
            .also("/api/v1/watchlists/{id}/technicals"),
        // Markets, economy, coins.
        operation::<market::Movers>(Price::fixed(1), Gate::Read),
        operation::<market::Summary>(Price::fixed(1), Gate::Read),
        operation::<forex::List>(Price::fixed(1), Gate::Read),
        operation::<forex::Show>(Price::fixed(1), Gate::Read),
        operation::<commodities::List>(Price::fixed(1), Gate::Read),
        operation::<commodities::Show>(Price::fixed(1), Gate::Read),
        operation::<economy::List>(Price::fixed(2), Gate::Read),
        operation::<economy::Yields>(Price::fixed(2), Gate::Read),
        operation::<economy::Show>(Price::fixed(2), Gate::Read),
        operation::<crypto::Overview>(Price::fixed(1), Gate::Read),
        operation::<crypto::Top>(Price::fixed(1), Gate::Read),
        operation::<crypto::defi::Overview>(Price::fixed(2), Gate::Read),
        operation::<crypto::defi::Show>(Price::fixed(2), Gate::Read),
        operation::<crypto::coin::Show>(Price::fixed(1), Gate::Read),
        operation::<crypto::coin::Chart>(Price::fixed(1), Gate::Read),
        operation::<calendar::Calendar>(Price::fixed(1), Gate::Read),
        // Account.
        line(routes!(auth::register), Price::FREE, Gate::None),
        line(routes!(auth::login), Price::FREE, Gate::None),
        line(routes!(auth::logout), Price::FREE, Gate::Jwt),
        line(routes!(keys::create), Price::FREE, Gate::Jwt),
        operation::<keys::List>(Price::FREE, Gate::Key),
        line(routes!(keys::revoke), Price::FREE, Gate::Jwt),
        operation::<usage::Show>(Price::FREE, Gate::Key),
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
    pub(crate) entry: Option<Arc<Entry>>,
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
