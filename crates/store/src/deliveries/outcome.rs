//! The outcome of an attempt, written along with everything that follows from it in one transaction.

use model::Timestamp;

use super::{AttemptReport, Deliveries, DueDelivery, NewDelivery, ReceiverKind, enqueue, settle};
use crate::database::{Durability, Tx, values};
use crate::{DeliveryState, Result, WebhookMessage};

/// A webhook that has been failing for this long is disabled.
pub const LONGEST_FAILURE_MS: i64 = 5 * Timestamp::DAY_MS;

/// The type of the message that reports that a webhook was disabled.
pub const DISABLED: &str = "webhook.disabled";

/// Why a webhook is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disabling {
    /// Its receiver wants no more messages.
    Gone,
    /// It has been failing for days.
    Failing,
}

impl Disabling {
    /// The reason, for its owner.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "the receiver answered 410",
            Self::Failing => "every delivery failed for 5 days",
        }
    }
}

impl DueDelivery {
    /// Whether the receiver is a webhook that will be disabled if this attempt fails as well.
    pub fn is_last_straw(&self, now: Timestamp) -> bool {
        let fails_long = self
            .failing_since
            .is_some_and(|since| now.since_ms(since) >= LONGEST_FAILURE_MS);
        self.kind == ReceiverKind::Webhook && fails_long
    }
}

impl Deliveries<'_> {
    /// Records that the attempt succeeded; `false` if another attempt has begun since. A disabled webhook becomes
    /// active again.
    pub async fn delivered(&self, due: &DueDelivery, report: &AttemptReport) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let receiver = &*due.delivery.receiver;
        // First what the receiver belongs to, then the receiver, then its messages, as everywhere else: two
        // transactions must not wait for each other.
        match due.kind {
            ReceiverKind::Monitor => {
                let sql = "UPDATE monitor SET alerts_sent = alerts_sent + 1 WHERE id = $1";
                tx.execute(sql, values![receiver]).await?;
            }
            ReceiverKind::Webhook => {
                let sql = "UPDATE webhook SET state = 'active', disabled_at = NULL, disabled_reason = NULL \
                           WHERE id = $1 AND state = 'disabled'";
                tx.execute(sql, values![receiver]).await?;
            }
            ReceiverKind::Callback => {}
        }
        let sql = "UPDATE receiver SET failing_since = NULL WHERE id = $1 AND lease_until = $2";
        if tx.execute(sql, values![receiver, due.lease_until]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE delivery SET state = 'delivered', delivered_at = $1, last_status = $2, last_error = NULL \
                   WHERE id = $3 AND attempts = $4 AND state = 'pending'";
        let asked = values![
            report.at,
            report.status.map(i64::from),
            &due.delivery.id,
            due.delivery.attempts
        ];
        self.end(tx, due, sql, asked).await
    }

    /// Records that the receiver wants no more messages. Anything not yet delivered is given up, and a monitor is
    /// paused or a webhook disabled. `false` if the messages now go elsewhere; this one is then due again when its
    /// attempt is over. `notices` are the messages to the owner if this disables a webhook.
    pub async fn refused(
        &self,
        due: &DueDelivery,
        report: &AttemptReport,
        notices: &[WebhookMessage],
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let receiver = &*due.delivery.receiver;
        match due.kind {
            ReceiverKind::Monitor => {
                let sql = "UPDATE monitor SET state = CASE WHEN state = 'active' THEN 'paused' ELSE state END \
                           WHERE id = $1 AND alert_webhook = $2";
                let asked = values![receiver, due.url.expose()];
                if tx.execute(sql, asked).await? == 0 {
                    return Ok(false);
                }
            }
            ReceiverKind::Webhook => {
                disable(&mut tx, due, report.at, Disabling::Gone, notices).await?;
            }
            ReceiverKind::Callback => {}
        }
        let sql = "UPDATE receiver SET failing_since = COALESCE(failing_since, $3) WHERE id = $1 AND lease_until = $2 AND url = $4";
        let asked = values![receiver, due.lease_until, report.at, due.url.expose()];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE delivery SET last_status = $1, last_error = $2 WHERE id = $3";
        let asked = values![
            report.status.map(i64::from),
            report.error.as_deref(),
            &due.delivery.id
        ];
        tx.execute(sql, asked).await?;
        give_up(&mut tx, receiver).await?;
        settle(&mut tx, receiver).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Records that the attempt failed: due again at `retry_at`, or never if that is `None`. `false` if another attempt
    /// has begun since. A webhook that [has failed for five days](DueDelivery::is_last_straw) is disabled, and
    /// `notices` are the messages to its owner about that.
    pub async fn failed(
        &self,
        due: &DueDelivery,
        report: &AttemptReport,
        retry_at: Option<Timestamp>,
        notices: &[WebhookMessage],
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let receiver = &*due.delivery.receiver;
        let is_disabled = due.is_last_straw(report.at);
        if is_disabled {
            disable(&mut tx, due, report.at, Disabling::Failing, notices).await?;
        }
        let sql = "UPDATE receiver SET failing_since = COALESCE(failing_since, $3) WHERE id = $1 AND lease_until = $2";
        let asked = values![receiver, due.lease_until, report.at];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        if is_disabled {
            give_up(&mut tx, receiver).await?;
        }
        let sql = "UPDATE delivery SET state = CASE WHEN $1 = 1 OR state = 'dead' THEN 'dead' ELSE 'pending' END, \
                   next_attempt_at = $2, last_status = $3, last_error = $4 \
                   WHERE id = $5 AND attempts = $6 AND state IN ('pending', 'dead')";
        let asked = values![
            i64::from(retry_at.is_none()),
            retry_at.unwrap_or(report.at),
            report.status.map(i64::from),
            report.error.as_deref(),
            &due.delivery.id,
            due.delivery.attempts,
        ];
        self.end(tx, due, sql, asked).await
    }

    /// Writes the outcome of the message, unless another attempt has begun since, and releases the receiver.
    async fn end(
        &self,
        mut tx: Tx,
        due: &DueDelivery,
        sql: &'static str,
        asked: Vec<crate::database::Value>,
    ) -> Result<bool> {
        let is_current = tx.execute(sql, asked).await? > 0;
        if !is_current && due.kind == ReceiverKind::Monitor {
            // Its count must not rise.
            return Ok(false);
        }
        settle(&mut tx, &due.delivery.receiver).await?;
        tx.commit().await?;
        Ok(is_current)
    }
}

/// Disables the webhook to which a message was due. If it was active, this notifies its owner: in the webhook's own
/// log, and by messages to the owner's active webhooks.
/// the owner's webhooks that are active.
async fn disable(
    tx: &mut Tx,
    due: &DueDelivery,
    now: Timestamp,
    reason: Disabling,
    notices: &[WebhookMessage],
) -> Result<()> {
    let webhook = &*due.delivery.receiver;
    let sql = "UPDATE webhook SET state = 'disabled', disabled_at = $1, disabled_reason = $2 \
               WHERE id = $3 AND state = 'active'";
    if tx
        .execute(sql, values![now, reason.as_str(), webhook])
        .await?
        == 0
    {
        return Ok(());
    }
    // The receivers in a fixed order, so that two transactions never wait for each other.
    let mut notices: Vec<&WebhookMessage> = notices.iter().collect();
    notices.sort_unstable_by(|one, other| one.webhook.cmp(&other.webhook));
    let mut told = Vec::with_capacity(notices.len());
    for notice in notices {
        let is_own = notice.webhook == webhook;
        let locked = "UPDATE receiver SET due_at = due_at WHERE id = $1 AND account = $2";
        tx.execute(locked, values![&notice.webhook, due.account.0])
            .await?;
        let active =
            "SELECT COUNT(*) FROM webhook WHERE id = $1 AND account = $2 AND state = 'active'";
        let is_active = tx.number(active, values![&notice.webhook, due.account.0]);
        if is_own || is_active.await? > 0 {
            told.push(NewDelivery {
                id: &notice.id,
                receiver: &notice.webhook,
                kind: notice.kind,
                subject: &notice.subject,
                event: notice.event.as_deref(),
                body: &notice.body,
                // Its own receiver does not accept it: there it is only for the log.
                state: if is_own {
                    DeliveryState::NotSent
                } else {
                    DeliveryState::Pending
                },
            });
        }
    }
    enqueue(tx, &told, now).await
}

/// Nothing waiting for this receiver is attempted any more.
pub(crate) async fn give_up(tx: &mut Tx, receiver: &str) -> Result<()> {
    let sql = "UPDATE delivery SET state = 'dead' WHERE receiver = $1 AND state = 'pending'";
    tx.execute(sql, values![receiver]).await.map(drop)
}
