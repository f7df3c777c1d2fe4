//! Records of the store as known at a point in time: what was disclosed, published or reported, each with the time at
//! which it became known.

use model::{AssetType, Symbol};
use store::{Record, RecordQuery, Store, StoredRecord};

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
}

impl Records {
    pub(super) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The records of a listing that fit, newest day first; before its company had its symbol, those under the one before.
    pub(super) async fn of<R: Record>(
        &self,
        listing: &Listing,
        when: PointInTime,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let Some(symbol) = listing.disclosing_symbol() else {
            return Ok(Vec::new());
        };
        let of_symbol = |symbol: &Symbol| RecordQuery {
            symbol: Some(symbol.clone()),
            ..query.clone()
        };
        if listing.spans.is_empty() {
            return self.known(when, of_symbol(symbol)).await;
        }
        let mut found = Vec::new();
        for span in listing.spans.iter() {
            // The change itself is recorded under the old symbol, on the first day of the new one.
            let last = span.before;
            let of_span = RecordQuery {
                from: Some(query.from.map_or(span.from, |from| from.max(span.from))),
                to: Some(query.to.map_or(last, |to| to.min(last))),
                ..of_symbol(&span.symbol)
            };
            found.extend(self.known(when, of_span).await?);
        }
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
