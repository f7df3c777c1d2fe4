//! `/backtest`: what a rule of filters would have earned, without knowing more than was known.

mod answer;

use axum::extract::State;
use axum::response::Response;
use market::Range;
use market::backtest::{Rebalance, Strategy};
use market::filters::{ExitFilters, Filters};
use model::AssetType;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use analysis::market::BacktestQuestion;

use answer::BacktestBody;

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, Checked, Faults, FromQuery, Params, ValidQuery};
use crate::idempotency::Idempotent;
use crate::meter::Charge;
use crate::routes::screener::values;
use crate::routes::ticker;
use crate::state::AppState;

pub(crate) const CREDITS: u64 = 10;
const PERIODS: [Range; 3] = [Range::SixMonths, Range::OneYear, Range::TwoYears];

/// A strategy and how it is tried.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BacktestRequest {
    strategy: StrategyRequest,
    /// `6mo`, `1y` (default) or `2y`, ending with the newest session known.
    #[serde(default)]
    period: Option<String>,
    /// How often entries are judged: `weekly` (default) or `monthly`.
    #[serde(default)]
    rebalance: Option<String>,
    /// USD, 100000 by default.
    #[serde(default)]
    #[schema(minimum = 0.01, maximum = 1_000_000_000_000.0)]
    initial_capital: Option<f64>,
    /// Most positions at a time, 10 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    max_positions: Option<usize>,
    /// Fee of each purchase and sale in hundredths of a percent, none by default.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1000)]
    fees_bps: Option<f64>,
}

/// When to buy and when to sell.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = Strategy)]
pub(crate) struct StrategyRequest {
    /// All must hold to buy; the filters of `/screener`.
    #[schema(value_type = Object, example = json!({"rsi_below": 30}))]
    entry_filters: Map<String, Value>,
    /// One must hold to sell: the filters of `/screener`, and `stop_loss_pct`.
    #[schema(value_type = Object, example = json!({"rsi_above": 60, "stop_loss_pct": 10}))]
    exit_filters: Map<String, Value>,
    /// `equity` (default), `etf` or `crypto`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asset_type: Option<String>,
    /// Only this sector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sector: Option<String>,
}

impl Checked for BacktestRequest {
    fn check(&self, faults: &mut Faults) {
        if let Some(Err(error)) = self
            .strategy
            .asset_type
            .as_deref()
            .map(str::parse::<AssetType>)
        {
            faults.note(format!("strategy.asset_type {error}"));
        }
        if let Some(sector) = &self.strategy.sector {
            faults.length("strategy.sector", sector.trim(), 1..=80);
        }
        if self.period().is_none() {
            faults.note("period must be one of 6mo, 1y, 2y");
        }
        if let Some(Err(error)) = self.rebalance.as_deref().map(str::parse::<Rebalance>) {
            faults.note(format!("rebalance {error}"));
        }
        if let Err(error) = self.rule(0).and_then(|rule| rule.check()) {
            faults.note(error.to_string());
        }
    }
}

impl BacktestRequest {
    fn period(&self) -> Option<Range> {
        let word = self.period.as_deref().unwrap_or("1y");
        PERIODS.into_iter().find(|period| period.as_str() == word)
    }

    fn rule(&self, lag: usize) -> Result<Strategy, market::Error> {
        let usual = Strategy::default();
        let rebalance = self.rebalance.as_deref().and_then(|word| word.parse().ok());
        Ok(Strategy {
            entry: Filters::parse(values(&self.strategy.entry_filters))?,
            exit: ExitFilters::parse(values(&self.strategy.exit_filters))?,
            rebalance: rebalance.unwrap_or_default(),
            initial_capital: self.initial_capital.unwrap_or(usual.initial_capital),
            max_positions: self.max_positions.unwrap_or(usual.max_positions),
            fees_bps: self.fees_bps.unwrap_or(usual.fees_bps),
            lag,
        })
    }
}

/// How late signals are acted upon.
pub(crate) struct BacktestQuery {
    lag: usize,
}

impl FromQuery for BacktestQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            lag: usize::try_from(params.integer("lag", 0..=20, 0)).unwrap_or_default(),
        }
    }
}

/// Tries a strategy on the past.
///
/// Filters are judged at a close and acted upon at the next open, sentiment and company figures are those known at that
/// close; exits and stops are judged daily. Fractional shares, equal parts of the equity, no costs unless `fees_bps` says so.
#[utoipa::path(post, path = "/api/v1/backtest", tag = "trading", request_body = BacktestRequest,
    params(("lag" = Option<u64>, Query, minimum = 0, maximum = 20, description = "Sessions by which every signal is acted upon late, 0 by default"),
           ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
           ("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer")),
    responses((status = 200, description = "What it would have earned", body = BacktestBody)))]
pub(crate) async fn run(
    State(state): State<AppState>,
    caller: Caller,
    charge: Charge,
    as_of: AsOf,
    ValidQuery(query): ValidQuery<BacktestQuery>,
    request: Idempotent<BacktestRequest>,
) -> Result<Response> {
    let moment = ticker::moment(&state, as_of);
    let categories = caller.narrow(None)?;
    let (asked, repeat) = request.apart();
    let make = async {
        let strategy = asked.rule(query.lag)?;
        let asset_type = asked.strategy.asset_type.as_deref();
        let sector = asked.strategy.sector.as_deref();
        let question = BacktestQuestion {
            strategy: strategy.clone(),
            asset_type: asset_type
                .and_then(|word| word.parse().ok())
                .unwrap_or_default(),
            sector: sector.map(market::screener::sector::canonical),
            period: asked.period().unwrap_or(Range::OneYear),
        };
        let period = question.period;
        let turn = state.heavy.backtests.turn(caller.payer()).await?;
        let answer = state
            .market
            .backtest(question, moment, &categories, turn)
            .await??;
        Ok(BacktestBody::new(
            answer,
            asked.strategy,
            &strategy,
            period,
            moment,
        ))
    };
    let price = ("POST /api/v1/backtest", CREDITS);
    Box::pin(repeat.charged(&state, &caller, charge, price, make)).await
}
