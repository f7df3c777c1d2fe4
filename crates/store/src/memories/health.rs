//! How sound an agent's memories are: the figures that a health check reads.

use model::{AccountId, Timestamp};

use super::Memories;
use crate::Result;
use crate::database::values;

/// How many days a trend looks back over, including today.
const DAYS: i64 = 7;

/// [`Memory::trust`](super::Memory::trust) in SQL.
macro_rules! trust {
    () => {
        "(CASE WHEN verdict = 'contradicted' THEN 1.0 - confidence ELSE confidence END)"
    };
}

/// The average confidence of one day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DailyConfidence {
    /// The day in UTC, counted from 1970-01-01.
    pub day: i64,
    /// The average over the memories last stored that day, using the opposite for contradicted claims.
    pub average: f64,
    /// How many memories that is.
    pub memories: u64,
}

/// How sound an agent's memories are. Expired ones do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryHealth {
    /// All memories, snapshots included.
    pub total: u64,
    /// The average confidence of those that have one: the opposite for contradicted claims, and a snapshot counts as
    /// often as it stands for memories with a confidence.
    pub average_confidence: Option<f64>,
    /// Memories with the verdict `contradicted`, including those that snapshots stand for.
    pub contradicted: u64,
    /// Memories that are due for re-verification.
    pub stale: u64,
    /// When one with a verdict was last stored, or one that a snapshot stands for.
    pub last_verified: Option<Timestamp>,
    /// The last seven days (UTC), oldest first, without days that have no memory with a confidence. Snapshots do not
    /// count: their confidence belongs to earlier days.
    pub daily: Vec<DailyConfidence>,
}

impl Memories<'_> {
    /// How sound an agent's memories are; all zero if it has none.
    pub async fn health(
        &self,
        owner: AccountId,
        agent: &str,
        now: Timestamp,
    ) -> Result<MemoryHealth> {
        let sql = concat!(
            "SELECT COUNT(*), SUM(",
            trust!(),
            " * rated) / NULLIF(SUM(CASE WHEN confidence IS NULL THEN 0 ELSE rated END), 0), \
             CAST(COALESCE(SUM(CASE WHEN verdict = 'contradicted' THEN 1 ELSE contradicted END), 0) AS BIGINT), \
             CAST(COALESCE(SUM(CASE WHEN stale_at <= $3 THEN 1 ELSE 0 END), 0) AS BIGINT), \
             MAX(CASE WHEN verdict IS NOT NULL THEN updated_at ELSE verified_at END) \
             FROM memory WHERE account = $1 AND agent = $2 AND (expires_at IS NULL OR expires_at > $3)"
        );
        let row = self.database.row(sql, values![owner.0, agent, now]).await?;
        let Some(row) = row else {
            return Ok(MemoryHealth::default());
        };
        Ok(MemoryHealth {
            total: row.count(0)?,
            average_confidence: row.real_option(1)?,
            contradicted: row.count(2)?,
            stale: row.count(3)?,
            last_verified: row.time_option(4)?,
            daily: self.daily_confidence(owner, agent, now).await?,
        })
    }

    async fn daily_confidence(
        &self,
        owner: AccountId,
        agent: &str,
        now: Timestamp,
    ) -> Result<Vec<DailyConfidence>> {
        let sql = concat!(
            "SELECT updated_at / 86400000, AVG",
            trust!(),
            ", COUNT(*) FROM memory \
             WHERE account = $1 AND agent = $2 AND updated_at >= $3 AND (expires_at IS NULL OR expires_at > $4) \
             AND confidence IS NOT NULL AND is_snapshot = 0 \
             GROUP BY updated_at / 86400000 ORDER BY updated_at / 86400000"
        );
        let first = Timestamp::start_of_day(now.day() - (DAYS - 1));
        let rows = self
            .database
            .rows(sql, values![owner.0, agent, first, now])
            .await?;
        rows.iter()
            .map(|row| {
                Ok(DailyConfidence {
                    day: row.int(0)?,
                    average: row.real(1)?,
                    memories: row.count(2)?,
                })
            })
            .collect()
    }
}
