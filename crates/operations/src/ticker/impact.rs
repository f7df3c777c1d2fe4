//! `/ticker/{symbol}/impact`: the price move after each brief.

use analysis::market::DataIssue;
use market::impact::{Impact, Impacts};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, OverDays};
use crate::{About, Address, Context, Operation};

/// Credits charged per call.
pub(crate) const CREDITS: u64 = 3;

/// Price moves after the briefs in a period.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImpactBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Number of days measured.
    period_days: u16,
    /// Summary.
    summary: ImpactSummaryBody,
    /// The brief with the highest change after one session; null if no brief has one.
    #[schema(required)]
    best: Option<ExtremeBody>,
    /// The brief with the lowest change after one session; null if no brief has one.
    #[schema(required)]
    worst: Option<ExtremeBody>,
    /// The briefs, newest first.
    briefs: Vec<BriefImpactBody>,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Means over the briefs that have a value, in percent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImpactSummaryBody {
    /// Mean change to the first close, in percent.
    #[schema(required)]
    avg_impact_1d_pct: Option<f64>,
    /// Mean change to the third close, in percent.
    #[schema(required)]
    avg_impact_3d_pct: Option<f64>,
    /// Number of briefs with a value after one session.
    briefs_analyzed: usize,
    /// Number of briefs after which the price rose.
    positive_impact_count: usize,
    /// Number of briefs after which the price fell.
    negative_impact_count: usize,
}

/// The brief with the strongest change.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExtremeBody {
    /// ID of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// Change to the next close, in percent.
    #[schema(required)]
    impact_1d_pct: Option<f64>,
    /// Change to the third close, in percent.
    #[schema(required)]
    impact_3d_pct: Option<f64>,
    /// Time of publication.
    published_at: String,
}

/// Price move after one brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct BriefImpactBody {
    /// ID of the brief.
    brief_id: String,
    /// Headline of the brief when it first mentioned the symbol.
    headline: String,
    /// Time at which that version was published.
    published_at: String,
    /// Last known price before publication: the previous close, the open of the session in progress or, for a coin, the
    /// close of the previous hour; null if there is none.
    #[schema(required)]
    price_at_publish: Option<f64>,
    /// Timestamp of that price.
    #[schema(required)]
    priced_at: Option<String>,
    /// Change from that price to the first close after publication, in percent; null until that close is available.
    #[schema(required)]
    impact_1d_pct: Option<f64>,
    /// Change from that price to the third close after publication, in percent; null until that close is available.
    #[schema(required)]
    impact_3d_pct: Option<f64>,
    /// Sentiment of the brief towards the symbol at that time, 0 to 1.
    sentiment_score: f64,
}

impl From<&Impact<'_>> for BriefImpactBody {
    fn from(impact: &Impact<'_>) -> Self {
        Self {
            brief_id: impact.brief.brief_id.to_owned(),
            headline: impact.brief.headline.to_owned(),
            published_at: impact.brief.published_at.to_string(),
            price_at_publish: impact.price_at_publish,
            priced_at: impact.priced_at.map(|at| at.to_string()),
            impact_1d_pct: impact.impact_1d_pct,
            impact_3d_pct: impact.impact_3d_pct,
            sentiment_score: impact.brief.sentiment_score.get(),
        }
    }
}

impl From<&Impact<'_>> for ExtremeBody {
    fn from(impact: &Impact<'_>) -> Self {
        Self {
            brief_id: impact.brief.brief_id.to_owned(),
            headline: impact.brief.headline.to_owned(),
            impact_1d_pct: impact.impact_1d_pct,
            impact_3d_pct: impact.impact_3d_pct,
            published_at: impact.brief.published_at.to_string(),
        }
    }
}

/// `GET /ticker/{symbol}/impact`.
pub(crate) struct MeasureImpact;

impl Operation for MeasureImpact {
    type Input = OverDays<90>;
    type Output = ImpactBody;

    const ABOUT: About = About {
        name: "measure_news_impact",
        address: Address::get("/api/v1/ticker/{symbol}/impact"),
        summary: "Measures the price change after each brief about a symbol.",
        description: "The change is measured from the last price before publication to the first and the third close after it, for each brief as it was when it first named the symbol. Changes are not adjusted for the market, and no causation is claimed.",
        answer: "The price changes",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: OverDays<90>) -> Result<ImpactBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let listing = context.listing(&asked.symbol).await?;
        let statements = context
            .coverage
            .statements_of((&listing, &context.crypto), when, asked.days, &categories)
            .await?;
        let history = context.prices.history(&listing, when).await?;
        let found = statements.impacts(&history);
        let mut issues = issues(&found);
        issues.extend(listing.of_other_classes("briefs", &statements.tickers()));
        let at = |place: Option<usize>| place.and_then(|place| found.briefs.get(place));
        Ok(ImpactBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            period_days: asked.days,
            summary: ImpactSummaryBody {
                avg_impact_1d_pct: found.avg_impact_1d_pct,
                avg_impact_3d_pct: found.avg_impact_3d_pct,
                briefs_analyzed: found.briefs_analyzed,
                positive_impact_count: found.positive_impact_count,
                negative_impact_count: found.negative_impact_count,
            },
            best: at(found.best).map(ExtremeBody::from),
            worst: at(found.worst).map(ExtremeBody::from),
            briefs: found.briefs.iter().map(BriefImpactBody::from).collect(),
            credits_used: CREDITS,
            data_status: written(issues),
        })
    }
}

fn issues(found: &Impacts<'_>) -> Vec<DataIssue> {
    let reason = if found.briefs.is_empty() {
        "no brief in the period mentions this symbol"
    } else if found.briefs_analyzed == 0 {
        "no brief in the period was followed by a session with a candle"
    } else {
        return Vec::new();
    };
    vec![DataIssue::absent("summary", reason)]
}
