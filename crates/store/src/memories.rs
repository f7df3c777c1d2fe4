//! Memories: what an account's agent wants to keep, each under a key.
//!
//! How well a memory answers a question is not decided here: [`scan`](Memories::scan) returns the candidates for
//! ranking.

mod consolidation;
mod health;
mod snapshot;

use model::{AccountId, Symbol, Timestamp};

use crate::database::{Database, Durability, Row, Tx, Value, values};
use crate::{Completion, Error, Result, idempotency};

pub use consolidation::Consolidated;
pub use health::{DailyConfidence, MemoryHealth};
pub use snapshot::{Snapshot, SnapshotClaim};

/// The columns that [`read_memory`] reads.
macro_rules! memory_columns {
    () => {
        "id, account, agent, key, value, category, tickers, confidence, verdict, stale_at, created_at, updated_at, \
         expires_at, receipt, is_snapshot, memories, rated, contradicted, verified_at, since, contradicted_claims"
    };
}
use memory_columns;

/// The placeholders for [`memory_columns`] in an `INSERT`.
macro_rules! memory_places {
    () => {
        "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21"
    };
}
use memory_places;

/// The condition of a [`MemoryQuery`]; [`matched`] supplies its values.
macro_rules! is_match {
    () => {
        "account = $1 AND agent = $2 AND (expires_at IS NULL OR expires_at > $3) \
         AND ($4 IS NULL OR category = $4) AND ($5 IS NULL OR tickers LIKE '% ' || $5 || ' %')"
    };
}

/// What an agent wants to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMemory {
    /// Identity. An existing key keeps the one it has.
    pub id: String,
    /// The name under which the agent keeps it.
    pub key: String,
    /// What it says.
    pub value: String,
    /// A word to find it by.
    pub category: String,
    /// The symbols it is about.
    pub tickers: Vec<Symbol>,
    /// Between 0 and 1.
    pub confidence: Option<f64>,
    /// The verdict, if it is a claim that was verified.
    pub verdict: Option<String>,
    /// When it becomes due for re-verification.
    pub stale_at: Option<Timestamp>,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// The receipt for its verification.
    pub receipt: Option<String>,
}

/// A memory of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The agent's owner.
    pub account: AccountId,
    /// The agent, under the name its owner uses.
    pub agent: String,
    /// What was stored.
    pub content: NewMemory,
    /// When its key was first stored.
    pub created_at: Timestamp,
    /// When it was last stored, or verified again.
    pub updated_at: Timestamp,
    /// What it stands for, if it is a snapshot of consolidated memories.
    pub snapshot: Option<Snapshot>,
}

impl Memory {
    /// Whether it is a claim that has been contradicted.
    pub fn is_contradicted(&self) -> bool {
        self.content.verdict.as_deref() == Some("contradicted")
    }

    /// How far it can be trusted, 0 to 1: its confidence, or the opposite for a contradicted claim.
    pub fn trust(&self) -> Option<f64> {
        let confidence = self.content.confidence?;
        Some(if self.is_contradicted() {
            1.0 - confidence
        } else {
            confidence
        })
    }
}

/// How many memories are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimits {
    /// For one agent.
    pub per_agent: u64,
    /// For all agents of an account.
    pub per_account: u64,
}

/// What memories are recalled by; an empty query recalls all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryQuery {
    /// Only those about this symbol.
    pub ticker: Option<Symbol>,
    /// Only those in this category.
    pub category: Option<String>,
}

/// The memories. Every query takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Memories<'a> {
    pub(crate) database: &'a Database,
}

impl Memories<'_> {
    /// Stores memories, each under its key, together with the record of their request. A key that exists gets the new
    /// content, and a contradicted claim under that key no longer counts in the snapshot it became part of.
    /// [`Error::Conflict`] if there would be more than the limits permit; then none is stored. Survives a crash of the
    /// process, but not always a power failure.
    pub async fn store(
        &self,
        owner: AccountId,
        agent: &str,
        memories: &[NewMemory],
        limits: MemoryLimits,
        now: Timestamp,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let durability = Durability::Process;
        let mut tx = self.database.begin_owned(Some(owner), durability).await?;
        let expired = "DELETE FROM memory WHERE account = $1 AND expires_at <= $2";
        tx.execute(expired, values![owner.0, now]).await?;
        let before = count(&mut tx, owner, agent).await?;
        for memory in memories {
            let sql = concat!(
                "INSERT INTO memory (",
                memory_columns!(),
                ") VALUES (",
                memory_places!(),
                ") ON CONFLICT (account, agent, key) DO UPDATE SET value = excluded.value, category = excluded.category, \
                 tickers = excluded.tickers, confidence = excluded.confidence, verdict = excluded.verdict, \
                 stale_at = excluded.stale_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at, \
                 receipt = excluded.receipt, is_snapshot = excluded.is_snapshot, memories = excluded.memories, \
                 rated = excluded.rated, contradicted = excluded.contradicted, verified_at = excluded.verified_at, \
                 since = excluded.since, contradicted_claims = excluded.contradicted_claims"
            );
            tx.execute(sql, row_values(owner, agent, memory, now, None)?)
                .await?;
        }
        supersede(&mut tx, owner, agent, memories).await?;
        let after = count(&mut tx, owner, agent).await?;
        // Storing an existing key again is allowed even if the limits have been lowered in the meantime.
        if (after.0 > before.0 && after.0 > limits.per_agent)
            || (after.1 > before.1 && after.1 > limits.per_account)
        {
            return Err(Error::Conflict);
        }
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The memories of an agent that have not expired, newest first.
    pub async fn list(
        &self,
        owner: AccountId,
        agent: &str,
        limit: u64,
        now: Timestamp,
    ) -> Result<Vec<Memory>> {
        self.scan(owner, agent, &MemoryQuery::default(), limit, now)
            .await
    }

    /// The memories of an agent that match and have not expired, newest first, up to `most`.
    pub async fn scan(
        &self,
        owner: AccountId,
        agent: &str,
        query: &MemoryQuery,
        most: u64,
        now: Timestamp,
    ) -> Result<Vec<Memory>> {
        let sql = concat!(
            "SELECT ",
            memory_columns!(),
            " FROM memory WHERE ",
            is_match!(),
            " ORDER BY updated_at DESC, id LIMIT $6"
        );
        let mut values = matched(owner, agent, query, now);
        values.extend(values![most]);
        let rows = self.database.rows(sql, values).await?;
        rows.iter().map(read_memory).collect()
    }

    /// How many memories of an agent match and have not expired.
    pub async fn count(
        &self,
        owner: AccountId,
        agent: &str,
        query: &MemoryQuery,
        now: Timestamp,
    ) -> Result<u64> {
        let sql = concat!("SELECT COUNT(*) FROM memory WHERE ", is_match!());
        let row = self
            .database
            .row(sql, matched(owner, agent, query, now))
            .await?;
        row.map_or(Ok(0), |row| row.count(0))
    }

    /// The memories of an agent that are claims of `least` to `longest` characters and have not expired, those with the
    /// newest keys first, up to `most`. Snapshots are not claims.
    pub async fn claims(
        &self,
        owner: AccountId,
        agent: &str,
        (least, longest): (u64, u64),
        most: u64,
        now: Timestamp,
    ) -> Result<Vec<Memory>> {
        let sql = concat!(
            "SELECT ",
            memory_columns!(),
            " FROM memory WHERE account = $1 AND agent = $2 AND (expires_at IS NULL OR expires_at > $3) \
             AND category = 'claim' AND is_snapshot = 0 AND LENGTH(value) BETWEEN $4 AND $5 \
             ORDER BY created_at DESC, id LIMIT $6"
        );
        let values = values![owner.0, agent, now, least, longest, most];
        let rows = self.database.rows(sql, values).await?;
        rows.iter().map(read_memory).collect()
    }

    /// The agent's memory under that key, unless it has expired.
    pub async fn find(
        &self,
        owner: AccountId,
        agent: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<Memory>> {
        let sql = concat!(
            "SELECT ",
            memory_columns!(),
            " FROM memory WHERE account = $1 AND agent = $2 AND key = $3 AND (expires_at IS NULL OR expires_at > $4)"
        );
        let row = self
            .database
            .row(sql, values![owner.0, agent, key, now])
            .await?;
        row.as_ref().map(read_memory).transpose()
    }

    /// Deletes expired memories, whoever owns them; returns how many.
    pub async fn prune(&self, now: Timestamp) -> Result<u64> {
        self.database
            .write("DELETE FROM memory WHERE expires_at <= $1", values![now])
            .await
    }
}

fn matched(owner: AccountId, agent: &str, query: &MemoryQuery, now: Timestamp) -> Vec<Value> {
    values![
        owner.0,
        agent,
        now,
        query.category.as_deref(),
        query.ticker.as_ref().map(Symbol::as_str),
    ]
}

/// How many memories the agent has, and how many its owner has.
async fn count(tx: &mut Tx, owner: AccountId, agent: &str) -> Result<(u64, u64)> {
    let sql = "SELECT CAST(COALESCE(SUM(CASE WHEN agent = $2 THEN 1 ELSE 0 END), 0) AS BIGINT), COUNT(*) \
               FROM memory WHERE account = $1";
    let row = tx.row(sql, values![owner.0, agent]).await?;
    row.map_or(Ok((0, 0)), |row| Ok((row.count(0)?, row.count(1)?)))
}

/// Removes contradicted claims that are stored again from the snapshots that count them; a snapshot that stands for
/// nothing else is deleted.
async fn supersede(tx: &mut Tx, owner: AccountId, agent: &str, again: &[NewMemory]) -> Result<()> {
    let sql = concat!(
        "SELECT ",
        memory_columns!(),
        " FROM memory WHERE account = $1 AND agent = $2 AND is_snapshot = 1 AND contradicted > 0"
    );
    for row in tx.rows(sql, values![owner.0, agent]).await? {
        let memory = read_memory(&row)?;
        let (id, mut confidence) = (memory.content.id, memory.content.confidence);
        let Some(mut snapshot) = memory.snapshot else {
            continue;
        };
        if !snapshot.supersede(again, &mut confidence) {
            continue;
        }
        if snapshot.memories == 0 {
            tx.execute("DELETE FROM memory WHERE id = $1", values![id])
                .await?;
            continue;
        }
        let sql = "UPDATE memory SET confidence = $1, memories = $2, rated = $3, contradicted = $4, contradicted_claims = $5 WHERE id = $6";
        let claims = written_claims(&snapshot)?;
        let values = values![
            confidence,
            snapshot.memories,
            snapshot.rated,
            snapshot.contradicted,
            claims,
            id,
        ];
        tx.execute(sql, values).await?;
    }
    Ok(())
}

/// The claims of a snapshot as they are stored.
fn written_claims(snapshot: &Snapshot) -> Result<String> {
    serde_json::to_string(&snapshot.claims).map_err(|source| Error::Encode {
        table: "memory",
        source,
    })
}

/// The columns of a memory that is being stored.
fn row_values(
    owner: AccountId,
    agent: &str,
    memory: &NewMemory,
    now: Timestamp,
    snapshot: Option<&Snapshot>,
) -> Result<Vec<Value>> {
    let tickers: String = memory
        .tickers
        .iter()
        .flat_map(|ticker| [" ", ticker.as_str()])
        .collect();
    let tickers = if tickers.is_empty() {
        tickers
    } else {
        tickers + " "
    };
    let claims = snapshot.map_or_else(|| Ok("[]".to_owned()), written_claims)?;
    Ok(values![
        &memory.id,
        owner.0,
        agent,
        &memory.key,
        &memory.value,
        &memory.category,
        tickers,
        memory.confidence,
        memory.verdict.as_deref(),
        memory.stale_at,
        now,
        now,
        memory.expires_at,
        memory.receipt.as_deref(),
        i64::from(snapshot.is_some()),
        snapshot.map_or(1, |snapshot| snapshot.memories),
        snapshot.map_or(1, |snapshot| snapshot.rated),
        snapshot.map_or(0, |snapshot| snapshot.contradicted),
        snapshot.and_then(|snapshot| snapshot.verified_at),
        snapshot.map(|snapshot| snapshot.since),
        claims,
    ])
}

fn read_memory(row: &Row) -> Result<Memory> {
    let id = row.text(0)?;
    let tickers = row
        .text(6)?
        .split_ascii_whitespace()
        .map(|ticker| Symbol::parse(ticker).ok_or_else(|| Error::corrupt("memory", &*id)))
        .collect::<Result<_>>()?;
    Ok(Memory {
        account: AccountId(row.id(1, "memory")?),
        agent: row.text(2)?,
        content: NewMemory {
            id,
            key: row.text(3)?,
            value: row.text(4)?,
            category: row.text(5)?,
            tickers,
            confidence: row.real_option(7)?,
            verdict: row.text_option(8)?,
            stale_at: row.time_option(9)?,
            expires_at: row.time_option(12)?,
            receipt: row.text_option(13)?,
        },
        created_at: row.time(10)?,
        updated_at: row.time(11)?,
        snapshot: (row.int(14)? != 0)
            .then(|| read_snapshot(row))
            .transpose()?,
    })
}

fn read_snapshot(row: &Row) -> Result<Snapshot> {
    Ok(Snapshot {
        memories: row.count(15)?,
        rated: row.count(16)?,
        contradicted: row.count(17)?,
        claims: serde_json::from_str(&row.text(20)?)
            .map_err(|_| Error::corrupt("memory", row.text(0).unwrap_or_default()))?,
        verified_at: row.time_option(18)?,
        since: match row.time_option(19)? {
            Some(since) => since,
            None => row.time(11)?,
        },
    })
}
