//! What came of an attempt: written down with all that follows from it, in one transaction.

use model::Timestamp;

use super::{AttemptReport, Deliveries, DueDelivery, ReceiverKind, settle};
use crate::Result;
use crate::database::{Durability, Tx, values};

/// A webhook that has failed for so long is disabled.
pub const LONGEST_FAILURE_MS: i64 = 5 * Timestamp::DAY_MS;

/// Why a webhook is disabled whose receiver wants nothing more.
const GONE: &str = "the receiver answered 410";
/// Why a webhook is disabled that fails for days.
const FAILING: &str = "every delivery failed for 5 days";

impl Deliveries<'_> {
    /// Notes that the attempt was a success; `false` where another attempt has begun since. A disabled webhook is active
    /// again.
    pub async fn delivered(&self, due: &DueDelivery, report: &AttemptReport) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let receiver = &*due.delivery.receiver;
        // What the receiver belongs to before it, and it before its messages, as everywhere: two transactions must not wait
        // for each other.
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

    /// Notes that the receiver wants nothing more: what it has not got is given up, a monitor is paused, a webhook disabled.
    /// `false` where the messages go elsewhere by now; this one is then due again when its attempt is over.
    pub async fn refused(&self, due: &DueDelivery, report: &AttemptReport) -> Result<bool> {
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
            ReceiverKind::Webhook => disable(&mut tx, receiver, report.at, GONE).await?,
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

    /// Notes that the attempt failed: due again at `retry_at`, or never where that is `None`. `false` where another attempt
    /// has begun since. A webhook that has failed for five days is disabled.
    pub async fn failed(
        &self,
        due: &DueDelivery,
        report: &AttemptReport,
        retry_at: Option<Timestamp>,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let receiver = &*due.delivery.receiver;
        let fails_long = due
            .failing_since
            .is_some_and(|since| report.at.since_ms(since) >= LONGEST_FAILURE_MS);
        let is_disabled = due.kind == ReceiverKind::Webhook && fails_long;
        if is_disabled {
            disable(&mut tx, receiver, report.at, FAILING).await?;
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

    /// Writes what became of the message, unless another attempt has begun since, and frees the receiver.
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

async fn disable(tx: &mut Tx, webhook: &str, now: Timestamp, reason: &str) -> Result<()> {
    let sql = "UPDATE webhook SET state = 'disabled', disabled_at = $1, disabled_reason = $2 \
               WHERE id = $3 AND state = 'active'";
    tx.execute(sql, values![now, reason, webhook])
        .await
        .map(drop)
}

/// Nothing that waits for this receiver is attempted any more.
pub(crate) async fn give_up(tx: &mut Tx, receiver: &str) -> Result<()> {
    let sql = "UPDATE delivery SET state = 'dead' WHERE receiver = $1 AND state = 'pending'";
    tx.execute(sql, values![receiver]).await.map(drop)
}
