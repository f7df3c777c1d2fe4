//! `/ticker/{symbol}` and what lies below it: everything that is known of one share, fund or coin.

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
pub(crate) mod technicals;

use std::sync::Arc;

use ::analysis::market::Listing;

use crate::error::{Error, Result};
use crate::services::Services;
use crate::{About, Arguments, Parameters};

/// Which instrument.
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

/// What a symbol may look like.
pub(crate) const SYMBOL: &str =
    "Symbol of a share, fund or coin, such as `AAPL`, `NASDAQ:AAPL`, `BRK.B`, `SPY` or `BTC`";

/// What the operations about one symbol have in common.
pub(crate) const OF_SYMBOL: About = About {
    subject: "ticker",
    missing: Some("Unknown symbol, with suggestions"),
    example: r#"{"symbol": "AAPL"}"#,
    ..About::READS
};

/// The instrument that a path names.
pub(crate) async fn find(services: &Services, symbol: &str) -> Result<Arc<Listing>> {
    services
        .instruments
        .resolve(symbol)
        .await?
        .map_err(Error::UnknownSymbol)
}
