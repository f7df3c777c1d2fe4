//! `/ticker/{symbol}/analysis`: indicators, coverage, events and fundamentals of a symbol in one response.

use analysis::market::Assessment;
use market::composite::MomentumDirection;
use serde::Serialize;
use utoipa::ToSchema;

use super::technicals::SignalSummaryBody;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// Credits charged per call.
pub(crate) const CREDITS: u64 = 3;

/// Overall assessment of a symbol.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Last trading session if the instrument is delisted, YYYY-MM-DD; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Trade signal; absent if there is no data to base it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trade_signal: Option<TradeSignalBody>,
    /// Latest price in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// Session of that price, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_date: Option<String>,
    /// Change from the previous close, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// The votes of the indicators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    technicals: Option<SignalSummaryBody>,
    /// Price momentum over 20 sessions.
    momentum: AnalysisMomentumBody,
    /// Sentiment of the coverage.
    sentiment: AnalysisSentimentBody,
    /// Events about the symbol in the last seven days.
    events: AnalysisEventsBody,
    /// Company figures.
    fundamentals: AnalysisFundamentalsBody,
    /// Support and resistance.
    levels: LevelsBody,
    /// Summary of the analysis in sentences, in Markdown.
    summary: String,
    /// Always `template`: the text is not written by a model.
    summary_source: &'static str,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Signal computed from technicals, sentiment, events and fundamentals by a documented function.
#[derive(Serialize, ToSchema)]
#[schema(as = TradeSignal)]
pub(crate) struct TradeSignalBody {
    /// `strong_buy`, `lean_buy`, `hold`, `lean_sell` or `strong_sell`.
    action: &'static str,
    /// 0 to 100; 50 is neutral.
    score: u32,
    /// The factors behind the score, each with its value and points: the neutral score of 50 first, then those with the
    /// most points, whether added or taken; the points sum to the score. A bound that limits the score has a line of
    /// its own.
    factors: Vec<String>,
    /// The same points by component; together with the neutral score of 50, they sum to the score.
    contributions: Vec<ContributionBody>,
}

/// Contribution of one component to a score.
#[derive(Serialize, ToSchema)]
#[schema(as = SignalContribution)]
pub(crate) struct ContributionBody {
    /// `sentiment`, `momentum`, `attention`, `events`, `technicals`, `earnings_yield`, `profit_margin` or `bound`,
    /// which keeps the score from contradicting news and price.
    component: &'static str,
    /// Points on the scale of 0 to 100; negative if the component lowers the score.
    points: f64,
}

/// Recent price momentum.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisMomentum)]
pub(crate) struct AnalysisMomentumBody {
    /// The price move over 20 sessions relative to its usual size, 0 to 1, where 0.5 is neutral; null if there are
    /// fewer than 21 candles, the price does not move, or the latest price is old.
    #[schema(required)]
    value: Option<f64>,
    /// `up`, `down` or `flat`; null if there is no value.
    #[schema(required)]
    direction: Option<&'static str>,
}

/// Sentiment of the coverage over seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisSentimentBody {
    /// Sentiment, 0 to 1; null if there are no briefs.
    #[schema(required)]
    score: Option<f64>,
    /// Number of briefs in the last seven days.
    briefs_7d: usize,
    /// Number of briefs in the last 24 hours.
    briefs_24h: usize,
}

/// Events in the last seven days.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisEventsBody {
    /// Number of events in the last seven days.
    count_7d: usize,
    /// Kind of the latest event.
    #[schema(required)]
    latest_type: Option<&'static str>,
    /// Usual effect of these events on the company, 0 to 1, where 0.5 is neutral; null if there are no events.
    #[schema(required)]
    value: Option<f64>,
}

/// Fundamentals reported by the company; a figure is null if it is unknown.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisFundamentalsBody {
    /// Price divided by earnings per share for the trailing twelve months.
    #[schema(required)]
    pe_ratio: Option<f64>,
    /// Diluted earnings per share for the trailing twelve months or the fiscal year, in the company's reporting
    /// currency.
    #[schema(required)]
    eps: Option<f64>,
    /// Profit margin, in percent.
    #[schema(required)]
    profit_margin: Option<f64>,
    /// Debt divided by equity.
    #[schema(required)]
    debt_to_equity: Option<f64>,
}

/// The nearest moving averages, bands, channel bounds or retracement levels; null if there is none on that side.
#[derive(Serialize, ToSchema)]
pub(crate) struct LevelsBody {
    /// Nearest technical level below the current price, in the currency of the listing.
    #[schema(required)]
    support: Option<f64>,
    /// Nearest technical level above the current price, in the currency of the listing.
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
        description: "The weights are 0.60 for the composite score of news and price, 0.25 for technicals and 0.15 for fundamentals. The weight of missing components is distributed over the rest, and the score is never on the opposite side of neutral from the composite score. `factors` gives the points of each component; added to a neutral 50, they sum to the score. The score follows fixed rules and is neither advice nor a forecast.",
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
