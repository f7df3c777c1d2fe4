//! `/ticker/{symbol}/analysts`: analyst ratings of a share, individually and as a consensus.

use analysis::market::{Consensus, DataIssue};
use model::AnalystRating;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// Number of ratings shown.
const SHOWN: usize = 20;

/// Analyst ratings.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalystsBody {
    /// `strong_buy`, `buy`, `hold`, `sell` or `strong_sell`: the mean of each firm's latest rating in the last twelve
    /// months, rounded to the nearest rating; null if there are no ratings.
    #[schema(required)]
    consensus: Option<&'static str>,
    /// Mean price target of these ratings, in the currency of the listing; null if there are no targets.
    #[schema(required)]
    avg_target: Option<f64>,
    /// Highest price target in the currency of the listing.
    #[schema(required)]
    high_target: Option<f64>,
    /// Lowest price target in the currency of the listing.
    #[schema(required)]
    low_target: Option<f64>,
    /// Number of firms that issued a rating in the last twelve months.
    num_analysts: usize,
    /// The ratings, newest first, at most 20.
    recent_ratings: Vec<RatingBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A rating.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalystRating)]
pub(crate) struct RatingBody {
    /// Name of the analyst; null if only the firm is known.
    #[schema(required)]
    analyst: Option<String>,
    /// Firm that issued the rating.
    firm: String,
    /// `strong_buy`, `buy`, `hold`, `sell` or `strong_sell`.
    rating: &'static str,
    /// Price target in the currency of the listing; null if none was given.
    #[schema(required)]
    target: Option<f64>,
    /// Date of the rating, YYYY-MM-DD.
    date: String,
    /// `derived` if taken from a news report, `simulated`, or the name of a provider.
    source: String,
}

impl From<AnalystRating> for RatingBody {
    fn from(rating: AnalystRating) -> Self {
        Self {
            analyst: rating.analyst,
            firm: rating.firm,
            rating: rating.rating.as_str(),
            target: rating.target,
            date: rating.day.to_string(),
            source: rating.source,
        }
    }
}

/// `GET /ticker/{symbol}/analysts`.
pub(crate) struct Analysts;

impl Operation for Analysts {
    type Input = BySymbol;
    type Output = AnalystsBody;

    const ABOUT: About = About {
        name: "show_analyst_ratings",
        address: Address::get("/api/v1/ticker/{symbol}/analysts"),
        summary: "Shows analyst ratings and price targets.",
        description: "The latest rating of each firm in the last twelve months counts, from 1 (strong sell) to 5 (strong buy). A mean of at least 4.5 is a strong buy, at least 3.5 a buy, above 2.5 a hold, above 1.5 a sell, and below that a strong sell.",
        answer: "Ratings and their consensus",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, input: BySymbol) -> Result<AnalystsBody> {
        let when = context.when();
        let listing = context.listing(&input.symbol).await?;
        let reported = context.estimates.consensus_of(&listing, when).await?;
        let issues = issues(&reported);
        Ok(AnalystsBody {
            consensus: reported.rating.map(model::Rating::as_str),
            avg_target: reported.avg_target,
            high_target: reported.high_target,
            low_target: reported.low_target,
            num_analysts: reported.firms,
            recent_ratings: reported
                .ratings
                .into_iter()
                .take(SHOWN)
                .map(RatingBody::from)
                .collect(),
            data_status: written(issues),
        })
    }
}

/// Why there is no consensus, or no target.
pub(crate) fn issues(reported: &Consensus) -> Vec<DataIssue> {
    if reported.rating.is_none() {
        vec![DataIssue::absent(
            "consensus",
            "no ratings are available for the last twelve months",
        )]
    } else if reported.avg_target.is_none() {
        vec![DataIssue::absent(
            "avg_target",
            "no rating includes a price target",
        )]
    } else {
        Vec::new()
    }
}
