//! How a listing is written down so that the same text finds it again.

use model::Symbol;

use super::{Book, Listing};
use crate::Result;

impl Book {
    /// The shortest text that names this listing and no other: its symbol, or where the same letters name something more
    /// important, the symbol with what tells both apart (`CAT-USD` the coin, `SOL.US` the share).
    pub async fn spelling(&self, listing: &Listing) -> Result<Symbol> {
        let symbol = &listing.instrument.symbol;
        let key = listing.instrument.key();
        for text in [format!("{symbol}-USD"), format!("{symbol}.US")] {
            if let Some(bare) = self.look_up(symbol.as_str()).await?
                && bare.instrument.key() == key
            {
                break;
            }
            if let Some(marked) = Symbol::parse(&text)
                && let Some(found) = self.look_up(&text).await?
                && found.instrument.key() == key
            {
                return Ok(marked);
            }
        }
        Ok(symbol.clone())
    }
}
