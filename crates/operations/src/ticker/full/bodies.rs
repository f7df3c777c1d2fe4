//! The parts of the full response in their output form.

use analysis::market::{
    Consensus, EarningsView, Holders, NewsItem, PricePoint, SentimentTrend, Surprise,
};
use market::signals::SignalSummary;
use market::technicals::Technicals;
use serde::Serialize;
use utoipa::ToSchema;

/// Number of reports shown.
const REPORTS: usize = 8;
/// Number of holders shown.
const HOLDERS: usize = 5;

/// The latest price.
#[derive(Serialize, ToSchema)]
#[schema(as = FullPrice)]
pub(crate) struct FullPriceBody {
    /// Latest price in the currency of the listing.
    #[schema(required)]
    current: Option<f64>,
    /// Change from the previous close, in the currency of the listing.
    #[schema(required)]
    change: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Shares or coins traded in the session; null if volumes are unknown.
    #[schema(required)]
    volume: Option<f64>,
    /// Market value in USD.
    #[schema(required)]
    market_cap: Option<f64>,
}

impl FullPriceBody {
    pub(super) fn new(point: Option<PricePoint>, market_cap: Option<f64>) -> Self {
        Self {
            current: point.map(|point| point.current),
            change: point.and_then(|point| point.change),
            change_pct: point.and_then(|point| point.change_pct),
            volume: point.and_then(|point| point.volume),
            market_cap,
        }
    }
}

/// Selected indicators, and the overall signal of all indicators.
#[derive(Serialize, ToSchema)]
#[schema(as = FullTechnicals)]
pub(crate) struct FullTechnicalsBody {
    /// 14-day RSI.
    #[schema(required)]
    rsi: Option<f64>,
    /// MACD(12, 26, 9) line.
    #[schema(required)]
    macd: Option<f64>,
    /// Simple moving average of the last 50 closes.
    #[schema(required)]
    sma_50: Option<f64>,
    /// Simple moving average of the last 200 closes.
    #[schema(required)]
    sma_200: Option<f64>,
    /// `strong_buy`, `buy`, `neutral`, `sell` or `strong_sell`; null if the latest candle is old.
    #[schema(required)]
    signal: Option<&'static str>,
    /// Number of indicators that voted, at most 20.
    signal_count: u32,
}

impl FullTechnicalsBody {
    pub(super) fn new(values: Option<&Technicals>, summary: Option<SignalSummary>) -> Self {
        Self {
            rsi: values.and_then(|values| values.rsi_14),
            macd: values.and_then(|values| values.macd).map(|macd| macd.line),
            sma_50: values.and_then(|values| values.sma_50),
            sma_200: values.and_then(|values| values.sma_200),
            signal: summary.map(|summary| summary.overall.as_str()),
            signal_count: summary.map_or(0, |summary| summary.total),
        }
    }
}

/// The next earnings report and the most recent ones.
#[derive(Serialize, ToSchema)]
#[schema(as = FullEarnings)]
pub(crate) struct FullEarningsBody {
    /// Date of the next report, YYYY-MM-DD.
    #[schema(required)]
    next_date: Option<String>,
    /// Expected earnings per share, in `currency`.
    #[schema(required)]
    eps_estimate: Option<f64>,
    /// Expected revenue, in `currency`.
    #[schema(required)]
    revenue_estimate: Option<f64>,
    /// ISO 4217 code of estimates and reports, which are in the currency of the listing.
    currency: String,
    /// The most recent reports, newest first, at most eight.
    surprise_history: Vec<SurpriseBody>,
}

impl FullEarningsBody {
    pub(super) fn new(view: EarningsView, currency: &str) -> Self {
        let next = view.next.as_ref();
        Self {
            next_date: view.next_day().map(|day| day.to_string()),
            eps_estimate: next.and_then(|next| next.eps_estimate),
            revenue_estimate: next.and_then(|next| next.revenue_estimate),
            currency: currency.to_owned(),
            surprise_history: view
                .reported
                .into_iter()
                .take(REPORTS)
                .map(SurpriseBody::from)
                .collect(),
        }
    }
}

/// How a report differed from the estimate.
#[derive(Serialize, ToSchema)]
#[schema(as = EarningsSurprise)]
pub(crate) struct SurpriseBody {
    /// Fiscal quarter, such as `Q3 2026`.
    fiscal_quarter: String,
    /// Date of the report, YYYY-MM-DD.
    date: String,
    /// Expected earnings per share.
    #[schema(required)]
    eps_estimate: Option<f64>,
    /// Reported earnings per share.
    #[schema(required)]
    eps_actual: Option<f64>,
    /// Surprise as a percentage of the absolute estimate; null if either figure is unknown or the estimate is 0.
    #[schema(required)]
    surprise_pct: Option<f64>,
}

impl From<Surprise> for SurpriseBody {
    fn from(surprise: Surprise) -> Self {
        let report = surprise.report;
        Self {
            fiscal_quarter: report.fiscal_quarter,
            date: report.date.to_string(),
            eps_estimate: report.eps_estimate,
            eps_actual: report.eps_actual,
            surprise_pct: surprise.surprise_pct,
        }
    }
}

/// Sentiment of the briefs.
#[derive(Serialize, ToSchema)]
#[schema(as = FullSentiment)]
pub(crate) struct FullSentimentBody {
    /// Mean sentiment of the briefs from the last seven days, 0 to 1, where 0.5 is neutral.
    #[schema(required)]
    score: Option<f64>,
    /// Number of briefs in the last seven days.
    brief_count: usize,
    /// `score` minus the score of the previous seven days; null if either week has no briefs.
    #[schema(required)]
    shift_7d: Option<f64>,
    /// The most common tags and event types in these briefs, at most five.
    top_themes: Vec<String>,
}

impl From<SentimentTrend> for FullSentimentBody {
    fn from(sentiment: SentimentTrend) -> Self {
        Self {
            score: sentiment.score,
            brief_count: sentiment.brief_count,
            shift_7d: sentiment.shift_7d,
            top_themes: sentiment.top_themes,
        }
    }
}

/// A brief that mentions the symbol.
#[derive(Serialize, ToSchema)]
#[schema(as = FullNews)]
pub(crate) struct FullNewsBody {
    /// ID of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// Distance of the sentiment from neutral (0 to 1), times confidence, times 1 if the symbol is the subject of the
    /// brief, 0.6 if it is involved, or 0.3 if it is mentioned in passing.
    impact_score: f64,
    /// Time of publication.
    published_at: String,
}

impl From<&NewsItem> for FullNewsBody {
    fn from(item: &NewsItem) -> Self {
        Self {
            brief_id: item.brief_id.clone(),
            headline: item.headline.clone(),
            impact_score: item.impact_score,
            published_at: item.published_at.to_string(),
        }
    }
}

/// Analyst consensus; see `/ticker/{symbol}/analysts`.
#[derive(Serialize, ToSchema)]
#[schema(as = FullAnalysts)]
pub(crate) struct FullAnalystsBody {
    /// Mean rating in words.
    #[schema(required)]
    consensus: Option<&'static str>,
    /// Mean price target in the currency of the listing.
    #[schema(required)]
    target_mean: Option<f64>,
    /// Highest price target in the currency of the listing.
    #[schema(required)]
    target_high: Option<f64>,
    /// Lowest price target in the currency of the listing.
    #[schema(required)]
    target_low: Option<f64>,
    /// Number of ratings.
    count: usize,
}

impl From<Consensus> for FullAnalystsBody {
    fn from(reported: Consensus) -> Self {
        Self {
            consensus: reported.rating.map(model::Rating::as_str),
            target_mean: reported.avg_target,
            target_high: reported.high_target,
            target_low: reported.low_target,
            count: reported.firms,
        }
    }
}

/// Institutional holders, from Form 13F filings.
#[derive(Serialize, ToSchema)]
#[schema(as = FullInstitutions)]
pub(crate) struct FullInstitutionsBody {
    /// Number of institutions.
    holder_count: usize,
    /// Percentage of all shares outstanding held by institutions; null if the number outstanding is unknown.
    #[schema(required)]
    ownership_pct: Option<f64>,
    /// The largest holders, at most five.
    top_holders: Vec<TopHolderBody>,
}

/// An institutional holder.
#[derive(Serialize, ToSchema)]
#[schema(as = TopHolder)]
pub(crate) struct TopHolderBody {
    /// Name of the institution.
    name: String,
    /// Number of shares.
    shares: f64,
    /// Percentage of all shares outstanding; null if the number outstanding is unknown.
    #[schema(required)]
    pct: Option<f64>,
}

impl FullInstitutionsBody {
    pub(super) fn new(holders: &Holders, outstanding: Option<f64>) -> Self {
        let part = |shares: f64| {
            let part = shares / outstanding? * 100.0;
            part.is_finite().then_some(part)
        };
        let has_holders = !holders.holders.is_empty();
        Self {
            holder_count: holders.holders.len(),
            ownership_pct: part(holders.shares()).filter(|_| has_holders),
            top_holders: holders
                .holders
                .iter()
                .take(HOLDERS)
                .map(|holder| TopHolderBody {
                    name: holder.institution.clone(),
                    shares: holder.shares,
                    pct: part(holder.shares),
                })
                .collect(),
        }
    }
}
