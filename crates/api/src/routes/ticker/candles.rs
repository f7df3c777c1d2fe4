//! `/ticker/{symbol}/candles`: what was paid, day by day, week by week or month by month.

use analysis::market::Gap;
use axum::extract::{Path, State};
use axum::response::Response;
use market::{Candle, Interval, Range};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::state::AppState;

const INTERVALS: [(&str, Interval); 3] = [
    ("1d", Interval::Day),
    ("1wk", Interval::Week),
    ("1mo", Interval::Month),
];

/// Which candles.
pub(crate) struct CandlesQuery {
    interval: Interval,
    range: Range,
}

impl FromQuery for CandlesQuery {
    fn read(params: &mut Params<'_>) -> Self {
        let ranges = Range::ALL.map(|range| (range.as_str(), range));
        Self {
            interval: params.word("interval", &INTERVALS).unwrap_or(Interval::Day),
            range: params.word("range", &ranges).unwrap_or(Range::SixMonths),
        }
    }
}

/// Candles, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct CandlesBody {
    #[schema(example = "ok")]
    status: &'static str,
    ticker: String,
    candle_count: usize,
    candles: Vec<CandleBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// One bar. Prices are split-adjusted.
#[derive(Serialize, ToSchema)]
#[schema(as = Candle)]
pub(crate) struct CandleBody {
    /// YYYY-MM-DD; of a week its Monday, of a month its first.
    date: String,
    open: f64,
    high: f64,
    low: f64,
    close: f64,
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

/// Lists the candles of a symbol.
///
/// The range ends with the newest session known at the moment asked for. Days without a trade are left out, never filled.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/candles",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`, `BTC`"),
        ("interval" = Option<String>, Query, description = "`1d` (default), `1wk` or `1mo`"),
        ("range" = Option<String>, Query, description = "`1mo`, `3mo`, `6mo` (default), `1y`, `2y` or `5y`"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Candles, oldest first", body = CandlesBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn candles(
    State(state): State<AppState>,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<CandlesQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = super::moment(&state, as_of);
    page.answer(&state, async {
        let listing = super::find(&state, &symbol).await?;
        let history = state.market.history(&listing, moment).await?;
        let chart = market::chart(history.candles(), asked.interval, asked.range);
        let candles: Vec<CandleBody> = chart.view().iter().map(CandleBody::from).collect();
        let mut gaps: Vec<Gap> = listing
            .staleness("candles", history.candles(), moment)
            .into_iter()
            .collect();
        if candles.is_empty() {
            gaps.push(Gap::absent(
                "candles",
                "no candle of this symbol is known at this moment",
            ));
        }
        Ok(CandlesBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            candle_count: candles.len(),
            candles,
            data_status: written(gaps),
        })
    })
    .await
}
