//! `/ticker/{symbol}/price`: the latest price.

use std::sync::Arc;

use analysis::market::{DataIssue, Listing, PointInTime, PricePoint};
use market::calendar::{self, MarketState};
use model::Plan;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::services::Services;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// How long a price is cached, in seconds.
const KEPT_ON_PAID_PLANS: i64 = 15;
const KEPT_ON_FREE: i64 = 60;

/// The latest price.
#[derive(Serialize, ToSchema)]
pub(crate) struct PriceBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Price in `currency`; absent if no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// `PRE`, `REGULAR`, `POST` or `CLOSED`; always `REGULAR` for coins.
    market_state: &'static str,
    /// ISO 4217 code of the price.
    currency: String,
    /// Timestamp of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated_at: Option<String>,
    /// Last trading session if the instrument is delisted, YYYY-MM-DD; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /ticker/{symbol}/price`.
pub(crate) struct Price;

impl Operation for Price {
    type Input = BySymbol;
    type Output = PriceBody;

    const ABOUT: About = About {
        name: "show_price",
        address: Address::get("/api/v1/ticker/{symbol}/price"),
        summary: "Shows the latest price.",
        description: "Prices are cached for 15 seconds on paid plans and for 60 seconds on the free plan. With `as_of`, the price is the latest close known at that time.",
        answer: "The price",
        ..ticker::OF_SYMBOL
    };

    async fn variant(context: &Context, _: &BySymbol) -> Result<Option<String>> {
        Ok(Some(variant(context)))
    }

    async fn run(context: Context, input: BySymbol) -> Result<PriceBody> {
        let when = context.when();
        let plan = context.caller.plan();
        let listing = context.listing(&input.symbol).await?;
        let point = kept(&context.services, &listing, when, plan).await?;
        Ok(PriceBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            price: point.map(|point| point.current),
            change_pct: point.and_then(|point| point.change_pct),
            market_state: market_state(&listing, when).as_str(),
            currency: listing.instrument.currency().to_owned(),
            updated_at: point.map(|point| point.updated_at.to_string()),
            delisted: listing.delisted(when).map(|last| last.to_string()),
            data_status: written(issues(&context.services, &listing, when, point).await?),
        })
    }
}

/// What a response that shows a price also depends on: the price that this process caches for as long as the plan
/// specifies.
pub(crate) fn variant(context: &Context) -> String {
    let seconds = seconds(context.plan());
    let piece = context.end().ms().div_euclid(seconds * 1000);
    format!("{} {seconds} {piece}", context.process())
}

fn seconds(plan: Plan) -> i64 {
    if plan == Plan::Free {
        KEPT_ON_FREE
    } else {
        KEPT_ON_PAID_PLANS
    }
}

/// The latest price, as old as the plan allows. Past prices do not change and are not cached.
pub(crate) async fn kept(
    services: &Services,
    listing: &Arc<Listing>,
    when: PointInTime,
    plan: Plan,
) -> Result<Option<PricePoint>> {
    if when.as_of.is_some() {
        return Ok(services.prices.newest(listing, when).await?);
    }
    let seconds = seconds(plan);
    let question = format!("{seconds} {}", listing.instrument.key());
    let newest = async { Ok(services.prices.newest(listing, when).await?) };
    let kept = &services.kept_prices;
    Ok(*kept
        .get(&question, when.end, seconds, Box::pin(newest))
        .await?)
}

/// Whether the instrument's market is open. Coins trade around the clock.
pub(crate) fn market_state(listing: &Listing, when: PointInTime) -> MarketState {
    if listing.asset_type().never_closes() {
        MarketState::Regular
    } else {
        calendar::market_state(when.end)
    }
}

/// Issues with the price: the instrument is delisted, there is no price, or the price is old.
pub(crate) async fn issues(
    services: &Services,
    listing: &Listing,
    when: PointInTime,
    point: Option<PricePoint>,
) -> Result<Vec<DataIssue>> {
    let mut issues: Vec<DataIssue> = listing.delisting("price", when).into_iter().collect();
    if point.is_none() {
        issues.push(DataIssue::absent(
            "price",
            "no candles or quotes are available for this symbol",
        ));
        return Ok(issues);
    }
    let history = services.prices.history(listing, when).await?;
    issues.extend(listing.staleness("price", history.candles(), when));
    issues.extend(listing.inferred_scale("price", when));
    Ok(issues)
}
