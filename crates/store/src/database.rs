//! Two concrete pools behind one small interface: statements in one SQL text, values in, rows out.
//!
//! On SQLite, every write of this process passes one gate, first come, first served. It then passes the turnstile
//! shared with other processes and starts with `BEGIN IMMEDIATE`. On PostgreSQL only publishers pass a gate, so that
//! they don't hold connections while they wait. This module knows nothing about what is stored.
//!
//! The gate hands its place to the next in line, whether or not that one is being polled. So a future that writes must
//! be polled until it ends or dropped: code that writes alongside other work is a task of its own, or is in a `join`
//! that awaits nothing else.

mod backup;
mod connect;
mod encryption;
#[cfg(test)]
pub(crate) mod observation;
mod statement;
mod turnstile;
mod tx;
mod value;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use model::AccountId;
use sqlx::{AssertSqlSafe, PgPool, Sqlite, SqlitePool, Transaction};
use sqlx::{SqlSafeStr, SqlStr};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use connect::private_file;
pub(crate) use statement::{Dialect, parameters, tuples};
pub(crate) use tx::Tx;
pub(crate) use value::{Row, Value, values};

use turnstile::Turnstile;

use crate::Result;

/// A database operation. Boxed, so that the drivers are compiled here once: every crate that polls an `async fn`
/// compiles its body.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Whether a commit survives a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Survives a crash of the process; the last seconds may be lost in a power failure.
    Process,
    /// On disk when the commit returns.
    Power,
}

/// What is serialised across all processes on PostgreSQL. On SQLite every write is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WriteLock {
    Publish,
    Sequence,
    Migrate,
    Market,
    Prune,
    Log,
}

impl WriteLock {
    /// The log of receipts must never forget what it has shown: two receipts in one position would be a forgery.
    const fn durability(self) -> Durability {
        match self {
            Self::Log => Durability::Power,
            _ => Durability::Process,
        }
    }
}

/// The database.
#[derive(Debug)]
pub(crate) struct Database {
    pools: Pools,
    gate: Arc<Semaphore>,
    /// Where SQLite stores its files.
    directory: Option<PathBuf>,
    /// Removed when the last handle is dropped.
    _scratch: Option<Scratch>,
}

#[derive(Debug)]
enum Pools {
    Sqlite {
        writer: SqlitePool,
        durable: SqlitePool,
        readers: SqlitePool,
        turnstile: Option<Turnstile>,
    },
    Postgres(PgPool),
}

/// A directory that lasts as long as its store.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "scratch directory stays behind");
        }
    }
}

/// Statement text that may be built at run time from constants and parameter numbers, but never from data.
pub(crate) trait Sql {
    fn sql(self) -> SqlStr;
}

impl Sql for &'static str {
    fn sql(self) -> SqlStr {
        self.into_sql_str()
    }
}

impl Sql for String {
    fn sql(self) -> SqlStr {
        AssertSqlSafe(self).into_sql_str()
    }
}

impl Database {
    pub(crate) fn dialect(&self) -> Dialect {
        match self.pools {
            Pools::Sqlite { .. } => Dialect::Sqlite,
            Pools::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The directory that holds SQLite's files.
    pub(crate) fn directory(&self) -> Option<&std::path::Path> {
        self.directory.as_deref()
    }

    /// Reads outside a transaction.
    pub(crate) fn rows(&self, sql: impl Sql, values: Vec<Value>) -> Work<'_, Vec<Row>> {
        self.read(sql.sql(), values)
    }

    fn read(&self, sql: SqlStr, values: Vec<Value>) -> Work<'_, Vec<Row>> {
        Box::pin(async move {
            match &self.pools {
                Pools::Sqlite { readers, .. } => {
                    let mut connection = readers.acquire().await?;
                    statement::sqlite_rows(&mut connection, sql, values).await
                }
                Pools::Postgres(pool) => {
                    let mut connection = pool.acquire().await?;
                    statement::postgres_rows(&mut connection, sql, values).await
                }
            }
        })
    }

    /// Reads at most one row.
    pub(crate) async fn row(&self, sql: impl Sql, values: Vec<Value>) -> Result<Option<Row>> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Reads one number; 0 if there is none.
    pub(crate) async fn number(&self, sql: impl Sql, values: Vec<Value>) -> Result<i64> {
        self.row(sql, values).await?.map_or(Ok(0), |row| row.int(0))
    }

    /// Begins a write.
    pub(crate) fn begin(&self, durability: Durability) -> Work<'_, Tx> {
        Box::pin(async move {
            match &self.pools {
                Pools::Sqlite {
                    writer,
                    durable,
                    turnstile,
                    ..
                } => {
                    let permit = self.pass_gate().await?;
                    let (held, permit) = match turnstile {
                        Some(turnstile) => turnstile.pass(permit).await,
                        None => (None, Some(permit)),
                    };
                    let pool = if durability == Durability::Power {
                        durable
                    } else {
                        writer
                    };
                    let transaction = begin_immediate(pool).await?;
                    // The write lock is ours: the next writer may queue for it.
                    drop(held);
                    Ok(Tx::sqlite(transaction, permit))
                }
                Pools::Postgres(pool) => Ok(Tx::postgres(pool.begin().await?, None)),
            }
        })
    }

    /// Begins a write that excludes others of its kind across all processes.
    pub(crate) fn begin_locked(&self, kind: WriteLock) -> Work<'_, Tx> {
        Box::pin(async move {
            let Pools::Postgres(pool) = &self.pools else {
                return self.begin(kind.durability()).await;
            };
            let permit = if matches!(kind, WriteLock::Publish) {
                Some(self.pass_gate().await?)
            } else {
                None
            };
            let mut transaction = pool.begin().await?;
            // The schema's name is part of the lock, so that stores in the same database do not wait for each other.
            let lock = match kind {
                WriteLock::Publish => {
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7001)"
                }
                WriteLock::Sequence => {
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7002)"
                }
                WriteLock::Migrate => {
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7003)"
                }
                WriteLock::Market => {
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7004)"
                }
                WriteLock::Prune => {
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7005)"
                }
                WriteLock::Log => "SELECT pg_advisory_xact_lock(hashtext(current_schema()), 7006)",
            };
            statement::postgres_execute(&mut transaction, lock.sql(), Vec::new()).await?;
            Ok(Tx::postgres(transaction, permit))
        })
    }

    /// Begins a write that excludes others of the same owner, so that two of them cannot both be the last that a limit
    /// permits. Callers without an account count as one owner.
    pub(crate) fn begin_owned(
        &self,
        owner: Option<AccountId>,
        durability: Durability,
    ) -> Work<'_, Tx> {
        Box::pin(async move {
            let mut tx = self.begin(durability).await?;
            if tx.dialect() == Dialect::Postgres {
                let lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0))";
                let owner = owner.map_or_else(String::new, |owner| owner.0.to_string());
                tx.execute(lock, values![owner]).await?;
            }
            Ok(tx)
        })
    }

    /// Executes one statement in its own transaction; returns how many rows it touched.
    pub(crate) async fn write(&self, sql: impl Sql, values: Vec<Value>) -> Result<u64> {
        let mut tx = self.begin(Durability::Process).await?;
        let touched = tx.execute(sql, values).await?;
        tx.commit().await?;
        Ok(touched)
    }

    /// Lets running statements finish and closes every connection.
    pub(crate) fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            match &self.pools {
                Pools::Sqlite {
                    writer,
                    durable,
                    readers,
                    ..
                } => {
                    readers.close().await;
                    durable.close().await;
                    writer.close().await;
                }
                Pools::Postgres(pool) => pool.close().await,
            }
        })
    }

    async fn pass_gate(&self) -> Result<OwnedSemaphorePermit> {
        // The semaphore is never closed; if it were, nobody could write any more.
        Arc::clone(&self.gate)
            .acquire_owned()
            .await
            .map_err(|_| crate::Error::Busy)
    }
}

/// Waits for writers in other processes: each attempt takes as long as the connection's busy timeout.
async fn begin_immediate(pool: &SqlitePool) -> Result<Transaction<'static, Sqlite>> {
    const ATTEMPTS: usize = 3;
    for _ in 1..ATTEMPTS {
        match pool
            .begin_with("BEGIN IMMEDIATE")
            .await
            .map_err(crate::Error::from)
        {
            Err(crate::Error::Busy) => tokio::task::yield_now().await,
            other => return other,
        }
    }
    Ok(pool.begin_with("BEGIN IMMEDIATE").await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    #[tokio::test]
    async fn the_gate_stays_closed_until_a_commit_has_ended() {
        let database = Database::connect(&Location::Memory, true).await.unwrap();
        let open = database.gate.available_permits();
        let tx = database.begin(Durability::Process).await.unwrap();
        let commit = tx.commit();
        assert_eq!(database.gate.available_permits(), open - 1);
        commit.await.unwrap();
        assert_eq!(database.gate.available_permits(), open);
    }
}
