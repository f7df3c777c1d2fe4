//! Records of the store as known at a point in time: what was disclosed, published or reported, each with the time at
//! which it became known.

use std::collections::HashSet;
use std::sync::Arc;

use model::{AssetType, InstrumentKey, Symbol};
use store::{Record, RecordQuery, Store, StoredRecord};

use super::cache::MarketCache;
use super::{Listing, PointInTime};
use crate::Result;

impl Listing {
    /// The symbol under which companies and their owners disclose. Coins disclose nothing, also where a share has the
    /// same letters.
    pub fn disclosing_symbol(&self) -> Option<&Symbol> {
        (self.asset_type() != AssetType::Crypto).then_some(&self.instrument.symbol)
    }
}

/// Reads records; the services that hold one decide which kinds they offer.
#[derive(Clone, Debug)]
pub(super) struct Records {
    store: Store,
    cache: Arc<MarketCache>,
}

impl Records {
    pub(super) fn new(store: Store, cache: Arc<MarketCache>) -> Self {
        Self { store, cache }
    }

    /// The records of a listing that fit, newest day first.
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

    /// The records of a share or fund that fit, newest day first, those under the symbols that its company had before
    /// included: all of them where nobody else has such a symbol now, else those of its days.
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
                // Registers file what a company reported before under the symbol that it has now.
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
                // What is there under the newer symbol as well counts once.
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

    /// The records that fit, newest day first. Also now, what becomes known later today is not known yet.
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

    /// The records that fit, newest day first: now all that the store has, whenever they become known.
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

    /// The records that fit a query as it stands.
    pub(super) async fn list<R: Record>(&self, query: RecordQuery) -> Result<Vec<StoredRecord<R>>> {
        Ok(self.store.records::<R>().list(&query).await?)
    }
}
