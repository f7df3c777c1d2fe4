//! Webhooks: who wants to be notified of what happens to briefs.
//!
//! Events become messages in order of outbox position. Whoever renders them commits the position reached together with
//! the messages, so that each webhook is notified of each event once. The address and secret are those of the receiver
//! with the same ID.

use model::{AccountId, Category, OutboxKind, SecretUrl, Timestamp};

use crate::alerts::{read_categories, written};
use crate::database::{Database, Durability, Row, values};
use crate::deliveries::{NewDelivery, enqueue, put_receiver};
use crate::{Completion, DeliverySecret, DeliveryState, Error, ReceiverKind, Result, idempotency};

/// The columns that [`read_webhook`] reads.
macro_rules! webhook_columns {
    () => {
        "w.id, w.account, r.url, w.events, w.format, w.categories, w.state, w.created_at, w.after_position, w.disabled_at, \
         w.disabled_reason, r.failing_since"
    };
}

/// How many messages may wait for one webhook; beyond that, events are skipped until it catches up.
const MOST_WAITING: i64 = 10_000;

/// If no position has been recorded yet, it starts at that of the newest event.
const BEGIN: &str = "INSERT INTO counter (name, value) \
                     VALUES ('webhook', (SELECT COALESCE(MAX(position), 0) FROM outbox)) ON CONFLICT (name) DO NOTHING";

/// What a message looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WebhookFormat {
    /// Our own JSON format.
    Raw,
    /// Slack blocks.
    Slack,
    /// Discord embeds.
    Discord,
}

impl WebhookFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Raw, Self::Slack, Self::Discord];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Slack => "slack",
            Self::Discord => "discord",
        }
    }

    /// The format for that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

/// A webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Webhook {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// Where messages go.
    pub url: SecretUrl,
    /// Which events it is sent.
    pub events: Vec<OutboxKind>,
    /// What messages look like.
    pub format: WebhookFormat,
    /// Categories visible to its owner's key; empty for all.
    pub categories: Vec<Category>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Events up to this position came before it.
    pub after_position: i64,
    /// Since when and why it is sent nothing.
    pub disabled: Option<(Timestamp, String)>,
    /// Since when its receiver has been failing.
    pub failing_since: Option<Timestamp>,
}

/// A message about an event.
#[derive(Clone, Debug)]
pub struct WebhookMessage {
    /// Identity, if it is new.
    pub id: String,
    /// Which webhook is notified.
    pub webhook: String,
    /// The type of the event.
    pub kind: &'static str,
    /// Which brief it is about.
    pub subject: String,
    /// What it reports; a webhook is notified of it once.
    pub event: Option<String>,
    /// What is sent.
    pub body: String,
}

/// The webhooks. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Webhooks<'a> {
    pub(crate) database: &'a Database,
}

impl Webhooks<'_> {
    /// Adds a webhook that is notified of everything from now on, together with the record of its request.
    /// [`Error::Full`] if the owner already has `most`.
    pub async fn insert(
        &self,
        webhook: &Webhook,
        secret: &DeliverySecret,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let owner = webhook.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let owned = "SELECT COUNT(*) FROM webhook WHERE account = $1";
        if tx.number(owned, values![owner.0]).await? >= most.cast_signed() {
            return Err(Error::Full {
                kind: "webhooks",
                most,
            });
        }
        // Code that makes messages starts here at the latest.
        tx.execute(BEGIN, Vec::new()).await?;
        let (id, kind) = (&*webhook.id, ReceiverKind::Webhook);
        put_receiver(&mut tx, id, owner, kind, webhook.url.expose(), secret).await?;
        let events: Vec<&str> = webhook.events.iter().map(|one| one.as_str()).collect();
        let sql = "INSERT INTO webhook (id, account, events, format, categories, state, created_at, after_position) \
                   VALUES ($1, $2, $3, $4, $5, 'active', $6, (SELECT COALESCE(MAX(position), 0) FROM outbox))";
        let asked = values![
            id,
            owner.0,
            events.join(","),
            webhook.format.as_str(),
            written(&webhook.categories),
            webhook.created_at,
        ];
        tx.execute(sql, asked).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The owner's webhooks, oldest first.
    pub async fn list(&self, owner: AccountId) -> Result<Vec<Webhook>> {
        let sql = concat!(
            "SELECT ",
            webhook_columns!(),
            " FROM webhook w JOIN receiver r ON r.id = w.id WHERE w.account = $1 ORDER BY w.created_at, w.id"
        );
        let rows = self.database.rows(sql, values![owner.0]).await?;
        rows.iter().map(read_webhook).collect()
    }

    /// The owner's webhook with that ID.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<Webhook>> {
        let sql = concat!(
            "SELECT ",
            webhook_columns!(),
            " FROM webhook w JOIN receiver r ON r.id = w.id WHERE w.account = $1 AND w.id = $2"
        );
        let row = self.database.row(sql, values![owner.0, id]).await?;
        row.as_ref().map(read_webhook).transpose()
    }

    /// Deletes the owner's webhook along with its messages; `false` if there is none.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let sql = "DELETE FROM receiver WHERE account = $1 AND id = $2 AND kind = 'webhook'";
        let mut tx = self.database.begin(Durability::Power).await?;
        let found = tx.execute(sql, values![owner.0, id]).await? > 0;
        tx.commit().await?;
        Ok(found)
    }

    /// Gives the owner's webhook a new secret; the previous one stays valid until a given time. `false` if there is
    /// none.
    pub async fn rotate(
        &self,
        owner: AccountId,
        id: &str,
        secret: &DeliverySecret,
        previous_until: Timestamp,
        completion: Option<Completion<'_>>,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE receiver SET previous_secret = secret, previous_until = $1, secret = $2 \
                   WHERE account = $3 AND id = $4 AND kind = 'webhook'";
        let asked = values![previous_until, secret.expose(), owner.0, id];
        if tx.execute(sql, asked).await? == 0 {
            return Ok(false);
        }
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Sends a message to a webhook, whatever its state.
    pub async fn send(
        &self,
        message: &WebhookMessage,
        now: Timestamp,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self.database.begin(Durability::Power).await?;
        enqueue(&mut tx, &[new_delivery(message)], now).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// How many messages are waiting for a webhook.
    pub async fn waiting(&self, id: &str) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM delivery WHERE receiver = $1 AND state = 'pending'";
        let waiting = self.database.number(sql, values![id]).await?;
        Ok(u64::try_from(waiting).unwrap_or(0))
    }

    /// The webhooks of all accounts that are sent something, without those of suspended accounts.
    pub async fn subscribed(&self) -> Result<Vec<Webhook>> {
        let sql = concat!(
            "SELECT ",
            webhook_columns!(),
            " FROM webhook w JOIN receiver r ON r.id = w.id JOIN account a ON a.id = w.account \
             WHERE w.state = 'active' AND a.disabled_at IS NULL ORDER BY w.id"
        );
        let rows = self.database.rows(sql, Vec::new()).await?;
        rows.iter().map(read_webhook).collect()
    }

    /// The outbox position up to which webhooks have been notified; initially the newest.
    pub async fn position(&self) -> Result<i64> {
        const READ: &str = "SELECT value FROM counter WHERE name = 'webhook'";
        if let Some(row) = self.database.row(READ, Vec::new()).await? {
            return row.int(0);
        }
        self.database.write(BEGIN, Vec::new()).await?;
        self.database.number(READ, Vec::new()).await
    }

    /// Notifies webhooks of the events after `from` and up to `to`. `false`, with nothing sent, if another process has
    /// done so.
    pub async fn tell(
        &self,
        from: i64,
        to: i64,
        messages: &[WebhookMessage],
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let sql = "UPDATE counter SET value = $2 WHERE name = 'webhook' AND value = $1";
        if tx.execute(sql, values![from, to]).await? == 0 {
            return Ok(false);
        }
        let mut told: Vec<NewDelivery<'_>> = Vec::with_capacity(messages.len());
        let mut full: Vec<(&str, bool)> = Vec::new();
        for message in messages {
            let known = full.iter().find(|(id, _)| *id == message.webhook);
            let is_full = if let Some((_, is_full)) = known {
                *is_full
            } else {
                // Another process may have deleted it in the meantime; then it counts as full.
                let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM delivery WHERE receiver = $1 AND state = 'pending' LIMIT $2) AS waiting";
                let waiting = tx.number(sql, values![&message.webhook, MOST_WAITING]);
                let is_full = waiting.await? >= MOST_WAITING;
                let exists = "SELECT COUNT(*) FROM receiver WHERE id = $1";
                let is_gone = tx.number(exists, values![&message.webhook]).await? == 0;
                full.push((&message.webhook, is_full || is_gone));
                is_full || is_gone
            };
            if !is_full {
                told.push(new_delivery(message));
            }
        }
        enqueue(&mut tx, &told, now).await?;
        tx.commit().await?;
        Ok(true)
    }
}

fn new_delivery(message: &WebhookMessage) -> NewDelivery<'_> {
    NewDelivery {
        id: &message.id,
        receiver: &message.webhook,
        kind: message.kind,
        subject: &message.subject,
        event: message.event.as_deref(),
        body: &message.body,
        state: DeliveryState::Pending,
    }
}

fn read_webhook(row: &Row) -> Result<Webhook> {
    let id = row.text(0)?;
    let corrupt = || Error::corrupt("webhook", &*id);
    let events = row.text(3)?;
    let events = events.split(',').map(OutboxKind::parse);
    let disabled = match row.time_option(9)? {
        Some(at) if row.text(6)? == "disabled" => {
            Some((at, row.text_option(10)?.unwrap_or_default()))
        }
        _ => None,
    };
    Ok(Webhook {
        account: AccountId(row.id(1, "webhook")?),
        url: row.text(2)?.into(),
        events: events.collect::<Option<_>>().ok_or_else(corrupt)?,
        format: WebhookFormat::parse(&row.text(4)?).ok_or_else(corrupt)?,
        categories: read_categories(&row.text(5)?),
        created_at: row.time(7)?,
        after_position: row.int(8)?,
        disabled,
        failing_since: row.time_option(11)?,
        id,
    })
}
