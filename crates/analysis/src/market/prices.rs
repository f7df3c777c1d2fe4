//! Prices of instruments: candles as known at a point in time, the latest price, and what the candles alone say.

use std::collections::HashMap;
use std::sync::Arc;

use market::CandleColumns;
use market::actions::{Dividend, total_return};
use market::screener::PriceMetrics;
use model::{ActionKind, AssetType, Candle, CorporateAction, DataMode, InstrumentKey, PriceScale};
use store::{RecordQuery, ScaledCandle, Store};

use super::actions::one_of_each;
use super::cache::{MarketCache, columns};
use super::records::Records;
use super::renaming::joined;
use super::{HistoryView, Instruments, Listing, PointInTime, PricePoint};
use crate::Result;

/// What prices are adjusted for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adjust {
    /// Nothing: each price is the one actually paid.
    Nothing,
    /// Splits.
    #[default]
    Splits,
    /// Splits and dividends.
    All,
}

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
        let rows = self.stored(listing, when).await?;
        let newest = when.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns(&rows)), newest))
    }

    /// Every candle that the store has for an instrument, including those too old for the cache.
    pub(super) async fn stored(&self, listing: &Listing, when: PointInTime) -> Result<Vec<Candle>> {
        let in_scale =
            |row: ScaledCandle| listing.splits.convert(row.candle, row.scale, when.scale());
        let rows = self.scaled(listing, when).await?;
        Ok(rows.into_iter().map(in_scale).collect())
    }

    /// The same as stored, including candles under the company's former symbols.
    async fn scaled(&self, listing: &Listing, when: PointInTime) -> Result<Vec<ScaledCandle>> {
        let market = self.store.market();
        if listing.spans.is_empty() {
            let key = listing.instrument.key();
            return Ok(market.scaled_candles(&key, when.as_of).await?.rows);
        }
        let mut histories = HashMap::new();
        for span in listing.spans.iter() {
            let key = InstrumentKey::stock(span.symbol.clone());
            let history = market.scaled_candles(&key, when.as_of).await?;
            histories.insert(span.symbol.clone(), history);
        }
        let joined = joined(&listing.spans, |symbol| histories.remove(symbol));
        Ok(joined.history.rows)
    }

    /// Candles of an instrument as known at a point in time, adjusted as requested instead of for splits. As traded,
    /// candles for which the price actually paid is not known are left out.
    pub async fn adjusted(
        &self,
        listing: &Listing,
        history: HistoryView,
        when: PointInTime,
        adjust: Adjust,
    ) -> Result<HistoryView> {
        let columns = match adjust {
            Adjust::Splits => return Ok(history),
            Adjust::Nothing => match self.as_traded(listing, when).await? {
                Some(columns) => columns,
                None => return Ok(history),
            },
            Adjust::All => {
                let dividends = self.dividends(listing, when).await?;
                total_return(history.candles(), &dividends)
            }
        };
        let newest = when.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns), newest))
    }

    /// The candles of an instrument as they were traded, as far as that is known; `None` if it is never split, so that
    /// every price is the one actually paid.
    async fn as_traded(
        &self,
        listing: &Listing,
        when: PointInTime,
    ) -> Result<Option<CandleColumns>> {
        if listing.is_never_split() {
            return Ok(None);
        }
        if listing.closes.is_some() {
            // Series of closes do not say which splits they contain.
            return Ok(Some(CandleColumns::default()));
        }
        let rows = self.scaled(listing, when).await?;
        // Nothing ever splits in the simulated world.
        let is_simulated = self.store.mode() == DataMode::Demo && listing.splits.is_empty();
        let traded = |row: ScaledCandle| match row.scale {
            PriceScale::Newest if is_simulated => Some(row.candle),
            scale => listing.splits.as_traded(row.candle, scale),
        };
        Ok(Some(rows.into_iter().filter_map(traded).collect()))
    }

    /// The dividends of a share in the listing's currency, in the scale of a point in time.
    async fn dividends(&self, listing: &Listing, when: PointInTime) -> Result<Vec<Dividend>> {
        let query = RecordQuery {
            words: vec![ActionKind::Dividend.as_str().to_owned()],
            from: listing.first_day(),
            ..RecordQuery::default()
        };
        let records = Records::new(self.store.clone(), Arc::clone(&self.cache));
        let paid = records.of::<CorporateAction>(listing, when, query).await?;
        let own = listing.instrument.currency();
        Ok(one_of_each(paid)
            .into_iter()
            .map(|stored| stored.record)
            .filter(|one| {
                one.currency
                    .as_deref()
                    .is_none_or(|currency| currency == own)
            })
            .filter_map(|one| {
                Some(Dividend {
                    ex_date: one.ex_date,
                    amount: one.amount? / listing.splits.shares(one.ex_date, when.scale()),
                })
            })
            .collect())
    }

    /// Whether a share has any known dividend that prices in its currency are adjusted for.
    pub async fn has_dividends(&self, listing: &Listing, when: PointInTime) -> Result<bool> {
        Ok(!self.dividends(listing, when).await?.is_empty())
    }

    /// Every candle of an instrument as known at a point in time, however old.
    pub async fn whole_history(&self, listing: &Listing, when: PointInTime) -> Result<HistoryView> {
        if !listing.is_cut {
            return self.history(listing, when).await;
        }
        let rows = self.stored(listing, when).await?;
        let newest = when.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns(&rows)), newest))
    }

    /// The latest price of an instrument as known at a point in time.
    pub async fn newest(&self, listing: &Listing, when: PointInTime) -> Result<Option<PricePoint>> {
        let history = self.history(listing, when).await?;
        Ok(listing.price(history.candles(), when))
    }

    /// Every instrument of these kinds with its candles as known at a point in time, leaving out those without
    /// candles.
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

    /// What candles alone say about an instrument.
    pub async fn metrics(&self, listing: &Listing, when: PointInTime) -> Result<PriceMetrics> {
        let snapshot = self.cache.snapshot().await?;
        let newest = listing.candles.view().days().last().copied();
        let all_closed =
            newest.is_none_or(|newest| newest <= when.newest_day(listing.asset_type()));
        if when.as_of.is_none()
            && all_closed
            && !listing.splits_after(when)
            && let Some(metrics) = snapshot.metrics.get(&listing.instrument.key())
        {
            return Ok(*metrics);
        }
        Ok(PriceMetrics::newest(
            self.history(listing, when).await?.candles(),
        ))
    }
}
