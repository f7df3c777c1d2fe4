//! Webhooks: who wants to be told what happens to briefs.
//!
//! Events become messages by the position of the outbox: whoever renders them commits the position up to which that was
//! done together with the messages, so that each webhook is told of each event once. Address and secret are those of the
//! receiver of the same id.

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

/// Messages that may wait for one webhook; beyond them events are left out until it catches up.
const MOST_WAITING: i64 = 10_000;

/// Where there is no position yet up to which webhooks were told, it is that of the newest event.
const BEGIN: &str = "INSERT INTO counter (name, value) \
                     VALUES ('webhook', (SELECT COALESCE(MAX(position), 0) FROM outbox)) ON CONFLICT (name) DO NOTHING";

/// What a message looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WebhookFormat {
    /// Our own JSON.
    Raw,
    /// Blocks of Slack.
    Slack,
    /// Embeds of Discord.
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

    /// The format of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

/// A webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Webhook {
    /// Identity.
    pub id: String,
    /// Whose it is.
    pub account: AccountId,
    /// Where messages go.
    pub url: SecretUrl,
    /// What it is told.
    pub events: Vec<OutboxKind>,
    /// What messages look like.
    pub format: WebhookFormat,
    /// Categories that its owner's key sees; empty for all.
    pub categories: Vec<Category>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Events up to this position were before it.
    pub after_position: i64,
    /// Since when and why it is told nothing.
    pub disabled: Option<(Timestamp, String)>,
    /// Since when its receiver fails.
    pub failing_since: Option<Timestamp>,
}

/// A message about an event.
#[derive(Clone, Debug)]
pub struct WebhookMessage {
    /// Identity, where it is new.
    pub id: String,
    /// Which webhook is told.
    pub webhook: String,
    /// The type of the event.
    pub kind: &'static str,
    /// Which brief it is about.
    pub subject: String,
    /// What it reports; a webhook is told of it once.
    pub event: Option<String>,
    /// What is sent.
    pub body: String,
}

/// The webhooks. Each question of a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Webhooks<'a> {
    pub(crate) database: &'a Database,
}

impl Webhooks<'_> {
    /// Adds a webhook that is told what happens from now on, together with the record of its request. [`Error::Full`] where
    /// the owner has `most`.
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
        // Whoever makes messages begins no later than here.
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

    /// The owner's webhook of that identity.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<Webhook>> {
        let sql = concat!(
            "SELECT ",
            webhook_columns!(),
            " FROM webhook w JOIN receiver r ON r.id = w.id WHERE w.account = $1 AND w.id = $2"
        );
        let row = self.database.row(sql, values![owner.0, id]).await?;
        row.as_ref().map(read_webhook).transpose()
    }

    /// Deletes the owner's webhook with its messages; `false` where there is none.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let sql = "DELETE FROM receiver WHERE account = $1 AND id = $2 AND kind = 'webhook'";
        let mut tx = self.database.begin(Durability::Power).await?;
        let found = tx.execute(sql, values![owner.0, id]).await? > 0;
        tx.commit().await?;
        Ok(found)
    }

    /// Gives the owner's webhook another secret; the one before counts beside it until a time. `false` where there is none.
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

    /// How many messages wait for a webhook.
    pub async fn waiting(&self, id: &str) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM delivery WHERE receiver = $1 AND state = 'pending'";
        let waiting = self.database.number(sql, values![id]).await?;
        Ok(u64::try_from(waiting).unwrap_or(0))
    }

    /// The webhooks of every account that are told something, those of accounts that rest left out.
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

    /// Up to which position of the outbox webhooks were told; at first the newest.
    pub async fn position(&self) -> Result<i64> {
        const READ: &str = "SELECT value FROM counter WHERE name = 'webhook'";
        if let Some(row) = self.database.row(READ, Vec::new()).await? {
            return row.int(0);
        }
        self.database.write(BEGIN, Vec::new()).await?;
        self.database.number(READ, Vec::new()).await
    }

    /// Tells webhooks of the events after `from` and up to `to`. `false`, and nothing is told, where another process did so.
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
                // Another one may have deleted it meanwhile; then it counts as full.
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
