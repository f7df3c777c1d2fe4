//! The newest prices.

use model::Quote;

use super::{MarketData, PUT_MARK, fresh_mark};
use crate::Result;
use crate::database::{Durability, Tx, values};

/// The newest price of a series: an instrument key such as `stock:AAPL`, or a series identity such as `fx:EURUSD`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteRow {
    /// What it is the price of.
    pub series: String,
    /// The price.
    pub quote: Quote,
}

impl MarketData<'_> {
    /// Every quote written after a given version of the quotes; all of them after -1.
    pub async fn quotes_since(&self, version: i64) -> Result<Vec<QuoteRow>> {
        let sql = "SELECT series, price, previous_close, volume, at FROM quote WHERE version > $1 ORDER BY series";
        let rows = self.database.rows(sql, values![version]).await?;
        rows.iter()
            .map(|row| {
                Ok(QuoteRow {
                    series: row.text(0)?,
                    quote: Quote {
                        price: row.real(1)?,
                        previous_close: row.real_option(2)?,
                        volume: row.real_option(3)?,
                        at: row.time(4)?,
                    },
                })
            })
            .collect()
    }

    /// Stores the newest prices; a price older than the known one is ignored.
    pub async fn put_quotes(&self, quotes: &[(String, Quote)]) -> Result<()> {
        let mut tx = self.database.begin(Durability::Process).await?;
        // First, so that the second of two writers waits here, and versions become visible in order.
        let version = next_version(&mut tx).await?;
        let mut rows = Vec::with_capacity(quotes.len() * 6);
        for (series, quote) in quotes {
            rows.extend(values![
                series,
                quote.price,
                quote.previous_close,
                quote.volume,
                quote.at,
                version,
            ]);
        }
        tx.insert(
            "INSERT INTO quote (series, price, previous_close, volume, at, version) VALUES",
            "ON CONFLICT (series) DO UPDATE SET price = excluded.price, previous_close = excluded.previous_close, \
             volume = excluded.volume, at = excluded.at, version = excluded.version WHERE excluded.at > quote.at",
            6,
            rows,
        )
        .await?;
        tx.commit().await
    }
}

async fn next_version(tx: &mut Tx) -> Result<i64> {
    let sql = "INSERT INTO counter (name, value) VALUES ('quote', 1) \
               ON CONFLICT (name) DO UPDATE SET value = counter.value + 1";
    tx.execute(sql, Vec::new()).await?;
    tx.execute(PUT_MARK, values!["quote_mark", fresh_mark()])
        .await?;
    let sql = "SELECT value FROM counter WHERE name = 'quote'";
    tx.number(sql, Vec::new()).await
}
