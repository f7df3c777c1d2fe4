//! `/ticker/{symbol}/competitors`: companies in the same sector.

use analysis::market::{DataIssue, MAX_AGE, Peer, PointInTime, SentimentBoard};
use serde::Serialize;
use utoipa::ToSchema;

use super::price;
use super::several::of_ticker;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Credits charged per call; see the line in the route table.
const CREDITS: u32 = 2;
/// Number of competitors shown.
const MOST: usize = 10;

/// The company, and how old prices may be.
pub(crate) struct CompetitorsQuery {
    symbol: String,
    max_age: u32,
}

impl Parameters for CompetitorsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            max_age: arguments.integer(
                "max_age",
                0..=2500,
                u64::from(MAX_AGE),
                "Number of sessions by which the latest price of a company may be older than that of the others",
            ) as u32,
        }
    }
}

/// Companies in the same sector.
#[derive(Serialize, ToSchema)]
pub(crate) struct CompetitorsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Sector in the Global Industry Classification Standard; null if no listing gives it.
    #[schema(required)]
    sector: Option<String>,
    /// Up to ten companies, those with the most similar market value first. If the company's own market value is
    /// unknown, those whose daily returns over one year move most like its own come first.
    competitors: Vec<CompetitorBody>,
    /// Credits charged for this response.
    credits_used: u32,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A company in the same sector.
#[derive(Serialize, ToSchema)]
#[schema(as = Competitor)]
pub(crate) struct CompetitorBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Latest price in the currency of the listing.
    #[schema(required)]
    price: Option<f64>,
    /// Change in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Null if there are too few candles.
    #[schema(required)]
    rsi_14: Option<f64>,
    /// Mean sentiment of the briefs from the last seven days, 0 to 1; null if there are none.
    #[schema(required)]
    sentiment_score: Option<f64>,
    /// Number of briefs in the last seven days.
    briefs_7d: usize,
    /// Market value in billions of USD (10⁹); null if no source reports it.
    #[schema(required)]
    market_cap_b: Option<f64>,
    /// Session of the price, YYYY-MM-DD; null if there is no price.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
}

impl CompetitorBody {
    fn new(peer: &Peer, board: &SentimentBoard, when: PointInTime) -> Self {
        let sentiment = board.find(peer.listing.ticker());
        Self {
            ticker: peer.listing.ticker().to_owned(),
            entity_name: peer.listing.instrument.entity_name().to_owned(),
            price: peer.price.map(|point| point.current),
            change_pct: peer.price.and_then(|point| point.change_pct),
            rsi_14: peer.metrics.rsi_14,
            sentiment_score: sentiment.score(),
            briefs_7d: sentiment.briefs_7d,
            market_cap_b: peer.market_cap_b,
            date: peer.price.map(|point| point.day.to_string()),
            currency: peer.listing.instrument.currency().to_owned(),
            stale: peer
                .price
                .is_some_and(|point| peer.listing.is_old(point.day, when)),
        }
    }
}

/// `GET /ticker/{symbol}/competitors`.
pub(crate) struct Competitors;

impl Operation for Competitors {
    type Input = CompetitorsQuery;
    type Output = CompetitorsBody;

    const ABOUT: About = About {
        name: "list_competitors",
        address: Address::get("/api/v1/ticker/{symbol}/competitors"),
        summary: "Lists companies in the same sector with prices and sentiment.",
        answer: "Up to ten peers",
        ..ticker::OF_SYMBOL
    };

    async fn variant(context: &Context, _: &CompetitorsQuery) -> Result<Option<String>> {
        Ok(Some(price::variant(context)))
    }

    async fn run(context: Context, asked: CompetitorsQuery) -> Result<CompetitorsBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let listing = context.listing(&asked.symbol).await?;
        let found = context
            .fundamentals
            .peers_of(&listing, when, MOST, asked.max_age)
            .await?;
        let tickers = found.peers.iter().map(|peer| peer.listing.ticker());
        let tickers = tickers.map(str::to_owned).collect();
        let board = context.sentiment.of_tickers(tickers, when, &categories);
        let board = board.await?;
        let mut issues = Vec::new();
        if let Some(reason) = listing.only_companies("competitors") {
            issues.push(DataIssue::absent("competitors", reason));
            if listing.instrument.sector.is_none() {
                issues.extend(
                    listing
                        .only_companies("sectors")
                        .map(|reason| DataIssue::absent("sector", reason)),
                );
            }
        } else if listing.instrument.sector.is_none() {
            issues.push(DataIssue::absent("sector", "no listing gives the sector"));
        } else if found.peers.is_empty() {
            issues.push(DataIssue::absent(
                "competitors",
                "no other company in the sector has prices",
            ));
        } else if !found.by_market_cap {
            issues.push(DataIssue::absent(
                "competitors",
                "the market value of this company is unknown, so those come first whose daily returns of a year move most like its own",
            ));
        }
        if found.too_old > 0 {
            let reason = format!(
                "{} of the sector's companies are excluded: the newest price of each is more than {} sessions older than that of the others (`max_age`)",
                found.too_old, asked.max_age
            );
            issues.push(DataIssue {
                stale: true,
                ..DataIssue::absent("competitors", reason)
            });
        }
        for peer in &found.peers {
            let notes = peer.listing.inferred_scale("competitors.price", when);
            issues.extend(of_ticker(&peer.listing, notes));
        }
        Ok(CompetitorsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            sector: listing.instrument.sector.clone(),
            competitors: found
                .peers
                .iter()
                .map(|peer| CompetitorBody::new(peer, &board, when))
                .collect(),
            credits_used: CREDITS,
            data_status: written(issues),
        })
    }
}
