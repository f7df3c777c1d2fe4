//! The response of the backtester.

use analysis::market::{BacktestAnswer, DataIssue, Listing, PointInTime};
use market::backtest::{Backtest, Comparison, NoTrades, Strategy, Trade};
use market::{Day, Range};
use model::CorporateAction;
use serde::Serialize;
use utoipa::ToSchema;

use super::{CREDITS, StrategyRequest};
use crate::data_status::{DataStatusBody, written};

/// Maximum number of symbols named in a reason.
const NAMED: usize = 10;

/// The result of a backtest.
#[derive(Serialize, ToSchema)]
pub(crate) struct BacktestBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// What the strategy would have earned.
    performance: PerformanceBody,
    /// Comparison with the benchmark; absent if none was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    benchmark: Option<BenchmarkBody>,
    /// Value of cash and shares at the close of each session.
    equity_curve: Vec<EquityPointBody>,
    /// The trades, in the order of their sales.
    trades: Vec<TradeBody>,
    /// The strategy as submitted.
    strategy: StrategyRequest,
    /// Settings used, including defaults.
    settings: SettingsBody,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Performance figures; a figure is null if it is undefined, for example if there are no trades.
#[derive(Serialize, ToSchema)]
#[schema(as = BacktestPerformance)]
pub(crate) struct PerformanceBody {
    /// Total return over the whole period, in percent.
    total_return_pct: f64,
    /// Annualised return, in percent.
    #[schema(required)]
    annualized_return_pct: Option<f64>,
    /// Sharpe ratio of daily returns, times √252, with a risk-free rate of 0.
    #[schema(required)]
    sharpe_ratio: Option<f64>,
    /// Largest peak-to-trough decline, in percent, as a positive number.
    max_drawdown_pct: f64,
    /// Percentage of trades with a gain.
    #[schema(required)]
    win_rate: Option<f64>,
    /// Number of trades.
    total_trades: usize,
    /// Mean holding period in calendar days.
    #[schema(required)]
    avg_holding_days: Option<f64>,
    /// Sum of gains divided by sum of losses; null if there are no losses.
    #[schema(required)]
    profit_factor: Option<f64>,
    /// Average percentage of the portfolio that was invested.
    #[schema(required)]
    exposure_pct: Option<f64>,
    /// Annual portfolio turnover, in percent.
    #[schema(required)]
    turnover_pct: Option<f64>,
}

/// A symbol that could have been held instead; figures are null if it has too few sessions in common.
#[derive(Serialize, ToSchema)]
#[schema(as = BacktestBenchmark)]
pub(crate) struct BenchmarkBody {
    /// Symbol.
    ticker: String,
    /// Return from holding the benchmark, in percent.
    #[schema(required)]
    total_return_pct: Option<f64>,
    /// Return of the strategy in excess of the benchmark, in percentage points.
    #[schema(required)]
    excess_return_pct: Option<f64>,
    /// Annual return of the strategy in excess of beta times the benchmark, in percent.
    #[schema(required)]
    alpha_pct: Option<f64>,
    /// Covariance of the daily returns with those of the benchmark, divided by the variance of the benchmark's daily
    /// returns.
    #[schema(required)]
    beta: Option<f64>,
    /// First session that both have in common, YYYY-MM-DD.
    #[schema(required)]
    from: Option<String>,
    /// Last session that both have in common, YYYY-MM-DD.
    #[schema(required)]
    to: Option<String>,
}

impl BenchmarkBody {
    fn new(ticker: &str, found: Comparison) -> Self {
        Self {
            ticker: ticker.to_owned(),
            total_return_pct: found.total_return_pct,
            excess_return_pct: found.excess_return_pct,
            alpha_pct: found.alpha_pct,
            beta: found.beta,
            from: found.span.map(|(from, _)| from.to_string()),
            to: found.span.map(|(_, to)| to.to_string()),
        }
    }
}

/// Portfolio value at one session.
#[derive(Serialize, ToSchema)]
#[schema(as = EquityPoint)]
pub(crate) struct EquityPointBody {
    /// Date of the session.
    date: String,
    /// Value of the portfolio in the currency of `settings`.
    value: f64,
}

/// A round-trip trade: a purchase and its sale.
#[derive(Serialize, ToSchema)]
#[schema(as = Trade)]
pub(crate) struct TradeBody {
    /// Symbol.
    ticker: String,
    /// Date of the purchase.
    entry_date: String,
    /// Purchase price in the currency of the listing.
    entry_price: f64,
    /// Date of the sale.
    exit_date: String,
    /// Sale price in the currency of the listing.
    exit_price: f64,
    /// Return on the trade after fees, in percent.
    return_pct: f64,
    /// Filters that matched at the purchase.
    entry_reason: String,
    /// The exit filter that matched, or `stop_loss`, `delisted`, `no_more_prices` or `end_of_period`.
    exit_reason: &'static str,
}

/// Settings of the backtest, including defaults.
#[derive(Serialize, ToSchema)]
#[schema(as = BacktestSettings)]
pub(crate) struct SettingsBody {
    /// Period tested.
    period: &'static str,
    /// First day of the period; null if there are no candles.
    #[schema(required)]
    from: Option<String>,
    /// The latest session; null if there are no candles.
    #[schema(required)]
    to: Option<String>,
    /// How often the entry filters are evaluated.
    rebalance: &'static str,
    /// Initial capital, in `currency`.
    initial_capital: f64,
    /// ISO 4217 code of capital and prices: USD, or the currency in which all symbols are priced.
    currency: String,
    /// Maximum number of positions at a time.
    max_positions: usize,
    /// Fee on each purchase and sale, in basis points (hundredths of a percent).
    fees_bps: f64,
    /// Slippage: how much worse each price was than the candle price, in basis points (hundredths of a percent).
    slippage_bps: f64,
    /// Number of sessions between a signal and its trade.
    lag: usize,
    /// Number of symbols of that kind and sector.
    symbols: usize,
}

impl PerformanceBody {
    fn new(backtest: &Backtest) -> Self {
        let figures = backtest.performance;
        Self {
            exposure_pct: backtest.exposure_pct(),
            turnover_pct: backtest.turnover_pct(),
            total_return_pct: figures.total_return_pct,
            annualized_return_pct: figures.annualized_return_pct,
            sharpe_ratio: figures.sharpe_ratio,
            max_drawdown_pct: figures.max_drawdown_pct,
            win_rate: figures.win_rate,
            total_trades: figures.total_trades,
            avg_holding_days: figures.avg_holding_days,
            profit_factor: figures.profit_factor,
        }
    }
}

impl From<Trade> for TradeBody {
    fn from(trade: Trade) -> Self {
        Self {
            ticker: trade.ticker,
            entry_date: trade.entry_day.to_string(),
            entry_price: trade.entry_price,
            exit_date: trade.exit_day.to_string(),
            exit_price: trade.exit_price,
            return_pct: trade.return_pct,
            entry_reason: trade.entry_reason,
            exit_reason: trade.exit_reason.as_str(),
        }
    }
}

impl BacktestBody {
    pub(super) fn new(
        answer: BacktestAnswer,
        given: StrategyRequest,
        rule: &Strategy,
        benchmark: Option<&Listing>,
        (period, to): (Range, Option<Day>),
        when: PointInTime,
    ) -> Self {
        let mut issues = issues(&answer, &given, to, when);
        let performance = PerformanceBody::new(&answer.backtest);
        let comparison = benchmark.zip(answer.comparison);
        if let (Some(benchmark), None) = (benchmark, comparison) {
            let reason = format!(
                "the benchmark is priced in {} and the symbols in {}; what it would have earned in their currency is not computed",
                benchmark.instrument.currency(),
                answer.currency
            );
            issues.push(DataIssue::absent("benchmark", reason));
        } else if comparison.is_some_and(|(_, found)| found.span.is_none()) {
            let reason = "the benchmark has no session in the period";
            issues.push(DataIssue::absent("benchmark", reason));
        }
        let curve = answer.backtest.equity_curve.into_iter();
        Self {
            status: "ok",
            performance,
            benchmark: comparison
                .map(|(listing, found)| BenchmarkBody::new(listing.ticker(), found)),
            equity_curve: curve
                .map(|point| EquityPointBody {
                    date: point.day.to_string(),
                    value: point.value,
                })
                .collect(),
            trades: answer.backtest.trades.into_iter().map(Into::into).collect(),
            strategy: given,
            settings: SettingsBody {
                period: period.as_str(),
                from: answer.period.map(|(from, _)| from.to_string()),
                to: answer.period.map(|(_, to)| to.to_string()),
                rebalance: rule.rebalance.as_str(),
                initial_capital: rule.initial_capital,
                currency: answer.currency,
                max_positions: rule.max_positions,
                fees_bps: rule.fees_bps,
                slippage_bps: rule.slippage_bps,
                lag: rule.lag,
                symbols: answer.scanned,
            },
            credits_used: CREDITS,
            data_status: written(issues),
        }
    }
}

/// Why there are no trades, and what the response is based on.
fn issues(
    answer: &BacktestAnswer,
    given: &StrategyRequest,
    to: Option<Day>,
    when: PointInTime,
) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    if let Some(reason) = answer.backtest.no_trades {
        issues.push(DataIssue::absent(
            "trades",
            no_trades(reason, answer, given),
        ));
    }
    if let Some(first) = answer.history_begins {
        let reason =
            format!("the history begins on {first}, so the period is shorter than requested");
        issues.push(DataIssue::absent("equity_curve", reason));
    }
    if !answer.other_currencies.is_empty() {
        let reason = format!(
            "left out because they are not priced in {}: {}",
            answer.currency,
            list(&answer.other_currencies)
        );
        issues.push(DataIssue::absent("settings.symbols", reason));
    }
    if let Some((_, newest)) = answer.period {
        let asset_type = given
            .asset_type
            .as_deref()
            .and_then(|word| word.parse().ok());
        let expected = when.newest_day(asset_type.unwrap_or_default());
        // Of a period that ends in the past, its own end.
        let asked = to.unwrap_or(Day::MAX);
        let expected = expected.min(asked);
        if expected.since(newest) > 5 {
            issues.push(DataIssue {
                newest_available: Some(newest.plus(1).starts_at()),
                stale: true,
                ..DataIssue::absent(
                    "equity_curve",
                    format!("the latest candle is from {newest}"),
                )
            });
        }
    }
    if !answer.dropped.is_empty() {
        let reason = format!(
            "excluded because they have no candles in the period: {}",
            list(&answer.dropped)
        );
        issues.push(DataIssue::absent("settings.symbols", reason));
    }
    if !answer.short.is_empty() {
        let reason = format!(
            "never bought, because the entry filters need a longer history: {}",
            list(&answer.short)
        );
        issues.push(DataIssue::absent("settings.symbols", reason));
    }
    if !answer.not_known_as_paid.is_empty() {
        let reason = format!(
            "no condition on a price holds before a split that only follows from prices, because it is not known what was paid; import actions of {}",
            list(&answer.not_known_as_paid)
        );
        issues.push(DataIssue::absent("strategy", reason));
    }
    if !answer.not_traded_as_paid.is_empty() {
        let reason = format!(
            "splits of {} are only inferred from prices: trades before them are in adjusted prices, and what was paid then is not known; import actions to replace them",
            list(&answer.not_traded_as_paid)
        );
        let source = CorporateAction::INFERRED;
        issues.push(DataIssue::note("trades", reason, source));
    }
    if !answer.missing_splits.is_empty() {
        let days = answer.missing_splits.iter();
        let named: Vec<String> = days
            .map(|(ticker, day)| format!("{ticker} ({day})"))
            .collect();
        let reason = format!(
            "prices jump overnight by about the ratio of a split, and none is on record, so gains and losses across it, and indicators after it, may be due to a split alone; import actions of {}",
            list(&named)
        );
        issues.push(DataIssue::absent("trades", reason));
    }
    if let Some(day) = answer.simulated_before {
        let reason = format!("sentiment before {day} is simulated");
        issues.push(DataIssue::note("strategy", reason, "simulated"));
    }
    issues
}

fn list(tickers: &[String]) -> String {
    let shown: Vec<&str> = tickers.iter().take(NAMED).map(String::as_str).collect();
    let more = tickers.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

fn no_trades(reason: NoTrades, answer: &BacktestAnswer, given: &StrategyRequest) -> String {
    let kind = given.asset_type.as_deref().unwrap_or("equity");
    match (reason, &given.sector) {
        (NoTrades::NoSessions, Some(sector)) if answer.scanned == 0 => {
            format!("no {kind} in sector {sector:?} has candles")
        }
        (NoTrades::NoSessions, _) => format!("no {kind} has a candle in the period"),
        (NoTrades::NoValues(key), _) => format!(
            "no symbol has the value that {} needs in this period",
            key.as_str()
        ),
        (NoTrades::NothingMatched, _) => {
            "no symbol matched every entry filter in a rebalancing session".to_owned()
        }
        (NoTrades::NoOpen, _) => "the matches had no later open within the period".to_owned(),
    }
}
