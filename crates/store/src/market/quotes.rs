//! The newest prices.

use model::{Quote, Timestamp};

use super::MarketData;
use crate::Result;
use crate::database::{Durability, values};

/// The newest price of a series: an instrument key such as `stock:AAPL`, or a series identity such as `fx:EURUSD`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteRow {
    /// Whose price.
    pub series: String,
    /// The price.
    pub quote: Quote,
}

impl MarketData<'_> {
    /// Every quote whose price was paid after a moment.
    pub async fn quotes_since(&self, after: Timestamp) -> Result<Vec<QuoteRow>> {
        let sql = "SELECT series, price, previous_close, volume, at FROM quote WHERE at > $1 ORDER BY series";
        let rows = self.database.rows(sql, values![after]).await?;
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

    /// Remembers the newest prices; an older one than is known is left aside.
    pub async fn put_quotes(&self, quotes: &[(String, Quote)]) -> Result<()> {
        let mut rows = Vec::with_capacity(quotes.len() * 5);
        for (series, quote) in quotes {
            rows.extend(values![
                series,
                quote.price,
                quote.previous_close,
                quote.volume,
                quote.at,
            ]);
        }
        let mut tx = self.database.begin(Durability::Process).await?;
        tx.insert(
            "INSERT INTO quote (series, price, previous_close, volume, at) VALUES",
            "ON CONFLICT (series) DO UPDATE SET price = excluded.price, previous_close = excluded.previous_close, \
             volume = excluded.volume, at = excluded.at WHERE excluded.at > quote.at",
            5,
            rows,
        )
        .await?;
        tx.commit().await
    }
}
