//! Agents that run on a schedule.

use model::{AccountId, Timestamp};
use uuid::Uuid;

use crate::database::{Database, Durability, Row, values};
use crate::{Completion, Error, Result, idempotency};

const COLUMNS: &str = "id, account, api_key, agent, every_ms, minute, zone, inputs, target, budget, next_at, created_at, last_at, last_run, note";
/// How many due schedules are handled in one batch.
const BATCH: u64 = 100;
/// The time used for something that never happens.
const NEVER: i64 = i64::MAX;

/// When an agent runs on schedule, and with which inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSchedule {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// The key under whose scopes it runs; `None` if it was requested with a login token.
    pub key: Option<Uuid>,
    /// The agent.
    pub agent: String,
    /// The interval between two runs.
    pub every_ms: Option<i64>,
    /// The minute of the day at which it runs.
    pub minute: Option<i64>,
    /// The time zone of that minute.
    pub zone: String,
    /// Inputs, as JSON.
    pub inputs: String,
    /// The webhook that receives the outcome.
    pub target: Option<String>,
    /// Maximum credits for one run.
    pub budget: Option<u64>,
    /// The next run; `None` if it is paused.
    pub next_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last due.
    pub last_at: Option<Timestamp>,
    /// The last run.
    pub last_run: Option<String>,
    /// Why the last run was not done.
    pub note: Option<String>,
}

/// A run that has become due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRun {
    /// The schedule it belongs to.
    pub schedule: AgentSchedule,
    /// When it was due.
    pub due_at: Timestamp,
}

/// The schedules. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct AgentSchedules<'a> {
    pub(crate) database: &'a Database,
}

impl AgentSchedules<'_> {
    /// Adds a schedule, together with the record of its request. [`Error::Full`] if its owner already has `most`.
    pub async fn insert(
        &self,
        schedule: &AgentSchedule,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let owner = schedule.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let owned = "SELECT COUNT(*) FROM agent_schedule WHERE account = $1";
        if tx.number(owned, values![owner.0]).await? >= most.cast_signed() {
            return Err(Error::Full {
                kind: "schedules",
                most,
            });
        }
        let sql = format!(
            "INSERT INTO agent_schedule ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL, NULL, NULL)"
        );
        let asked = values![
            &schedule.id,
            owner.0,
            schedule.key,
            &schedule.agent,
            schedule.every_ms,
            schedule.minute,
            &schedule.zone,
            &schedule.inputs,
            schedule.target.as_deref(),
            schedule.budget.map(u64::cast_signed),
            schedule.next_at.map_or(NEVER, Timestamp::ms),
            schedule.created_at,
        ];
        tx.execute(sql, asked).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The owner's schedules, oldest first.
    pub async fn list(&self, owner: AccountId) -> Result<Vec<AgentSchedule>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM agent_schedule WHERE account = $1 ORDER BY created_at, id"
        );
        let rows = self.database.rows(sql, values![owner.0]).await?;
        rows.iter().map(read).collect()
    }

    /// Removes the owner's schedule; `false` if there is none.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "DELETE FROM agent_schedule WHERE account = $1 AND id = $2";
        let found = tx.execute(sql, values![owner.0, id]).await? > 0;
        tx.commit().await?;
        Ok(found)
    }

    /// The schedules of all accounts that are due.
    pub async fn due(&self, now: Timestamp) -> Result<Vec<AgentSchedule>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM agent_schedule WHERE next_at <= $1 ORDER BY next_at, id LIMIT $2"
        );
        let rows = self.database.rows(sql, values![now, BATCH]).await?;
        rows.iter().map(read).collect()
    }

    /// Turns a due run into a job and sets the next time; `false` if another process has already done so.
    pub async fn take(
        &self,
        due: &AgentSchedule,
        next_at: Timestamp,
        job: (&str, &str, &str),
        now: Timestamp,
    ) -> Result<bool> {
        let Some(due_at) = due.next_at else {
            return Ok(false);
        };
        let (kind, payload, unique_key) = job;
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql =
            "UPDATE agent_schedule SET next_at = $3, last_at = $2 WHERE id = $1 AND next_at = $2";
        if tx.execute(sql, values![&due.id, due_at, next_at]).await? == 0 {
            return Ok(false);
        }
        let sql = "INSERT INTO job (kind, payload, state, attempts, run_at, lease_until, unique_key) \
                   VALUES ($1, $2, 'queued', 0, $3, 0, $4) ON CONFLICT (unique_key) DO NOTHING";
        tx.execute(sql, values![kind, payload, now, unique_key])
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The schedule that a job belongs to.
    pub async fn find(&self, id: &str) -> Result<Option<AgentSchedule>> {
        let sql = format!("SELECT {COLUMNS} FROM agent_schedule WHERE id = $1");
        let row = self.database.row(sql, values![id]).await?;
        row.as_ref().map(read).transpose()
    }

    /// Records the outcome of the last run: its ID, or why it was not done. A schedule that cannot continue is paused.
    pub async fn note(
        &self,
        id: &str,
        run: Option<&str>,
        note: Option<&str>,
        is_over: bool,
    ) -> Result<()> {
        let sql = "UPDATE agent_schedule SET last_run = COALESCE($2, last_run), note = $3, \
                   next_at = CASE WHEN $4 = 1 THEN 9223372036854775807 ELSE next_at END WHERE id = $1";
        let asked = values![id, run, note, i64::from(is_over)];
        self.database.write(sql, asked).await.map(drop)
    }
}

fn read(row: &Row) -> Result<AgentSchedule> {
    Ok(AgentSchedule {
        id: row.text(0)?,
        account: AccountId(row.id(1, "agent_schedule")?),
        key: row.id_option(2, "agent_schedule")?,
        agent: row.text(3)?,
        every_ms: row.int_option(4)?,
        minute: row.int_option(5)?,
        zone: row.text(6)?,
        inputs: row.text(7)?,
        target: row.text_option(8)?,
        budget: row.int_option(9)?.map(i64::cast_unsigned),
        next_at: Some(row.time(10)?).filter(|at| at.ms() < NEVER),
        created_at: row.time(11)?,
        last_at: row.time_option(12)?,
        last_run: row.text_option(13)?,
        note: row.text_option(14)?,
    })
}
