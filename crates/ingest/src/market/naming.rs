//! Disclosures that arrived before their company's listing: they are kept without a symbol, and get it here.

use model::{Filing, Holding, HoldingLine, Symbol, Timestamp};
use store::Store;

use crate::error::Result;

/// How many disclosures were given a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamedDisclosures {
    /// Filings.
    pub filings: u64,
    /// Lines of Form 13F reports.
    pub holdings: u64,
}

/// Gives symbols to the filings and holdings that have none, as if their listing had been there first. Filings are
/// matched by the number of the filer or of another party, holdings by the name of the issuer and the class.
pub async fn name_disclosures(
    store: &Store,
    recorded_at: Timestamp,
    of_filer: impl Fn(u64) -> Option<Symbol> + Send + Sync,
    of_issuer: impl Fn(&str, &str) -> Option<Symbol> + Send + Sync,
) -> Result<NamedDisclosures> {
    let mut transaction = store.market_transaction(recorded_at).await?;
    let filings = transaction
        .name_records(|filing: Filing| filing.of_listed(&of_filer))
        .await?;
    let holdings = transaction
        .name_records(|line: HoldingLine| {
            let symbol = of_issuer(&line.holding.issuer, &line.holding.class)?;
            let holding = Holding {
                symbol: Some(symbol),
                ..line.holding
            };
            Some(HoldingLine { holding, ..line })
        })
        .await?;
    transaction.commit().await?;
    Ok(NamedDisclosures { filings, holdings })
}
