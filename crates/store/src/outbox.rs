//! The outbox: what happened, in a single order that every tailer follows.

use model::{BriefId, OutboxEvent, OutboxKind, Timestamp};

use crate::database::{Database, Row, Tx, Value, WriteLock, values};
use crate::{Error, Result};

/// How many rows are assigned a position in one transaction.
const BATCH: i64 = 2_000;

/// What [`mark`] reads. The time the row was written distinguishes events that two histories wrote at the same
/// position.
macro_rules! mark_source {
    () => {
        "SELECT o.position, o.id, o.kind, o.brief, o.revision, o.known_at, COALESCE(r.recorded_at, 0) FROM outbox o \
         LEFT JOIN brief_revision r ON r.brief = o.brief AND r.revision = o.revision"
    };
}

/// Something that happened to a brief, whether or not it has a position yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BriefEvent {
    /// What happened.
    pub kind: OutboxKind,
    /// The brief's revision at that time.
    pub revision: u32,
    /// When it could first be known.
    pub known_at: Timestamp,
}

/// A place in the outbox, and which event is there.
///
/// The same position in two histories of one store (one of them written after a backup was restored) has two
/// fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The position; 0 before the first event.
    pub position: i64,
    /// Which event it is and when its row was written; empty before the first event.
    pub fingerprint: String,
}

/// The outbox.
#[derive(Clone, Copy, Debug)]
pub struct Outbox<'a> {
    pub(crate) database: &'a Database,
}

impl Outbox<'_> {
    /// Assigns positions, dense and increasing, to the rows that have been committed since; returns how many. Any
    /// process may call it after its commits.
    pub async fn sequence(&self) -> Result<u64> {
        let mut total = 0;
        // Checked first without a lock: most calls find nothing to do.
        while self
            .database
            .number(
                "SELECT COUNT(*) FROM outbox WHERE position IS NULL",
                Vec::new(),
            )
            .await?
            > 0
        {
            let mut tx = self.database.begin_locked(WriteLock::Sequence).await?;
            let head = tx
                .number("SELECT COALESCE(MAX(position), 0) FROM outbox", Vec::new())
                .await?;
            let sql = "UPDATE outbox SET position = $1 + fresh.place FROM \
                       (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM outbox \
                       WHERE position IS NULL ORDER BY id LIMIT $2) AS fresh WHERE outbox.id = fresh.id";
            let placed = tx.execute(sql, values![head, BATCH]).await?;
            tx.commit().await?;
            total += placed;
        }
        Ok(total)
    }

    /// The events after a position, in order.
    pub async fn after(&self, position: i64, limit: u64) -> Result<Vec<OutboxEvent>> {
        let sql = "SELECT position, kind, brief, revision, known_at FROM outbox \
                   WHERE position > $1 ORDER BY position LIMIT $2";
        let rows = self.database.rows(sql, values![position, limit]).await?;
        rows.iter()
            .map(|row| {
                let position = row.int(0)?;
                let corrupt = || Error::corrupt("outbox", position.to_string());
                Ok(OutboxEvent {
                    position,
                    kind: OutboxKind::parse(&row.text(1)?).ok_or_else(corrupt)?,
                    brief_id: BriefId(row.id(2, "outbox")?),
                    revision: u32::try_from(row.int(3)?).map_err(|_| corrupt())?,
                    known_at: row.time(4)?,
                })
            })
            .collect()
    }

    /// Everything that happened to one brief, in the order it was written.
    pub async fn of_brief(&self, id: BriefId) -> Result<Vec<BriefEvent>> {
        let sql = "SELECT kind, revision, known_at FROM outbox WHERE brief = $1 ORDER BY id";
        let rows = self.database.rows(sql, values![id.0]).await?;
        rows.iter()
            .map(|row| {
                let corrupt = || Error::corrupt("outbox", id.to_string());
                Ok(BriefEvent {
                    kind: OutboxKind::parse(&row.text(0)?).ok_or_else(corrupt)?,
                    revision: u32::try_from(row.int(1)?).map_err(|_| corrupt())?,
                    known_at: row.time(2)?,
                })
            })
            .collect()
    }

    /// The newest event with a position.
    pub async fn newest(&self) -> Result<Mark> {
        let sql = concat!(
            mark_source!(),
            " WHERE o.position IS NOT NULL ORDER BY o.position DESC LIMIT 1"
        );
        let row = self.database.row(sql, Vec::new()).await?;
        Ok(row.map(|row| mark(&row)).transpose()?.unwrap_or_default())
    }

    /// The event at a position; `None` if there is none.
    pub async fn find(&self, position: i64) -> Result<Option<Mark>> {
        let sql = concat!(mark_source!(), " WHERE o.position = $1");
        let row = self.database.row(sql, values![position]).await?;
        row.map(|row| mark(&row)).transpose()
    }

    /// The revisions for which an event is still to come for a reader at a position, including those without a
    /// position.
    pub async fn revisions_after(&self, position: i64) -> Result<Vec<(BriefId, u32)>> {
        let sql = "SELECT brief, revision FROM outbox WHERE position > $1 OR position IS NULL";
        let rows = self.database.rows(sql, values![position]).await?;
        rows.iter()
            .map(|row| {
                let id = row.id(0, "outbox")?;
                let revision = u32::try_from(row.int(1)?)
                    .map_err(|_| Error::corrupt("outbox", id.to_string()))?;
                Ok((BriefId(id), revision))
            })
            .collect()
    }

    /// The newest position; 0 if there is none.
    pub async fn head(&self) -> Result<i64> {
        self.database
            .number("SELECT COALESCE(MAX(position), 0) FROM outbox", Vec::new())
            .await
    }
}

fn mark(row: &Row) -> Result<Mark> {
    let (kind, brief) = (row.text(2)?, row.text(3)?);
    let (id, revision) = (row.int(1)?, row.int(4)?);
    let (known_at, recorded_at) = (row.int(5)?, row.int(6)?);
    Ok(Mark {
        position: row.int(0)?,
        fingerprint: format!("{id} {kind} {brief} {revision} {known_at} {recorded_at}"),
    })
}

/// Writes rows (kind, brief, revision, time) without a position, inside the transaction that caused the events.
pub(crate) async fn append(tx: &mut Tx, rows: Vec<Value>) -> Result<()> {
    tx.queue_insert(
        "INSERT INTO outbox (kind, brief, revision, known_at) VALUES",
        "",
        4,
        rows,
    )
    .await
}
