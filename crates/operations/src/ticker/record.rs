//! `/ticker/{symbol}`: reference data, coverage and price of a symbol.

use analysis::market::DataIssue;
use serde::Serialize;
use utoipa::ToSchema;

use super::price;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// Overview of a symbol. A field is `null` if no source reports it.
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
    /// Exchange, such as `NASDAQ`.
    #[schema(required)]
    exchange: Option<String>,
    /// `equity`, `etf`, `crypto` or `index`.
    asset_type: &'static str,
    /// Sector in the Global Industry Classification Standard.
    #[schema(required)]
    sector: Option<String>,
    /// Last trading session if the instrument is delisted, YYYY-MM-DD; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Number of briefs in the last 24 hours that mention the symbol.
    briefs_24h: usize,
    /// Mean sentiment towards the symbol in the briefs from the last seven days, 0 to 1, where 0.5 is neutral; null if
    /// there are none.
    #[schema(required)]
    sentiment_score: Option<f64>,
    /// Whether at least three briefs in the last 24 hours mention the symbol, and more than twice the daily average of
    /// the six days before.
    trending: bool,
    /// Latest price, with its change and currency.
    price: TickerPriceBody,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The latest price.
#[derive(Serialize, ToSchema)]
pub(crate) struct TickerPriceBody {
    /// Latest price; null if no price is known.
    #[schema(required)]
    current: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// `PRE`, `REGULAR`, `POST` or `CLOSED`; always `REGULAR` for coins.
    market_state: &'static str,
    /// ISO 4217 code of the price.
    currency: String,
    /// Timestamp of the price.
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
