//! `/ticker/{symbol}/financials`: the figures of a company beside its price.

use std::sync::Arc;

use analysis::market::{Financials, Listing, PointInTime};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::money::formatted_usd;
use crate::services::Services;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// For how long figures are kept, in seconds, unless newer market data are read.
const KEPT: i64 = 6 * 3_600;

/// The figures of a company; absent where no source reports one.
#[derive(Serialize, ToSchema)]
#[expect(clippy::option_option, reason = "null for a loss, absent for a fund")]
pub(crate) struct FinancialsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Shares outstanding times price, such as `$1.23T`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap_formatted: Option<String>,
    /// Price over earnings per share of twelve months; null where these are not positive or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pe_ratio: Option<Option<f64>>,
    /// Diluted earnings per share of twelve months, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps: Option<f64>,
    /// Dividends of twelve months over the price, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dividend_yield: Option<f64>,
    /// Revenue of twelve months, such as `$45.6B`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_formatted: Option<String>,
    /// Net income of revenue, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    profit_margin: Option<f64>,
    /// Interest-bearing debt over equity, as a ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    debt_to_equity: Option<f64>,
    /// Against the market, from daily returns of two years.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    beta: Option<f64>,
    /// Highest price of 52 weeks, within sessions too, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fifty_two_week_high: Option<f64>,
    /// Lowest price of 52 weeks, within sessions too, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fifty_two_week_low: Option<f64>,
    /// The same as `market_cap_formatted`, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap: Option<f64>,
    /// The same as `revenue_formatted`, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue: Option<f64>,
    /// ISO 4217 code of `eps`: the currency that the company reports in, as in `/ticker/{symbol}/statements`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// ISO 4217 code of `price` and of the range of 52 weeks: that of the listing. Ratios of price and earnings are absent where the
    /// two differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_currency: Option<String>,
    /// Last day of the twelve months, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    period_end: Option<String>,
    /// `ttm` or, where the filings do not cover twelve more recent months, `fiscal_year`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    basis: Option<&'static str>,
    /// The price that `pe_ratio`, `market_cap` and `dividend_yield` are of, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// The session of that price, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_date: Option<String>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

impl FinancialsBody {
    fn new(listing: &Listing, reported: &Financials, when: PointInTime) -> Self {
        let mut issues = reported.issues.clone();
        issues.extend(listing.inferred_scale("price", when));
        let is_company = listing.asset_type() == model::AssetType::Equity;
        Self {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            market_cap_formatted: reported.market_cap.map(formatted_usd),
            pe_ratio: is_company.then_some(reported.pe_ratio),
            eps: reported.eps,
            dividend_yield: reported.dividend_yield,
            revenue_formatted: reported.revenue.map(formatted_usd),
            profit_margin: reported.profit_margin,
            debt_to_equity: reported.debt_to_equity,
            beta: reported.beta,
            fifty_two_week_high: reported.fifty_two_week_high,
            fifty_two_week_low: reported.fifty_two_week_low,
            market_cap: reported.market_cap,
            revenue: reported.revenue,
            currency: reported.currency.clone(),
            price_currency: is_company.then(|| listing.instrument.currency().to_owned()),
            period_end: reported.period_end.map(|day| day.to_string()),
            basis: reported.basis_word(),
            price: reported.price.map(|(price, _)| price),
            price_date: reported.price.map(|(_, day)| day.to_string()),
            data_status: written(issues),
        }
    }
}

/// `GET /ticker/{symbol}/financials`.
pub(crate) struct ShowFinancials;

impl Operation for ShowFinancials {
    type Input = BySymbol;
    type Output = FinancialsBody;

    const ABOUT: About = About {
        name: "show_financials",
        address: Address::get("/api/v1/ticker/{symbol}/financials"),
        summary: "Shows the key financial figures of a company.",
        description: "For the trailing twelve months in its latest filings; equities only. Cached for six hours, or until newer market data arrives.",
        answer: "The figures",
        ..ticker::OF_SYMBOL
    };

    async fn variant(context: &Context, _: &BySymbol) -> Result<Option<String>> {
        Ok(Some(context.process()))
    }

    async fn run(context: Context, input: BySymbol) -> Result<FinancialsBody> {
        let when = context.when();
        let listing = context.listing(&input.symbol).await?;
        if when.as_of.is_some() {
            let reported = Box::pin(context.fundamentals.financials_of(&listing, when)).await?;
            return Ok(FinancialsBody::new(&listing, &reported, when));
        }
        let reported = kept(&context.services, &listing, when).await?;
        Ok(FinancialsBody::new(&listing, &reported, when))
    }
}

async fn kept(
    services: &Services,
    listing: &Listing,
    when: PointInTime,
) -> Result<Arc<Financials>> {
    // With the version of the market, so that what is imported shows at once.
    let question = format!("{} {}", services.market.version(), listing.instrument.key());
    let make = async { Ok(services.fundamentals.financials_of(listing, when).await?) };
    let kept = services
        .kept_financials
        .get(&question, when.end, KEPT, make);
    Box::pin(kept).await
}
