//! `/ticker/{symbol}/competitors`: companies of the same sector.

use analysis::market::{Gap, Peer, SENTIMENT_DAYS, SentimentBoard};
use model::Timestamp;
use serde::Serialize;
use store::BriefSentimentQuery;
use utoipa::ToSchema;

use super::price;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::BySymbol;
use crate::{About, Address, Context, Keeping, Operation};

/// What it costs; see the line in the route table.
const CREDITS: u32 = 2;
/// Competitors that are shown.
const MOST: usize = 10;

/// Companies of the same sector.
#[derive(Serialize, ToSchema)]
pub(crate) struct CompetitorsBody {
    #[schema(example = "ok")]
    status: &'static str,
    ticker: String,
    entity_name: String,
    /// Sector of the Global Industry Classification Standard; null where no listing tells it.
    sector: Option<String>,
    /// At most ten, those of the most similar market value first, else by name.
    competitors: Vec<CompetitorBody>,
    credits_used: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A company of the same sector.
#[derive(Serialize, ToSchema)]
#[schema(as = Competitor)]
pub(crate) struct CompetitorBody {
    ticker: String,
    entity_name: String,
    price: Option<f64>,
    /// In percent.
    change_pct: Option<f64>,
    /// Null with too few candles.
    rsi_14: Option<f64>,
    /// Mean tone of the briefs of the last seven days, 0 to 1; null without briefs.
    sentiment_score: Option<f64>,
    briefs_7d: usize,
    /// In 10⁹ USD; null where no source tells it.
    market_cap_b: Option<f64>,
}

impl CompetitorBody {
    fn new(peer: &Peer, board: &SentimentBoard) -> Self {
        let tone = board.find(peer.listing.ticker());
        Self {
            ticker: peer.listing.ticker().to_owned(),
            entity_name: peer.listing.instrument.entity_name().to_owned(),
            price: peer.price.map(|point| point.current),
            change_pct: peer.price.and_then(|point| point.change_pct),
            rsi_14: peer.metrics.rsi_14,
            sentiment_score: tone.score(),
            briefs_7d: tone.briefs_7d,
            market_cap_b: peer.market_cap_b,
        }
    }
}

/// `GET /ticker/{symbol}/competitors`.
pub(crate) struct Competitors;

impl Operation for Competitors {
    type Input = BySymbol;
    type Output = CompetitorsBody;

    const ABOUT: About = About {
        name: "list_competitors",
        address: Address::get("/api/v1/ticker/{symbol}/competitors"),
        subject: "ticker",
        summary: "Lists companies of the same sector with their prices and what is said of them.",
        description: "",
        answer: "Up to ten peers",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL"}"#,
        takes_as_of: true,
        keeping: Keeping::WhileDataStand,
    };

    async fn variant(context: &Context, _: &BySymbol) -> Result<Option<String>> {
        Ok(Some(price::variant(context)))
    }

    async fn run(context: Context, input: BySymbol) -> Result<CompetitorsBody> {
        let BySymbol { symbol } = input;
        let moment = context.moment();
        let categories = context.categories(None)?;
        let listing = super::find(&context.services, &symbol).await?;
        let found = context.market.peers_of(&listing, moment, MOST).await?;
        let tickers = found.peers.iter().map(|peer| peer.listing.ticker());
        let query = BriefSentimentQuery {
            tickers: tickers.map(str::to_owned).collect(),
            categories,
            after: Some(moment.end.plus_ms(-SENTIMENT_DAYS * Timestamp::DAY_MS)),
            until: Some(moment.end),
            as_of: moment.as_of,
            ..BriefSentimentQuery::default()
        };
        // Without tickers the query would mean all of them.
        let board = if found.peers.is_empty() {
            SentimentBoard::default()
        } else {
            SentimentBoard::of(
                &context
                    .services
                    .store
                    .brief_sentiments()
                    .list(&query)
                    .await?,
                moment.end,
            )
        };
        let mut gaps = Vec::new();
        if listing.instrument.sector.is_none() {
            gaps.push(Gap::absent("sector", "no listing tells the sector"));
        } else if found.peers.is_empty() {
            gaps.push(Gap::absent(
                "competitors",
                "no other company of the sector has prices",
            ));
        } else if !found.by_market_cap {
            gaps.push(Gap::absent(
                "competitors",
                "the market value of this company is not known, so they are ordered by name",
            ));
        }
        Ok(CompetitorsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            sector: listing.instrument.sector.clone(),
            competitors: found
                .peers
                .iter()
                .map(|peer| CompetitorBody::new(peer, &board))
                .collect(),
            credits_used: CREDITS,
            data_status: written(gaps),
        })
    }
}
