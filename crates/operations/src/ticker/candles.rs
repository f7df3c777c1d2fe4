//! `/ticker/{symbol}/candles`: what was paid, day by day, week by week or month by month.

use analysis::market::{Adjust, DataIssue};
use market::{Candle, Interval, Range};
use model::Day;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::SYMBOL;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

const INTERVALS: [(&str, Interval); 3] = [
    ("1d", Interval::Day),
    ("1wk", Interval::Week),
    ("1mo", Interval::Month),
];

const ADJUSTMENTS: [(&str, Adjust); 3] = [
    ("splits", Adjust::Splits),
    ("all", Adjust::All),
    ("none", Adjust::Nothing),
];

/// Which candles.
pub(crate) struct CandlesQuery {
    symbol: String,
    interval: Interval,
    range: Range,
    from: Option<Day>,
    to: Option<Day>,
    adjust: Adjust,
}

impl Parameters for CandlesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let ranges = Range::ALL.map(|range| (range.as_str(), range));
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            interval: arguments.word_or(
                "interval",
                &INTERVALS,
                Interval::Day,
                "Length of a candle",
            ),
            range: arguments.word_or(
                "range",
                &ranges,
                Range::SixMonths,
                "Period up to the latest session",
            ),
            from: arguments
                .date("from", "First day, YYYY-MM-DD; instead of `range`")
                .map(Day::of),
            to: arguments
                .date("to", "Last day, YYYY-MM-DD; instead of `range`")
                .map(Day::of),
            adjust: arguments.word_or(
                "adjust",
                &ADJUSTMENTS,
                Adjust::Splits,
                "What prices are adjusted for: splits, splits and dividends, or nothing, as traded",
            ),
        }
    }
}

/// Candles, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct CandlesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// ISO 4217 code of the prices.
    currency: String,
    /// What the prices are adjusted for: `splits`, `all` (splits and dividends) or `none`.
    adjust: &'static str,
    /// Number of candles.
    candle_count: usize,
    /// The candles, oldest first.
    candles: Vec<CandleBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// One bar.
#[derive(Serialize, ToSchema)]
#[schema(as = Candle)]
pub(crate) struct CandleBody {
    /// YYYY-MM-DD; of a week its Monday, of a month its first.
    date: String,
    /// First price of the period, in the currency of the listing.
    open: f64,
    /// Highest price, in the currency of the listing.
    high: f64,
    /// Lowest price, in the currency of the listing.
    low: f64,
    /// Last price, in the currency of the listing.
    close: f64,
    /// Shares or coins traded.
    volume: f64,
}

impl From<Candle> for CandleBody {
    fn from(candle: Candle) -> Self {
        Self {
            date: candle.day.to_string(),
            open: candle.open,
            high: candle.high,
            low: candle.low,
            close: candle.close,
            volume: candle.volume,
        }
    }
}

/// `GET /ticker/{symbol}/candles`.
pub(crate) struct Candles;

impl Operation for Candles {
    type Input = CandlesQuery;
    type Output = CandlesBody;

    const ABOUT: About = About {
        name: "list_candles",
        address: Address::get("/api/v1/ticker/{symbol}/candles"),
        subject: "ticker",
        summary: "Lists the candles of a symbol.",
        description: "The range ends with the latest session, or the latest known at `as_of`. Days without trades are left out, never filled in. Prices and volumes are adjusted for the splits until then; `adjust=none` shows them as traded.",
        answer: "Candles, oldest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL", "range": "1mo"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: CandlesQuery) -> Result<CandlesBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let between = asked.from.is_some() || asked.to.is_some();
        let history = if between {
            context.prices.whole_history(&listing, when).await?
        } else {
            context.prices.history(&listing, when).await?
        };
        let stale = listing.staleness("candles", history.candles(), when);
        let adjusted = context
            .prices
            .adjusted(&listing, history, when, asked.adjust);
        let history = adjusted.await?;
        let chart = if between {
            market::chart_between(history.candles(), asked.interval, asked.from, asked.to)
        } else {
            market::chart(history.candles(), asked.interval, asked.range)
        };
        let candles: Vec<CandleBody> = chart.view().iter().map(CandleBody::from).collect();
        let mut issues: Vec<DataIssue> = stale.into_iter().collect();
        issues.extend(listing.inferred_splits("candles"));
        if candles.is_empty() {
            let reason = if history.candles().is_empty() {
                "no candles are available for this symbol"
            } else {
                "no candle lies in the period"
            };
            issues.push(DataIssue::absent("candles", reason));
        }
        Ok(CandlesBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            currency: listing.instrument.currency().to_owned(),
            adjust: ADJUSTMENTS
                .iter()
                .find(|(_, adjust)| *adjust == asked.adjust)
                .map_or("splits", |(word, _)| word),
            candle_count: candles.len(),
            candles,
            data_status: written(issues),
        })
    }
}
