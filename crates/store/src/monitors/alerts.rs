//! Alerts of monitors, and their delivery.

use model::{AccountId, SecretUrl, Timestamp};

use super::AlertSecret;
use crate::Result;
use crate::database::{Database, Durability, Row, Value, parameters, values};

/// The columns that [`read_alert`] reads.
macro_rules! alert_columns {
    () => {
        "id, monitor, claim, body, created_at, delivered_at, attempts, next_attempt_at, dead"
    };
}

/// An alert of a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorAlert {
    /// Identity.
    pub id: String,
    /// Its monitor.
    pub monitor: String,
    /// The claim that it is about; empty where it is about the agent as a whole.
    pub claim: String,
    /// What is sent.
    pub body: String,
    /// When the check was made.
    pub created_at: Timestamp,
    /// When it was delivered.
    pub delivered_at: Option<Timestamp>,
    /// How often delivery was attempted, the attempt under way included.
    pub attempts: u32,
    /// When delivery is attempted next, or another worker may take over.
    pub next_attempt_at: Timestamp,
    /// Whether nothing more is attempted, though it was not delivered.
    pub is_dead: bool,
}

/// An alert that is claimed for one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueAlert {
    /// The alert.
    pub alert: MonitorAlert,
    /// Whose it is.
    pub account: AccountId,
    /// Where it goes.
    pub webhook: SecretUrl,
    /// What it is signed with.
    pub secret: AlertSecret,
}

/// What a worker already delivers, and therefore does not claim: one receiver must not hold up the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlertsUnderWay {
    /// Monitors of which nothing more is claimed now.
    pub monitors: Vec<String>,
    /// Accounts of whose monitors nothing more is claimed now.
    pub accounts: Vec<AccountId>,
}

/// The alerts of monitors.
#[derive(Clone, Copy, Debug)]
pub struct MonitorAlerts<'a> {
    pub(crate) database: &'a Database,
}

impl MonitorAlerts<'_> {
    /// The newest alerts of the owner's monitor.
    pub async fn list(
        &self,
        owner: AccountId,
        monitor: &str,
        limit: u64,
    ) -> Result<Vec<MonitorAlert>> {
        let sql = concat!(
            "SELECT ",
            alert_columns!(),
            " FROM monitor_alert WHERE monitor = (SELECT id FROM monitor WHERE account = $1 AND id = $2) \
             ORDER BY created_at DESC, id LIMIT $3"
        );
        let asked = values![owner.0, monitor, limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter().map(read_alert).collect()
    }

    /// Claims the alert that is longest due, for one attempt that may take `lease_ms`. Nobody else gets it in that time.
    /// Nothing is claimed of what is `under_way`.
    pub async fn claim(
        &self,
        now: Timestamp,
        lease_ms: i64,
        under_way: &AlertsUnderWay,
    ) -> Result<Option<DueAlert>> {
        let mut asked = values![now, now.plus_ms(lease_ms)];
        let mut elsewhere = String::new();
        let AlertsUnderWay { monitors, accounts } = under_way;
        if !monitors.is_empty() {
            let names = parameters(asked.len() + 1, monitors.len());
            elsewhere.push_str(&["AND monitor NOT IN (", &names, ") "].concat());
            asked.extend(monitors.iter().map(Value::from));
        }
        if !accounts.is_empty() {
            let names = parameters(asked.len() + 1, accounts.len());
            let of = "AND monitor NOT IN (SELECT id FROM monitor WHERE account IN (";
            elsewhere.push_str(&[of, &names, ")) "].concat());
            asked.extend(accounts.iter().map(|account| Value::from(account.0)));
        }
        let sql = format!(
            "UPDATE monitor_alert SET attempts = attempts + 1, next_attempt_at = $2 WHERE id = \
             (SELECT id FROM monitor_alert WHERE delivered_at IS NULL AND dead = 0 AND next_attempt_at <= $1 {elsewhere}\
             ORDER BY next_attempt_at, id LIMIT 1 {{{{skip_locked}}}}) \
             AND delivered_at IS NULL AND dead = 0 AND next_attempt_at <= $1 RETURNING {}",
            alert_columns!()
        );
        let mut tx = self.database.begin(Durability::Process).await?;
        let row = tx.row(self.database.dialect().speak(&sql), asked).await?;
        let Some(alert) = row.as_ref().map(read_alert).transpose()? else {
            return Ok(None);
        };
        let sql = "SELECT account, alert_webhook, secret FROM monitor WHERE id = $1";
        let monitor = tx.row(sql, values![&alert.monitor]).await?;
        tx.commit().await?;
        monitor
            .map(|row| {
                Ok(DueAlert {
                    alert,
                    account: AccountId(row.id(0, "monitor")?),
                    webhook: row.text_option(1)?.unwrap_or_default().into(),
                    secret: row.text(2)?.into(),
                })
            })
            .transpose()
    }

    /// Notes that the attempt was a success; `false` where another attempt has begun since.
    pub async fn delivered(&self, alert: &MonitorAlert, now: Timestamp) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        // The monitor before its alert, as everywhere: two transactions must not wait for each other.
        let sql = "UPDATE monitor SET alerts_sent = alerts_sent + 1 WHERE id = $1";
        tx.execute(sql, values![&alert.monitor]).await?;
        let sql = "UPDATE monitor_alert SET delivered_at = $1 WHERE id = $2 AND attempts = $3 AND delivered_at IS NULL";
        let asked = values![now, &alert.id, alert.attempts];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that the receiver wants nothing more: the monitor is paused, and what it has not delivered is given up. `false`
    /// where the alerts go elsewhere by now; this one is then due again when its attempt is over.
    pub async fn refused(&self, due: &DueAlert) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let sql = "UPDATE monitor SET state = CASE WHEN state = 'active' THEN 'paused' ELSE state END \
                   WHERE id = $1 AND alert_webhook = $2";
        let asked = values![&due.alert.monitor, due.webhook.expose()];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE monitor_alert SET dead = 1 WHERE monitor = $1 AND delivered_at IS NULL";
        tx.execute(sql, values![&due.alert.monitor]).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that the attempt failed: due again at `retry_at`, or never where that is `None`. `false` where another attempt
    /// has begun since.
    pub async fn failed(&self, alert: &MonitorAlert, retry_at: Option<Timestamp>) -> Result<bool> {
        let (sql, asked) = match retry_at {
            Some(at) => (
                "UPDATE monitor_alert SET next_attempt_at = $3 WHERE id = $1 AND attempts = $2 AND delivered_at IS NULL",
                values![&alert.id, alert.attempts, at],
            ),
            None => (
                "UPDATE monitor_alert SET dead = 1 WHERE id = $1 AND attempts = $2 AND delivered_at IS NULL",
                values![&alert.id, alert.attempts],
            ),
        };
        Ok(self.database.write(sql, asked).await? > 0)
    }
}

fn read_alert(row: &Row) -> Result<MonitorAlert> {
    Ok(MonitorAlert {
        id: row.text(0)?,
        monitor: row.text(1)?,
        claim: row.text(2)?,
        body: row.text(3)?,
        created_at: row.time(4)?,
        delivered_at: row.time_option(5)?,
        attempts: u32::try_from(row.int(6)?).unwrap_or(u32::MAX),
        next_attempt_at: row.time(7)?,
        is_dead: row.int(8)? != 0,
    })
}
