//! `/ticker/{symbol}/score`: one number for what the news and the price say.

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
    /// 0 (bearish) to 1 (bullish); null where neither news nor prices are known, and where the newest price is old.
    #[schema(required)]
    composite_score: Option<f64>,
    /// `strong_bullish`, `bullish`, `neutral`, `bearish` or `strong_bearish`; null without a score.
    #[schema(required)]
    signal: Option<&'static str>,
    /// The parts of the score.
    components: ComponentsBody,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// What the score is made of. The weights are those that were applied; a part without data has the weight 0. The score is 0.5 and
/// the four contributions.
#[derive(Serialize, ToSchema)]
pub(crate) struct ComponentsBody {
    /// Sentiment of the briefs of the last days.
    sentiment: SentimentPartBody,
    /// Momentum of the price.
    momentum: MomentumPartBody,
    /// Volume of coverage: how many briefs there are, compared with the days before.
    volume: VolumePartBody,
    /// Events about the symbol.
    events: EventsPartBody,
}

/// Sentiment of the briefs, 0 to 1; null without briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentimentPartBody {
    /// 0 to 1 with 0.5 neutral; null without data.
    #[schema(required)]
    value: Option<f64>,
    /// Mean sentiment of the last 24 hours, 0 to 1.
    #[schema(required)]
    current_24h: Option<f64>,
    /// Mean sentiment of the last seven days, 0 to 1.
    #[schema(required)]
    week_avg: Option<f64>,
    /// Weight that was applied, 0 to 1.
    weight: f64,
    /// What it adds to a neutral score of 0.5: weight × (value − 0.5); 0 without data.
    contribution: f64,
}

/// The course of the price over 20 sessions against its usual size, 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct MomentumPartBody {
    /// 0 to 1; null with fewer than 21 candles or a price that does not move.
    #[schema(required)]
    value: Option<f64>,
    /// `up`, `down` or `flat`; null without a value.
    #[schema(required)]
    direction: Option<&'static str>,
    /// Weight that was applied, 0 to 1.
    weight: f64,
    /// What it adds to a neutral score of 0.5: weight × (value − 0.5); 0 without data.
    contribution: f64,
}

/// The attention of the media.
#[derive(Serialize, ToSchema)]
pub(crate) struct VolumePartBody {
    /// 0 to 1 with 0.5 neutral; null without data.
    #[schema(required)]
    value: Option<f64>,
    /// Briefs of the last 24 hours.
    briefs_24h: usize,
    /// Compared with the mean of the six days before, in percent; null when these had no brief.
    #[schema(required)]
    velocity_change_pct: Option<f64>,
    /// Weight that was applied, 0 to 1.
    weight: f64,
    /// What it adds to a neutral score of 0.5: weight × (value − 0.5); 0 without data.
    contribution: f64,
}

/// What happened in seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventsPartBody {
    /// 0 to 1 with 0.5 neutral; null without data.
    #[schema(required)]
    value: Option<f64>,
    /// Number in the last seven days.
    count_7d: usize,
    /// Null without events.
    #[schema(required)]
    latest_type: Option<&'static str>,
    /// Weight that was applied, 0 to 1.
    weight: f64,
    /// What it adds to a neutral score of 0.5: weight × (value − 0.5); 0 without data.
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
        description: "Sentiment 0.40, momentum 0.30, attention 0.15, events 0.15; the weight of missing components is distributed over the rest. Each component states its contribution; with a neutral 0.5 they sum to the score. The weights are a choice, and the score is not a forecast.",
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

/// Which parts are missing, and why.
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
