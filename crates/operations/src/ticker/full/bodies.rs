//! The parts of the whole, as they are written.

use analysis::market::{
    Consensus, EarningsView, Holders, NewsItem, PricePoint, SentimentTrend, Surprise,
};
use market::signals::SignalSummary;
use market::technicals::Technicals;
use serde::Serialize;
use utoipa::ToSchema;

/// Reports that are shown.
const REPORTS: usize = 8;
/// Holders that are shown.
const HOLDERS: usize = 5;

/// The newest price.
#[derive(Serialize, ToSchema)]
#[schema(as = FullPrice)]
pub(crate) struct FullPriceBody {
    /// Latest price in the currency of the listing.
    #[schema(required)]
    current: Option<f64>,
    /// Change from the previous close in the currency of the listing.
    #[schema(required)]
    change: Option<f64>,
    /// The same in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Shares or coins of its session; null where volumes are not known.
    #[schema(required)]
    volume: Option<f64>,
    /// In USD.
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

/// A few of the indicators, and what all of them say together.
#[derive(Serialize, ToSchema)]
#[schema(as = FullTechnicals)]
pub(crate) struct FullTechnicalsBody {
    /// RSI of 14 days.
    #[schema(required)]
    rsi: Option<f64>,
    /// Line of MACD(12, 26, 9).
    #[schema(required)]
    macd: Option<f64>,
    /// Mean of the last 50 closes.
    #[schema(required)]
    sma_50: Option<f64>,
    /// Mean of the last 200 closes.
    #[schema(required)]
    sma_200: Option<f64>,
    /// `strong_buy`, `buy`, `neutral`, `sell` or `strong_sell`; null where the newest candle is old.
    #[schema(required)]
    signal: Option<&'static str>,
    /// Indicators that voted, at most 20.
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

/// The next report and the last ones.
#[derive(Serialize, ToSchema)]
#[schema(as = FullEarnings)]
pub(crate) struct FullEarningsBody {
    /// YYYY-MM-DD.
    #[schema(required)]
    next_date: Option<String>,
    /// Expected earnings per share, in `currency`.
    #[schema(required)]
    eps_estimate: Option<f64>,
    /// In `currency`.
    #[schema(required)]
    revenue_estimate: Option<f64>,
    /// ISO 4217 code of estimates and reports: that of the listing.
    currency: String,
    /// The last reports, the newest first, at most eight.
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

/// How a report differed from what was expected.
#[derive(Serialize, ToSchema)]
#[schema(as = EarningsSurprise)]
pub(crate) struct SurpriseBody {
    /// Fiscal quarter, such as `Q3 2026`.
    fiscal_quarter: String,
    /// YYYY-MM-DD.
    date: String,
    /// Expected earnings per share.
    #[schema(required)]
    eps_estimate: Option<f64>,
    /// Reported earnings per share.
    #[schema(required)]
    eps_actual: Option<f64>,
    /// Of the amount of the estimate, in percent; null where either is not known.
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

/// What the briefs say.
#[derive(Serialize, ToSchema)]
#[schema(as = FullSentiment)]
pub(crate) struct FullSentimentBody {
    /// Mean sentiment of the briefs of the last seven days, 0 to 1 with 0.5 neutral.
    #[schema(required)]
    score: Option<f64>,
    /// Briefs of the last seven days.
    brief_count: usize,
    /// `score` less that of the seven days before; null where either week has no brief.
    #[schema(required)]
    shift_7d: Option<f64>,
    /// Tags and kinds of event that most of these briefs share, at most five.
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

/// A brief that names it.
#[derive(Serialize, ToSchema)]
#[schema(as = FullNews)]
pub(crate) struct FullNewsBody {
    /// Id of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// How far its sentiment is from neutral (0 to 1), times its confidence, times 1 where the symbol is the subject,
    /// 0.6 where it takes part, 0.3 where it is named in passing.
    impact_score: f64,
    /// When it was published.
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

/// What analysts say together; see `/ticker/{symbol}/analysts`.
#[derive(Serialize, ToSchema)]
#[schema(as = FullAnalysts)]
pub(crate) struct FullAnalystsBody {
    /// Mean grade in words.
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

/// Who holds it, from Forms 13F.
#[derive(Serialize, ToSchema)]
#[schema(as = FullInstitutions)]
pub(crate) struct FullInstitutionsBody {
    /// Number of institutions.
    holder_count: usize,
    /// Their shares of all shares outstanding, in percent; null where that number is not known.
    #[schema(required)]
    ownership_pct: Option<f64>,
    /// At most five.
    top_holders: Vec<TopHolderBody>,
}

/// An institution that holds it.
#[derive(Serialize, ToSchema)]
#[schema(as = TopHolder)]
pub(crate) struct TopHolderBody {
    /// Name of the institution.
    name: String,
    /// Number of shares.
    shares: f64,
    /// Of all shares outstanding, in percent; null where that number is not known.
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
