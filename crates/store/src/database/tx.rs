//! A write transaction. Statements whose outcome nobody needs may be queued: they run while their caller carries on.

use sqlx::{AssertSqlSafe, Postgres, SqlStr, Sqlite, Transaction};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;

use super::statement::{self, unnamed_tuples};
use super::{Dialect, Row, Sql, Value, Work, tuples};
use crate::{Error, Result};

/// How many statements wait while one runs; a caller that queues more waits with them.
const QUEUE: usize = 16;

/// A write transaction. Dropping it rolls it back, once the queued statements have run. The next writer waits for that.
///
/// Queued statements run in order and before anything asked for later. If one fails, the next call returns the error,
/// at the latest the commit.
#[derive(Debug)]
pub(crate) struct Tx {
    lane: Lane,
    dialect: Dialect,
    /// A statement failed: PostgreSQL would turn the commit into a silent rollback, and SQLite would keep the rest.
    failed: bool,
}

/// Who has the connection.
#[derive(Debug)]
enum Lane {
    /// The transaction itself.
    Idle(Connection),
    /// A task that runs the queued statements until the queue is closed.
    Busy {
        queue: Option<mpsc::Sender<Statement>>,
        worker: JoinHandle<(Connection, Result<()>)>,
    },
    /// Nobody: the task was interrupted, and what was written is rolled back.
    Lost,
}

#[derive(Debug)]
struct Connection {
    inner: Inner,
    /// Held until the transaction has ended.
    permit: Option<OwnedSemaphorePermit>,
}

#[derive(Debug)]
enum Inner {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

#[derive(Debug)]
struct Statement {
    sql: SqlStr,
    values: Vec<Value>,
    /// The number of rows it must touch.
    touches: Option<u64>,
}

impl Connection {
    async fn rows(&mut self, sql: SqlStr, values: Vec<Value>) -> Result<Vec<Row>> {
        match &mut self.inner {
            Inner::Sqlite(transaction) => {
                #[cfg(test)]
                super::observation::note(transaction, &sql, &values).await;
                statement::sqlite_rows(transaction, sql, values).await
            }
            Inner::Postgres(transaction) => {
                statement::postgres_rows(transaction, sql, values).await
            }
        }
    }

    async fn execute(&mut self, sql: SqlStr, values: Vec<Value>) -> Result<u64> {
        match &mut self.inner {
            Inner::Sqlite(transaction) => {
                #[cfg(test)]
                super::observation::note(transaction, &sql, &values).await;
                statement::sqlite_execute(transaction, sql, values).await
            }
            Inner::Postgres(transaction) => {
                statement::postgres_execute(transaction, sql, values).await
            }
        }
    }

    /// Runs the queued statements, up to the first one that fails.
    async fn work_off(mut self, mut queue: mpsc::Receiver<Statement>) -> (Self, Result<()>) {
        while let Some(statement) = queue.recv().await {
            let touched = match self.execute(statement.sql, statement.values).await {
                Ok(touched) => touched,
                Err(error) => return (self, Err(error)),
            };
            if statement.touches.is_some_and(|wanted| wanted != touched) {
                return (self, Err(Error::Conflict));
            }
        }
        (self, Ok(()))
    }
}

impl Tx {
    pub(super) fn sqlite(
        transaction: Transaction<'static, Sqlite>,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self::new(Inner::Sqlite(transaction), Dialect::Sqlite, permit)
    }

    pub(super) fn postgres(
        transaction: Transaction<'static, Postgres>,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self::new(Inner::Postgres(transaction), Dialect::Postgres, permit)
    }

    fn new(inner: Inner, dialect: Dialect, permit: Option<OwnedSemaphorePermit>) -> Self {
        Self {
            lane: Lane::Idle(Connection { inner, permit }),
            dialect,
            failed: false,
        }
    }

    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The connection, once everything in the queue has run.
    async fn connection(&mut self) -> Result<&mut Connection> {
        if let Lane::Busy { queue, worker } = &mut self.lane {
            *queue = None;
            let worked = worker.await;
            self.lane = Lane::Lost;
            // The panic belongs to whoever queued the statement: it is resumed where it would have appeared.
            let (connection, outcome) = worked.map_err(|error| match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Error::Conflict,
            })?;
            self.lane = Lane::Idle(connection);
            self.failed |= outcome.is_err();
            outcome?;
        }
        match &mut self.lane {
            Lane::Idle(connection) => Ok(connection),
            Lane::Busy { .. } | Lane::Lost => Err(Error::Conflict),
        }
    }

    pub(crate) fn rows(&mut self, sql: impl Sql, values: Vec<Value>) -> Work<'_, Vec<Row>> {
        self.read(sql.sql(), values)
    }

    fn read(&mut self, sql: SqlStr, values: Vec<Value>) -> Work<'_, Vec<Row>> {
        Box::pin(async move {
            let outcome = self.connection().await?.rows(sql, values).await;
            self.failed |= outcome.is_err();
            outcome
        })
    }

    pub(crate) async fn row(&mut self, sql: impl Sql, values: Vec<Value>) -> Result<Option<Row>> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    pub(crate) async fn number(&mut self, sql: impl Sql, values: Vec<Value>) -> Result<i64> {
        self.row(sql, values).await?.map_or(Ok(0), |row| row.int(0))
    }

    /// Returns how many rows it touched.
    pub(crate) fn execute(&mut self, sql: impl Sql, values: Vec<Value>) -> Work<'_, u64> {
        self.write(sql.sql(), values)
    }

    fn write(&mut self, sql: SqlStr, values: Vec<Value>) -> Work<'_, u64> {
        Box::pin(async move {
            let outcome = self.connection().await?.execute(sql, values).await;
            self.failed |= outcome.is_err();
            outcome
        })
    }

    /// Queues a statement.
    pub(crate) fn queue(&mut self, sql: impl Sql, values: Vec<Value>) -> Work<'_, ()> {
        self.put_in_queue(Statement {
            sql: sql.sql(),
            values,
            touches: None,
        })
    }

    /// Queues a statement that fails unless it touches exactly one row.
    pub(crate) fn queue_for_one(&mut self, sql: impl Sql, values: Vec<Value>) -> Work<'_, ()> {
        self.put_in_queue(Statement {
            sql: sql.sql(),
            values,
            touches: Some(1),
        })
    }

    fn put_in_queue(&mut self, statement: Statement) -> Work<'_, ()> {
        Box::pin(async move {
            if !matches!(self.lane, Lane::Busy { queue: Some(_), .. }) {
                // A queue may have been closed by a call that nobody waited for.
                self.connection().await?;
                let Lane::Idle(connection) = std::mem::replace(&mut self.lane, Lane::Lost) else {
                    return Err(Error::Conflict);
                };
                let (queue, queued) = mpsc::channel(QUEUE);
                let work = connection.work_off(queued);
                #[cfg(test)]
                let work = super::observation::carried(work);
                self.lane = Lane::Busy {
                    queue: Some(queue),
                    worker: tokio::spawn(work),
                };
            }
            let Lane::Busy {
                queue: Some(queue), ..
            } = &self.lane
            else {
                return Err(Error::Conflict);
            };
            if queue.send(statement).await.is_err() {
                // An earlier statement failed.
                self.connection().await?;
                return Err(Error::Conflict);
            }
            Ok(())
        })
    }

    /// Inserts many rows: `head` is `INSERT INTO t (…) VALUES`, and `tail` is what follows the tuples.
    pub(crate) async fn insert(
        &mut self,
        head: &str,
        tail: &str,
        columns: usize,
        values: Vec<Value>,
    ) -> Result<()> {
        for (sql, values) in inserts(self.dialect, head, tail, columns, values) {
            self.execute(sql, values).await?;
        }
        Ok(())
    }

    /// Queues the statements that insert many rows.
    pub(crate) async fn queue_insert(
        &mut self,
        head: &str,
        tail: &str,
        columns: usize,
        values: Vec<Value>,
    ) -> Result<()> {
        for (sql, values) in inserts(self.dialect, head, tail, columns, values) {
            self.queue(sql, values).await?;
        }
        Ok(())
    }

    /// Runs a script of several statements without parameters.
    pub(crate) fn script(&mut self, sql: String) -> Work<'_, ()> {
        Box::pin(async move {
            let script = sqlx::raw_sql(AssertSqlSafe(sql));
            match &mut self.connection().await?.inner {
                Inner::Sqlite(transaction) => {
                    script.execute(&mut **transaction).await.map(drop)?;
                }
                Inner::Postgres(transaction) => {
                    script.execute(&mut **transaction).await.map(drop)?;
                }
            }
            Ok(())
        })
    }

    /// Refuses if a statement has failed.
    pub(crate) fn commit(self) -> Work<'static, ()> {
        Box::pin(async move {
            let mut tx = self;
            tx.connection().await?;
            let (false, Lane::Idle(connection)) = (tx.failed, tx.lane) else {
                return Err(Error::Conflict);
            };
            let Connection { inner, permit } = connection;
            match inner {
                Inner::Sqlite(transaction) => transaction.commit().await?,
                Inner::Postgres(transaction) => transaction.commit().await?,
            }
            // Held until the commit has ended.
            drop(permit);
            Ok(())
        })
    }
}

/// The statements that insert many rows: `head` is `INSERT INTO t (…) VALUES`, and `tail` is what follows the tuples.
///
/// The chunks are powers of two, so that a few statements serve any number of rows and stay prepared.
fn inserts(
    dialect: Dialect,
    head: &str,
    tail: &str,
    columns: usize,
    values: Vec<Value>,
) -> impl Iterator<Item = (String, Vec<Value>)> {
    let mut values = values.into_iter();
    std::iter::from_fn(move || {
        if values.len() < columns {
            return None;
        }
        let rows = chunk(values.len() / columns);
        // SQLite looks names up one after another, which takes a long time for hundreds of them.
        let tuples = match dialect {
            Dialect::Sqlite => unnamed_tuples(rows, columns),
            Dialect::Postgres => tuples(rows, columns),
        };
        let sql = format!("{head} {tuples} {tail}");
        Some((sql, values.by_ref().take(rows * columns).collect()))
    })
}

/// The largest power of two that is at most `rows`, and at most 64.
fn chunk(rows: usize) -> usize {
    match rows.min(64) {
        0 => 1,
        rows => 1 << rows.ilog2(),
    }
}
