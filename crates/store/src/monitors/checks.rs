//! Checks: who may check a monitor, and the outcome.

use model::Timestamp;

use super::{COLUMNS, Monitor, Monitors, monitor_columns, read_monitor};
use crate::database::{Durability, Tx, values};
use crate::deliveries::{NewDelivery, enqueue, put_receiver};
use crate::lease::latest_end;
use crate::{DeliveryState, ReceiverKind, Result};

/// How many alerts of one monitor are kept, the newest; a webhook that never answers must not fill the disk.
const MOST_ALERTS: u64 = 100;

/// A monitor claimed by one worker until its lease ends.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorClaim {
    /// The monitor.
    pub monitor: Monitor,
    /// How long nobody else gets it; also distinguishes this claim from later ones.
    pub lease_until: Timestamp,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckResult {
    /// When it was created.
    pub checked_at: Timestamp,
    /// Between 0 and 1; `None` if there was nothing to check.
    pub trust: Option<f64>,
    /// When the next one is due.
    pub next_check_at: Timestamp,
    /// The memories that were re-verified.
    pub memories: Vec<CheckedMemory>,
    /// What its owner should know, apart from what concerns a single memory.
    pub alerts: Vec<NewAlert>,
}

/// A memory that was re-verified.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedMemory {
    /// Identity.
    pub id: String,
    /// When it was last stored, as read by the check. A memory that has been stored since is left alone, and so is its
    /// alert.
    pub seen_at: Timestamp,
    /// How far it is now trusted, between 0 and 1.
    pub confidence: f64,
    /// The verdict.
    pub verdict: &'static str,
    /// When it becomes due for re-verification.
    pub stale_at: Timestamp,
    /// The receipt of the verdict; `None` keeps the one it has.
    pub receipt: Option<String>,
    /// What its owner should know.
    pub alert: Option<NewAlert>,
}

/// An alert to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAlert {
    /// Identity.
    pub id: String,
    /// The type of the message.
    pub kind: &'static str,
    /// The claim it is about; empty if it is about the agent as a whole.
    pub claim: String,
    /// What is sent.
    pub body: String,
}

impl Monitors<'_> {
    /// Claims the active monitor that has been due longest, for `lease_ms`. Nobody else gets it during that time.
    pub async fn claim(&self, now: Timestamp, lease_ms: i64) -> Result<Option<MonitorClaim>> {
        // PostgreSQL re-reads the row it has locked, so the state must be checked in the outer statement as well.
        let sql = concat!(
            "UPDATE monitor SET lease_until = $2 WHERE id = (SELECT id FROM monitor WHERE state = 'active' \
             AND next_check_at <= $1 AND (lease_until <= $1 OR lease_until > $3) ORDER BY next_check_at, id LIMIT 1 {{skip_locked}}) \
             AND state = 'active' AND next_check_at <= $1 AND (lease_until <= $1 OR lease_until > $3) RETURNING ",
            monitor_columns!(),
            ", lease_until"
        );
        let mut tx = self.database.begin(Durability::Process).await?;
        let sql = self.database.dialect().speak(sql);
        let asked = values![now, now.plus_ms(lease_ms), latest_end(now, lease_ms)];
        let row = tx.row(sql, asked).await?;
        tx.commit().await?;
        row.map(|row| {
            Ok(MonitorClaim {
                monitor: read_monitor(&row)?,
                lease_until: row.time(COLUMNS)?,
            })
        })
        .transpose()
    }

    /// Reports that a claimed monitor is still being checked, with a new lease end; `None` if it is no longer held.
    pub async fn renew(
        &self,
        monitor: &str,
        lease_until: Timestamp,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Option<Timestamp>> {
        // Later than before in any case, because it distinguishes this claim from others.
        let next = now.plus_ms(lease_ms).max(lease_until.plus_ms(1));
        let sql = "UPDATE monitor SET lease_until = $1 WHERE id = $2 AND lease_until = $3 AND state = 'active'";
        let renewed = self
            .database
            .write(sql, values![next, monitor, lease_until]);
        Ok((renewed.await? > 0).then_some(next))
    }

    /// Records what a check found: the result, the memories and the alerts to be delivered, in one transaction.
    /// `false`, with nothing recorded, if somebody else has since claimed the monitor, or it has been changed or is no
    /// longer active.
    ///
    /// If a monitor has no webhook, its alerts are kept but not delivered. The newest hundred are kept.
    pub async fn record(&self, claim: &MonitorClaim, result: &CheckResult) -> Result<bool> {
        let monitor = &claim.monitor;
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE monitor SET last_check_at = $1, last_trust = $2, next_check_at = $3, lease_until = 0 \
                   WHERE id = $4 AND lease_until = $5 AND state = 'active'";
        let asked = values![
            result.checked_at,
            result.trust,
            result.next_check_at,
            &monitor.id,
            claim.lease_until,
        ];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        let mut alerts: Vec<&NewAlert> = Vec::new();
        for memory in &result.memories {
            if note_memory(&mut tx, monitor, memory, result.checked_at).await? {
                alerts.extend(&memory.alert);
            }
        }
        alerts.extend(&result.alerts);
        if !alerts.is_empty() {
            add_alerts(&mut tx, monitor, &alerts, result.checked_at).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Gives a claim back without a check, until `next_check_at`; `false` if it is no longer held.
    pub async fn postpone(&self, claim: &MonitorClaim, next_check_at: Timestamp) -> Result<bool> {
        let sql = "UPDATE monitor SET next_check_at = $1, lease_until = 0 WHERE id = $2 AND lease_until = $3";
        let asked = values![next_check_at, &claim.monitor.id, claim.lease_until];
        Ok(self.database.write(sql, asked).await? > 0)
    }
}

/// Writes the new state of a memory; `false` if it has been stored since or is gone.
async fn note_memory(
    tx: &mut Tx,
    monitor: &Monitor,
    memory: &CheckedMemory,
    now: Timestamp,
) -> Result<bool> {
    let sql = "UPDATE memory SET confidence = $1, verdict = $2, stale_at = $3, receipt = COALESCE($4, receipt), \
               updated_at = $5 WHERE account = $6 AND id = $7 AND updated_at = $8";
    let asked = values![
        memory.confidence,
        memory.verdict,
        memory.stale_at,
        memory.receipt.as_deref(),
        now,
        monitor.account.0,
        &memory.id,
        memory.seen_at,
    ];
    Ok(tx.execute(sql, asked).await? > 0)
}

async fn add_alerts(
    tx: &mut Tx,
    monitor: &Monitor,
    alerts: &[&NewAlert],
    now: Timestamp,
) -> Result<()> {
    let url = monitor.alert_webhook.as_ref().map(model::SecretUrl::expose);
    let kind = ReceiverKind::Monitor;
    put_receiver(
        tx,
        &monitor.id,
        monitor.account,
        kind,
        url.unwrap_or_default(),
        &monitor.secret,
    )
    .await?;
    let state = if url.is_some() {
        DeliveryState::Pending
    } else {
        DeliveryState::NotSent
    };
    let messages: Vec<NewDelivery<'_>> = alerts
        .iter()
        .map(|alert| NewDelivery {
            id: &alert.id,
            receiver: &monitor.id,
            kind: alert.kind,
            subject: &alert.claim,
            event: None,
            body: &alert.body,
            state,
        })
        .collect();
    enqueue(tx, &messages, now).await?;
    let forget = "DELETE FROM delivery WHERE receiver = $1 AND id NOT IN \
                  (SELECT id FROM delivery WHERE receiver = $1 ORDER BY CASE WHEN state = 'pending' THEN 0 ELSE 1 END, \
                  created_at DESC, id LIMIT $2)";
    tx.execute(forget, values![&monitor.id, MOST_ALERTS])
        .await
        .map(drop)
}
