//! `/portfolio/feed`: the briefs that matter to a portfolio, and how much.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use analysis::market::{DataIssue, Listing, MAX_AGE, PointInTime, PortfolioBrief, left_out};
use market::portfolio::{Holding, MatchedHolding, Portfolio, Side};
use model::{Symbol, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::checked::{Checked, Faults};
use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::services::Services;
use crate::{About, Address, Context, Keeping, Operation, Posted};
use crate::{Textual, field};

pub(crate) const CREDITS: u64 = 17;
const MOST_HOLDINGS: usize = 100;
/// Number of sessions in ten years.
const OLDEST: u32 = 2500;
/// Larger weights would not add up.
const HEAVIEST: f64 = 1e12;
const PER_PAGE: usize = 20;
const MOST_PER_PAGE: usize = 50;
/// Longest window, in hours.
const LONGEST_HOURS: u64 = 30 * 24;

/// A portfolio, and which briefs to consider.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PortfolioRequest {
    /// The holdings.
    #[schema(min_items = 1, max_items = 100)]
    holdings: Vec<HoldingRequest>,
    /// Number of briefs per page, 20 by default.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 50, default = 20)]
    per_page: Option<usize>,
    /// Look-back window in hours or days, such as `2h`, `24h` (default) or `7d`; at most 30 days.
    #[serde(default)]
    #[schema(
        example = "24h",
        default = "24h",
        pattern = "^0*([1-9][0-9]?|[1-6][0-9]{2}|7[01][0-9]|720)h$|^0*([1-9]|[12][0-9]|30)d$"
    )]
    since: Option<String>,
    /// Maximum age of a holding's latest price in sessions before the latest known session, 5 by default. Briefs about
    /// holdings with an older price are not counted.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 0, maximum = 2500)]
    max_age: Option<u32>,
}

/// A holding.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Holding)]
pub(crate) struct HoldingRequest {
    /// Symbol.
    #[schema(schema_with = Symbol::schema)]
    ticker: String,
    /// Weight in the portfolio, in the same unit for all holdings; only the proportions matter. A mix of fractions
    /// (0.5) and percentages (50) is refused.
    #[schema(minimum = 0, maximum = 1_000_000_000_000.0)]
    weight: f64,
    /// `long` (default) or `short`.
    #[serde(default)]
    #[schema(schema_with = directions)]
    direction: Option<String>,
}

impl Checked for PortfolioRequest {
    fn check(&self, faults: &mut Faults) {
        if !(1..=MOST_HOLDINGS).contains(&self.holdings.len()) {
            faults.note(format!(
                "holdings must have from 1 to {MOST_HOLDINGS} entries"
            ));
        }
        for (place, holding) in self.holdings.iter().enumerate().take(MOST_HOLDINGS) {
            if !(0.0..=HEAVIEST).contains(&holding.weight) {
                faults.note(format!(
                    "holdings[{place}].weight must be a number from 0 to 10^12"
                ));
            }
            if side(holding.direction.as_deref()).is_none() {
                faults.note(format!(
                    "holdings[{place}].direction must be one of long, short"
                ));
            }
        }
        if let Some((large, small)) = mixed(self.holdings.iter().map(|holding| holding.weight)) {
            faults.note(format!(
                "holdings mix weights such as {large} with weights such as {small}; give all of them in one unit, as fractions (0.5) or in percent (50)"
            ));
        }
        if self.max_age.unwrap_or(0) > OLDEST {
            faults.note(format!("max_age must be an integer from 0 to {OLDEST}"));
        }
        if !(1..=MOST_PER_PAGE).contains(&self.per_page.unwrap_or(PER_PAGE)) {
            faults.note(format!(
                "per_page must be an integer from 1 to {MOST_PER_PAGE}"
            ));
        }
        if hours(self.since.as_deref()).is_none() {
            faults.note("since must be hours or days such as 2h, 24h or 7d, at most 30d");
        }
    }
}

/// A percentage weight and a fractional one, if there are both: one above 1 and one below 1, unless all weights
/// together are a hundred percent.
fn mixed(weights: impl Iterator<Item = f64> + Clone) -> Option<(f64, f64)> {
    let sum: f64 = weights.clone().sum();
    let large = weights.clone().filter(|weight| *weight > 1.0);
    let small = weights.filter(|weight| *weight > 0.0 && *weight < 1.0);
    let (large, small) = large
        .max_by(f64::total_cmp)
        .zip(small.min_by(f64::total_cmp))?;
    (!(99.0..=101.0).contains(&sum)).then_some((large, small))
}

fn directions() -> Object {
    field::optional_word(
        "Direction of the position.",
        ["long", "short"].into_iter(),
        Some("long"),
    )
}

fn side(word: Option<&str>) -> Option<Side> {
    match word {
        None | Some("long") => Some(Side::Long),
        Some("short") => Some(Side::Short),
        Some(_) => None,
    }
}

/// The hours in a window; `None` if it is not a window.
fn hours(window: Option<&str>) -> Option<i64> {
    let window = window.map_or("24h", str::trim);
    let (number, unit) = match (window.strip_suffix('h'), window.strip_suffix('d')) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 24),
        _ => return None,
    };
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let hours = number.parse::<u64>().ok()?.checked_mul(unit)?;
    let fits = is_plain && (1..=LONGEST_HOURS).contains(&hours);
    fits.then(|| i64::try_from(hours).ok())?
}

/// Relevant briefs, most relevant first.
#[derive(Serialize, ToSchema)]
pub(crate) struct PortfolioBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The briefs.
    briefs: Vec<RelevantBriefBody>,
    /// Totals over the holdings.
    portfolio_summary: PortfolioSummaryBody,
    /// Total number of briefs in the window that mention a holding, including those beyond `per_page`.
    total: usize,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A brief that mentions a holding.
#[derive(Serialize, ToSchema)]
#[schema(as = RelevantBrief)]
pub(crate) struct RelevantBriefBody {
    /// ID of the brief.
    id: String,
    /// Headline of the brief.
    headline: String,
    /// Category slug.
    category: &'static str,
    /// Publication time of the first source.
    published_at: String,
    /// Time at which the newest source became known, which is the age of the headline.
    updated_at: String,
    /// Confidence, 0 to 1, based on independent sources, their trust, their agreement and freshness; not a probability.
    confidence_score: f64,
    /// Why the brief matters to the portfolio.
    portfolio_relevance: RelevanceBody,
}

/// How much a brief matters to the portfolio.
#[derive(Serialize, ToSchema)]
pub(crate) struct RelevanceBody {
    /// Relevance, 0 to 1: share of the portfolio, times how much the brief is about it, times strength of sentiment,
    /// freshness and confidence.
    score: f64,
    /// Holdings that the brief mentions.
    matched_holdings: Vec<MatchedHoldingBody>,
}

/// A holding mentioned in the brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchedHoldingBody {
    /// Symbol.
    ticker: String,
    /// Weight as submitted.
    weight: f64,
    /// Sentiment of the brief towards the holding, 0 to 1, where 0.5 is neutral.
    sentiment_score: f64,
    /// Impact, -1 to 1: above zero is good for the portfolio; short positions gain from bad news.
    impact: f64,
    /// Latest price of the holding; null if none is known.
    #[schema(required)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Session of the price, YYYY-MM-DD; null if there is no price.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
}

/// The latest price of a holding.
#[derive(Clone, Debug)]
struct HoldingPrice {
    price: Option<f64>,
    change_pct: Option<f64>,
    date: Option<String>,
    currency: String,
    stale: bool,
}

impl HoldingPrice {
    async fn of(services: &Services, listing: &Listing, when: PointInTime) -> Result<Self> {
        let point = services.prices.newest(listing, when).await?;
        Ok(Self {
            price: point.map(|point| point.current),
            change_pct: point.and_then(|point| point.change_pct),
            date: point.map(|point| point.day.to_string()),
            currency: listing.instrument.currency().to_owned(),
            stale: point.is_some_and(|point| listing.is_old(point.day, when)),
        })
    }

    /// The price of a symbol without a listing.
    fn unknown() -> Self {
        Self {
            price: None,
            change_pct: None,
            date: None,
            currency: "USD".to_owned(),
            stale: false,
        }
    }
}

/// Summary of the window for the whole portfolio.
#[derive(Serialize, ToSchema)]
pub(crate) struct PortfolioSummaryBody {
    /// Number of holdings mentioned in at least one brief.
    holdings_with_activity: usize,
    /// Weighted mean sentiment over these holdings, 0 to 1, reversed for short positions; null if there are none.
    #[schema(required)]
    avg_portfolio_sentiment: Option<f64>,
}

impl RelevantBriefBody {
    fn new(
        brief: PortfolioBrief,
        updated_at: Timestamp,
        prices: &HashMap<String, HoldingPrice>,
    ) -> Self {
        let matched = |one: MatchedHolding| {
            let price = prices.get(&one.ticker).cloned();
            let price = price.unwrap_or_else(HoldingPrice::unknown);
            MatchedHoldingBody {
                ticker: one.ticker,
                weight: one.weight,
                sentiment_score: one.sentiment_score,
                impact: one.impact,
                price: price.price,
                change_pct: price.change_pct,
                date: price.date,
                currency: price.currency,
                stale: price.stale,
            }
        };
        Self {
            id: brief.id,
            headline: brief.headline,
            category: brief.category.as_str(),
            published_at: brief.published_at.to_string(),
            updated_at: updated_at.to_string(),
            confidence_score: brief.confidence.get(),
            portfolio_relevance: RelevanceBody {
                score: brief.relevance.score,
                matched_holdings: brief
                    .relevance
                    .matched_holdings
                    .into_iter()
                    .map(matched)
                    .collect(),
            },
        }
    }
}

/// `POST /portfolio/feed`.
pub(crate) struct PortfolioFeed;

impl Operation for PortfolioFeed {
    type Input = Posted<(), PortfolioRequest>;
    type Output = PortfolioBody;

    const ABOUT: About = About {
        name: "list_portfolio_briefs",
        address: Address::post("/api/v1/portfolio/feed"),
        subject: "trading",
        summary: "Ranks recent briefs by their relevance to a portfolio.",
        answer: "The relevant briefs",
        example: r#"{"holdings": [{"ticker": "AAPL", "weight": 1}], "since": "7d"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Posted<(), PortfolioRequest>) -> Result<PortfolioBody> {
        let asked = input.body;
        let when = context.when();
        let categories = context.categories(None)?;
        let hours = hours(asked.since.as_deref()).unwrap_or(24);
        let per_page = asked.per_page.unwrap_or(PER_PAGE);
        let count = asked.holdings.len();
        let Held {
            portfolio,
            unknown,
            listings,
        } = portfolio(&context, asked.holdings).await?;
        let max_age = asked.max_age.unwrap_or(MAX_AGE);
        let freshness = context.prices.freshness(max_age, when).await?;
        let too_old: Vec<String> = listings
            .iter()
            .filter(|listing| freshness.is_too_old(listing, when))
            .map(|listing| listing.ticker().to_owned())
            .collect();
        let portfolio = portfolio.without(&too_old);
        let mut prices = HashMap::with_capacity(listings.len());
        for listing in &listings {
            let price = HoldingPrice::of(&context.services, listing, when).await?;
            prices.insert(listing.ticker().to_owned(), price);
        }
        let after = when.end.plus_ms(-hours * Timestamp::HOUR_MS);
        let mut news = context
            .coverage
            .of_portfolio(&portfolio, after, when, &categories)
            .await?;
        let mut issues: Vec<DataIssue> = left_out("briefs", &too_old, count).into_iter().collect();
        if !unknown.is_empty() {
            let list = unknown.join(", ");
            issues.push(DataIssue::absent(
                "holdings",
                format!("no instrument is listed under {list}; briefs may still mention it"),
            ));
        }
        if news.briefs.is_empty() {
            let window = match hours {
                1 => "hour".to_owned(),
                hours => format!("{hours} hours"),
            };
            issues.push(DataIssue::absent(
                "briefs",
                format!("no brief in the last {window} mentions a holding"),
            ));
        }
        let total = news.briefs.len();
        news.briefs.truncate(per_page);
        let mut briefs = Vec::with_capacity(news.briefs.len());
        for brief in news.briefs {
            let updated_at = updated_at(&context.services, &brief, when).await?;
            briefs.push(RelevantBriefBody::new(brief, updated_at, &prices));
        }
        Ok(PortfolioBody {
            status: "ok",
            briefs,
            portfolio_summary: PortfolioSummaryBody {
                holdings_with_activity: news.holdings_with_activity,
                avg_portfolio_sentiment: news.avg_sentiment,
            },
            total,
            credits_used: CREDITS,
            data_status: written(issues),
        })
    }
}

/// When a brief was last updated, as known at that point in time; its publication time if it has since been withdrawn.
async fn updated_at(
    services: &Services,
    brief: &PortfolioBrief,
    when: PointInTime,
) -> Result<Timestamp> {
    let stored = services.store.briefs().find(&brief.id, when.as_of).await?;
    Ok(stored.map_or(brief.published_at, |stored| stored.brief.updated_at))
}

/// The holdings under the symbols that briefs use.
struct Held {
    portfolio: Portfolio,
    /// Symbols of holdings without a listing.
    unknown: Vec<String>,
    /// Listings of the other holdings.
    listings: Vec<Arc<Listing>>,
}

async fn portfolio(context: &Context, holdings: Vec<HoldingRequest>) -> Result<Held> {
    let mut seen = HashSet::new();
    let mut unknown = Vec::new();
    let mut listings = Vec::new();
    let mut found = Vec::with_capacity(holdings.len());
    for (place, holding) in holdings.into_iter().enumerate() {
        let ticker = if let Some(listing) = context.look_up(&holding.ticker).await? {
            let ticker = listing.ticker().to_owned();
            listings.push(listing);
            ticker
        } else {
            let symbol = Symbol::parse(&holding.ticker).ok_or_else(|| {
                Error::invalid(format!(
                    "holdings[{place}].ticker must be a symbol such as AAPL"
                ))
            })?;
            unknown.push(symbol.to_string());
            symbol.to_string()
        };
        if !seen.insert(ticker.clone()) {
            return Err(Error::invalid(format!(
                "holdings must name each symbol once; {ticker} appears twice"
            )));
        }
        found.push(Holding {
            ticker,
            weight: holding.weight,
            side: side(holding.direction.as_deref()).unwrap_or_default(),
        });
    }
    Ok(Held {
        portfolio: Portfolio::new(found)?,
        unknown,
        listings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_and_fractions_do_not_mix() {
        for (weights, expected) in [
            (vec![50.0, 0.5], Some((50.0, 0.5))),
            (vec![40.0, 60.0, 0.2], None),
            (vec![0.5, 0.5], None),
            (vec![99.5, 0.5], None),
            (vec![50.0, 50.0], None),
            (vec![3.0, 1.0, 0.0], None),
            (vec![10.0, 0.3, 0.2], Some((10.0, 0.2))),
        ] {
            assert_eq!(mixed(weights.iter().copied()), expected, "{weights:?}");
        }
    }

    #[test]
    fn windows_are_hours_or_days() {
        for (window, expected) in [
            (None, Some(24)),
            (Some("2h"), Some(2)),
            (Some("7d"), Some(168)),
            (Some("30d"), Some(720)),
            (Some("31d"), None),
            (Some("0h"), None),
            (Some("+2h"), None),
            (Some("2"), None),
            (Some("h"), None),
            (Some("2w"), None),
            (Some("99999999999999999999d"), None),
        ] {
            assert_eq!(hours(window), expected, "{window:?}");
        }
    }
}
