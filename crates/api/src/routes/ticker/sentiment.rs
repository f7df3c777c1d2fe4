//! `/ticker/{symbol}/history` and `/ticker/{symbol}/signals`: the tone of the press along the days, and where it turned.

use analysis::market::{DayOfPress, Gap, Press, Turn};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::state::AppState;

/// How far back.
pub(crate) struct HistoryQuery {
    days: u16,
}

impl FromQuery for HistoryQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            days: params.integer("days", 1..=365, 30) as u16,
        }
    }
}

/// Sentiment by day, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryBody {
    #[schema(example = "ok")]
    status: &'static str,
    ticker: String,
    entity_name: String,
    /// Days with briefs; others are left out.
    history: Vec<HistoryDayBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The briefs of one UTC day; sentiment 0 to 1 with 0.5 neutral.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryDayBody {
    /// YYYY-MM-DD.
    date: String,
    avg_sentiment: f64,
    min_sentiment: f64,
    max_sentiment: f64,
    brief_count: usize,
    /// Null on simulated days.
    avg_confidence: Option<f64>,
    /// Present and true on days before the demo world's newswire began.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<bool>,
}

impl From<DayOfPress> for HistoryDayBody {
    fn from(day: DayOfPress) -> Self {
        let figures = day.figures;
        Self {
            date: figures.day.to_string(),
            avg_sentiment: figures.avg_sentiment,
            min_sentiment: figures.min_sentiment,
            max_sentiment: figures.max_sentiment,
            brief_count: figures.brief_count,
            avg_confidence: (!day.is_simulated).then_some(figures.avg_confidence),
            simulated: day.is_simulated.then_some(true),
        }
    }
}

/// Tells the daily sentiment of a symbol.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/history",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`, `BTC`"),
        ("days" = Option<u64>, Query, description = "Days back, default 30", minimum = 1, maximum = 365),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Days with briefs, oldest first", body = HistoryBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn history(
    State(state): State<AppState>,
    caller: Caller,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<HistoryQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = super::moment(&state, as_of);
    let categories = caller.narrow(None)?;
    page.answer(&state, async {
        let listing = super::find(&state, &symbol).await?;
        let press = Press::read(&state.store, &listing, moment, asked.days, &categories).await?;
        let days = press.history();
        Ok(HistoryBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            data_status: written(gaps("history", &press, days.is_empty())),
            history: days.into_iter().map(HistoryDayBody::from).collect(),
        })
    })
    .await
}

/// How far back, and what counts as a turn.
pub(crate) struct SignalsQuery {
    days: u16,
    threshold: f64,
}

impl FromQuery for SignalsQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            days: params.integer("days", 1..=365, 30) as u16,
            threshold: params.number("threshold", 0.0..=1.0).unwrap_or(0.3),
        }
    }
}

/// Turns of sentiment, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignalsBody {
    #[schema(example = "ok")]
    status: &'static str,
    ticker: String,
    signals: Vec<SignalBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A day whose mean differs from that of the day with briefs before it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignalBody {
    /// YYYY-MM-DD.
    date: String,
    /// `to` minus `from`.
    sentiment_shift: f64,
    from: f64,
    to: f64,
    /// `positive` or `negative`.
    direction: &'static str,
    brief_count: usize,
    /// The brief of the day that lies farthest on the side of the shift; null on simulated days.
    trigger_headline: Option<String>,
    /// Present and true on days before the demo world's newswire began.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<bool>,
}

impl From<Turn<'_>> for SignalBody {
    fn from(turn: Turn<'_>) -> Self {
        let figures = turn.figures;
        let headline = figures.trigger_headline;
        Self {
            date: figures.day.to_string(),
            sentiment_shift: figures.sentiment_shift,
            from: figures.from,
            to: figures.to,
            direction: figures.direction.as_str(),
            brief_count: figures.brief_count,
            trigger_headline: (!headline.is_empty()).then(|| headline.to_owned()),
            simulated: turn.is_simulated.then_some(true),
        }
    }
}

/// Lists the days on which the sentiment of a symbol turned.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/signals",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`, `BTC`"),
        ("days" = Option<u64>, Query, description = "Days back, default 30", minimum = 1, maximum = 365),
        ("threshold" = Option<f64>, Query, description = "Smallest shift, default 0.3", minimum = 0, maximum = 1),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Turns, oldest first", body = SignalsBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn signals(
    State(state): State<AppState>,
    caller: Caller,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<SignalsQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = super::moment(&state, as_of);
    let categories = caller.narrow(None)?;
    page.answer(&state, async {
        let listing = super::find(&state, &symbol).await?;
        let press = Press::read(&state.store, &listing, moment, asked.days, &categories).await?;
        let is_silent = press.opinions.is_empty() && press.simulated.is_empty();
        Ok(SignalsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            signals: press
                .signals(asked.threshold)
                .into_iter()
                .map(SignalBody::from)
                .collect(),
            data_status: written(gaps("signals", &press, is_silent)),
        })
    })
    .await
}

/// What the press lacks.
fn gaps(field: &'static str, press: &Press, is_silent: bool) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if is_silent {
        gaps.push(Gap::absent(
            field,
            "no brief of the period names this symbol",
        ));
    }
    if let Some(last) = press.simulated.last() {
        gaps.push(Gap::note(
            field,
            format!("sentiment until {} is simulated", last.day),
            "simulated",
        ));
    }
    gaps
}
