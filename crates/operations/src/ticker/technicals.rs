//! `/ticker/{symbol}/technicals`: the latest values of twenty indicators and their overall signal.

use analysis::market::{DataIssue, old_votes};
use market::Range;
use market::indicators::fibonacci::Fibonacci;
use market::signals::SignalSummary;
use market::technicals::{
    Bands, Cloud, Oscillator, StochasticPoint, Technicals, technicals, technicals_series,
};
use model::Day;
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The window for VWAP and the Fibonacci levels.
pub(crate) struct TechnicalsQuery {
    symbol: String,
    range: Range,
    series: bool,
}

impl Parameters for TechnicalsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let ranges = [
            Range::OneMonth,
            Range::ThreeMonths,
            Range::SixMonths,
            Range::OneYear,
        ]
        .map(|range| (range.as_str(), range));
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            range: arguments.word_or(
                "range",
                &ranges,
                Range::SixMonths,
                "Window for VWAP and the Fibonacci levels, up to the latest session; with `series`, also the sessions shown",
            ),
            series: arguments.flag(
                "series",
                false,
                "Whether to list the values of every session in the range",
            ),
        }
    }
}

/// Twenty indicators.
#[derive(Serialize, ToSchema)]
pub(crate) struct TechnicalsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Latest values; null if no candle is known.
    #[schema(required)]
    latest: Option<LatestBody>,
    /// Votes of the indicators; null if no candle is known or the latest candle is old.
    #[schema(required)]
    signal_summary: Option<SignalSummaryBody>,
    /// Session of the values, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Values for each session in the range, oldest first, if requested with `series`. The last row equals `latest`
    /// without the Fibonacci levels, which apply to a whole range.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    series: Option<Vec<TechnicalsRowBody>>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The latest values, each null if the history is too short or lacks the data it needs. The history restarts after more
/// than ten working days without a candle.
#[derive(Serialize, ToSchema)]
pub(crate) struct LatestBody {
    #[serde(flatten)]
    values: ValuesBody,
    /// Retracement levels between the high and low of the range.
    #[schema(required)]
    fibonacci: Option<FibonacciBody>,
}

/// The values for one session.
#[derive(Serialize, ToSchema)]
#[schema(as = TechnicalsRow)]
pub(crate) struct TechnicalsRowBody {
    /// Session, YYYY-MM-DD.
    date: String,
    #[serde(flatten)]
    values: ValuesBody,
}

impl From<(Day, Technicals)> for TechnicalsRowBody {
    fn from((day, values): (Day, Technicals)) -> Self {
        Self {
            date: day.to_string(),
            values: ValuesBody::from(values),
        }
    }
}

/// The indicators at the close of a session. An indicator is null if the history is too short or lacks the highs, lows
/// or volumes it needs.
#[derive(Serialize, ToSchema)]
#[schema(as = TechnicalValues)]
pub(crate) struct ValuesBody {
    /// Closing price, in the currency of the listing.
    price: f64,
    /// Simple moving average of the last 20 closes.
    #[schema(required)]
    sma_20: Option<f64>,
    /// Simple moving average of the last 50 closes.
    #[schema(required)]
    sma_50: Option<f64>,
    /// Simple moving average of the last 200 closes.
    #[schema(required)]
    sma_200: Option<f64>,
    /// Exponential moving average over 12 closes.
    #[schema(required)]
    ema_12: Option<f64>,
    /// Exponential moving average over 26 closes.
    #[schema(required)]
    ema_26: Option<f64>,
    /// Relative strength index over 14 sessions, 0 to 100.
    #[schema(required)]
    rsi_14: Option<f64>,
    /// Moving average convergence/divergence (12, 26, 9).
    #[schema(required)]
    macd: Option<MacdBody>,
    /// Bollinger Bands (20 sessions, 2 standard deviations).
    #[schema(required)]
    bollinger: Option<BandsBody>,
    /// Stochastic oscillator (14, 3, 3).
    #[schema(required)]
    stochastic: Option<StochasticBody>,
    /// Average true range over 14 sessions.
    #[schema(required)]
    atr_14: Option<f64>,
    /// Average directional index over 14 sessions, 0 to 100.
    #[schema(required)]
    adx_14: Option<f64>,
    /// On-balance volume.
    #[schema(required)]
    obv: Option<f64>,
    /// Volume-weighted average price over the range.
    #[schema(required)]
    vwap: Option<f64>,
    /// Williams %R over 14 sessions, -100 to 0.
    #[schema(required)]
    williams_r_14: Option<f64>,
    /// Commodity channel index over 20 sessions.
    #[schema(required)]
    cci_20: Option<f64>,
    /// Money flow index over 14 sessions, 0 to 100.
    #[schema(required)]
    mfi_14: Option<f64>,
    /// Rate of change over 12 sessions, in percent.
    #[schema(required)]
    roc_12: Option<f64>,
    /// Parabolic SAR (stop and reverse).
    #[schema(required)]
    parabolic_sar: Option<f64>,
    /// Ichimoku cloud (9, 26, 52).
    ichimoku: IchimokuBody,
    /// Percentage price oscillator (12, 26, 9).
    #[schema(required)]
    ppo: Option<PpoBody>,
    /// Rate of change of the triple exponential moving average, in percent.
    #[schema(required)]
    trix: Option<f64>,
    /// Donchian channel over 20 sessions.
    #[schema(required)]
    donchian: Option<BandsBody>,
}

/// MACD(12, 26, 9), in price units.
#[derive(Serialize, ToSchema)]
pub(crate) struct MacdBody {
    /// 12-session EMA minus 26-session EMA.
    macd: f64,
    /// Signal line.
    signal: f64,
    /// Line minus signal line.
    histogram: f64,
}

impl From<Oscillator> for MacdBody {
    fn from(line: Oscillator) -> Self {
        Self {
            macd: line.line,
            signal: line.signal,
            histogram: line.histogram,
        }
    }
}

/// PPO(12, 26, 9), in percent.
#[derive(Serialize, ToSchema)]
pub(crate) struct PpoBody {
    /// 12-session EMA minus 26-session EMA, as a percentage of the latter.
    ppo: f64,
    /// Signal line.
    signal: f64,
    /// Line minus signal line.
    histogram: f64,
}

/// Upper, middle and lower band around the price.
#[derive(Serialize, ToSchema)]
pub(crate) struct BandsBody {
    /// Upper band.
    upper: f64,
    /// Middle band.
    middle: f64,
    /// Lower band.
    lower: f64,
}

impl From<Bands> for BandsBody {
    fn from(bands: Bands) -> Self {
        Self {
            upper: bands.upper,
            middle: bands.middle,
            lower: bands.lower,
        }
    }
}

/// Slow stochastic (14, 3, 3), 0 to 100.
#[derive(Serialize, ToSchema)]
pub(crate) struct StochasticBody {
    /// %K, 0 to 100.
    k: f64,
    /// %D, 0 to 100.
    d: f64,
}

/// Ichimoku cloud (9, 26, 52); the spans are as plotted at the latest bar.
#[derive(Serialize, ToSchema)]
pub(crate) struct IchimokuBody {
    /// Conversion line.
    #[schema(required)]
    tenkan: Option<f64>,
    /// Base line.
    #[schema(required)]
    kijun: Option<f64>,
    /// Leading span A.
    #[schema(required)]
    senkou_a: Option<f64>,
    /// Leading span B.
    #[schema(required)]
    senkou_b: Option<f64>,
}

/// Retracement levels between the high and low of the range.
#[derive(Serialize, ToSchema)]
pub(crate) struct FibonacciBody {
    /// Level at 23.6 %.
    #[serde(rename = "r_0.236")]
    r_236: f64,
    /// Level at 38.2 %.
    #[serde(rename = "r_0.382")]
    r_382: f64,
    /// Level at 50 %.
    #[serde(rename = "r_0.5")]
    r_500: f64,
    /// Level at 61.8 %.
    #[serde(rename = "r_0.618")]
    r_618: f64,
    /// Level at 78.6 %.
    #[serde(rename = "r_0.786")]
    r_786: f64,
}

/// The votes of the indicators.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignalSummaryBody {
    /// `strong_buy`, `buy`, `neutral`, `sell` or `strong_sell`.
    overall: &'static str,
    /// Number of buy votes.
    buy: u32,
    /// Number of sell votes.
    sell: u32,
    /// Number of neutral votes.
    neutral: u32,
    /// Number of indicators with a value, at most 20; 8 for a symbol with closes only.
    total: u32,
}

impl From<SignalSummary> for SignalSummaryBody {
    fn from(summary: SignalSummary) -> Self {
        Self {
            overall: summary.overall.as_str(),
            buy: summary.buy,
            sell: summary.sell,
            neutral: summary.neutral,
            total: summary.total,
        }
    }
}

impl From<Technicals> for LatestBody {
    fn from(t: Technicals) -> Self {
        Self {
            values: ValuesBody::from(t),
            fibonacci: t.fibonacci.map(
                |Fibonacci {
                     levels: [a, b, c, d, e],
                 }| FibonacciBody {
                    r_236: a,
                    r_382: b,
                    r_500: c,
                    r_618: d,
                    r_786: e,
                },
            ),
        }
    }
}

impl From<Technicals> for ValuesBody {
    fn from(t: Technicals) -> Self {
        let Cloud {
            tenkan,
            kijun,
            senkou_a,
            senkou_b,
        } = t.ichimoku;
        Self {
            price: t.price,
            sma_20: t.sma_20,
            sma_50: t.sma_50,
            sma_200: t.sma_200,
            ema_12: t.ema_12,
            ema_26: t.ema_26,
            rsi_14: t.rsi_14,
            macd: t.macd.map(MacdBody::from),
            bollinger: t.bollinger.map(BandsBody::from),
            stochastic: t
                .stochastic
                .map(|StochasticPoint { k, d }| StochasticBody { k, d }),
            atr_14: t.atr_14,
            adx_14: t.adx_14,
            obv: t.obv,
            vwap: t.vwap,
            williams_r_14: t.williams_r_14,
            cci_20: t.cci_20,
            mfi_14: t.mfi_14,
            roc_12: t.roc_12,
            parabolic_sar: t.parabolic_sar,
            ichimoku: IchimokuBody {
                tenkan,
                kijun,
                senkou_a,
                senkou_b,
            },
            ppo: t.ppo.map(|line| PpoBody {
                ppo: line.line,
                signal: line.signal,
                histogram: line.histogram,
            }),
            trix: t.trix,
            donchian: t.donchian.map(BandsBody::from),
        }
    }
}

/// `GET /ticker/{symbol}/technicals`.
pub(crate) struct ShowTechnicals;

impl Operation for ShowTechnicals {
    type Input = TechnicalsQuery;
    type Output = TechnicalsBody;

    const ABOUT: About = About {
        name: "show_technicals",
        address: Address::get("/api/v1/ticker/{symbol}/technicals"),
        summary: "Computes the latest values of twenty indicators.",
        description: "Indicators follow the definitions and warm-up of TA-Lib, over five years of history; `range` only sets the window for VWAP and the Fibonacci levels and, with `series=true`, the sessions whose values are listed. Each indicator with a value casts one vote; the rules are in the docs.",
        answer: "The latest values and, if requested, those of each session",
        ..ticker::OF_SYMBOL
    };

    const ROWS: Option<&'static str> = Some("series|latest");

    async fn run(context: Context, asked: TechnicalsQuery) -> Result<TechnicalsBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let history = context.prices.history(&listing, when).await?;
        let values = technicals(history.candles(), asked.range);
        let mut issues: Vec<DataIssue> = listing
            .staleness("latest", history.candles(), when)
            .into_iter()
            .collect();
        issues.extend(listing.unmeasured("latest", history.candles()));
        issues.extend(listing.interrupted("latest", history.candles()));
        issues.extend(listing.inferred_scale("latest", when));
        if values.is_none() {
            issues.push(DataIssue::absent(
                "latest",
                "no candles are available for this symbol",
            ));
        } else if values.is_some_and(|values| values.sma_200.is_none()) {
            let run = history.candles().newest_run().len();
            let since = if run < history.candles().len() {
                " since then"
            } else {
                ""
            };
            issues.push(DataIssue::absent(
                "latest.sma_200",
                format!(
                    "there are only {}{since}; values that need more are null",
                    counted(run, "candle", "candles")
                ),
            ));
        }
        let newest = history.candles().days().last().copied();
        let old = newest.filter(|day| listing.is_old(*day, when));
        issues.extend(old.map(|day| old_votes("signal_summary", day)));
        let series = asked.series.then(|| {
            let rows = technicals_series(history.candles(), asked.range);
            rows.into_iter().map(TechnicalsRowBody::from).collect()
        });
        Ok(TechnicalsBody {
            status: "ok",
            series,
            ticker: listing.ticker().to_owned(),
            latest: values.map(LatestBody::from),
            signal_summary: values
                .as_ref()
                .filter(|_| old.is_none())
                .map(market::signals::summary)
                .map(SignalSummaryBody::from),
            date: history
                .candles()
                .last()
                .map(|candle| candle.day.to_string()),
            data_status: written(issues),
        })
    }
}
