//! `/ticker/{symbol}` and the paths below it: all data about one share, fund or coin.

pub(crate) mod actions;
pub(crate) mod analysis;
pub(crate) mod analysts;
pub(crate) mod candles;
pub(crate) mod competitors;
pub(crate) mod congress;
pub(crate) mod earnings;
pub(crate) mod filings;
pub(crate) mod financials;
pub(crate) mod full;
pub(crate) mod impact;
pub(crate) mod insider;
pub(crate) mod institutions;
pub(crate) mod news;
pub(crate) mod price;
pub(crate) mod record;
pub(crate) mod resolve;
pub(crate) mod score;
pub(crate) mod sentiment;
pub(crate) mod several;
pub(crate) mod statements;
pub(crate) mod technicals;

use std::sync::Arc;

use ::analysis::market::{CoverageWindow, Listing};

use crate::error::{Error, Result};
use crate::services::Services;
use crate::{About, Arguments, Context, Parameters};

/// The instrument requested.
pub(crate) struct BySymbol {
    pub(crate) symbol: String,
}

impl Parameters for BySymbol {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
        }
    }
}

/// The instrument, and how many days to look back, up to the limit.
pub(crate) struct OverDays<const MOST: u64> {
    pub(crate) symbol: String,
    pub(crate) days: u16,
}

impl<const MOST: u64> Parameters for OverDays<MOST> {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            days: arguments.integer("days", 1..=MOST, 30, "Number of days to look back") as u16,
        }
    }
}

impl<const MOST: u64> OverDays<MOST> {
    /// The instrument and its coverage over these days.
    pub(crate) async fn coverage(
        &self,
        context: &Context,
    ) -> Result<(Arc<Listing>, CoverageWindow)> {
        let categories = context.categories(None)?;
        let listing = context.listing(&self.symbol).await?;
        let window = context
            .coverage
            .of(&listing, context.when(), self.days, &categories)
            .await?;
        Ok((listing, window))
    }
}

/// Description of the accepted forms of a symbol.
pub(crate) const SYMBOL: &str =
    "Symbol of a share, fund or coin, such as `AAPL`, `NASDAQ:AAPL`, `BRK.B`, `SPY` or `BTC`";

/// What the operations on one symbol have in common.
pub(crate) const OF_SYMBOL: About = About {
    subject: "ticker",
    missing: Some("Unknown symbol, with suggestions"),
    example: r#"{"symbol": "AAPL"}"#,
    ..About::READS
};

/// The instrument that a text currently names.
pub(crate) async fn find(services: &Services, symbol: &str) -> Result<Arc<Listing>> {
    services
        .instruments
        .resolve(symbol)
        .await?
        .map_err(Error::UnknownSymbol)
}
