//! Prices of instruments: candles as known at a point in time, the newest price, and what the candles alone say.

use std::sync::Arc;

use market::screener::PriceMetrics;
use model::{AssetType, Candle, InstrumentKey};
use store::Store;

use super::cache::{MarketCache, columns};
use super::{HistoryView, Instruments, Listing, PointInTime, PricePoint};
use crate::Result;

/// Reads candles and quotes of instruments.
#[derive(Clone, Debug)]
pub struct Prices {
    store: Store,
    cache: Arc<MarketCache>,
    pub(super) instruments: Instruments,
}

impl Prices {
    pub(super) fn new(store: Store, cache: Arc<MarketCache>, instruments: Instruments) -> Self {
        Self {
            store,
            cache,
            instruments,
        }
    }

    /// The candles of an instrument as known at a point in time.
    pub async fn history(&self, listing: &Listing, when: PointInTime) -> Result<HistoryView> {
        if listing.holds(when) {
            return Ok(listing.cut(when));
        }
        let rows = self.stored(&listing.instrument.key(), when).await?;
        let newest = when.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns(&rows)), newest))
    }

    /// Every candle that the store has of an instrument, those included that are too old for the cache.
    pub(super) async fn stored(
        &self,
        key: &InstrumentKey,
        when: PointInTime,
    ) -> Result<Vec<Candle>> {
        Ok(self.store.market().candles(key, when.as_of).await?.rows)
    }

    /// Every candle of an instrument as known at a point in time, however old.
    pub(crate) async fn whole_history(
        &self,
        listing: &Listing,
        when: PointInTime,
    ) -> Result<HistoryView> {
        if !listing.is_cut {
            return self.history(listing, when).await;
        }
        let rows = self.stored(&listing.instrument.key(), when).await?;
        let newest = when.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns(&rows)), newest))
    }

    /// The newest price of an instrument as known at a point in time.
    pub async fn newest(&self, listing: &Listing, when: PointInTime) -> Result<Option<PricePoint>> {
        let history = self.history(listing, when).await?;
        Ok(listing.price(history.candles(), when))
    }

    /// Every instrument of these kinds with its candles as known at a point in time, those without candles left out.
    pub async fn universe(
        &self,
        kinds: &[AssetType],
        when: PointInTime,
    ) -> Result<Vec<(Arc<Listing>, HistoryView)>> {
        let mut found = Vec::new();
        for listing in self.instruments.all().await?.iter() {
            if !kinds.contains(&listing.asset_type()) {
                continue;
            }
            let history = self.history(listing, when).await?;
            if !history.candles().is_empty() {
                found.push((Arc::clone(listing), history));
            }
        }
        Ok(found)
    }

    /// What candles alone say of an instrument.
    pub async fn metrics(&self, listing: &Listing, when: PointInTime) -> Result<PriceMetrics> {
        let snapshot = self.cache.snapshot().await?;
        let newest = listing.candles.view().days().last().copied();
        let all_closed =
            newest.is_none_or(|newest| newest <= when.newest_day(listing.asset_type()));
        if when.as_of.is_none()
            && all_closed
            && let Some(metrics) = snapshot.metrics.get(&listing.instrument.key())
        {
            return Ok(*metrics);
        }
        Ok(PriceMetrics::newest(
            self.history(listing, when).await?.candles(),
        ))
    }
}
