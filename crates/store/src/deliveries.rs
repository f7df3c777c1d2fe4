//! Messages to the addresses that callers name, and what became of them.
//!
//! There is a single queue, whatever the messages are about. Messages to one receiver are sent one after another, even
//! if several processes deliver: a receiver is leased for one attempt. What is sent, and when it is retried, is not
//! decided here.

mod outcome;
mod queue;

use std::fmt;

use model::{AccountId, SecretUrl, Timestamp};

use crate::database::{Database, Durability, Row, Value, parameters, values};
use crate::lease::{future, latest_end};
use crate::{Error, Result};

pub(crate) use outcome::give_up;
pub use outcome::{DISABLED, Disabling, LONGEST_FAILURE_MS};
pub(crate) use queue::{NewDelivery, enqueue, put_receiver, settle};

/// The columns that [`read_delivery`] reads.
macro_rules! delivery_columns {
    () => {
        "id, receiver, kind, subject, body, state, attempts, created_at, next_attempt_at, last_attempt_at, delivered_at, \
         last_status, last_error"
    };
}

/// How long finished messages are kept and shown.
pub const KEPT_MS: i64 = 30 * Timestamp::DAY_MS;

/// What messages are signed with. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DeliverySecret(String);

impl DeliverySecret {
    /// The secret itself, for code that signs with it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for DeliverySecret {
    fn from(secret: String) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for DeliverySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeliverySecret(***)")
    }
}

/// Who receives messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiverKind {
    /// The webhook of a monitor.
    Monitor,
    /// The callback address for alerts.
    Callback,
    /// A webhook.
    Webhook,
}

impl ReceiverKind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monitor => "monitor",
            Self::Callback => "callback",
            Self::Webhook => "webhook",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Monitor, Self::Callback, Self::Webhook]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// It is being tried, or retried.
    Pending,
    /// The receiver has it.
    Delivered,
    /// It has been given up.
    Dead,
    /// There was no address to send it to.
    NotSent,
}

impl DeliveryState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
            Self::NotSent => "not_sent",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Pending, Self::Delivered, Self::Dead, Self::NotSent]
            .into_iter()
            .find(|state| state.as_str() == word)
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Identity: receivers know it by this.
    pub id: String,
    /// Who receives it.
    pub receiver: String,
    /// Its type, such as `alert.triggered`.
    pub kind: String,
    /// What it is about: a claim, an alert, a brief; may be empty.
    pub subject: String,
    /// What is sent.
    pub body: String,
    /// What became of it.
    pub state: DeliveryState,
    /// How often it was attempted, including any attempt in progress.
    pub attempts: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it is next attempted, or when another worker may take over.
    pub next_attempt_at: Timestamp,
    /// When it was last attempted.
    pub last_attempt_at: Option<Timestamp>,
    /// When it was delivered.
    pub delivered_at: Option<Timestamp>,
    /// What the receiver answered last.
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
}

/// A message that has been claimed for one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueDelivery {
    /// The message.
    pub delivery: Delivery,
    /// Its owner.
    pub account: AccountId,
    /// Who receives it.
    pub kind: ReceiverKind,
    /// Where it goes.
    pub url: SecretUrl,
    /// What it is signed with.
    pub secret: DeliverySecret,
    /// What it used to be signed with, as long as that secret is still valid.
    pub previous_secret: Option<DeliverySecret>,
    /// Since when the receiver has been failing.
    pub failing_since: Option<Timestamp>,
    /// How long nobody else calls the receiver; also distinguishes this claim from later ones.
    pub lease_until: Timestamp,
}

/// How an attempt turned out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptReport {
    /// When it ended.
    pub at: Timestamp,
    /// The receiver's answer, if there was one.
    pub status: Option<u16>,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// The messages.
#[derive(Clone, Copy, Debug)]
pub struct Deliveries<'a> {
    pub(crate) database: &'a Database,
}

impl Deliveries<'_> {
    /// The newest messages to the owner's receiver.
    pub async fn list(
        &self,
        owner: AccountId,
        receiver: &str,
        limit: u64,
    ) -> Result<Vec<Delivery>> {
        let sql = concat!(
            "SELECT ",
            delivery_columns!(),
            " FROM delivery WHERE receiver = (SELECT id FROM receiver WHERE account = $1 AND id = $2) \
             ORDER BY created_at DESC, id LIMIT $3"
        );
        let asked = values![owner.0, receiver, limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter().map(read_delivery).collect()
    }

    /// The owner's message with that ID.
    pub async fn find(
        &self,
        owner: AccountId,
        receiver: &str,
        id: &str,
    ) -> Result<Option<Delivery>> {
        let sql = concat!(
            "SELECT ",
            delivery_columns!(),
            " FROM delivery WHERE id = $3 AND receiver = (SELECT id FROM receiver WHERE account = $1 AND id = $2)"
        );
        let asked = values![owner.0, receiver, id];
        let row = self.database.row(sql, asked).await?;
        row.as_ref().map(read_delivery).transpose()
    }

    /// Sends a finished or waiting message once more: due now, with all its attempts ahead of it. `false` if the owner
    /// has none with that ID.
    pub async fn replay(
        &self,
        owner: AccountId,
        receiver: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE receiver SET due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END \
                   WHERE id = $2 AND account = $3";
        if tx.execute(sql, values![now, receiver, owner.0]).await? == 0 {
            return Ok(false);
        }
        // The attempt in progress, if there is one, no longer counts.
        let sql = "UPDATE delivery SET state = 'pending', attempts = 0, next_attempt_at = $1, delivered_at = NULL, \
                   last_error = NULL WHERE id = $2 AND receiver = $3";
        if tx.execute(sql, values![now, id, receiver]).await? == 0 {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Makes messages due at once if they were put off by a clock that has since been set back: they would otherwise
    /// wait until this clock gets there. Returns how many there were.
    pub async fn follow_clock(&self, now: Timestamp) -> Result<u64> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let asked = || values![now, future(now)];
        let sql = "UPDATE receiver SET due_at = $1 WHERE due_at > $1 AND id IN (SELECT receiver FROM delivery \
                   WHERE state = 'pending' AND next_attempt_at > $1 AND COALESCE(last_attempt_at, created_at) > $2)";
        tx.execute(sql, asked()).await?;
        let sql = "UPDATE delivery SET next_attempt_at = $1 WHERE state = 'pending' AND next_attempt_at > $1 \
                   AND COALESCE(last_attempt_at, created_at) > $2";
        let moved = tx.execute(sql, asked()).await?;
        tx.commit().await?;
        Ok(moved)
    }

    /// Claims the message that has been due longest, for one attempt that may take `lease_ms`. Nobody else calls its
    /// receiver during that time. Nothing is claimed for these accounts.
    pub async fn claim(
        &self,
        now: Timestamp,
        lease_ms: i64,
        but: &[AccountId],
    ) -> Result<Option<DueDelivery>> {
        // Checked first without a write: most calls find nothing to do.
        let waiting = "SELECT COUNT(*) FROM (SELECT 1 FROM receiver WHERE due_at <= $1 \
                       AND (lease_until <= $1 OR lease_until > $2) LIMIT 1) AS due";
        let latest = latest_end(now, lease_ms);
        while self.database.number(waiting, values![now, latest]).await? > 0 {
            match self.claim_one(now, lease_ms, but).await? {
                Claimed::Message(due) => return Ok(Some(*due)),
                Claimed::Idle => {}
                Claimed::Nothing => break,
            }
        }
        Ok(None)
    }

    async fn claim_one(&self, now: Timestamp, lease_ms: i64, but: &[AccountId]) -> Result<Claimed> {
        let lease_until = now.plus_ms(lease_ms);
        let mut asked = values![now, lease_until, latest_end(now, lease_ms)];
        let mut elsewhere = String::new();
        if !but.is_empty() {
            let names = parameters(asked.len() + 1, but.len());
            elsewhere = ["AND account NOT IN (", &names, ") "].concat();
            asked.extend(but.iter().map(|account| Value::from(account.0)));
        }
        // PostgreSQL re-reads the row it has locked, so the state must be checked in the outer statement as well.
        let sql = format!(
            "UPDATE receiver SET lease_until = $2 WHERE id = (SELECT id FROM receiver WHERE due_at <= $1 \
             AND due_at < 9223372036854775807 AND (lease_until <= $1 OR lease_until > $3) {elsewhere}ORDER BY due_at, id LIMIT 1 {{{{skip_locked}}}}) \
             AND due_at <= $1 AND (lease_until <= $1 OR lease_until > $3) \
             RETURNING id, account, kind, url, secret, previous_secret, previous_until, failing_since"
        );
        let mut tx = self.database.begin(Durability::Process).await?;
        let Some(receiver) = tx.row(self.database.dialect().speak(&sql), asked).await? else {
            return Ok(Claimed::Nothing);
        };
        let id = receiver.text(0)?;
        let sql = concat!(
            "UPDATE delivery SET attempts = attempts + 1, last_attempt_at = $2, next_attempt_at = $3 \
             WHERE id = (SELECT id FROM delivery WHERE receiver = $1 AND state = 'pending' AND next_attempt_at <= $2 \
             ORDER BY next_attempt_at, id LIMIT 1) RETURNING ",
            delivery_columns!()
        );
        let row = tx.row(sql, values![&id, now, lease_until]).await?;
        let Some(delivery) = row.as_ref().map(read_delivery).transpose()? else {
            settle(&mut tx, &id).await?;
            tx.commit().await?;
            return Ok(Claimed::Idle);
        };
        tx.commit().await?;
        let corrupt = || Error::corrupt("receiver", &*id);
        let counts = receiver.time_option(6)?.is_some_and(|until| until > now);
        let previous = receiver.text_option(5)?.filter(|_| counts);
        Ok(Claimed::Message(Box::new(DueDelivery {
            delivery,
            account: AccountId(receiver.id(1, "receiver")?),
            kind: ReceiverKind::parse(&receiver.text(2)?).ok_or_else(corrupt)?,
            url: receiver.text(3)?.into(),
            secret: receiver.text(4)?.into(),
            previous_secret: previous.map(Into::into),
            failing_since: receiver.time_option(7)?,
            lease_until,
        })))
    }

    /// Removes messages that finished long ago, and callback addresses that nobody needs any more.
    pub async fn prune(&self, now: Timestamp) -> Result<u64> {
        let before = now.plus_ms(-KEPT_MS);
        let old = "SELECT COUNT(*) FROM (SELECT 1 FROM delivery WHERE state <> 'pending' AND created_at < $1 LIMIT 1) AS old";
        let idle = "SELECT COUNT(*) FROM (SELECT 1 FROM receiver WHERE kind = 'callback' AND due_at = 9223372036854775807 \
                    AND NOT EXISTS (SELECT 1 FROM alert WHERE alert.receiver = receiver.id) \
                    AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.receiver = receiver.id) LIMIT 1) AS idle";
        let mut gone = 0;
        // Monitors keep their newest hundred, however old they are.
        if self.database.number(old, values![before]).await? > 0 {
            let sql = "DELETE FROM delivery WHERE state <> 'pending' AND created_at < $1 \
                       AND receiver NOT IN (SELECT id FROM receiver WHERE kind = 'monitor')";
            gone += self.database.write(sql, values![before]).await?;
        }
        if self.database.number(idle, Vec::new()).await? > 0 {
            let sql = "DELETE FROM receiver WHERE kind = 'callback' AND due_at = 9223372036854775807 \
                       AND NOT EXISTS (SELECT 1 FROM alert WHERE alert.receiver = receiver.id) \
                       AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.receiver = receiver.id)";
            gone += self.database.write(sql, Vec::new()).await?;
        }
        Ok(gone)
    }
}

enum Claimed {
    Message(Box<DueDelivery>),
    /// The receiver had nothing due.
    Idle,
    Nothing,
}

fn read_delivery(row: &Row) -> Result<Delivery> {
    let id = row.text(0)?;
    let corrupt = || Error::corrupt("delivery", &*id);
    Ok(Delivery {
        receiver: row.text(1)?,
        kind: row.text(2)?,
        subject: row.text(3)?,
        body: row.text(4)?,
        state: DeliveryState::parse(&row.text(5)?).ok_or_else(corrupt)?,
        attempts: u32::try_from(row.int(6)?).unwrap_or(u32::MAX),
        created_at: row.time(7)?,
        next_attempt_at: row.time(8)?,
        last_attempt_at: row.time_option(9)?,
        delivered_at: row.time_option(10)?,
        last_status: row
            .int_option(11)?
            .and_then(|status| u16::try_from(status).ok()),
        last_error: row.text_option(12)?,
        id,
    })
}
