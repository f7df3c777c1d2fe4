//! `/ticker/{symbol}/history` and `/ticker/{symbol}/signals`: the tone of the press along the days, and where it turned.

use analysis::market::{DayOfPress, Gap, Press, Turn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::SYMBOL;
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

/// How far back.
pub(crate) struct HistoryQuery {
    symbol: String,
    days: u16,
}

impl Parameters for HistoryQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            days: arguments.integer("days", 1..=365, 30, "Days back") as u16,
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

/// `GET /ticker/{symbol}/history`.
pub(crate) struct History;

impl Operation for History {
    type Input = HistoryQuery;
    type Output = HistoryBody;

    const ABOUT: About = About {
        name: "list_sentiment_history",
        address: Address::get("/api/v1/ticker/{symbol}/history"),
        subject: "ticker",
        summary: "Shows the daily sentiment of a symbol.",
        description: "",
        answer: "Days with briefs, oldest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL"}"#,
        takes_as_of: true,
        keeping: Keeping::WhileDataStand,
    };

    async fn run(context: Context, asked: HistoryQuery) -> Result<HistoryBody> {
        let moment = context.moment();
        let categories = context.categories(None)?;
        let listing = super::find(&context.services, &asked.symbol).await?;
        let press = Press::read(
            &context.services.store,
            &listing,
            moment,
            asked.days,
            &categories,
        )
        .await?;
        let days = press.history();
        Ok(HistoryBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            data_status: written(gaps("history", &press, days.is_empty())),
            history: days.into_iter().map(HistoryDayBody::from).collect(),
        })
    }
}

/// How far back, and what counts as a turn.
pub(crate) struct SignalsQuery {
    symbol: String,
    days: u16,
    threshold: f64,
}

impl Parameters for SignalsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            days: arguments.integer("days", 1..=365, 30, "Days back") as u16,
            threshold: arguments.number_or("threshold", 0.0..=1.0, 0.3, "Smallest shift"),
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

/// `GET /ticker/{symbol}/signals`.
pub(crate) struct Signals;

impl Operation for Signals {
    type Input = SignalsQuery;
    type Output = SignalsBody;

    const ABOUT: About = About {
        name: "list_sentiment_signals",
        address: Address::get("/api/v1/ticker/{symbol}/signals"),
        subject: "ticker",
        summary: "Lists the days on which the sentiment of a symbol turned.",
        description: "",
        answer: "Turns, oldest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL"}"#,
        takes_as_of: true,
        keeping: Keeping::WhileDataStand,
    };

    async fn run(context: Context, asked: SignalsQuery) -> Result<SignalsBody> {
        let moment = context.moment();
        let categories = context.categories(None)?;
        let listing = super::find(&context.services, &asked.symbol).await?;
        let press = Press::read(
            &context.services.store,
            &listing,
            moment,
            asked.days,
            &categories,
        )
        .await?;
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
    }
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
