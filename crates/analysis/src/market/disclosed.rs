//! What was disclosed of a listing, as known at a moment.

use model::{AssetType, Symbol};
use store::{Record, RecordQuery, StoredRecord};

use super::{Book, Listing, Moment};
use crate::Result;

impl Listing {
    /// The symbol under which companies and their owners disclose. Coins disclose nothing, also where a share has the same
    /// letters.
    pub fn disclosing_symbol(&self) -> Option<&Symbol> {
        (self.asset_type() != AssetType::Crypto).then_some(&self.instrument.symbol)
    }
}

impl Book {
    /// The records of a listing that fit, newest day first.
    pub async fn records_of<R: Record>(
        &self,
        listing: &Listing,
        moment: Moment,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let Some(symbol) = listing.disclosing_symbol() else {
            return Ok(Vec::new());
        };
        let query = RecordQuery {
            symbol: Some(symbol.clone()),
            ..query
        };
        self.records(moment, query).await
    }

    /// The records that fit, newest day first. Also now, what becomes known later today is not known yet.
    pub async fn records<R: Record>(
        &self,
        moment: Moment,
        query: RecordQuery,
    ) -> Result<Vec<StoredRecord<R>>> {
        let query = RecordQuery {
            as_of: Some(moment.end),
            ..query
        };
        Ok(self.store().records::<R>().list(&query).await?)
    }
}
