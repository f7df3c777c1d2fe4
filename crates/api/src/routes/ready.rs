//! Whether the service keeps its promises: what it stores, what search finds, what it charges, and what runs in the
//! background.

use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use model::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use operations::{Error, ErrorCode};

use crate::error::Failure;
use crate::health::{Importance, Reach, TaskFault, TaskReport, TaskState};
use crate::idempotency::answered;
use crate::state::AppState;

/// How long the store may take to report its position; after that it counts as not responding.
const PATIENCE: Duration = Duration::from_secs(3);
/// Seconds after which it makes sense to ask again.
const RETRY_AFTER: u64 = 2;

/// The service is ready. With a 503 the same fields are added to those of an error, `status` is `error`, and
/// `problems` says why.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// `ok`; with a 503 `error`.
    #[schema(example = "ok")]
    status: &'static str,
    /// What is wrong, one sentence each; with a 503 only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    /// The background tasks.
    tasks: Vec<TaskBody>,
    /// How far search follows the store.
    index: IndexBody,
    /// Charges that are being written.
    ledger: LedgerBody,
    /// The write probe.
    store: StoreBody,
}

/// A background task.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReadyTask)]
pub(crate) struct TaskBody {
    /// Name of the task.
    name: &'static str,
    /// `running`, `restarting` (it failed and is being restarted, or was restarted less than ten seconds ago), `hung`
    /// or `stopped`.
    state: &'static str,
    /// Whether the service is ready only while it runs.
    essential: bool,
    /// How often it was restarted.
    restarts: u64,
    /// Since when it has been in this state.
    #[schema(value_type = String, format = "date-time")]
    since: Timestamp,
    /// Why it last failed, in a few words; the log has the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    last_error: Option<&'static str>,
}

/// How far the search index lags behind the store.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReadyIndex)]
pub(crate) struct IndexBody {
    /// The newest event in the search index.
    position: i64,
    /// The newest event of the store; null if the store does not answer.
    #[schema(required)]
    head: Option<i64>,
    /// How many events the index is behind.
    #[schema(required)]
    lag: Option<i64>,
    /// For how long the index has been behind, in events or in removing pruned news.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    behind_seconds: Option<u64>,
}

/// Whether charges are written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReadyLedger)]
pub(crate) struct LedgerBody {
    /// Whether charges are waiting to be written.
    pending: bool,
    /// The last time at which all charges had been written.
    #[schema(value_type = String, format = "date-time")]
    last_flush: Timestamp,
    /// Whether the journal accepted the last charge. If not, each charge is in the ledger before its response is sent.
    journal_writable: bool,
}

/// Whether the store accepts writes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReadyStore)]
pub(crate) struct StoreBody {
    /// Whether a small write reached the disk a few seconds ago.
    writable: bool,
    /// When the last one did.
    #[schema(required, value_type = Option<String>, format = "date-time")]
    last_write: Option<Timestamp>,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    last_error: Option<&'static str>,
}

/// Reports whether the service is ready; 503 while it is not.
#[utoipa::path(get, path = "/ready", tag = "operations",
    responses((status = 200, description = "The service is ready", body = Ready),
              (status = 503, description = "The service is not ready: the fields of an error with the `error_code` `not_ready`, and those of the 200 response", body = Ready)))]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<Response, Failure> {
    let report = report(&state).await;
    if report.problems.is_empty() {
        return Ok(answered(state.store.mode(), &report)?);
    }
    let message = report.problems.join("; ");
    let mut failure = Failure::from(Error::retry_later(
        ErrorCode::NotReady,
        RETRY_AFTER,
        message,
    ));
    if let Ok(Value::Object(details)) = serde_json::to_value(&report) {
        failure.details = Some(Box::new(details));
    }
    let mut response = failure.into_response();
    // Anybody who caches this would keep out a server that works again.
    response.headers_mut().insert(
        http::header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    );
    Ok(response)
}

async fn report(state: &AppState) -> Ready {
    let now = state.clock.now();
    let ago =
        |elapsed: Duration| now.plus_ms(-i64::try_from(elapsed.as_millis()).unwrap_or_default());
    let limits = state.http.readiness;
    let mut problems = Vec::new();
    if state.is_stopping() {
        problems.push("the server is stopping".to_owned());
    }

    let written = state.probe.check(&state.store).await;
    if let Some(fault) = written.fault {
        problems.push(fault.to_owned());
    }
    let store = match tokio::time::timeout(PATIENCE, Reach::of_store(&state.store)).await {
        Ok(Ok(store)) => Some(store),
        _ => None,
    };
    if store.is_none() {
        problems.push("the store does not answer".to_owned());
    }
    let index = Reach::of_index(&state.index);
    let behind = store.and_then(|store| state.index_lag.observe(index, store));
    let (position, head) = (index.position, store.map(|store| store.position));
    if behind.is_some_and(|behind| behind > limits.index_lag) {
        problems.push("the search index does not follow the store".to_owned());
    }
    let ledger = state.meter.health();
    let patience = i64::try_from(limits.ledger_lag.as_millis()).unwrap_or(i64::MAX);
    if ledger
        .oldest_pending
        .is_some_and(|oldest| now.since_ms(oldest) >= patience)
    {
        problems.push("charges are not written to the ledger".to_owned());
    }
    let tasks = state.tasks.report();
    problems.extend(
        tasks
            .iter()
            .filter_map(|task| problem(task, limits.task_failing)),
    );

    Ready {
        status: "ok",
        problems,
        tasks: tasks
            .into_iter()
            .map(|task| TaskBody {
                name: task.name,
                state: task.state.as_str(),
                essential: task.importance == Importance::Essential,
                restarts: task.restarts,
                since: ago(task.since),
                last_error: task.last_fault.map(TaskFault::as_str),
            })
            .collect(),
        index: IndexBody {
            position,
            head,
            lag: head.map(|head| head.saturating_sub(position).max(0)),
            behind_seconds: behind.map(|behind| behind.as_secs()),
        },
        ledger: LedgerBody {
            pending: ledger.oldest_pending.is_some(),
            last_flush: ledger.last_flush,
            journal_writable: ledger.journal_works,
        },
        store: StoreBody {
            writable: written.writable,
            last_write: written.last_success.map(ago),
            last_error: written.fault,
        },
    }
}

/// What is wrong with a task that the service depends on.
fn problem(task: &TaskReport, patience: Duration) -> Option<String> {
    if task.importance != Importance::Essential {
        return None;
    }
    let what = match task.state {
        TaskState::Running => return None,
        TaskState::Restarting if task.since <= patience => return None,
        TaskState::Restarting => "keeps failing",
        TaskState::Hung => "makes no progress",
        TaskState::Stopped => "has stopped",
    };
    Some(format!("the task {} {what}", task.name))
}
