//! What SQLite does while a test observes it: the plan of every statement that runs inside a transaction, and how many
//! virtual machine steps the statements took.
//!
//! A step is one instruction of SQLite's virtual machine. Finding a row by an index takes the same number of steps
//! however many rows there are, so equal numbers prove more than any clock could.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sqlx::{AssertSqlSafe, Row, SqlStr, SqliteConnection};

use super::Value;
use super::statement::bound;

tokio::task_local! {
    static OBSERVED: Arc<Observed>;
}

#[derive(Debug, Default)]
struct Observed {
    plans: Mutex<Vec<Plan>>,
    steps: AtomicU64,
}

/// How a statement finds its rows.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) sql: String,
    /// `SEARCH ledger USING INDEX ledger_demo (at>? AND at<?)`, `SCAN ledger` and the like.
    pub(crate) lines: Vec<String>,
}

/// Runs what a test observes; returns its outcome, the plans in order, and the steps.
pub(crate) async fn observe<Work: Future>(work: Work) -> (Work::Output, Vec<Plan>, u64) {
    let observed = Arc::new(Observed::default());
    let outcome = OBSERVED.scope(Arc::clone(&observed), work).await;
    let plans = std::mem::take(&mut *observed.plans.lock().unwrap());
    (outcome, plans, observed.steps.load(Ordering::Relaxed))
}

/// Work that runs in its own task, observed along with whoever starts it.
pub(super) fn carried<Work: Future>(work: Work) -> impl Future<Output = Work::Output> {
    let observed = OBSERVED.try_with(Arc::clone);
    async move {
        match observed {
            Ok(observed) => OBSERVED.scope(observed, work).await,
            Err(_) => work.await,
        }
    }
}

/// Called before each statement of a transaction.
pub(super) async fn note(connection: &mut SqliteConnection, sql: &SqlStr, values: &[Value]) {
    let Ok(observed) = OBSERVED.try_with(Arc::clone) else {
        return;
    };
    let sql = sql.as_str();
    connection
        .lock_handle()
        .await
        .unwrap()
        .remove_progress_handler();
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let rows = bound!(explain, values.iter().cloned())
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    observed.plans.lock().unwrap().push(Plan {
        sql: sql.to_owned(),
        lines: rows.iter().map(|row| row.get("detail")).collect(),
    });
    connection
        .lock_handle()
        .await
        .unwrap()
        .set_progress_handler(1, move || {
            observed.steps.fetch_add(1, Ordering::Relaxed);
            true
        });
}
