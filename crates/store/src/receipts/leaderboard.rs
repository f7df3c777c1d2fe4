//! How often each model was right.

use model::Timestamp;

use super::Receipts;
use crate::Result;
use crate::database::values;

/// The verdicts on what one model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVerdicts {
    /// The model, as callers named it.
    pub source: String,
    /// Claims with a verdict: the ones below and any others.
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

/// The sources that were most often right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaderboard {
    /// Ranked by `(supported + 1) / (decided + 2)`, highest first: the share of supported claims among the decided
    /// ones, pulled closer to one half the fewer there are. Ties are broken by more decided claims, then by more
    /// claims, then by name.
    pub first: Vec<SourceVerdicts>,
    /// How many sources are ranked.
    pub total: u64,
}

impl Receipts<'_> {
    /// The verdicts of receipts of one kind since a time, by source, limited to this many of the best. All are ranked
    /// before any are left out. The kind keeps a whole text's receipt from being counted alongside those of its claims.
    pub async fn leaderboard(
        &self,
        kind: &str,
        since: Timestamp,
        limit: u64,
    ) -> Result<Leaderboard> {
        let sql = "SELECT source, claims, supported, contradicted, partially_supported, unverifiable, COUNT(*) OVER () FROM (\
                   SELECT source, COUNT(*) AS claims, \
                   CAST(SUM(CASE WHEN verdict = 'supported' THEN 1 ELSE 0 END) AS BIGINT) AS supported, \
                   CAST(SUM(CASE WHEN verdict = 'contradicted' THEN 1 ELSE 0 END) AS BIGINT) AS contradicted, \
                   CAST(SUM(CASE WHEN verdict = 'partially_supported' THEN 1 ELSE 0 END) AS BIGINT) AS partially_supported, \
                   CAST(SUM(CASE WHEN verdict = 'unverifiable' THEN 1 ELSE 0 END) AS BIGINT) AS unverifiable \
                   FROM receipt WHERE kind = $1 AND created_at >= $2 AND source IS NOT NULL AND verdict IS NOT NULL \
                   GROUP BY source) AS counted \
                   ORDER BY (CAST(supported AS DOUBLE PRECISION) + 1.0) / CAST(claims - unverifiable + 2 AS DOUBLE PRECISION) DESC, \
                   claims - unverifiable DESC, claims DESC, source LIMIT $3";
        let rows = self.database.rows(sql, values![kind, since, limit]).await?;
        let total = rows.first().map_or(Ok(0), |row| row.count(6))?;
        let first = rows.iter().map(|row| {
            Ok(SourceVerdicts {
                source: row.text(0)?,
                claims: row.count(1)?,
                supported: row.count(2)?,
                contradicted: row.count(3)?,
                partially_supported: row.count(4)?,
                unverifiable: row.count(5)?,
            })
        });
        Ok(Leaderboard {
            first: first.collect::<Result<_>>()?,
            total,
        })
    }
}
