//! `/ticker/{symbol}` and what lies below it: everything that is known of one share, fund or coin.

pub(crate) mod analysis;
pub(crate) mod analysts;
pub(crate) mod candles;
pub(crate) mod competitors;
pub(crate) mod earnings;
pub(crate) mod financials;
pub(crate) mod full;
pub(crate) mod impact;
pub(crate) mod institutions;
pub(crate) mod news;
pub(crate) mod price;
pub(crate) mod record;
pub(crate) mod resolve;
pub(crate) mod score;
pub(crate) mod sentiment;
pub(crate) mod technicals;

use std::sync::Arc;

use ::analysis::market::{Listing, Moment};

use crate::error::{Error, Result};
use crate::extract::AsOf;
use crate::state::AppState;

/// The moment of a question.
pub(crate) fn moment(state: &AppState, as_of: AsOf) -> Moment {
    Moment {
        end: as_of.end(state),
        as_of: as_of.0,
    }
}

/// The instrument that a path names.
pub(crate) async fn find(state: &AppState, symbol: &str) -> Result<Arc<Listing>> {
    state
        .market
        .resolve(symbol)
        .await?
        .map_err(Error::UnknownSymbol)
}
