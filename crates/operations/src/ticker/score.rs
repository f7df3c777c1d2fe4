//! `/ticker/{symbol}/score`: one number that combines news and price.

use analysis::market::{DataIssue, old_signal};
use market::Day;
use market::composite::{Composite, MomentumDirection};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// The composite score.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScoreBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Composite score, 0 (bearish) to 1 (bullish); null if neither news nor prices are known, or if the latest price
    /// is old.
    #[schema(required)]
    composite_score: Option<f64>,
    /// `strong_bullish`, `bullish`, `neutral`, `bearish` or `strong_bearish`; null if there is no score.
    #[schema(required)]
    signal: Option<&'static str>,
    /// The components of the score.
    components: ComponentsBody,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The components of the score. The weights are those applied; a component without data has a weight of 0. The score is
/// 0.5 plus the four contributions.
#[derive(Serialize, ToSchema)]
pub(crate) struct ComponentsBody {
    /// Sentiment of the briefs from the last few days.
    sentiment: SentimentPartBody,
    /// Momentum of the price.
    momentum: MomentumPartBody,
    /// Volume of coverage: the number of briefs compared with the days before.
    volume: VolumePartBody,
    /// Events about the symbol.
    events: EventsPartBody,
}

/// Sentiment of the briefs, 0 to 1; null if there are none.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentimentPartBody {
    /// 0 to 1, where 0.5 is neutral; null if there is no data.
    #[schema(required)]
    value: Option<f64>,
    /// Mean sentiment over the last 24 hours, 0 to 1.
    #[schema(required)]
    current_24h: Option<f64>,
    /// Mean sentiment over the last seven days, 0 to 1.
    #[schema(required)]
    week_avg: Option<f64>,
    /// Weight applied, 0 to 1.
    weight: f64,
    /// Contribution to the score, added to the neutral 0.5: weight × (value − 0.5); 0 if there is no data.
    contribution: f64,
}

/// The price move over 20 sessions relative to its usual size, 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct MomentumPartBody {
    /// 0 to 1; null if there are fewer than 21 candles, the price does not move or the latest price is old.
    #[schema(required)]
    value: Option<f64>,
    /// `up`, `down` or `flat`; null if there is no value.
    #[schema(required)]
    direction: Option<&'static str>,
    /// Weight applied, 0 to 1.
    weight: f64,
    /// Contribution to the score, added to the neutral 0.5: weight × (value − 0.5); 0 if there is no data.
    contribution: f64,
}

/// Media attention.
#[derive(Serialize, ToSchema)]
pub(crate) struct VolumePartBody {
    /// 0 to 1, where 0.5 is neutral; null if there is no data.
    #[schema(required)]
    value: Option<f64>,
    /// Number of briefs in the last 24 hours.
    briefs_24h: usize,
    /// Change from the mean of the six days before, in percent; null if there were no briefs on those days.
    #[schema(required)]
    velocity_change_pct: Option<f64>,
    /// Weight applied, 0 to 1.
    weight: f64,
    /// Contribution to the score, added to the neutral 0.5: weight × (value − 0.5); 0 if there is no data.
    contribution: f64,
}

/// Events in the last seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventsPartBody {
    /// 0 to 1, where 0.5 is neutral; null if there is no data.
    #[schema(required)]
    value: Option<f64>,
    /// Number of events in the last seven days.
    count_7d: usize,
    /// Kind of the latest event; null if there are no events.
    #[schema(required)]
    latest_type: Option<&'static str>,
    /// Weight applied, 0 to 1.
    weight: f64,
    /// Contribution to the score, added to the neutral 0.5: weight × (value − 0.5); 0 if there is no data.
    contribution: f64,
}

impl From<&Composite> for ComponentsBody {
    fn from(score: &Composite) -> Self {
        let contribution =
            |value: Option<f64>, weight: f64| value.map_or(0.0, |value| weight * (value - 0.5));
        Self {
            sentiment: SentimentPartBody {
                value: score.sentiment.value,
                current_24h: score.sentiment.current_24h,
                week_avg: score.sentiment.week_avg,
                weight: score.sentiment.weight,
                contribution: contribution(score.sentiment.value, score.sentiment.weight),
            },
            momentum: MomentumPartBody {
                value: score.momentum.value,
                direction: score.momentum.direction.map(MomentumDirection::as_str),
                weight: score.momentum.weight,
                contribution: contribution(score.momentum.value, score.momentum.weight),
            },
            volume: VolumePartBody {
                value: score.volume.value,
                briefs_24h: score.volume.briefs_24h,
                velocity_change_pct: score.volume.velocity_change_pct,
                weight: score.volume.weight,
                contribution: contribution(score.volume.value, score.volume.weight),
            },
            events: EventsPartBody {
                value: score.events.value,
                count_7d: score.events.count_7d,
                latest_type: score.events.latest_type.map(model::EventKind::as_str),
                weight: score.events.weight,
                contribution: contribution(score.events.value, score.events.weight),
            },
        }
    }
}

/// `GET /ticker/{symbol}/score`.
pub(crate) struct Score;

impl Operation for Score {
    type Input = BySymbol;
    type Output = ScoreBody;

    const ABOUT: About = About {
        name: "score_ticker",
        address: Address::get("/api/v1/ticker/{symbol}/score"),
        summary: "Scores a symbol by news and price.",
        description: "The weights are 0.40 for sentiment, 0.30 for momentum, 0.15 for attention and 0.15 for events; the weight of missing components is distributed over the rest. Each component states its contribution; added to a neutral 0.5, the contributions sum to the score. The weights are a choice, and the score is not a forecast.",
        answer: "The score and its components",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, input: BySymbol) -> Result<ScoreBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let listing = context.listing(&input.symbol).await?;
        let history = context.prices.history(&listing, when).await?;
        let reading = context
            .assessments
            .read(&listing, &history, when, &categories);
        let reading = reading.await?;
        let composite = reading.composite;
        Ok(ScoreBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            composite_score: composite.composite_score,
            signal: composite.composite_score.map(|_| composite.signal.as_str()),
            components: (&composite).into(),
            data_status: written(
                listing
                    .delisting("composite_score", when)
                    .into_iter()
                    .chain(reading.old.map(|day| old_signal("composite_score", day)))
                    .chain(issues(&composite, reading.old))
                    .chain(listing.staleness("components.momentum", history.candles(), when))
                    .collect(),
            ),
        })
    }
}

/// Which components are missing, and why.
fn issues(score: &Composite, old: Option<Day>) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    if score.sentiment.week_avg.is_none() {
        issues.push(DataIssue::absent(
            "components.sentiment",
            "no brief in the last seven days mentions this symbol",
        ));
    }
    if score.momentum.value.is_none() {
        let reason = old.map_or_else(
            || "fewer than 21 candles are available, or the price does not move".to_owned(),
            |day| format!("the newest price is of {day}, too old to say how the price moves now"),
        );
        issues.push(DataIssue::absent("components.momentum", reason));
    }
    if score.events.count_7d == 0 {
        issues.push(DataIssue::absent(
            "components.events",
            "no event about this symbol was reported in the last seven days",
        ));
    }
    issues
}
