//! Records in the store as known at a point in time: what was disclosed, published or reported, each with the time at
//! which it became known.

use std::collections::HashSet;
use std::sync::Arc;

use model::{AssetType, InstrumentKey, Symbol};
use store::{Record, RecordQuery, Store, StoredRecord};

use super::cache::MarketCache;
use super::{Listing, PointInTime};
use crate::Result;

impl Listing {
    /// The symbol under which companies and their owners disclose. Coins disclose nothing, even if a share has the
    /// same letters.
    pub fn disclosing_symbol(&self) -> Option<&Symbol> {
        (self.asset_type() != AssetType::Crypto).then_some(&self.instrument.symbol)
    }
}

/// Reads records; each service that uses it decides which kinds to offer.
#[derive(Clone, Debug)]
pub(super) struct Records {
    store: Store,
    cache: Arc<MarketCache>,
}

impl Records {
    pub(super) fn new(store: Store, cache: Arc<MarketCache>) -> Self {
        Self { store, cache }
    }

    /// The matching records of a listing, newest day first.
    pub(super) async fn of<R: Record>(
        &self,
        listing: &Listing,
        when: PointInTime,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let Some(symbol) = listing.disclosing_symbol() else {
            return Ok(Vec::new());
        };
        let query = RecordQuery {
            as_of: Some(when.end),
            ..query
        };
        self.of_share(symbol, query).await
    }

    /// The matching records of a share or fund, newest day first, including those under the company's former symbols:
    /// all of them if nobody else has such a symbol now, otherwise those from its days.
    pub(super) async fn of_share<R: Record>(
        &self,
        symbol: &Symbol,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let of_symbol = |symbol: &Symbol| RecordQuery {
            symbol: Some(symbol.clone()),
            ..query.clone()
        };
        let snapshot = self.cache.snapshot().await?;
        let listing = snapshot.listings.get(&InstrumentKey::stock(symbol.clone()));
        let Some(listing) = listing.filter(|listing| !listing.spans.is_empty()) else {
            return self.list(of_symbol(symbol)).await;
        };
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for (place, span) in listing.spans.iter().enumerate() {
            let mut wanted = of_symbol(&span.symbol);
            let is_anothers = match place {
                // Registers file a company's earlier reports under the symbol that it has now.
                0 => listing.spans.len() == 1,
                _ => !listing.former.contains(&span.symbol),
            };
            if is_anothers {
                let before = query.to.map_or(span.before, |to| to.min(span.before));
                wanted.from = Some(query.from.map_or(span.from, |from| from.max(span.from)));
                wanted.to = Some(before);
            }
            let under = format!("{}|", span.symbol);
            for stored in self.list::<R>(wanted).await? {
                let id = stored.record.facets().id;
                let id = match id.strip_prefix(&under) {
                    Some(rest) => format!("{symbol}|{rest}"),
                    None => id,
                };
                // A record that is also there under the newer symbol counts once.
                if seen.insert((id, stored.known_at)) {
                    found.push(stored);
                }
            }
        }
        found.sort_by_key(|stored| std::cmp::Reverse(stored.record.facets().day));
        if query.limit > 0 {
            found.truncate(usize::try_from(query.limit).unwrap_or(usize::MAX));
        }
        Ok(found)
    }

    /// The matching records, newest day first. Even for now, what becomes known later today is not known yet.
    pub(super) async fn known<R: Record>(
        &self,
        when: PointInTime,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let query = RecordQuery {
            as_of: Some(when.end),
            ..query
        };
        self.list(query).await
    }

    /// The matching records, newest day first: for now, everything in the store, whenever it becomes known.
    pub(super) async fn held<R: Record>(
        &self,
        when: PointInTime,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let query = RecordQuery {
            as_of: when.as_of,
            ..query
        };
        self.list(query).await
    }

    /// The records that match a query exactly as given.
    pub(super) async fn list<R: Record>(&self, query: RecordQuery) -> Result<Vec<StoredRecord<R>>> {
        Ok(self.store.records::<R>().list(&query).await?)
    }
}
