//! `/ticker/{symbol}/full`: all data for a symbol in one response.

mod bodies;

use analysis::market::{
    DataIssue, FilingQuery, InsiderQuery, Listing, PointInTime, PricePoint, old_votes,
};
use market::technicals::technicals;
use market::{Range, signals};
use model::{AssetType, Category};
use serde::Serialize;
use utoipa::ToSchema;

use super::{analysts, earnings, price};
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::services::Services;
use crate::ticker::filings::{FilingBody, symbols};
use crate::ticker::insider::InsiderTradeBody;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

use bodies::{
    FullAnalystsBody, FullEarningsBody, FullInstitutionsBody, FullNewsBody, FullPriceBody,
    FullSentimentBody, FullTechnicalsBody,
};

/// Number of briefs, filings and insider trades shown.
const NEWS: usize = 10;
const FILINGS: u64 = 5;
const TRADES: u64 = 5;
const THEMES: usize = 5;
/// Number of days of insider trades.
const INSIDER_DAYS: i32 = 90;

/// All data for a symbol. A field is `null` if no source reports it; `data_status` gives the reason.
#[derive(Serialize, ToSchema)]
pub(crate) struct FullBody {
    /// Symbol.
    symbol: String,
    /// Name.
    name: String,
    /// Last trading session if the instrument is delisted, YYYY-MM-DD; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
    /// Latest price, its change, and the market value.
    price: FullPriceBody,
    /// Technical indicators.
    technicals: FullTechnicalsBody,
    /// Earnings.
    earnings: FullEarningsBody,
    /// Sentiment.
    sentiment: FullSentimentBody,
    /// Briefs from the last fourteen days that mention the symbol, newest first, at most ten.
    news: Vec<FullNewsBody>,
    /// The latest insider trades in the last 90 days, at most five.
    insider: Vec<InsiderTradeBody>,
    /// The latest filings, at most five.
    filings: Vec<FilingBody>,
    /// Analyst ratings.
    analysts: FullAnalystsBody,
    /// Institutional holders.
    institutions: FullInstitutionsBody,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /ticker/{symbol}/full`.
pub(crate) struct Full;

impl Operation for Full {
    type Input = BySymbol;
    type Output = FullBody;

    const ABOUT: About = About {
        name: "show_ticker_in_full",
        address: Address::get("/api/v1/ticker/{symbol}/full"),
        summary: "Shows all data on a symbol in one response.",
        description: "Includes price, technicals, earnings, sentiment, news, insiders, filings, analysts and institutions.",
        answer: "The data on the symbol",
        ..ticker::OF_SYMBOL
    };

    async fn variant(context: &Context, _: &BySymbol) -> Result<Option<String>> {
        Ok(Some(price::variant(context)))
    }

    async fn run(context: Context, input: BySymbol) -> Result<FullBody> {
        let when = context.when();
        let categories = context.categories(None)?;
        let plan = context.caller.plan();
        let listing = context.listing(&input.symbol).await?;
        let point = price::kept(&context.services, &listing, when, plan).await?;
        reported(&context.services, &listing, when, point, &categories).await
    }
}

async fn reported(
    services: &Services,
    listing: &Listing,
    when: PointInTime,
    point: Option<PricePoint>,
    categories: &[Category],
) -> Result<FullBody> {
    let mut issues = price::issues(services, listing, when, point).await?;
    let history = services.prices.history(listing, when).await?;
    let values = technicals(history.candles(), Range::SixMonths);
    let newest = history.candles().days().last().copied();
    let old = newest.filter(|day| listing.is_old(*day, when));
    issues.extend(old.map(|day| old_votes("technicals.signal", day)));
    let current = values.as_ref().filter(|_| old.is_none());
    let summary = current.map(signals::summary);
    issues.extend(listing.unmeasured("technicals", history.candles()));
    issues.extend(listing.interrupted("technicals", history.candles()));
    let market_cap = if listing.asset_type() == AssetType::Crypto {
        let symbol = &listing.instrument.symbol;
        services.crypto.market_cap_of(symbol, when).await?
    } else {
        let priced = point.map(|point| (point.current, point.day));
        let companies = &services.fundamentals;
        companies.market_cap_of(listing, when, priced).await?
    };
    if market_cap.is_none() {
        issues.push(DataIssue::absent(
            "price.market_cap",
            "no source reports the number of shares or the market value",
        ));
    }
    let reports = services.estimates.earnings_of(listing, when).await?;
    issues.extend(earnings::issues(&reports, listing));
    let sentiment = services
        .sentiment
        .trend_of(listing, when, categories, THEMES, NEWS)
        .await?;
    issues.extend(listing.of_other_classes("sentiment", &sentiment.tickers));
    if sentiment.score.is_none() {
        issues.push(DataIssue::absent(
            "sentiment.score",
            "no brief in the last seven days mentions this symbol",
        ));
    }
    let newest_trades = InsiderQuery {
        days: INSIDER_DAYS,
        limit: TRADES,
    };
    let insider = services
        .disclosures
        .insider_trades_of(listing, newest_trades, when)
        .await?;
    let newest_filings = FilingQuery {
        limit: FILINGS,
        ..FilingQuery::default()
    };
    let filings = services
        .disclosures
        .filings_of(listing, newest_filings, when)
        .await?;
    issues.extend(listing.of_other_classes("filings", &symbols(&filings)));
    let consensus = services.estimates.consensus_of(listing, when).await?;
    let holders = services.disclosures.holders_of(listing, when).await?;
    let outstanding = if listing.asset_type() == AssetType::Equity {
        services
            .fundamentals
            .figures_of(&listing.instrument.symbol, when)
            .await?
            .and_then(|figures| figures.shares_outstanding)
            .filter(|shares| *shares > 0.0)
    } else {
        None
    };
    for (is_empty, field, reason) in [
        (
            values.is_none(),
            "technicals",
            "no candles are available for this symbol",
        ),
        (
            insider.is_empty(),
            "insider",
            "no insider trade is available for the last 90 days",
        ),
        (
            filings.is_empty(),
            "filings",
            "no filing is available for this symbol",
        ),
        (
            holders.holders.is_empty(),
            "institutions",
            "no Form 13F lists this symbol",
        ),
        (
            !holders.holders.is_empty() && outstanding.is_none(),
            "institutions.ownership_pct",
            "no filing reports the number of shares outstanding",
        ),
    ] {
        if is_empty {
            issues.push(DataIssue::absent(field, reason));
        }
    }
    issues.extend(analysts::issues(&consensus));
    Ok(FullBody {
        symbol: listing.ticker().to_owned(),
        name: listing.instrument.entity_name().to_owned(),
        delisted: listing.delisted(when).map(|last| last.to_string()),
        price: FullPriceBody::new(point, market_cap),
        technicals: FullTechnicalsBody::new(values.as_ref(), summary),
        earnings: FullEarningsBody::new(reports, listing.instrument.currency()),
        news: sentiment.news.iter().map(FullNewsBody::from).collect(),
        sentiment: sentiment.into(),
        insider: insider.into_iter().map(Into::into).collect(),
        filings: filings.into_iter().map(Into::into).collect(),
        analysts: consensus.into(),
        institutions: FullInstitutionsBody::new(&holders, outstanding),
        data_status: written(issues),
    })
}
