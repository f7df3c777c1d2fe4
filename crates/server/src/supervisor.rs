//! Keeps the server's background tasks running.
//!
//! A task is created by a closure, so that it can be created again. If it panics, fails or ends without being asked to,
//! that is logged and counted. The task is then restarted after a pause that doubles with each failure and is short
//! again after a healthy minute. There is no jitter: one server's tasks do not crowd anyone. The state of each task is
//! in the registry that `/ready` reads.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use api::{Importance, Task, TaskFault, Tasks};
use futures::FutureExt;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long to wait before a task is restarted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackOff {
    /// After the first failure; doubled with each subsequent one.
    pub(crate) first: Duration,
    /// The pause is never longer than this.
    pub(crate) longest: Duration,
    /// After a run of this length, the next failure counts as a first one.
    pub(crate) healthy: Duration,
}

impl BackOff {
    /// What the server uses.
    pub(crate) const STANDARD: Self = Self {
        first: Duration::from_millis(100),
        longest: Duration::from_secs(30),
        healthy: Duration::from_mins(1),
    };

    /// The pause after this many consecutive failures, at least one.
    fn pause(self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(20);
        self.longest.min(self.first.saturating_mul(1 << doublings))
    }

    /// Consecutive failures, including one more after a run of this length.
    fn count(self, failures: u32, ran: Duration) -> u32 {
        if ran >= self.healthy {
            1
        } else {
            failures.saturating_add(1)
        }
    }
}

/// What a task promises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    importance: Importance,
    beats_within: Option<Duration>,
}

impl Promise {
    /// The service is not ready without it.
    pub(crate) const ESSENTIAL: Self = Self {
        importance: Importance::Essential,
        beats_within: None,
    };
    /// Something is missing without it.
    pub(crate) const OPTIONAL: Self = Self {
        importance: Importance::Optional,
        beats_within: None,
    };

    /// It must make progress at least this often, or it counts as hanging.
    pub(crate) const fn beating_within(self, seconds: u64) -> Self {
        Self {
            beats_within: Some(Duration::from_secs(seconds)),
            ..self
        }
    }
}

/// The running tasks.
pub(crate) struct Supervisor {
    registry: Tasks,
    back_off: BackOff,
    running: JoinSet<()>,
}

impl Supervisor {
    /// A supervisor that reports to this registry.
    pub(crate) fn new(registry: Tasks, back_off: BackOff) -> Self {
        Self {
            registry,
            back_off,
            running: JoinSet::new(),
        }
    }

    /// Starts a task, and restarts it until it is cancelled. `make` is given the token that ends it.
    pub(crate) fn start<Run>(
        &mut self,
        name: &'static str,
        promise: Promise,
        cancel: &CancellationToken,
        make: impl Fn(CancellationToken) -> Run + Send + Sync + 'static,
    ) where
        Run: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let task = self
            .registry
            .register(name, promise.importance, promise.beats_within);
        let (cancel, back_off) = (cancel.clone(), self.back_off);
        self.running.spawn(async move {
            supervise(name, &task, back_off, &cancel, make).await;
            task.stopped();
        });
    }

    /// Waits until every task has ended; they must have been cancelled.
    pub(crate) async fn ended(&mut self) {
        while self.running.join_next().await.is_some() {}
    }
}

async fn supervise<Run>(
    name: &'static str,
    task: &Task,
    back_off: BackOff,
    cancel: &CancellationToken,
    make: impl Fn(CancellationToken) -> Run + Send + Sync,
) where
    Run: Future<Output = anyhow::Result<()>> + Send,
{
    let mut failures = 0;
    loop {
        task.started();
        let began = Instant::now();
        let fault = match run_once(task, || make(cancel.clone())).await {
            Ok(()) if cancel.is_cancelled() => return,
            Ok(()) => {
                tracing::error!(task.name = name, "the task {name} ended unexpectedly");
                TaskFault::Ended
            }
            Err(Failure::Error(error)) => {
                tracing::error!(
                    task.name = name,
                    error = %format!("{error:#}"),
                    "the task {name} failed: {error:#}"
                );
                classify(&error)
            }
            Err(Failure::Panic(message)) => {
                tracing::error!(task.name = name, "the task {name} panicked: {message}");
                TaskFault::Panicked
            }
        };
        if cancel.is_cancelled() {
            return;
        }
        task.failed(fault);
        failures = back_off.count(failures, began.elapsed());
        let pause = back_off.pause(failures);
        tracing::warn!(
            task.name = name,
            duration_ms = pause.as_millis() as u64,
            "restarting the task {name} in {} ms",
            pause.as_millis()
        );
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

enum Failure {
    Error(anyhow::Error),
    Panic(String),
}

/// Runs a task once. Each poll counts as a beat: a loop that ticks is polled at each tick, while one that waits for
/// ever or holds its thread is not.
async fn run_once<Run>(task: &Task, make: impl FnOnce() -> Run) -> Result<(), Failure>
where
    Run: Future<Output = anyhow::Result<()>>,
{
    let whole = async { make().await };
    let mut whole = std::pin::pin!(AssertUnwindSafe(whole).catch_unwind());
    let outcome = std::future::poll_fn(|context| {
        task.beat();
        whole.as_mut().poll(context)
    })
    .await;
    match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Failure::Error(error)),
        Err(panic) => Err(Failure::Panic(message(&*panic))),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a message".to_owned())
}

/// What strangers may know about a failure.
fn classify(error: &anyhow::Error) -> TaskFault {
    error
        .chain()
        .find_map(|cause| {
            if let Some(ingest::Error::Panicked) = cause.downcast_ref() {
                return Some(TaskFault::Panicked);
            }
            match cause.downcast_ref() {
                Some(search::Error::Locked) => return Some(TaskFault::IndexLocked),
                Some(_) => return Some(TaskFault::Index),
                None => {}
            }
            cause
                .downcast_ref::<store::Error>()
                .map(|_| TaskFault::Store)
        })
        .unwrap_or(TaskFault::Failed)
}

#[cfg(test)]
mod tests;
