//! Consolidation: an agent's old memories become one snapshot.

use model::{AccountId, Timestamp};

use super::{
    Memories, Memory, NewMemory, Snapshot, memory_columns, memory_places, read_memory, row_values,
};
use crate::Result;
use crate::database::{Durability, values};

/// What is replaced: old memories that are not among the newest, and old snapshots. Memories with a time limit are not
/// replaced, since they would outlive it in a snapshot.
macro_rules! is_old {
    () => {
        "account = $1 AND agent = $2 AND updated_at <= $3 AND expires_at IS NULL AND (is_snapshot = 1 OR id NOT IN (SELECT id FROM memory \
         WHERE account = $1 AND agent = $2 AND is_snapshot = 0 ORDER BY updated_at DESC, id LIMIT $4))"
    };
}

/// The outcome of a consolidation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consolidated {
    /// How many memories had expired and were deleted.
    pub expired: u64,
    /// What the snapshot now stands for, oldest first: memories, and earlier snapshots.
    pub replaced: Vec<Memory>,
    /// The snapshot; `None` if nothing was old enough.
    pub snapshot: Option<Memory>,
}

impl Memories<'_> {
    /// Deletes expired memories, and replaces an agent's memories that were last stored at or before `older_than` with
    /// one snapshot, in one transaction. The newest `keep_recent` stay however old they are; snapshots do not count
    /// among them. Memories with a time limit stay until they expire.
    ///
    /// Old snapshots become part of the new one, but only together with a memory: without one nothing is replaced, so a
    /// second call changes nothing. `snapshot` receives everything that would be replaced, oldest first, and may
    /// decline with `None`. Its key must be new, otherwise [`Error::Conflict`](crate::Error::Conflict).
    pub async fn consolidate(
        &self,
        owner: AccountId,
        agent: &str,
        older_than: Timestamp,
        keep_recent: u64,
        now: Timestamp,
        snapshot: impl FnOnce(&[Memory]) -> Option<NewMemory> + Send,
    ) -> Result<Consolidated> {
        let durability = Durability::Process;
        let mut tx = self.database.begin_owned(Some(owner), durability).await?;
        let sql = "DELETE FROM memory WHERE account = $1 AND agent = $2 AND expires_at <= $3";
        let mut done = Consolidated {
            expired: tx.execute(sql, values![owner.0, agent, now]).await?,
            ..Consolidated::default()
        };
        let sql = concat!(
            "SELECT ",
            memory_columns!(),
            " FROM memory WHERE ",
            is_old!(),
            " ORDER BY updated_at, id"
        );
        let chosen = values![owner.0, agent, older_than, keep_recent];
        let rows = tx.rows(sql, chosen.clone()).await?;
        let old: Vec<Memory> = rows.iter().map(read_memory).collect::<Result<_>>()?;
        let is_due = old.iter().any(|memory| memory.snapshot.is_none());
        let content = is_due.then(|| snapshot(&old)).flatten();
        let Some((content, stands_for)) = content.zip(Snapshot::of_all(&old)) else {
            tx.commit().await?;
            return Ok(done);
        };
        tx.execute(concat!("DELETE FROM memory WHERE ", is_old!()), chosen)
            .await?;
        let sql = concat!(
            "INSERT INTO memory (",
            memory_columns!(),
            ") VALUES (",
            memory_places!(),
            ")"
        );
        tx.execute(
            sql,
            row_values(owner, agent, &content, now, Some(&stands_for))?,
        )
        .await?;
        tx.commit().await?;
        done.replaced = old;
        done.snapshot = Some(Memory {
            account: owner,
            agent: agent.to_owned(),
            content,
            created_at: now,
            updated_at: now,
            snapshot: Some(stands_for),
        });
        Ok(done)
    }
}
