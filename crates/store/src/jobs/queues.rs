//! How long the queues are: messages, jobs and alerts. For operators; nothing is decided by it.

use model::Timestamp;

use crate::Result;
use crate::database::{Database, values};

/// The queues.
#[derive(Clone, Copy, Debug)]
pub struct Queues<'a> {
    pub(crate) database: &'a Database,
}

/// What is waiting in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueFigures {
    /// Messages to callers' addresses.
    pub messages: MessageQueue,
    /// Jobs by kind.
    pub jobs: Vec<JobQueue>,
    /// Alerts that are waiting for their condition.
    pub alerts_active: u64,
}

/// Messages that are waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageQueue {
    /// All messages that are neither delivered nor given up.
    pub waiting: u64,
    /// How many of them are due for their next attempt.
    pub due: u64,
    /// Since when the longest overdue one has been due.
    pub due_since: Option<Timestamp>,
    /// Receivers that are being called.
    pub under_way: u64,
    /// Messages that were given up and are still kept.
    pub dead: u64,
}

/// Jobs of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobQueue {
    /// The kind.
    pub kind: String,
    /// Jobs that are waiting, including for another attempt.
    pub queued: u64,
    /// Jobs in progress, or whose worker was killed.
    pub running: u64,
    /// Jobs that were given up.
    pub dead: u64,
}

impl Queues<'_> {
    /// How many messages to callers' addresses are waiting, and how many of them are due: the part of
    /// [`Queues::figures`] that is quick however long the log is.
    pub async fn messages_waiting(&self, now: Timestamp) -> Result<(u64, u64)> {
        let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN next_attempt_at <= $1 THEN 1 ELSE 0 END), 0) AS BIGINT) \
                   FROM delivery WHERE state = 'pending'";
        let row = self.database.row(sql, values![now]).await?;
        row.map_or(Ok((0, 0)), |row| Ok((row.count(0)?, row.count(1)?)))
    }

    /// Everything.
    pub async fn figures(&self, now: Timestamp) -> Result<QueueFigures> {
        let sql = "SELECT (SELECT COUNT(*) FROM delivery WHERE state = 'pending'), \
               (SELECT COUNT(*) FROM delivery WHERE state = 'pending' AND next_attempt_at <= $1), \
               (SELECT COUNT(*) FROM delivery WHERE state = 'dead'), \
               (SELECT COUNT(*) FROM receiver WHERE lease_until > $1), \
               (SELECT MIN(next_attempt_at) FROM delivery WHERE state = 'pending' AND next_attempt_at <= $1), \
               (SELECT COUNT(*) FROM alert WHERE status = 'active')";
        let mut queues = QueueFigures::default();
        if let Some(row) = self.database.row(sql, values![now]).await? {
            queues.messages = MessageQueue {
                waiting: row.count(0)?,
                due: row.count(1)?,
                dead: row.count(2)?,
                under_way: row.count(3)?,
                due_since: row.time_option(4)?,
            };
            queues.alerts_active = row.count(5)?;
        }
        let sql = "SELECT kind, CAST(SUM(CASE WHEN state = 'queued' THEN 1 ELSE 0 END) AS BIGINT), \
               CAST(SUM(CASE WHEN state = 'running' THEN 1 ELSE 0 END) AS BIGINT), \
               CAST(SUM(CASE WHEN state = 'dead' THEN 1 ELSE 0 END) AS BIGINT) FROM job GROUP BY kind ORDER BY kind";
        for row in self.database.rows(sql, Vec::new()).await? {
            queues.jobs.push(JobQueue {
                kind: row.text(0)?,
                queued: row.count(1)?,
                running: row.count(2)?,
                dead: row.count(3)?,
            });
        }
        Ok(queues)
    }
}
