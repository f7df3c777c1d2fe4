//! Watchlists: symbols that an account wants to see together.

use model::{AccountId, Symbol, Timestamp};

use crate::database::{Database, Durability, Row, values};
use crate::idempotency::{self, Completion};
use crate::{Error, Result};

/// A watchlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watchlist {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its symbols, in the order they were added.
    pub symbols: Vec<Symbol>,
}

/// The watchlists. Every query takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Watchlists<'a> {
    pub(crate) database: &'a Database,
}

impl Watchlists<'_> {
    /// Stores a new watchlist with its symbols, together with the record of its request. [`Error::Conflict`] if the
    /// owner already has `most`.
    pub async fn insert(
        &self,
        watchlist: &Watchlist,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let owned = "SELECT COUNT(*) FROM watchlist WHERE account = $1";
        let owned = tx.number(owned, values![watchlist.account.0]).await?;
        if u64::try_from(owned).unwrap_or(0) >= most {
            return Err(Error::Conflict);
        }
        tx.execute(
            "INSERT INTO watchlist (id, account, name, created_at) VALUES ($1, $2, $3, $4)",
            values![
                &watchlist.id,
                watchlist.account.0,
                &watchlist.name,
                watchlist.created_at
            ],
        )
        .await?;
        let mut rows = Vec::new();
        for (place, symbol) in (0_i64..).zip(&watchlist.symbols) {
            // The time also determines the order: one millisecond later for each symbol that follows.
            let added = watchlist.created_at.plus_ms(place);
            rows.extend(values![&watchlist.id, symbol.as_str(), added]);
        }
        tx.insert(ITEM, "ON CONFLICT DO NOTHING", 3, rows).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The owner's watchlists, oldest first.
    pub async fn list(&self, owner: AccountId) -> Result<Vec<Watchlist>> {
        let sql = "SELECT id, account, name, created_at FROM watchlist WHERE account = $1 ORDER BY created_at, id";
        let rows = self.database.rows(sql, values![owner.0]).await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push(self.complete(row).await?);
        }
        Ok(found)
    }

    /// The owner's watchlist with that ID.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<Watchlist>> {
        let sql =
            "SELECT id, account, name, created_at FROM watchlist WHERE account = $1 AND id = $2";
        match self.database.row(sql, values![owner.0, id]).await? {
            Some(row) => Ok(Some(self.complete(&row).await?)),
            None => Ok(None),
        }
    }

    /// Removes the owner's watchlist; `false` if there is none.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "DELETE FROM watchlist WHERE account = $1 AND id = $2";
        let removed = tx.execute(sql, values![owner.0, id]).await? > 0;
        if removed {
            tx.execute(
                "DELETE FROM watchlist_item WHERE watchlist = $1",
                values![id],
            )
            .await?;
        }
        tx.commit().await?;
        Ok(removed)
    }

    /// Adds symbols to the owner's watchlist; those already in it stay as they are. [`Error::Conflict`] if it would
    /// have more than `most`; `None` if there is no such watchlist.
    pub async fn add(
        &self,
        owner: AccountId,
        id: &str,
        symbols: &[Symbol],
        at: Timestamp,
        most: u64,
    ) -> Result<Option<Watchlist>> {
        if self.find(owner, id).await?.is_none() {
            return Ok(None);
        }
        let mut tx = self.database.begin(Durability::Power).await?;
        // After everything that was added before, even within the same millisecond.
        let newest = "SELECT COALESCE(MAX(added_at), 0) FROM watchlist_item WHERE watchlist = $1";
        let newest = tx.number(newest, values![id]).await?;
        let first = at.max(Timestamp::from_ms(newest + 1));
        let mut rows = Vec::new();
        for (place, symbol) in (0_i64..).zip(symbols) {
            rows.extend(values![id, symbol.as_str(), first.plus_ms(place)]);
        }
        tx.insert(ITEM, "ON CONFLICT DO NOTHING", 3, rows).await?;
        let count = "SELECT COUNT(*) FROM watchlist_item WHERE watchlist = $1";
        let count = tx.number(count, values![id]).await?;
        if u64::try_from(count).unwrap_or(0) > most {
            return Err(Error::Conflict);
        }
        tx.commit().await?;
        self.find(owner, id).await
    }

    /// Removes a symbol from the owner's watchlist; `false` if it is not in it.
    pub async fn remove(&self, owner: AccountId, id: &str, symbol: &Symbol) -> Result<bool> {
        let sql = "DELETE FROM watchlist_item WHERE symbol = $1 AND watchlist = \
                   (SELECT id FROM watchlist WHERE account = $2 AND id = $3)";
        let removed = self
            .database
            .write(sql, values![symbol.as_str(), owner.0, id])
            .await?;
        Ok(removed > 0)
    }

    async fn complete(&self, row: &Row) -> Result<Watchlist> {
        let id = row.text(0)?;
        let sql =
            "SELECT symbol FROM watchlist_item WHERE watchlist = $1 ORDER BY added_at, symbol";
        let items = self.database.rows(sql, values![&id]).await?;
        let symbols = items
            .iter()
            .map(|item| {
                let symbol = item.text(0)?;
                Symbol::parse(&symbol).ok_or_else(|| Error::corrupt("watchlist_item", symbol))
            })
            .collect::<Result<_>>()?;
        Ok(Watchlist {
            account: AccountId(row.id(1, "watchlist")?),
            name: row.text(2)?,
            created_at: row.time(3)?,
            symbols,
            id,
        })
    }
}

const ITEM: &str = "INSERT INTO watchlist_item (watchlist, symbol, added_at) VALUES";
