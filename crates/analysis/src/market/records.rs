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
            symbol: Some(symbol.clone()),
            ..query
        };
        self.known(when, query).await
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
