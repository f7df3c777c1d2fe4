//! Monitors: agents whose memories are re-verified from time to time.
//!
//! A monitor is checked by whoever claims it; what a check involves is not known here. Every alert is a row next to the
//! result that caused it, so none can be lost in between.

mod checks;

use model::{AccountId, SecretUrl, Timestamp};

use crate::database::{Database, Durability, Row, values};
use crate::deliveries::{give_up, settle};
use crate::{Completion, DeliverySecret, Error, Result, idempotency};

pub use checks::{CheckResult, CheckedMemory, MonitorClaim, NewAlert};

/// The columns that [`read_monitor`] reads.
macro_rules! monitor_columns {
    () => {
        "id, account, agent, state, trust_threshold, interval_ms, alert_webhook, secret, escalate, created_at, \
         next_check_at, last_check_at, last_trust, alerts_sent"
    };
}
use monitor_columns;
const COLUMNS: usize = 14;

/// Whether a monitor is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MonitorState {
    /// It is.
    Active,
    /// Not now.
    Paused,
    /// Never again.
    Deleted,
}

impl MonitorState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Deleted => "deleted",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Deleted]
            .into_iter()
            .find(|state| state.as_str() == word)
    }
}

/// A monitor. Contains a secret, hence no serde.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// The agent whose memories it checks.
    pub agent: String,
    /// Whether it is checked.
    pub state: MonitorState,
    /// Trust below this value triggers an alert; between 0 and 1.
    pub trust_threshold: f64,
    /// The interval between checks.
    pub interval_ms: i64,
    /// Where alerts go.
    pub alert_webhook: Option<SecretUrl>,
    /// What they are signed with; empty if there is no webhook.
    pub secret: DeliverySecret,
    /// Whether low trust should be escalated.
    pub escalates: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it is next checked.
    pub next_check_at: Timestamp,
    /// When it was last checked.
    pub last_check_at: Option<Timestamp>,
    /// What the last check found; between 0 and 1.
    pub last_trust: Option<f64>,
    /// How many alerts were delivered.
    pub alerts_sent: u64,
}

/// The monitors. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Monitors<'a> {
    pub(crate) database: &'a Database,
}

impl Monitors<'_> {
    /// Adds a monitor, together with the record of its request; `false`, with nothing added, if the owner already has
    /// one for that agent. [`Error::Conflict`] if the owner has `most` that are not deleted. The same number of deleted
    /// ones is remembered.
    pub async fn insert(
        &self,
        monitor: &Monitor,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<bool> {
        let owner = monitor.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let same =
            "SELECT COUNT(*) FROM monitor WHERE account = $1 AND agent = $2 AND state <> 'deleted'";
        if tx.number(same, values![owner.0, &monitor.agent]).await? > 0 {
            return Ok(false);
        }
        let owned = "SELECT COUNT(*) FROM monitor WHERE account = $1 AND state <> 'deleted'";
        let owned = tx.number(owned, values![owner.0]).await?;
        if u64::try_from(owned).unwrap_or(0) >= most {
            return Err(Error::Conflict);
        }
        let forget = "DELETE FROM monitor WHERE account = $1 AND state = 'deleted' AND id NOT IN \
                      (SELECT id FROM monitor WHERE account = $1 AND state = 'deleted' \
                      ORDER BY created_at DESC, id LIMIT $2)";
        tx.execute(forget, values![owner.0, most]).await?;
        let forget = "DELETE FROM receiver WHERE account = $1 AND kind = 'monitor' \
                      AND id NOT IN (SELECT id FROM monitor WHERE account = $1)";
        tx.execute(forget, values![owner.0]).await?;
        let sql = concat!(
            "INSERT INTO monitor (",
            monitor_columns!(),
            ", lease_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0)"
        );
        tx.execute(
            sql,
            values![
                &monitor.id,
                owner.0,
                &monitor.agent,
                monitor.state.as_str(),
                monitor.trust_threshold,
                monitor.interval_ms,
                monitor.alert_webhook.as_ref().map(SecretUrl::expose),
                monitor.secret.expose(),
                i64::from(monitor.escalates),
                monitor.created_at,
                monitor.next_check_at,
                monitor.last_check_at,
                monitor.last_trust,
                monitor.alerts_sent,
            ],
        )
        .await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Replaces the settings, state and next check of a monitor, together with the record of the request; `false`, with
    /// nothing changed, if it is no longer as it was when read: deleted, paused, reconfigured or checked since. A check
    /// in progress is dropped and repeated, because it was begun under the old settings.
    pub async fn change(
        &self,
        read: &Monitor,
        wanted: &Monitor,
        completion: Option<Completion<'_>>,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE monitor SET state = $1, trust_threshold = $2, interval_ms = $3, alert_webhook = $4, secret = $5, \
                   escalate = $6, next_check_at = $7, last_trust = $8, lease_until = 0 \
                   WHERE account = $9 AND id = $10 AND state = $11 AND state <> 'deleted' AND next_check_at = $12 \
                   AND secret = $13 AND trust_threshold = $14 AND interval_ms = $15 AND escalate = $16";
        let asked = values![
            wanted.state.as_str(),
            wanted.trust_threshold,
            wanted.interval_ms,
            wanted.alert_webhook.as_ref().map(SecretUrl::expose),
            wanted.secret.expose(),
            i64::from(wanted.escalates),
            wanted.next_check_at,
            wanted.last_trust,
            read.account.0,
            &read.id,
            read.state.as_str(),
            read.next_check_at,
            // Each address has its own secret.
            read.secret.expose(),
            read.trust_threshold,
            read.interval_ms,
            i64::from(read.escalates),
        ];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        // Waiting messages go to the new address.
        let sql = "UPDATE receiver SET url = $1, secret = $2 WHERE id = $3";
        let url = wanted.alert_webhook.as_ref().map(SecretUrl::expose);
        let asked = values![url.unwrap_or_default(), wanted.secret.expose(), &read.id];
        tx.execute(sql, asked).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// The owner's monitors that are not deleted, oldest first.
    pub async fn list(&self, owner: AccountId) -> Result<Vec<Monitor>> {
        let sql = concat!(
            "SELECT ",
            monitor_columns!(),
            " FROM monitor WHERE account = $1 AND state <> 'deleted' ORDER BY created_at, id"
        );
        let rows = self.database.rows(sql, values![owner.0]).await?;
        rows.iter().map(read_monitor).collect()
    }

    /// The owner's monitor with that ID, unless it is deleted.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<Monitor>> {
        let sql = concat!(
            "SELECT ",
            monitor_columns!(),
            " FROM monitor WHERE account = $1 AND id = $2 AND state <> 'deleted'"
        );
        let row = self.database.row(sql, values![owner.0, id]).await?;
        row.as_ref().map(read_monitor).transpose()
    }

    /// The owner's monitor for that agent, unless it is deleted.
    pub async fn find_by_agent(&self, owner: AccountId, agent: &str) -> Result<Option<Monitor>> {
        let sql = concat!(
            "SELECT ",
            monitor_columns!(),
            " FROM monitor WHERE account = $1 AND agent = $2 AND state <> 'deleted'"
        );
        let row = self.database.row(sql, values![owner.0, agent]).await?;
        row.as_ref().map(read_monitor).transpose()
    }

    /// Starts, pauses or deletes the owner's monitor; `false` if there is none or it is deleted. Alerts of a deleted
    /// monitor are no longer delivered.
    pub async fn set_state(&self, owner: AccountId, id: &str, state: MonitorState) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql =
            "UPDATE monitor SET state = $1 WHERE account = $2 AND id = $3 AND state <> 'deleted'";
        let asked = values![state.as_str(), owner.0, id];
        let found = tx.execute(sql, asked).await? > 0;
        if found && state == MonitorState::Deleted {
            give_up(&mut tx, id).await?;
            settle(&mut tx, id).await?;
        }
        tx.commit().await?;
        Ok(found)
    }
}

/// Reads a monitor from the first columns of a row.
fn read_monitor(row: &Row) -> Result<Monitor> {
    let id = row.text(0)?;
    let corrupt = || Error::corrupt("monitor", &*id);
    Ok(Monitor {
        account: AccountId(row.id(1, "monitor")?),
        agent: row.text(2)?,
        state: MonitorState::parse(&row.text(3)?).ok_or_else(corrupt)?,
        trust_threshold: row.real(4)?,
        interval_ms: row.int(5)?,
        alert_webhook: row.text_option(6)?.map(SecretUrl::from),
        secret: row.text(7)?.into(),
        escalates: row.int(8)? != 0,
        created_at: row.time(9)?,
        next_check_at: row.time(10)?,
        last_check_at: row.time_option(11)?,
        last_trust: row.real_option(12)?,
        alerts_sent: row.count(13)?,
        id,
    })
}
