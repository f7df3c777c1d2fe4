//! A watchlist as shown in responses.

use model::Timestamp;
use serde::Serialize;
use store::Watchlist;
use utoipa::ToSchema;

use crate::error::Result;
use crate::services::Services;

/// A single watchlist.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchlistAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The watchlist.
    watchlist: WatchlistBody,
}

/// The watchlists of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchlistsAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The watchlists.
    watchlists: Vec<WatchlistBody>,
    /// Number of watchlists.
    total: usize,
}

/// A watchlist.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Watchlist)]
pub(crate) struct WatchlistBody {
    /// ID of the watchlist.
    #[schema(example = "wl_0195f3a2c4d87b1e9a6f2c3d4e5f6071")]
    id: String,
    /// Name given by the owner.
    name: String,
    /// Number of symbols.
    ticker_count: usize,
    /// Symbols in the order in which they were added.
    tickers: Vec<String>,
    /// Time of creation.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
}

impl WatchlistAnswer {
    pub(super) async fn of(services: &Services, watchlist: &Watchlist) -> Result<Self> {
        Ok(Self {
            status: "ok",
            watchlist: WatchlistBody::of(services, watchlist).await?,
        })
    }
}

impl WatchlistsAnswer {
    pub(super) fn new(watchlists: Vec<WatchlistBody>) -> Self {
        Self {
            status: "ok",
            total: watchlists.len(),
            watchlists,
        }
    }
}

impl WatchlistBody {
    pub(super) async fn of(services: &Services, watchlist: &Watchlist) -> Result<Self> {
        let mut tickers = Vec::with_capacity(watchlist.symbols.len());
        for symbol in &watchlist.symbols {
            let listing = services.instruments.resolve(symbol.as_str()).await?;
            tickers.push(listing.map_or_else(
                |_| symbol.to_string(),
                |listing| listing.ticker().to_owned(),
            ));
        }
        Ok(Self {
            id: watchlist.id.clone(),
            name: watchlist.name.clone(),
            ticker_count: tickers.len(),
            tickers,
            created_at: watchlist.created_at,
        })
    }
}
