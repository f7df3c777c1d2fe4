//! `/ticker/{symbol}/candles`: what was paid, day by day, week by week or month by month.

use analysis::market::DataIssue;
use market::{Candle, Interval, Range};
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

/// Which candles.
pub(crate) struct CandlesQuery {
    symbol: String,
    interval: Interval,
    range: Range,
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
    /// Number of candles.
    candle_count: usize,
    /// The candles, oldest first.
    candles: Vec<CandleBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// One bar. Prices are split-adjusted.
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
        description: "The range ends with the latest session, or the latest known at `as_of`. Days without trades are left out, never filled in.",
        answer: "Candles, oldest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL", "range": "1mo"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: CandlesQuery) -> Result<CandlesBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let history = context.prices.history(&listing, when).await?;
        let chart = market::chart(history.candles(), asked.interval, asked.range);
        let candles: Vec<CandleBody> = chart.view().iter().map(CandleBody::from).collect();
        let mut issues: Vec<DataIssue> = listing
            .staleness("candles", history.candles(), when)
            .into_iter()
            .collect();
        if candles.is_empty() {
            issues.push(DataIssue::absent(
                "candles",
                "no candles are available for this symbol",
            ));
        }
        Ok(CandlesBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            candle_count: candles.len(),
            candles,
            data_status: written(issues),
        })
    }
}
