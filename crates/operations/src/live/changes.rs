//! Which instruments changed: the difference between two states of the market cache.

use std::sync::Arc;

use analysis::market::Listing;

use crate::error::Result;
use crate::services::Shared;

/// Reports what has changed since the last call.
#[derive(Default)]
pub(crate) struct MarketChanges {
    seen: Option<Arc<[Arc<Listing>]>>,
}

impl MarketChanges {
    /// The listings that are new or whose candles or prices have changed. The first call returns all of them.
    pub(crate) async fn next(&mut self, services: &Shared) -> Result<Vec<Arc<Listing>>> {
        let all = services.instruments.all().await?;
        let Some(seen) = self.seen.replace(Arc::clone(&all)) else {
            return Ok(all.to_vec());
        };
        if Arc::ptr_eq(&seen, &all) {
            return Ok(Vec::new());
        }
        // Both are in one order. A snapshot shares what did not change.
        let mut changed = Vec::new();
        let mut before = seen.iter().peekable();
        let order = |one: &Listing| (one.instrument.symbol.clone(), one.instrument.key().market);
        for listing in all.iter() {
            if before.peek().is_some_and(|old| Arc::ptr_eq(old, listing)) {
                before.next();
                continue;
            }
            let key = order(listing);
            while before.peek().is_some_and(|old| order(old) < key) {
                before.next();
            }
            if before.peek().is_some_and(|old| order(old) == key)
                && let Some(old) = before.next()
                && Arc::ptr_eq(old, listing)
            {
                continue;
            }
            changed.push(Arc::clone(listing));
        }
        Ok(changed)
    }
}
