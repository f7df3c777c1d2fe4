//! `/ticker/{symbol}/history` and `/ticker/{symbol}/signals`: daily sentiment of the coverage, and the days on which it
//! shifted.

use analysis::market::{CoverageDay, CoverageWindow, DataIssue, Listing, SentimentShift};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, OverDays};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Daily sentiment, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Days with briefs; days without briefs are left out.
    history: Vec<HistoryDayBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The briefs of one UTC day. Sentiment is 0 to 1, where 0.5 is neutral.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryDayBody {
    /// Date, YYYY-MM-DD.
    date: String,
    /// Mean sentiment, 0 to 1.
    avg_sentiment: f64,
    /// Lowest sentiment, 0 to 1.
    min_sentiment: f64,
    /// Highest sentiment, 0 to 1.
    max_sentiment: f64,
    /// Number of briefs.
    brief_count: usize,
    /// Mean confidence; null for simulated days.
    #[schema(required)]
    avg_confidence: Option<f64>,
    /// Present and true for days before the demo world's newswire began.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

impl From<CoverageDay> for HistoryDayBody {
    fn from(day: CoverageDay) -> Self {
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
    type Input = OverDays<365>;
    type Output = HistoryBody;

    const ABOUT: About = About {
        name: "list_sentiment_history",
        address: Address::get("/api/v1/ticker/{symbol}/history"),
        summary: "Lists the daily sentiment towards a symbol.",
        answer: "Days with briefs, oldest first",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: OverDays<365>) -> Result<HistoryBody> {
        let (listing, window) = asked.coverage(&context).await?;
        let days = window.history();
        Ok(HistoryBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            data_status: written(issues("history", &listing, &window, days.is_empty())),
            history: days.into_iter().map(HistoryDayBody::from).collect(),
        })
    }
}

/// How far back, and what counts as a shift.
pub(crate) struct SignalsQuery {
    over: OverDays<365>,
    threshold: f64,
}

impl Parameters for SignalsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            over: OverDays::read(arguments),
            threshold: arguments.number_or("threshold", 0.0..=1.0, 0.3, "Minimum size of a shift"),
        }
    }
}

/// Shifts in sentiment, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignalsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// The signals, oldest first.
    signals: Vec<SignalBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A day whose mean sentiment differs from that of the previous day with briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignalBody {
    /// Date, YYYY-MM-DD.
    date: String,
    /// `to` minus `from`.
    sentiment_shift: f64,
    /// Sentiment before the shift, 0 to 1.
    from: f64,
    /// Sentiment after the shift, 0 to 1.
    to: f64,
    /// `positive` or `negative`.
    direction: &'static str,
    /// Number of briefs.
    brief_count: usize,
    /// Headline of that day's brief with the most extreme sentiment in the direction of the shift; null for simulated
    /// days.
    #[schema(required)]
    trigger_headline: Option<String>,
    /// Present and true for days before the demo world's newswire began.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
}

impl From<SentimentShift<'_>> for SignalBody {
    fn from(shift: SentimentShift<'_>) -> Self {
        let figures = shift.figures;
        let headline = figures.trigger_headline;
        Self {
            date: figures.day.to_string(),
            sentiment_shift: figures.sentiment_shift,
            from: figures.from,
            to: figures.to,
            direction: figures.direction.as_str(),
            brief_count: figures.brief_count,
            trigger_headline: (!headline.is_empty()).then(|| headline.to_owned()),
            simulated: shift.is_simulated.then_some(true),
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
        summary: "Lists the days on which sentiment towards a symbol shifted.",
        answer: "Shifts, oldest first",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: SignalsQuery) -> Result<SignalsBody> {
        let (listing, window) = asked.over.coverage(&context).await?;
        let is_silent = window.opinions.is_empty() && window.simulated.is_empty();
        Ok(SignalsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            signals: window
                .signals(asked.threshold)
                .into_iter()
                .map(SignalBody::from)
                .collect(),
            data_status: written(issues("signals", &listing, &window, is_silent)),
        })
    }
}

/// What is missing from the coverage.
fn issues(
    field: &'static str,
    listing: &Listing,
    window: &CoverageWindow,
    is_silent: bool,
) -> Vec<DataIssue> {
    let others = listing.of_other_classes(field, &window.tickers());
    let mut issues: Vec<DataIssue> = others.into_iter().collect();
    if is_silent {
        issues.push(DataIssue::absent(
            field,
            "no brief in the period mentions this symbol",
        ));
    }
    if let Some(last) = window.simulated.last() {
        issues.push(DataIssue::note(
            field,
            format!("sentiment until {} is simulated", last.day),
            "simulated",
        ));
    }
    issues
}
