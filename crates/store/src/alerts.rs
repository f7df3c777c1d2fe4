//! Alerts on tickers: who is waiting for what, and what has fired.
//!
//! An alert fires once: the row is changed only if it is still active, together with the message to its callback
//! address and its position in the order of fired alerts. Whether a condition is met is not decided here.

use model::{AccountId, AlertType, Category, SecretUrl, Timestamp};

use crate::database::{Database, Durability, Row, Tx, values};
use crate::deliveries::{NewDelivery, enqueue, put_receiver};
use crate::{Completion, DeliverySecret, DeliveryState, Error, ReceiverKind, Result, idempotency};

/// The columns that [`read_alert`] reads.
macro_rules! alert_columns {
    () => {
        "a.id, a.account, a.ticker, a.series, a.kind, a.threshold, a.receiver, a.categories, a.created_at, a.triggered_at, \
         a.trigger_value, a.context, r.url"
    };
}

/// The columns that [`read_active`] reads.
macro_rules! active_columns {
    () => {
        "id, account, ticker, series, kind, threshold, receiver, categories, created_at"
    };
}

/// How many callback addresses an account may have.
const MOST_ADDRESSES: u64 = 100;
/// How many fired alerts of an account are kept: the newest.
const MOST_TRIGGERED: u64 = 10_000;
/// How long they are kept.
const KEPT_MS: i64 = 90 * Timestamp::DAY_MS;

/// Whether an alert has fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlertStatus {
    /// Not yet.
    Active,
    /// It has fired.
    Triggered,
}

impl AlertStatus {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Triggered => "triggered",
        }
    }
}

/// An alert.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    /// What it waits for.
    pub terms: AlertTerms,
    /// Where a message goes when it fires.
    pub callback_url: Option<SecretUrl>,
    /// How it fired, if it has.
    pub trigger: Option<Trigger>,
}

/// What an alert waits for, and for whom.
#[derive(Clone, Debug, PartialEq)]
pub struct AlertTerms {
    /// Identity.
    pub id: String,
    /// Its owner.
    pub account: AccountId,
    /// The symbol as its owner sees it.
    pub ticker: String,
    /// The key of the instrument, such as `stock:AAPL`.
    pub series: String,
    /// What it watches.
    pub kind: AlertType,
    /// The value to compare with.
    pub threshold: f64,
    /// Who receives a message.
    pub receiver: Option<String>,
    /// Categories visible to its owner's key; empty for all.
    pub categories: Vec<Category>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// How an alert fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// When.
    pub at: Timestamp,
    /// The value that met the condition.
    pub value: f64,
    /// What moved it, as JSON.
    pub context: String,
}

/// Where an alert's messages go.
#[derive(Clone, Debug)]
pub struct Callback<'a> {
    /// Identity: the same for the same address and account.
    pub id: &'a str,
    /// The address.
    pub url: &'a str,
    /// What messages are signed with if the address is new.
    pub secret: &'a DeliverySecret,
}

/// An alert whose condition is met.
#[derive(Clone, Debug)]
pub struct Firing<'a> {
    /// What it waited for.
    pub terms: &'a AlertTerms,
    /// How it fires.
    pub trigger: Trigger,
    /// ID and body of the message to its callback address, if it has one.
    pub message: Option<(String, String)>,
}

/// What happened to an alert that was due to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fired {
    /// It fired now.
    Now,
    /// It fired before, or was deleted.
    Before,
    /// Its account is suspended, so the alert waits.
    Resting,
}

/// An alert that fired, with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct FiredAlert {
    /// Its position in the order of fired alerts.
    pub position: i64,
    /// What it waited for.
    pub terms: AlertTerms,
    /// When it fired.
    pub at: Timestamp,
    /// The value that met the condition.
    pub value: f64,
}

/// How far the alerts have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlertVersions {
    /// Increases with every new alert.
    pub added: i64,
    /// Increases with every deleted alert.
    pub deleted: i64,
    /// The newest position in the order of fired alerts.
    pub fired: i64,
}

/// The alerts. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Alerts<'a> {
    pub(crate) database: &'a Database,
}

impl Alerts<'_> {
    /// Adds an alert, together with the record of its request, and returns whether its callback address is new.
    /// [`Error::Full`] if the owner already has `most` active ones, or too many addresses.
    pub async fn insert(
        &self,
        terms: &AlertTerms,
        callback: Option<Callback<'_>>,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<bool> {
        let owner = terms.account;
        let mut tx = self
            .database
            .begin_owned(Some(owner), Durability::Power)
            .await?;
        let owned = "SELECT COUNT(*) FROM alert WHERE account = $1 AND status = 'active'";
        if tx.number(owned, values![owner.0]).await? >= most.cast_signed() {
            return Err(Error::Full {
                kind: "active alerts",
                most,
            });
        }
        forget_triggered(&mut tx, owner).await?;
        let is_new = match &callback {
            Some(callback) => add_address(&mut tx, owner, callback).await?,
            None => false,
        };
        // The counter's row is locked until the commit, so that versions become visible in order.
        let sql = "UPDATE counter SET value = value + 1 WHERE name = 'alert'";
        tx.execute(sql, Vec::new()).await?;
        let sql = concat!(
            "INSERT INTO alert (",
            active_columns!(),
            ", status, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', \
             (SELECT value FROM counter WHERE name = 'alert'))"
        );
        let asked = values![
            &terms.id,
            owner.0,
            &terms.ticker,
            &terms.series,
            terms.kind.as_str(),
            terms.threshold,
            terms.receiver.as_deref(),
            written(&terms.categories),
            terms.created_at,
        ];
        tx.execute(sql, asked).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await?;
        Ok(is_new)
    }

    /// The owner's alerts, newest first.
    pub async fn list(
        &self,
        owner: AccountId,
        status: Option<AlertStatus>,
        limit: u64,
    ) -> Result<Vec<Alert>> {
        let sql = concat!(
            "SELECT ",
            alert_columns!(),
            " FROM alert a LEFT JOIN receiver r ON r.id = a.receiver WHERE a.account = $1 \
             AND (a.status = $2 OR $2 = '') ORDER BY a.created_at DESC, a.id LIMIT $3"
        );
        let status = status.map_or("", AlertStatus::as_str);
        let asked = values![owner.0, status, limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter().map(read_alert).collect()
    }

    /// How many alerts the owner has.
    pub async fn count(&self, owner: AccountId, status: Option<AlertStatus>) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM alert WHERE account = $1 AND (status = $2 OR $2 = '')";
        let status = status.map_or("", AlertStatus::as_str);
        let found = self.database.number(sql, values![owner.0, status]).await?;
        Ok(u64::try_from(found).unwrap_or(0))
    }

    /// The owner's alerts that fired at or after a given time, newest first, and how many there are.
    pub async fn triggered(
        &self,
        owner: AccountId,
        since: Timestamp,
        limit: u64,
    ) -> Result<(Vec<Alert>, u64)> {
        let sql = concat!(
            "SELECT ",
            alert_columns!(),
            " FROM alert a LEFT JOIN receiver r ON r.id = a.receiver WHERE a.account = $1 \
             AND a.status = 'triggered' AND a.triggered_at >= $2 ORDER BY a.triggered_at DESC, a.id LIMIT $3"
        );
        let rows = self.database.rows(sql, values![owner.0, since, limit]);
        let rows = rows.await?;
        let sql = "SELECT COUNT(*) FROM alert WHERE account = $1 AND status = 'triggered' AND triggered_at >= $2";
        let total = self.database.number(sql, values![owner.0, since]).await?;
        let found = rows.iter().map(read_alert).collect::<Result<_>>()?;
        Ok((found, u64::try_from(total).unwrap_or(0)))
    }

    /// Deletes the owner's alert; `false` if there is none. Undelivered messages are given up.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "DELETE FROM alert WHERE account = $1 AND id = $2 RETURNING receiver";
        let Some(row) = tx.row(sql, values![owner.0, id]).await? else {
            return Ok(false);
        };
        if let Some(receiver) = row.text_option(0)? {
            let sql = "UPDATE delivery SET state = 'dead', last_error = 'the alert was deleted' \
                       WHERE receiver = $1 AND event = $2 AND state = 'pending'";
            tx.execute(sql, values![receiver, id]).await?;
        }
        let sql = "UPDATE counter SET value = value + 1 WHERE name = 'alert_deleted'";
        tx.execute(sql, Vec::new()).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// How far the alerts have changed.
    pub async fn versions(&self) -> Result<AlertVersions> {
        let sql = "SELECT name, value FROM counter WHERE name IN ('alert', 'alert_deleted', 'alert_fired')";
        let mut versions = AlertVersions::default();
        for row in self.database.rows(sql, Vec::new()).await? {
            let value = row.int(1)?;
            match row.text(0)?.as_str() {
                "alert" => versions.added = value,
                "alert_deleted" => versions.deleted = value,
                _ => versions.fired = value,
            }
        }
        Ok(versions)
    }

    /// The active alerts of all accounts that were added after a version; all of them after -1.
    pub async fn active_since(&self, version: i64) -> Result<Vec<AlertTerms>> {
        let sql = concat!(
            "SELECT ",
            active_columns!(),
            " FROM alert WHERE version > $1 AND status = 'active' ORDER BY version"
        );
        let rows = self.database.rows(sql, values![version]).await?;
        rows.iter().map(read_terms).collect()
    }

    /// Fires alerts whose condition is met: each at most once, however many callers ask for it. They are fired in one
    /// transaction with their messages, so keep them few.
    pub async fn fire(&self, firings: &[Firing<'_>], now: Timestamp) -> Result<Vec<Fired>> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let count = firings.len() as u64;
        // Locked until the commit, so that positions become visible in order.
        let sql = "UPDATE counter SET value = value + $1 WHERE name = 'alert_fired'";
        tx.execute(sql, values![count]).await?;
        let sql = "SELECT value FROM counter WHERE name = 'alert_fired'";
        let last = tx.number(sql, Vec::new()).await?;
        let first = last - count.cast_signed() + 1;
        let mut outcomes = Vec::with_capacity(firings.len());
        let mut messages = Vec::new();
        for (position, firing) in (first..).zip(firings) {
            let outcome = fire_one(&mut tx, firing, position).await?;
            if outcome == Fired::Now
                && let Some((id, body)) = &firing.message
                && let Some(receiver) = &firing.terms.receiver
            {
                messages.push(NewDelivery {
                    id,
                    receiver,
                    kind: "alert.triggered",
                    subject: &firing.terms.id,
                    event: Some(&firing.terms.id),
                    body,
                    state: DeliveryState::Pending,
                });
            }
            outcomes.push(outcome);
        }
        if outcomes.contains(&Fired::Now) {
            enqueue(&mut tx, &messages, now).await?;
            tx.commit().await?;
        }
        Ok(outcomes)
    }

    /// What fired after one position and up to another, for one account or for all, in order.
    pub async fn fired_between(
        &self,
        owner: Option<AccountId>,
        after: i64,
        until: i64,
        limit: u64,
    ) -> Result<Vec<FiredAlert>> {
        let sql = concat!(
            "SELECT ",
            active_columns!(),
            ", position, triggered_at, trigger_value FROM alert WHERE position > $1 AND position <= $2 \
             AND (account = $3 OR $3 = '') ORDER BY position LIMIT $4"
        );
        let owner = owner.map_or_else(String::new, |owner| owner.0.to_string());
        let asked = values![after, until, owner, limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter()
            .map(|row| {
                Ok(FiredAlert {
                    terms: read_terms(row)?,
                    position: row.int(9)?,
                    at: row.time(10)?,
                    value: row.real(11)?,
                })
            })
            .collect()
    }

    /// Removes alerts that fired long ago.
    pub async fn prune(&self, now: Timestamp) -> Result<u64> {
        let before = now.plus_ms(-KEPT_MS);
        let old = "SELECT COUNT(*) FROM (SELECT 1 FROM alert WHERE status = 'triggered' AND triggered_at < $1 LIMIT 1) AS old";
        if self.database.number(old, values![before]).await? == 0 {
            return Ok(0);
        }
        let sql = "DELETE FROM alert WHERE status = 'triggered' AND triggered_at < $1";
        self.database.write(sql, values![before]).await
    }
}

/// Keeps the newest of the fired alerts; checked only if there are too many.
async fn forget_triggered(tx: &mut Tx, owner: AccountId) -> Result<()> {
    let count = "SELECT COUNT(*) FROM alert WHERE account = $1 AND status = 'triggered'";
    if tx.number(count, values![owner.0]).await? <= MOST_TRIGGERED.cast_signed() {
        return Ok(());
    }
    let sql = "DELETE FROM alert WHERE account = $1 AND status = 'triggered' AND id NOT IN \
               (SELECT id FROM alert WHERE account = $1 AND status = 'triggered' \
               ORDER BY triggered_at DESC, id LIMIT $2)";
    tx.execute(sql, values![owner.0, MOST_TRIGGERED])
        .await
        .map(drop)
}

/// Returns whether the address is new.
async fn add_address(tx: &mut Tx, owner: AccountId, callback: &Callback<'_>) -> Result<bool> {
    let known = "SELECT COUNT(*) FROM receiver WHERE id = $1 AND account = $2";
    if tx.number(known, values![callback.id, owner.0]).await? > 0 {
        return Ok(false);
    }
    let count = "SELECT COUNT(*) FROM receiver WHERE account = $1 AND kind = 'callback'";
    if tx.number(count, values![owner.0]).await? >= MOST_ADDRESSES.cast_signed() {
        return Err(Error::Full {
            kind: "callback addresses",
            most: MOST_ADDRESSES,
        });
    }
    let kind = ReceiverKind::Callback;
    put_receiver(tx, callback.id, owner, kind, callback.url, callback.secret).await?;
    Ok(true)
}

async fn fire_one(tx: &mut Tx, firing: &Firing<'_>, position: i64) -> Result<Fired> {
    let sql = "UPDATE alert SET status = 'triggered', triggered_at = $1, trigger_value = $2, context = $3, position = $4 \
               WHERE id = $5 AND status = 'active' \
               AND EXISTS (SELECT 1 FROM account WHERE id = alert.account AND disabled_at IS NULL)";
    let trigger = &firing.trigger;
    let id = &firing.terms.id;
    let asked = values![trigger.at, trigger.value, &trigger.context, position, id];
    if tx.execute(sql, asked).await? > 0 {
        return Ok(Fired::Now);
    }
    let active = "SELECT COUNT(*) FROM alert WHERE id = $1 AND status = 'active'";
    Ok(if tx.number(active, values![id]).await? > 0 {
        Fired::Resting
    } else {
        Fired::Before
    })
}

/// Categories as they are stored.
pub(crate) fn written(categories: &[Category]) -> String {
    let slugs: Vec<&str> = categories.iter().map(|one| one.as_str()).collect();
    slugs.join(",")
}

/// Reads what [`written`] wrote.
pub(crate) fn read_categories(text: &str) -> Vec<Category> {
    text.split(',')
        .filter_map(|slug| slug.parse().ok())
        .collect()
}

fn read_terms(row: &Row) -> Result<AlertTerms> {
    let id = row.text(0)?;
    Ok(AlertTerms {
        account: AccountId(row.id(1, "alert")?),
        ticker: row.text(2)?,
        series: row.text(3)?,
        kind: AlertType::parse(&row.text(4)?).ok_or_else(|| Error::corrupt("alert", &*id))?,
        threshold: row.real(5)?,
        receiver: row.text_option(6)?,
        categories: read_categories(&row.text(7)?),
        created_at: row.time(8)?,
        id,
    })
}

fn read_alert(row: &Row) -> Result<Alert> {
    let trigger = match row.time_option(9)? {
        Some(at) => Some(Trigger {
            at,
            value: row.real(10)?,
            context: row.text(11)?,
        }),
        None => None,
    };
    Ok(Alert {
        terms: read_terms(row)?,
        callback_url: row.text_option(12)?.map(SecretUrl::from),
        trigger,
    })
}
