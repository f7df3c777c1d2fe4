//! API keys: an account's credentials, stored as hashes.

use model::{AccountId, KeyId, KeyScope, Timestamp};

use crate::accounts::{account, account_columns, note_change};
use crate::database::{Database, Durability, Row, values};
use crate::{Account, Completion, Error, LedgerEntry, Result, idempotency, ledger};

/// The columns that [`api_key`] reads, from a table called `k`.
macro_rules! key_columns {
    () => {
        "k.id, k.account, k.name, k.prefix, k.hash, k.scope, k.created_at, k.last_used_at, k.revoked_at"
    };
}
const KEY_COLUMNS: usize = 9;

/// How many keys one account may have. The same number of revoked ones is remembered.
pub const MOST_KEYS: u64 = 100;

/// One API key. Contains a hash, hence no serde.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Identity.
    pub id: KeyId,
    /// Its owner.
    pub account: AccountId,
    /// Name as given.
    pub name: String,
    /// The visible prefix of the raw key.
    pub prefix: String,
    /// SHA-256 of the raw key.
    pub hash: [u8; 32],
    /// What it is restricted to.
    pub scope: KeyScope,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to within a minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// The API keys.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    pub(crate) database: &'a Database,
}

impl Keys<'_> {
    /// Adds a key; [`Error::Full`] if the account already has [`MOST_KEYS`].
    pub async fn insert(&self, key: &ApiKey) -> Result<()> {
        self.insert_with(key, None, None).await
    }

    /// Adds a key as [`insert`](Self::insert) does, completes its idempotency record and writes its charge, all in one
    /// durable transaction.
    pub async fn insert_with(
        &self,
        key: &ApiKey,
        completion: Option<Completion<'_>>,
        charge: Option<LedgerEntry>,
    ) -> Result<()> {
        let scope = serde_json::to_string(&key.scope).map_err(|source| Error::Encode {
            table: "api_key",
            source,
        })?;
        let mut tx = self.database.begin(Durability::Power).await?;
        // First, because only one transaction at a time can change this row: two keys cannot both be the last one.
        note_change(&mut tx).await?;
        let owned = "SELECT COUNT(*) FROM api_key WHERE account = $1 AND revoked_at IS NULL";
        let owned = tx.number(owned, values![key.account.0]).await?;
        if u64::try_from(owned).unwrap_or(0) >= MOST_KEYS {
            return Err(Error::Full {
                kind: "API keys",
                most: MOST_KEYS,
            });
        }
        let forget = "DELETE FROM api_key WHERE account = $1 AND revoked_at IS NOT NULL AND id NOT IN \
                      (SELECT id FROM api_key WHERE account = $1 AND revoked_at IS NOT NULL \
                      ORDER BY revoked_at DESC, id LIMIT $2)";
        tx.execute(forget, values![key.account.0, MOST_KEYS as i64])
            .await?;
        tx.execute(
            "INSERT INTO api_key (id, account, name, prefix, hash, scope, created_at, last_used_at, revoked_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            values![
                key.id.0,
                key.account.0,
                &key.name,
                &key.prefix,
                key.hash.as_slice(),
                scope,
                key.created_at,
                key.last_used_at,
                key.revoked_at,
            ],
        )
        .await?;
        if let Some(charge) = charge {
            ledger::append(&mut tx, &[charge]).await?;
        }
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The key with that hash and its account, unless it is revoked.
    pub async fn find_by_hash(&self, hash: &[u8; 32]) -> Result<Option<(ApiKey, Account)>> {
        let sql = concat!(
            "SELECT ",
            key_columns!(),
            ", ",
            account_columns!(),
            " FROM api_key k JOIN account a ON a.id = k.account WHERE k.hash = $1 AND k.revoked_at IS NULL"
        );
        let row = self.database.row(sql, values![hash.as_slice()]).await?;
        row.map(|row| Ok((api_key(&row)?, account(&row, KEY_COLUMNS)?)))
            .transpose()
    }

    /// An account's keys that are not revoked, newest first.
    pub async fn list(&self, account: AccountId) -> Result<Vec<ApiKey>> {
        let sql = concat!(
            "SELECT ",
            key_columns!(),
            " FROM api_key k WHERE k.account = $1 AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC"
        );
        self.database
            .rows(sql, values![account.0])
            .await?
            .iter()
            .map(api_key)
            .collect()
    }

    /// An account's keys, not revoked, whose visible prefix or identity is `prefix`.
    pub async fn find_prefix(&self, account: AccountId, prefix: &str) -> Result<Vec<ApiKey>> {
        let keys = self.list(account).await?;
        Ok(keys
            .into_iter()
            .filter(|key| key.prefix == prefix || key.id.0.hyphenated().to_string() == prefix)
            .collect())
    }

    /// Revokes a key of that account; `false` if it has no such key or the key is already revoked.
    pub async fn revoke(&self, account: AccountId, id: KeyId, now: Timestamp) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND account = $3 AND revoked_at IS NULL";
        let revoked = tx.execute(sql, values![now, id.0, account.0]).await? > 0;
        if revoked {
            note_change(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(revoked)
    }

    /// Records when keys were last used.
    pub async fn touch(&self, uses: &[(KeyId, Timestamp)]) -> Result<()> {
        if uses.is_empty() {
            return Ok(());
        }
        let mut uses = uses.to_vec();
        // In a fixed order, so that two processes cannot wait for each other.
        uses.sort_unstable();
        let mut tx = self.database.begin(Durability::Process).await?;
        for (id, at) in uses {
            let sql = "UPDATE api_key SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)";
            tx.execute(sql, values![at, id.0]).await?;
        }
        tx.commit().await
    }
}

/// Reads a key from the first columns of a row.
fn api_key(row: &Row) -> Result<ApiKey> {
    let id = row.id(0, "api_key")?;
    let corrupt = || Error::corrupt("api_key", id.to_string());
    Ok(ApiKey {
        id: KeyId(id),
        account: AccountId(row.id(1, "api_key")?),
        name: row.text(2)?,
        prefix: row.text(3)?,
        hash: row.blob(4)?.try_into().map_err(|_| corrupt())?,
        scope: serde_json::from_str::<KeyScope>(&row.text(5)?).map_err(|_| corrupt())?,
        created_at: row.time(6)?,
        last_used_at: row.time_option(7)?,
        revoked_at: row.time_option(8)?,
    })
}
