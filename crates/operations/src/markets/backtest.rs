//! `/backtest`: what a filter-based strategy would have earned, using only data known at the time.

mod answer;

use market::Range;
use market::backtest::{Rebalance, Strategy};
use market::filters::{ExitFilters, Filters};
use model::{AssetType, Day};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{Object, ObjectBuilder};

use analysis::market::BacktestQuestion;

use answer::BacktestBody;

use crate::arguments::OUT_OF_ORDER;
use crate::checked::{Checked, Faults};
use crate::error::Result;
use crate::field;
use crate::markets::listed::check_sector;
use crate::markets::screener::{asset_types, filter_shape, values};
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters, Posted};

pub(crate) const CREDITS: u64 = 10;
const PERIODS: [Range; 3] = [Range::SixMonths, Range::OneYear, Range::TwoYears];

/// A strategy and the settings of its backtest.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BacktestRequest {
    /// When to buy and when to sell.
    strategy: StrategyRequest,
    /// Period of the backtest: `6mo`, `1y` (default) or `2y`, ending with the latest known session.
    #[serde(default)]
    #[schema(schema_with = periods)]
    period: Option<String>,
    /// How often entry filters are evaluated: `weekly` (default) or `monthly`.
    #[serde(default)]
    #[schema(schema_with = rebalances)]
    rebalance: Option<String>,
    /// Initial capital in USD, 100000 by default.
    #[serde(default)]
    #[schema(minimum = 0.01, maximum = 1_000_000_000_000.0, default = 100_000)]
    initial_capital: Option<f64>,
    /// Maximum number of positions at a time, 10 by default.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 1000, default = 10)]
    max_positions: Option<usize>,
    /// Fee on each purchase and sale, in basis points (hundredths of a percent); none by default.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1000, default = 0)]
    fees_bps: Option<f64>,
    /// Slippage: how much worse each purchase and sale is than the candle price, in basis points (hundredths of a
    /// percent); none by default.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1000)]
    slippage_bps: Option<f64>,
    /// First day, YYYY-MM-DD, instead of the beginning of `period`; not later than `to` or the latest session.
    #[serde(default)]
    #[schema(format = Date)]
    from: Option<String>,
    /// Last day, YYYY-MM-DD, instead of the latest session.
    #[serde(default)]
    #[schema(format = Date)]
    to: Option<String>,
    /// Benchmark symbol that could have been held instead, such as `SPY`.
    #[serde(default)]
    #[schema(max_length = 40, pattern = r"\S")]
    benchmark: Option<String>,
}

/// When to buy and when to sell.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = Strategy)]
pub(crate) struct StrategyRequest {
    /// Filters that must all match to buy, as in `/screener`.
    #[schema(schema_with = filter_shape)]
    entry_filters: Map<String, Value>,
    /// Filters of which at least one must match to sell: those of `/screener`, and `stop_loss_pct`.
    #[schema(schema_with = exit_shape)]
    exit_filters: Map<String, Value>,
    /// `equity` (default), `etf` or `crypto`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = asset_types)]
    asset_type: Option<String>,
    /// Restricts the backtest to this sector, as in `/screener`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 80, pattern = r"\S")]
    sector: Option<String>,
}

/// The filters and a stop loss.
fn exit_shape() -> Object {
    let stop = ObjectBuilder::new()
        .schema_type(Type::Number)
        .exclusive_minimum(Some(0.0))
        .exclusive_maximum(Some(100.0))
        .description(Some("Sells when the loss reaches this many percent"))
        .build();
    let mut shape = filter_shape();
    let meaning = "At least one of the given filters must hold. `market_cap_above` is in billions of dollars.";
    shape.description = Some(meaning.to_owned());
    shape
        .properties
        .insert("stop_loss_pct".to_owned(), stop.into());
    shape.examples = vec![serde_json::json!({"rsi_above": 60, "stop_loss_pct": 10})];
    shape
}

fn periods() -> Object {
    let meaning = "Length of the period that ends with the latest known session.";
    let words = PERIODS.iter().map(|period| period.as_str());
    field::optional_word(meaning, words, Some("1y"))
}

fn rebalances() -> Object {
    let words = [Rebalance::Weekly, Rebalance::Monthly].map(Rebalance::as_str);
    let default = Some(Rebalance::default().as_str());
    field::optional_word(
        "How often the entry filters are checked.",
        words.into_iter(),
        default,
    )
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
        let (from, to) = (day(self.from.as_deref()), day(self.to.as_deref()));
        for (name, found) in [("from", from), ("to", to)] {
            if found.is_none() {
                faults.note(format!("{name} must be a date such as 2026-03-01"));
            }
        }
        if let (Some(Some(from)), Some(Some(to))) = (from, to)
            && from > to
        {
            faults.note(OUT_OF_ORDER);
        }
        if let Some(benchmark) = &self.benchmark {
            faults.length("benchmark", benchmark.trim(), 1..=40);
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

/// The date in a field; `None` if it is not a date, an inner `None` if nothing is given.
#[expect(clippy::option_option, reason = "not given and not a date")]
fn day(text: Option<&str>) -> Option<Option<Day>> {
    match text {
        None => Some(None),
        Some(text) => Day::parse(text.trim()).map(Some),
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
            slippage_bps: self.slippage_bps.unwrap_or(usual.slippage_bps),
            lag,
        })
    }
}

/// How late signals are acted on.
pub(crate) struct BacktestQuery {
    lag: usize,
}

impl Parameters for BacktestQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            lag: usize::try_from(arguments.integer(
                "lag",
                0..=20,
                0,
                "Number of sessions by which acting on every signal is delayed",
            ))
            .unwrap_or_default(),
        }
    }
}

/// `POST /backtest`.
pub(crate) struct Backtest;

impl Operation for Backtest {
    type Input = Posted<BacktestQuery, BacktestRequest>;
    type Output = BacktestBody;

    const ABOUT: About = About {
        name: "backtest_strategy",
        address: Address::post("/api/v1/backtest"),
        subject: "trading",
        summary: "Backtests a strategy.",
        description: "Filters are evaluated at the close and acted on at the next open; sentiment and company figures are those known at that close. Exits and stops are evaluated daily. Shares may be fractional, positions are of equal size, and there are no costs unless `fees_bps` or `slippage_bps` is set.",
        answer: "Performance, equity curve and trades",
        missing: Some("Unknown benchmark, with suggestions"),
        example: r#"{"strategy": {"entry_filters": {"rsi_below": 30}, "exit_filters": {"rsi_above": 60}}, "period": "1y"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };
    const ROWS: Option<&'static str> = Some("equity_curve");

    async fn run(
        context: Context,
        input: Posted<BacktestQuery, BacktestRequest>,
    ) -> Result<BacktestBody> {
        let Posted {
            parameters: query,
            body: asked,
        } = input;
        let when = context.when();
        let categories = context.categories(None)?;
        let strategy = asked.rule(query.lag)?;
        let asset_type = asked.strategy.asset_type.as_deref();
        let sector = asked.strategy.sector.as_deref();
        check_sector(&context, "strategy.sector", sector).await?;
        let benchmark = match &asked.benchmark {
            Some(symbol) => Some(context.listing(symbol).await?),
            None => None,
        };
        let question = BacktestQuestion {
            strategy: strategy.clone(),
            asset_type: asset_type
                .and_then(|word| word.parse().ok())
                .unwrap_or_default(),
            sector: sector.map(market::screener::sector::canonical),
            period: asked.period().unwrap_or(Range::OneYear),
            from: day(asked.from.as_deref()).flatten(),
            to: day(asked.to.as_deref()).flatten(),
            benchmark: benchmark.clone(),
        };
        let period = (question.period, question.to);
        let permit = context.heavy.backtests.permit(context.payer()).await?;
        let answer = context
            .backtests
            .run(question, when, &categories, permit)
            .await??;
        Ok(BacktestBody::new(
            answer,
            asked.strategy,
            &strategy,
            benchmark.as_deref(),
            period,
            when,
        ))
    }
}
