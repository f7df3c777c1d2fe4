//! Adds messages to the queue, inside the transaction that makes the change they report.

use model::{AccountId, Timestamp};

use super::{DeliverySecret, DeliveryState, ReceiverKind};
use crate::Result;
use crate::database::{Tx, Value, values};

/// A message on its way in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewDelivery<'a> {
    pub(crate) id: &'a str,
    pub(crate) receiver: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) subject: &'a str,
    /// What it reports; a receiver is notified of it only once.
    pub(crate) event: Option<&'a str>,
    pub(crate) body: &'a str,
    /// [`DeliveryState::NotSent`] if there is no address.
    pub(crate) state: DeliveryState,
}

/// Adds messages that are due at once. A message that reports something its receiver has already been sent is left out.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    messages: &[NewDelivery<'_>],
    now: Timestamp,
) -> Result<()> {
    let mut receivers: Vec<&str> = messages
        .iter()
        .filter(|message| message.state == DeliveryState::Pending)
        .map(|message| message.receiver)
        .collect();
    // In a fixed order, so that two transactions never wait for each other.
    receivers.sort_unstable();
    receivers.dedup();
    for receiver in receivers {
        let sql = "UPDATE receiver SET due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END WHERE id = $2";
        tx.execute(sql, values![now, receiver]).await?;
    }
    let mut rows: Vec<Value> = Vec::with_capacity(messages.len() * 10);
    for message in messages {
        rows.extend(values![
            message.id,
            message.receiver,
            message.kind,
            message.subject,
            message.event,
            message.body,
            message.state.as_str(),
            0_i64,
            now,
            now,
        ]);
    }
    let head = "INSERT INTO delivery (id, receiver, kind, subject, event, body, state, attempts, created_at, next_attempt_at) VALUES";
    tx.insert(head, "ON CONFLICT DO NOTHING", 10, rows).await
}

/// Adds a receiver, or gives the existing one with that ID this address and secret.
pub(crate) async fn put_receiver(
    tx: &mut Tx,
    id: &str,
    account: AccountId,
    kind: ReceiverKind,
    url: &str,
    secret: &DeliverySecret,
) -> Result<()> {
    let sql = "INSERT INTO receiver (id, account, kind, url, secret, due_at, lease_until) \
               VALUES ($1, $2, $3, $4, $5, 9223372036854775807, 0) \
               ON CONFLICT (id) DO UPDATE SET url = excluded.url, secret = excluded.secret";
    let asked = values![id, account.0, kind.as_str(), url, secret.expose()];
    tx.execute(sql, asked).await.map(drop)
}

/// Releases a receiver and sets when its next message is due. The row is locked first, so that a message added in the
/// meantime is seen.
pub(crate) async fn settle(tx: &mut Tx, receiver: &str) -> Result<()> {
    let sql = "UPDATE receiver SET lease_until = 0 WHERE id = $1";
    tx.execute(sql, values![receiver]).await?;
    let sql = "UPDATE receiver SET due_at = COALESCE((SELECT MIN(next_attempt_at) FROM delivery WHERE receiver = $1 \
               AND state = 'pending'), 9223372036854775807) WHERE id = $1";
    tx.execute(sql, values![receiver]).await.map(drop)
}
