//! How often each model was right.

use model::Timestamp;

use super::Receipts;
use crate::Result;
use crate::database::values;

/// The verdicts about what one model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVerdicts {
    /// The model, as callers named it.
    pub source: String,
    /// Claims with a verdict; those below and any others.
    pub claims: u64,
    /// Supported ones.
    pub supported: u64,
    /// Contradicted ones.
    pub contradicted: u64,
    /// Partially supported ones.
    pub partially_supported: u64,
    /// Unverifiable ones.
    pub unverifiable: u64,
}

impl Receipts<'_> {
    /// The verdicts of receipts of one kind since a time, by source, most claims first. The kind keeps the receipt of a
    /// whole text from counting beside those of its claims.
    pub async fn leaderboard(
        &self,
        kind: &str,
        since: Timestamp,
        limit: u64,
    ) -> Result<Vec<SourceVerdicts>> {
        let sql = "SELECT source, COUNT(*), \
                   CAST(SUM(CASE WHEN verdict = 'supported' THEN 1 ELSE 0 END) AS BIGINT), \
                   CAST(SUM(CASE WHEN verdict = 'contradicted' THEN 1 ELSE 0 END) AS BIGINT), \
                   CAST(SUM(CASE WHEN verdict = 'partially_supported' THEN 1 ELSE 0 END) AS BIGINT), \
                   CAST(SUM(CASE WHEN verdict = 'unverifiable' THEN 1 ELSE 0 END) AS BIGINT) \
                   FROM receipt WHERE kind = $1 AND created_at >= $2 AND source IS NOT NULL AND verdict IS NOT NULL \
                   GROUP BY source ORDER BY COUNT(*) DESC, source LIMIT $3";
        let rows = self.database.rows(sql, values![kind, since, limit]).await?;
        rows.iter()
            .map(|row| {
                Ok(SourceVerdicts {
                    source: row.text(0)?,
                    claims: row.count(1)?,
                    supported: row.count(2)?,
                    contradicted: row.count(3)?,
                    partially_supported: row.count(4)?,
                    unverifiable: row.count(5)?,
                })
            })
            .collect()
    }
}
