//! `/ticker/prices` and `/ticker/candles`: several symbols in one call.

use std::sync::Arc;

use analysis::market::{DataIssue, Listing, Unknown};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::ticker::candles::{CandleBody, Window};
use crate::ticker::price::{issues, kept, market_state, variant};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of symbols in a call for prices.
const MOST_PRICES: usize = 50;
/// Number of symbols whose prices cost one credit.
const PRICES_PER_CREDIT: usize = 10;
/// Maximum number of credits for a call for prices.
pub(crate) const MOST_CREDITS: u64 = (MOST_PRICES / PRICES_PER_CREDIT) as u64;
/// Maximum number of symbols in a call for candles; each costs one credit.
pub(crate) const MOST_CANDLES: usize = 20;

const SYMBOLS: &str = "Symbols separated by commas, such as `AAPL,MSFT,BTC`";

/// A symbol that matches no instrument.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnknownSymbolBody {
    /// The symbol as requested.
    symbol: String,
    /// Symbols that are similar to it.
    suggestions: Vec<String>,
}

impl From<Unknown> for UnknownSymbolBody {
    fn from(unknown: Unknown) -> Self {
        Self {
            symbol: unknown.asked,
            suggestions: unknown.suggestions,
        }
    }
}

/// The instruments in a list, each once, and the symbols that match none. A list with no known symbol is an error.
async fn found(
    context: &Context,
    symbols: &[String],
) -> Result<(Vec<Arc<Listing>>, Vec<UnknownSymbolBody>)> {
    let mut listings: Vec<Arc<Listing>> = Vec::new();
    let mut unknown = Vec::new();
    for symbol in symbols {
        match context.resolve(symbol).await? {
            Ok(listing) => {
                let key = listing.instrument.key();
                if listings.iter().all(|other| other.instrument.key() != key) {
                    listings.push(listing);
                }
            }
            Err(miss) => unknown.push(miss),
        }
    }
    if listings.is_empty() && !unknown.is_empty() {
        return Err(Error::UnknownSymbol(unknown.remove(0)));
    }
    let unknown = unknown.into_iter().map(UnknownSymbolBody::from);
    Ok((listings, unknown.collect()))
}

/// Which symbols to list.
pub(crate) struct PricesQuery {
    symbols: Vec<String>,
}

impl Parameters for PricesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbols: arguments.required_list("symbols", MOST_PRICES, SYMBOLS),
        }
    }
}

/// The latest prices.
#[derive(Serialize, ToSchema)]
pub(crate) struct PricesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The prices, in the order of the request.
    prices: Vec<PriceRowBody>,
    /// Symbols that match no instrument; absent if all are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<UnknownSymbolBody>,
    /// Credits charged for this response: one for every ten known symbols, and one for the remainder.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The latest price of a symbol.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceRow)]
pub(crate) struct PriceRowBody {
    /// Symbol.
    ticker: String,
    /// Price in `currency`; null if no price is known.
    #[schema(required)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Session of the price, YYYY-MM-DD.
    #[schema(required)]
    date: Option<String>,
    /// Whether the session is more than five sessions older than the latest one.
    stale: bool,
    /// Timestamp of the price.
    #[schema(required)]
    updated_at: Option<String>,
    /// `PRE`, `REGULAR`, `POST` or `CLOSED`; always `REGULAR` for coins.
    market_state: &'static str,
    /// Last trading session if the instrument is delisted, YYYY-MM-DD; absent while it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    delisted: Option<String>,
}

/// `GET /ticker/prices`.
pub(crate) struct ListPrices;

impl Operation for ListPrices {
    type Input = PricesQuery;
    type Output = PricesBody;

    const ABOUT: About = About {
        name: "list_prices",
        address: Address::get("/api/v1/ticker/prices"),
        subject: "ticker",
        summary: "Shows the latest prices of up to 50 symbols.",
        description: "The price of each symbol is that of `/ticker/{symbol}/price`. Unknown symbols are listed in `unknown` and cost nothing.",
        answer: "The prices, in the order of the request",
        missing: Some("None of the symbols is known, with suggestions"),
        example: r#"{"symbols": ["AAPL", "MSFT", "BTC"]}"#,
        ..About::READS
    };

    const ROWS: Option<&'static str> = Some("prices");

    async fn variant(context: &Context, _: &PricesQuery) -> Result<Option<String>> {
        Ok(Some(variant(context)))
    }

    async fn run(context: Context, asked: PricesQuery) -> Result<PricesBody> {
        let when = context.when();
        let plan = context.caller.plan();
        let (listings, unknown) = found(&context, &asked.symbols).await?;
        let credits_used = listings.len().div_ceil(PRICES_PER_CREDIT) as u64;
        let mut prices = Vec::with_capacity(listings.len());
        let mut notes: Vec<DataIssue> = Vec::new();
        for listing in &listings {
            let point = kept(&context.services, listing, when, plan).await?;
            let issues = issues(&context.services, listing, when, point).await?;
            notes.extend(of_ticker(listing, issues));
            prices.push(PriceRowBody {
                ticker: listing.ticker().to_owned(),
                price: point.map(|point| point.current),
                change_pct: point.and_then(|point| point.change_pct),
                currency: listing.instrument.currency().to_owned(),
                date: point.map(|point| point.day.to_string()),
                stale: point.is_some_and(|point| listing.is_old(point.day, when)),
                updated_at: point.map(|point| point.updated_at.to_string()),
                market_state: market_state(listing, when).as_str(),
                delisted: listing.delisted(when).map(|last| last.to_string()),
            });
        }
        context.charge.claim(credits_used);
        Ok(PricesBody {
            status: "ok",
            prices,
            unknown,
            credits_used,
            data_status: written(notes),
        })
    }
}

/// Notes preceded by the symbol they refer to, unless they already begin with it.
pub(crate) fn of_ticker(
    listing: &Listing,
    issues: Vec<DataIssue>,
) -> impl Iterator<Item = DataIssue> {
    let named = format!("{} ", listing.ticker());
    issues.into_iter().map(move |issue| {
        if issue.reason.starts_with(&named) {
            return issue;
        }
        DataIssue {
            reason: format!("{}: {}", listing.ticker(), issue.reason),
            ..issue
        }
    })
}

/// Which candles of which symbols to list.
pub(crate) struct CandlesQuery {
    symbols: Vec<String>,
    window: Window,
}

impl Parameters for CandlesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbols: arguments.required_list("symbols", MOST_CANDLES, SYMBOLS),
            window: Window::read(arguments),
        }
    }
}

/// Candles of several symbols.
#[derive(Serialize, ToSchema)]
pub(crate) struct SeveralCandlesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Price adjustment: `splits`, `all` (splits and dividends) or `none`.
    adjust: &'static str,
    /// The candles, by symbol in the order of the request; for each symbol, oldest first.
    candles: Vec<CandleOfBody>,
    /// Symbols that match no instrument; absent if all are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<UnknownSymbolBody>,
    /// Credits charged for this response: one for each known symbol.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A bar for one of several symbols.
#[derive(Serialize, ToSchema)]
#[schema(as = CandleOfSymbol)]
pub(crate) struct CandleOfBody {
    /// Symbol.
    ticker: String,
    /// ISO 4217 code of the prices.
    currency: String,
    #[serde(flatten)]
    candle: CandleBody,
}

/// `GET /ticker/candles`.
pub(crate) struct ListCandles;

impl Operation for ListCandles {
    type Input = CandlesQuery;
    type Output = SeveralCandlesBody;

    const ABOUT: About = About {
        name: "list_candles_of_several",
        address: Address::get("/api/v1/ticker/candles"),
        subject: "ticker",
        summary: "Lists the candles of up to 20 symbols in one table.",
        description: "The candles of each symbol are those of `/ticker/{symbol}/candles`. Unknown symbols are listed in `unknown` and cost nothing.",
        answer: "The candles, symbol by symbol, oldest first",
        missing: Some("None of the symbols is known, with suggestions"),
        example: r#"{"symbols": ["AAPL", "MSFT"], "range": "1mo"}"#,
        ..About::READS
    };

    const ROWS: Option<&'static str> = Some("candles");

    async fn run(context: Context, asked: CandlesQuery) -> Result<SeveralCandlesBody> {
        let (listings, unknown) = found(&context, &asked.symbols).await?;
        let credits_used = listings.len() as u64;
        let mut candles = Vec::new();
        let mut notes = Vec::new();
        for listing in &listings {
            let (found, issues) = asked.window.cut(&context, listing).await?;
            notes.extend(of_ticker(listing, issues));
            candles.extend(found.into_iter().map(|candle| CandleOfBody {
                ticker: listing.ticker().to_owned(),
                currency: listing.instrument.currency().to_owned(),
                candle,
            }));
        }
        context.charge.claim(credits_used);
        Ok(SeveralCandlesBody {
            status: "ok",
            adjust: asked.window.adjustment(),
            candles,
            unknown,
            credits_used,
            data_status: written(notes),
        })
    }
}
