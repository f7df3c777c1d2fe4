//! Tokens that were revoked before they expired.

use model::Timestamp;

use crate::Result;
use crate::accounts::note_change;
use crate::database::{Database, Durability, values};

/// The revoked tokens.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'a> {
    pub(crate) database: &'a Database,
}

impl Tokens<'_> {
    /// Revokes a token until the time it would have expired anyway.
    pub async fn revoke(&self, jti: &str, expires: Timestamp) -> Result<()> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "INSERT INTO revoked_token (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING";
        if tx.execute(sql, values![jti, expires]).await? > 0 {
            note_change(&mut tx).await?;
        }
        tx.commit().await
    }

    /// Whether a token is revoked.
    pub async fn is_revoked(&self, jti: &str) -> Result<bool> {
        let sql = "SELECT COUNT(*) FROM revoked_token WHERE jti = $1";
        Ok(self.database.number(sql, values![jti]).await? > 0)
    }

    /// Every revoked token and when it would have expired.
    pub async fn revoked(&self) -> Result<Vec<(String, Timestamp)>> {
        let rows = self
            .database
            .rows(
                "SELECT jti, expires_at FROM revoked_token ORDER BY jti",
                Vec::new(),
            )
            .await?;
        rows.iter()
            .map(|row| Ok((row.text(0)?, row.time(1)?)))
            .collect()
    }

    /// Deletes expired entries; returns how many.
    pub async fn prune(&self, now: Timestamp) -> Result<u64> {
        self.database
            .write(
                "DELETE FROM revoked_token WHERE expires_at <= $1",
                values![now],
            )
            .await
    }
}
