//! Jobs: work that may fail, stored as rows.

mod queues;

use model::Timestamp;

use crate::Result;
use crate::database::{Database, Durability, parameters, values};
use crate::lease::latest_end;

pub use queues::{JobQueue, MessageQueue, QueueFigures, Queues};

/// No job is postponed for longer than this; one that seems to be was postponed by a clock that has since been set
/// back.
const FURTHEST_MS: i64 = Timestamp::HOUR_MS;

/// A piece of work that has been claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Identity.
    pub id: i64,
    /// What kind of work.
    pub kind: String,
    /// Its arguments.
    pub payload: String,
    /// How often it has been claimed, including this time.
    pub attempts: u32,
    /// When it was due.
    pub run_at: Timestamp,
}

/// The job queue.
#[derive(Clone, Copy, Debug)]
pub struct Jobs<'a> {
    pub(crate) database: &'a Database,
}

impl Jobs<'_> {
    /// Adds a job; `false` if one with that unique key is already waiting or running.
    pub async fn enqueue(
        &self,
        kind: &str,
        payload: &str,
        run_at: Timestamp,
        unique_key: Option<&str>,
    ) -> Result<bool> {
        let sql = "INSERT INTO job (kind, payload, state, attempts, run_at, lease_until, unique_key) \
                   VALUES ($1, $2, 'queued', 0, $3, 0, $4) ON CONFLICT (unique_key) DO NOTHING";
        Ok(self
            .database
            .write(sql, values![kind, payload, run_at, unique_key])
            .await?
            > 0)
    }

    /// Claims the job of these kinds that has been due longest, for `lease_ms`. Nobody else gets it during that time.
    pub async fn claim(
        &self,
        kinds: &[&str],
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Option<Job>> {
        if kinds.is_empty() {
            return Ok(None);
        }
        // PostgreSQL re-reads the row it has locked, so the state must be checked in the outer statement as well.
        let sql = format!(
            "UPDATE job SET state = 'running', attempts = attempts + 1, lease_until = $2 \
             WHERE id = (SELECT id FROM job WHERE kind IN ({}) AND (run_at <= $1 OR run_at > $4) AND state <> 'dead' \
             AND (state = 'queued' OR lease_until <= $1 OR lease_until > $3) ORDER BY run_at, id LIMIT 1 {{{{skip_locked}}}}) \
             AND (state = 'queued' OR (state = 'running' AND (lease_until <= $1 OR lease_until > $3))) \
             RETURNING id, kind, payload, attempts, run_at",
            parameters(5, kinds.len())
        );
        let mut values = values![
            now,
            now.plus_ms(lease_ms),
            latest_end(now, lease_ms),
            now.plus_ms(FURTHEST_MS)
        ];
        values.extend(kinds.iter().map(|kind| (*kind).into()));
        let mut tx = self.database.begin(Durability::Process).await?;
        let row = tx.row(self.database.dialect().speak(&sql), values).await?;
        tx.commit().await?;
        row.map(|row| {
            Ok(Job {
                id: row.int(0)?,
                kind: row.text(1)?,
                payload: row.text(2)?,
                attempts: u32::try_from(row.int(3)?).unwrap_or(u32::MAX),
                run_at: row.time(4)?,
            })
        })
        .transpose()
    }

    /// Reports that a claimed job is still being worked on; `false` if somebody else has it by now, or it is gone.
    pub async fn renew(&self, job: &Job, now: Timestamp, lease_ms: i64) -> Result<bool> {
        let sql =
            "UPDATE job SET lease_until = $1 WHERE id = $2 AND attempts = $3 AND state = 'running'";
        let asked = values![now.plus_ms(lease_ms), job.id, job.attempts];
        Ok(self.database.write(sql, asked).await? > 0)
    }

    /// Removes a job that is done.
    pub async fn complete(&self, id: i64) -> Result<()> {
        self.database
            .write("DELETE FROM job WHERE id = $1", values![id])
            .await
            .map(drop)
    }

    /// Records a failure: due again at `retry_at`, or dead if that is `None`.
    pub async fn fail(&self, id: i64, error: &str, retry_at: Option<Timestamp>) -> Result<()> {
        let (sql, values) = match retry_at {
            Some(at) => (
                "UPDATE job SET state = 'queued', error = $2, run_at = $3 WHERE id = $1",
                values![id, error, at],
            ),
            None => (
                "UPDATE job SET state = 'dead', error = $2, unique_key = NULL WHERE id = $1",
                values![id, error],
            ),
        };
        self.database.write(sql, values).await.map(drop)
    }

    /// How many jobs are waiting or running.
    pub async fn pending(&self) -> Result<u64> {
        let pending = self
            .database
            .number("SELECT COUNT(*) FROM job WHERE state <> 'dead'", Vec::new())
            .await?;
        Ok(u64::try_from(pending).unwrap_or(0))
    }
}
