//! Idempotency: a repeated request gets the first answer.

use model::Timestamp;

use crate::database::{Database, Durability, Row, Tx, values};
use crate::lease::latest_end;
use crate::{Error, Result};

/// How long a request may take before another one takes over.
const LEASE_MS: i64 = Timestamp::MINUTE_MS;
/// How long an answer is replayed.
const KEPT_MS: i64 = Timestamp::DAY_MS;

/// The first answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// HTTP status.
    pub status: u16,
    /// The body, without secrets.
    pub body: Vec<u8>,
    /// Its content type.
    pub content_type: String,
}

impl StoredAnswer {
    /// A successful JSON answer.
    pub fn json(body: Vec<u8>) -> Self {
        Self {
            status: 200,
            body,
            content_type: "application/json".to_owned(),
        }
    }
}

/// How a request with an idempotency key starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// It is new (or its lease has expired): do the work, then complete or abandon.
    Started,
    /// It has been answered before.
    Replay(StoredAnswer),
    /// The first request is still being answered.
    InFlight,
    /// The key was used with a different body.
    OtherBody,
}

/// The record that an action completes in its own transaction.
#[derive(Clone, Copy, Debug)]
pub struct Completion<'a> {
    /// Account or client address.
    pub scope: &'a str,
    /// For example `POST /api/v1/keys/create`.
    pub route: &'a str,
    /// The caller's idempotency key.
    pub key: &'a str,
    /// What a replay returns.
    pub answer: &'a StoredAnswer,
    /// When.
    pub now: Timestamp,
}

/// The idempotency records.
#[derive(Clone, Copy, Debug)]
pub struct Idempotency<'a> {
    pub(crate) database: &'a Database,
}

impl Idempotency<'_> {
    /// Begins a request. The lease of a started request lasts 60 s, its record 24 h.
    pub async fn begin(
        &self,
        scope: &str,
        route: &str,
        key: &str,
        body_hash: &[u8; 32],
        now: Timestamp,
    ) -> Result<Begin> {
        let mut tx = self.database.begin(Durability::Process).await?;
        // One statement decides who starts, even across processes: a new record, an expired one, or the same request
        // with an expired lease.
        let started = tx
            .execute(
                "INSERT INTO idempotency (scope, route, request, body_hash, state, lease_until, expires_at) \
                 VALUES ($1, $2, $3, $4, 'started', $5, $6) \
                 ON CONFLICT (scope, route, request) DO UPDATE SET body_hash = excluded.body_hash, state = 'started', \
                 lease_until = excluded.lease_until, expires_at = excluded.expires_at, \
                 status = NULL, content_type = NULL, body = NULL \
                 WHERE idempotency.expires_at <= $7 OR (idempotency.state = 'started' \
                 AND (idempotency.lease_until <= $7 OR idempotency.lease_until > $8) AND idempotency.body_hash = excluded.body_hash)",
                values![
                    scope,
                    route,
                    key,
                    body_hash.as_slice(),
                    now.plus_ms(LEASE_MS),
                    now.plus_ms(KEPT_MS),
                    now,
                    latest_end(now, LEASE_MS),
                ],
            )
            .await?;
        if started > 0 {
            tx.commit().await?;
            return Ok(Begin::Started);
        }
        let sql = "SELECT body_hash, state, status, content_type, body FROM idempotency \
                   WHERE scope = $1 AND route = $2 AND request = $3";
        // Gone in the meantime: the other request was abandoned, so the caller may try again.
        let row = tx
            .row(sql, values![scope, route, key])
            .await?
            .ok_or(Error::Busy)?;
        tx.commit().await?;
        if row.blob(0)? != body_hash {
            return Ok(Begin::OtherBody);
        }
        if row.text(1)? == "started" {
            return Ok(Begin::InFlight);
        }
        stored_answer(&row).map(Begin::Replay)
    }

    /// Stores the answer of a started request.
    pub async fn complete(
        &self,
        scope: &str,
        route: &str,
        key: &str,
        answer: &StoredAnswer,
        now: Timestamp,
    ) -> Result<()> {
        let mut tx = self.database.begin(Durability::Process).await?;
        complete(
            &mut tx,
            Completion {
                scope,
                route,
                key,
                answer,
                now,
            },
        )
        .await?;
        tx.commit().await
    }

    /// Deletes a started request that failed, so that it may be tried again.
    pub async fn abandon(&self, scope: &str, route: &str, key: &str) -> Result<()> {
        let sql = "DELETE FROM idempotency WHERE scope = $1 AND route = $2 AND request = $3 AND state = 'started'";
        self.database
            .write(sql, values![scope, route, key])
            .await
            .map(drop)
    }

    /// Deletes records older than 24 h; returns how many.
    pub async fn prune(&self, now: Timestamp) -> Result<u64> {
        self.database
            .write(
                "DELETE FROM idempotency WHERE expires_at <= $1",
                values![now],
            )
            .await
    }
}

/// Stores the answer inside a transaction. If the lease has expired and another request was quicker, this one
/// conflicts, so that its effect is undone.
pub(crate) async fn complete(tx: &mut Tx, completion: Completion<'_>) -> Result<()> {
    let Completion {
        scope,
        route,
        key,
        answer,
        now,
    } = completion;
    let completed = tx
        .execute(
            "UPDATE idempotency SET state = 'done', status = $4, content_type = $5, body = $6, expires_at = $7 \
             WHERE scope = $1 AND route = $2 AND request = $3 AND state = 'started'",
            values![
                scope,
                route,
                key,
                i64::from(answer.status),
                &answer.content_type,
                answer.body.as_slice(),
                now.plus_ms(KEPT_MS),
            ],
        )
        .await?;
    if completed == 0 {
        Err(Error::Conflict)
    } else {
        Ok(())
    }
}

fn stored_answer(row: &Row) -> Result<StoredAnswer> {
    let corrupt = || Error::corrupt("idempotency", "answer");
    Ok(StoredAnswer {
        status: row
            .int_option(2)?
            .and_then(|status| u16::try_from(status).ok())
            .ok_or_else(corrupt)?,
        content_type: row.text_option(3)?.ok_or_else(corrupt)?,
        body: row.blob_option(4)?.ok_or_else(corrupt)?,
    })
}
