//! `/ticker/{symbol}/analysis`: indicators, coverage, events and figures of a symbol together.

use analysis::market::Assessment;
use market::composite::MomentumDirection;
use serde::Serialize;
use utoipa::ToSchema;

use super::technicals::SignalSummaryBody;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// Credits of one call.
pub(crate) const CREDITS: u64 = 3;

/// A symbol as a whole.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// The last session in which it could be traded, YYYY-MM-DD, where it is delisted; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Absent where nothing is known that it could rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trade_signal: Option<TradeSignalBody>,
    /// Latest price in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// The session of that price, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_date: Option<String>,
    /// Change from the previous close in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// The votes of the indicators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    technicals: Option<SignalSummaryBody>,
    /// How the price moved over 20 sessions.
    momentum: AnalysisMomentumBody,
    /// Sentiment of the coverage.
    sentiment: AnalysisSentimentBody,
    /// Events about the symbol in the last seven days.
    events: AnalysisEventsBody,
    /// Company figures.
    fundamentals: AnalysisFundamentalsBody,
    /// Support and resistance.
    levels: LevelsBody,
    /// All of it in sentences, Markdown.
    summary: String,
    /// Always `template`: no model wrote it.
    summary_source: &'static str,
    /// Credits that this answer cost.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A documented function of technicals, sentiment, events and fundamentals.
#[derive(Serialize, ToSchema)]
#[schema(as = TradeSignal)]
pub(crate) struct TradeSignalBody {
    /// `strong_buy`, `lean_buy`, `hold`, `lean_sell` or `strong_sell`.
    action: &'static str,
    /// 0 to 100; 50 is neutral.
    score: u32,
    /// What it rests on, each with its number and its points: a neutral score of 50 first, then the weightiest; they sum to the
    /// score. A bound that holds the score is a line of its own.
    factors: Vec<String>,
    /// The points again, by component; with the 50 of a neutral score they sum to the score.
    contributions: Vec<ContributionBody>,
}

/// What one component adds to a score.
#[derive(Serialize, ToSchema)]
#[schema(as = SignalContribution)]
pub(crate) struct ContributionBody {
    /// `sentiment`, `momentum`, `attention`, `events`, `technicals`, `earnings_yield`, `profit_margin`, or `bound`: what keeps the
    /// score from contradicting news and price.
    component: &'static str,
    /// Points on the scale of 0 to 100; negative where it takes.
    points: f64,
}

/// How the price moved lately.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisMomentum)]
pub(crate) struct AnalysisMomentumBody {
    /// The move of 20 sessions against its usual size, 0 to 1 with 0.5 neutral; null with fewer than 21 candles, with a price
    /// that does not move, and where the newest price is old.
    #[schema(required)]
    value: Option<f64>,
    /// `up`, `down` or `flat`; null without a value.
    #[schema(required)]
    direction: Option<&'static str>,
}

/// Coverage over seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisSentimentBody {
    /// 0 to 1; null without briefs.
    #[schema(required)]
    score: Option<f64>,
    /// Briefs of the last seven days.
    briefs_7d: usize,
    /// Briefs of the last 24 hours.
    briefs_24h: usize,
}

/// What happened in seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisEventsBody {
    /// Number in the last seven days.
    count_7d: usize,
    /// Kind of the newest event.
    #[schema(required)]
    latest_type: Option<&'static str>,
    /// How they usually bear on the company, 0 to 1 with 0.5 neutral; null without events.
    #[schema(required)]
    value: Option<f64>,
}

/// What the company reports; null where it is not known.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisFundamentalsBody {
    /// Price divided by the earnings per share of twelve months.
    #[schema(required)]
    pe_ratio: Option<f64>,
    /// Diluted earnings per share of twelve months, or of the fiscal year, in the currency that the company reports in.
    #[schema(required)]
    eps: Option<f64>,
    /// In percent.
    #[schema(required)]
    profit_margin: Option<f64>,
    /// Debt divided by equity.
    #[schema(required)]
    debt_to_equity: Option<f64>,
}

/// The nearest of averages, bands, channel and retracements; null where there is none on that side.
#[derive(Serialize, ToSchema)]
pub(crate) struct LevelsBody {
    /// Nearest watched price below the current one, in the currency of the listing.
    #[schema(required)]
    support: Option<f64>,
    /// Nearest watched price above the current one, in the currency of the listing.
    #[schema(required)]
    resistance: Option<f64>,
}

/// `GET /ticker/{symbol}/analysis`.
pub(crate) struct Analysis;

impl Operation for Analysis {
    type Input = BySymbol;
    type Output = AnalysisBody;

    const ABOUT: About = About {
        name: "analyze_ticker",
        address: Address::get("/api/v1/ticker/{symbol}/analysis"),
        summary: "Assesses a symbol.",
        description: "The composite score of news and price 0.60, technicals 0.25, fundamentals 0.15; the weight of missing components is distributed over the rest, and the score is never on the other side of neutral than the composite score. `factors` give the points of each component; with a neutral 50 they sum to the score. The score follows fixed rules and is neither advice nor a forecast.",
        answer: "The assessment and its factors",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, input: BySymbol) -> Result<AnalysisBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let listing = context.listing(&input.symbol).await?;
        let assess = context.assessments.assess(&listing, when, &categories);
        let assessment: Assessment = assess.await?;
        Ok(AnalysisBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            delisted: listing.delisted(when).map(|last| last.to_string()),
            trade_signal: assessment.signal.map(|signal| TradeSignalBody {
                action: signal.action.as_str(),
                score: signal.score,
                factors: assessment.factors,
                contributions: assessment
                    .contributions
                    .iter()
                    .map(|one| ContributionBody {
                        component: one.component.as_str(),
                        points: one.points,
                    })
                    .collect(),
            }),
            price: assessment.price.map(|price| price.current),
            price_date: assessment.price.map(|price| price.day.to_string()),
            change_pct: assessment.price.and_then(|price| price.change_pct),
            technicals: assessment.votes.map(SignalSummaryBody::from),
            momentum: AnalysisMomentumBody {
                value: assessment.composite.momentum.value,
                direction: assessment
                    .composite
                    .momentum
                    .direction
                    .map(MomentumDirection::as_str),
            },
            sentiment: AnalysisSentimentBody {
                score: assessment.composite.sentiment.value,
                briefs_7d: assessment.briefs_7d,
                briefs_24h: assessment.composite.volume.briefs_24h,
            },
            events: AnalysisEventsBody {
                count_7d: assessment.composite.events.count_7d,
                latest_type: assessment
                    .composite
                    .events
                    .latest_type
                    .map(model::EventKind::as_str),
                value: assessment.composite.events.value,
            },
            fundamentals: AnalysisFundamentalsBody {
                pe_ratio: assessment.financials.pe_ratio,
                eps: assessment.financials.eps,
                profit_margin: assessment.financials.profit_margin,
                debt_to_equity: assessment.financials.debt_to_equity,
            },
            levels: LevelsBody {
                support: assessment.support,
                resistance: assessment.resistance,
            },
            summary: assessment.summary,
            summary_source: "template",
            credits_used: CREDITS,
            data_status: written(assessment.issues),
        })
    }
}
