//! `/ticker/{symbol}`: who it is, what is said of it, what it costs.

use analysis::market::DataIssue;
use serde::Serialize;
use utoipa::ToSchema;

use super::price;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// What is known of a symbol. `null` is what no source reports.
#[derive(Serialize, ToSchema)]
#[schema(as = Ticker)]
pub(crate) struct TickerBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Such as `NASDAQ`.
    #[schema(required)]
    exchange: Option<String>,
    /// `equity`, `etf`, `crypto` or `index`.
    asset_type: &'static str,
    /// Sector of the Global Industry Classification Standard.
    #[schema(required)]
    sector: Option<String>,
    /// The last session in which it could be traded, YYYY-MM-DD, where it is delisted; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Briefs of the last 24 hours that name it.
    briefs_24h: usize,
    /// Mean sentiment of the briefs of the last seven days towards it, 0 to 1 with 0.5 neutral; null without briefs.
    #[schema(required)]
    sentiment_score: Option<f64>,
    /// Whether at least three briefs of the last 24 hours name it, and more than twice as many as on a
    /// usual day of the six days before.
    trending: bool,
    /// Latest price, with its change and currency.
    price: TickerPriceBody,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The newest price.
#[derive(Serialize, ToSchema)]
pub(crate) struct TickerPriceBody {
    /// Null where no price is known.
    #[schema(required)]
    current: Option<f64>,
    /// Against the close before, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// `PRE`, `REGULAR`, `POST` or `CLOSED`; coins are always `REGULAR`.
    market_state: &'static str,
    /// ISO 4217 code.
    currency: String,
    /// When the price was paid.
    #[schema(required)]
    updated_at: Option<String>,
}

/// `GET /ticker/{symbol}`.
pub(crate) struct Record;

impl Operation for Record {
    type Input = BySymbol;
    type Output = TickerBody;

    const ABOUT: About = About {
        name: "show_ticker",
        address: Address::get("/api/v1/ticker/{symbol}"),
        summary: "Shows the record of a symbol: name, sector, sentiment and price.",
        answer: "The data on the symbol",
        ..ticker::OF_SYMBOL
    };

    async fn variant(context: &Context, _: &BySymbol) -> Result<Option<String>> {
        Ok(Some(price::variant(context)))
    }

    async fn run(context: Context, input: BySymbol) -> Result<TickerBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let plan = context.caller.plan();
        let listing = context.listing(&input.symbol).await?;
        let point = price::kept(&context.services, &listing, when, plan).await?;
        let sentiment = context
            .sentiment
            .of(listing.ticker(), when, &categories)
            .await?;
        let mut issues = price::issues(&context.services, &listing, when, point).await?;
        if sentiment.score().is_none() {
            issues.push(DataIssue::absent(
                "sentiment_score",
                "no brief in the last seven days mentions this symbol",
            ));
        }
        if listing.instrument.name.is_none() {
            issues.push(DataIssue::absent(
                "entity_name",
                "no listing gives a name for this symbol; import listings with `assay import listings`",
            ));
        }
        Ok(TickerBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            exchange: listing.instrument.exchange.clone(),
            asset_type: listing.kind(),
            sector: listing.instrument.sector.clone(),
            delisted: listing.delisted(when).map(|last| last.to_string()),
            briefs_24h: sentiment.briefs_24h,
            sentiment_score: sentiment.score(),
            trending: sentiment.is_trending(),
            price: TickerPriceBody {
                current: point.map(|point| point.current),
                change_pct: point.and_then(|point| point.change_pct),
                market_state: price::market_state(&listing, when).as_str(),
                currency: listing.instrument.currency().to_owned(),
                updated_at: point.map(|point| point.updated_at.to_string()),
            },
            data_status: written(issues),
        })
    }
}
