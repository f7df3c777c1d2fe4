//! `/ticker/{symbol}/financials`: company figures and how they relate to the share price.

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

/// How long figures are cached, in seconds, unless newer market data is read.
const KEPT: i64 = 6 * 3_600;

/// Key figures of a company; a figure is absent if no source reports it.
#[derive(Serialize, ToSchema)]
#[expect(clippy::option_option, reason = "null for a loss, absent for a fund")]
pub(crate) struct FinancialsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Market value (shares outstanding times price), such as `$1.23T`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap_formatted: Option<String>,
    /// Price divided by earnings per share for the trailing twelve months; null if earnings are not positive or not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pe_ratio: Option<Option<f64>>,
    /// Diluted earnings per share for the trailing twelve months, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps: Option<f64>,
    /// Dividends for the trailing twelve months divided by the price, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dividend_yield: Option<f64>,
    /// Revenue for the trailing twelve months, such as `$45.6B`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_formatted: Option<String>,
    /// Net income as a percentage of revenue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    profit_margin: Option<f64>,
    /// Interest-bearing debt divided by equity, as a ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    debt_to_equity: Option<f64>,
    /// Beta against the market, from two years of daily returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    beta: Option<f64>,
    /// 52-week high, including intraday prices, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fifty_two_week_high: Option<f64>,
    /// 52-week low, including intraday prices, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fifty_two_week_low: Option<f64>,
    /// The same value as `market_cap_formatted`, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap: Option<f64>,
    /// The same value as `revenue_formatted`, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue: Option<f64>,
    /// ISO 4217 code of `eps`: the company's reporting currency, as in `/ticker/{symbol}/statements`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// ISO 4217 code of `price` and of the 52-week range: the currency of the listing. Ratios of price to earnings are
    /// absent if the two currencies differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_currency: Option<String>,
    /// Last day of the trailing twelve months, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    period_end: Option<String>,
    /// `ttm` or, if the filings do not cover a more recent twelve-month period, `fiscal_year`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    basis: Option<&'static str>,
    /// Price on which `pe_ratio`, `market_cap` and `dividend_yield` are based, in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// Session of that price, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price_date: Option<String>,
    /// Why figures are missing, stale or from another source; absent if none are.
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
        description: "The figures cover the trailing twelve months in its latest filings; equities only. They are cached for six hours or until newer market data arrives.",
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
