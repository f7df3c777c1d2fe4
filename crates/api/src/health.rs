//! How the background work of this process is doing.
//!
//! The binary registers each background task here and reports how it fares; `/ready` reads the result. A failure is
//! kept as one of a few words, never as text, because strangers may read it. Restarting is the job of the supervisor,
//! which is not here.

mod lag;
mod probe;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

pub(crate) use lag::{IndexLag, Reach};
pub(crate) use probe::Probe;

/// How long a restarted task has to run before it counts as running again.
const STEADY: Duration = Duration::from_secs(10);

/// What it means for the service when a task does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// Without it the service does not keep its promises: it is not ready.
    Essential,
    /// Without it something is missing, but answers are right.
    Optional,
}

/// Why a task failed, in words that strangers may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskFault {
    /// It panicked.
    Panicked,
    /// It ended although it should have kept running.
    Ended,
    /// The store did not answer or refused a write.
    Store,
    /// Another process is writing the search index.
    IndexLocked,
    /// The search index could not be read or written.
    Index,
    /// Anything else; the log has the cause.
    Failed,
}

impl TaskFault {
    /// The text of `last_error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Panicked => "panicked",
            Self::Ended => "ended unexpectedly",
            Self::Store => "store failed",
            Self::IndexLocked => "search index is locked by another process",
            Self::Index => "search index failed",
            Self::Failed => "failed",
        }
    }
}

/// What a task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// It runs.
    Running,
    /// It failed and is being restarted, or was a moment ago.
    Restarting,
    /// It runs, but has not made progress for longer than allowed.
    Hung,
    /// It was asked to end, and did.
    Stopped,
}

impl TaskState {
    /// The word used in responses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Restarting => "restarting",
            Self::Hung => "hung",
            Self::Stopped => "stopped",
        }
    }
}

/// One task at one point in time.
#[derive(Clone, Debug)]
pub struct TaskReport {
    /// Its name.
    pub name: &'static str,
    /// What it means for the service when it does not run.
    pub importance: Importance,
    /// What it is doing.
    pub state: TaskState,
    /// How often it was restarted.
    pub restarts: u64,
    /// For how long it has been in this state.
    pub since: Duration,
    /// Why it last failed.
    pub last_fault: Option<TaskFault>,
}

/// Every background task of the process. A clone is another handle.
#[derive(Clone, Default)]
pub struct Tasks {
    entries: Arc<Mutex<Vec<Task>>>,
}

/// The handle with which a task's supervisor reports.
#[derive(Clone)]
pub struct Task {
    entry: Arc<Entry>,
}

struct Entry {
    name: &'static str,
    importance: Importance,
    /// The longest allowed time between two beats.
    beats_within: Option<Duration>,
    born: Instant,
    /// Milliseconds from `born` to the last beat.
    beat: AtomicU64,
    progress: Mutex<Progress>,
}

struct Progress {
    phase: Phase,
    changed: Instant,
    /// When it first failed after it last ran steadily.
    failing_since: Option<Instant>,
    restarts: u64,
    last_fault: Option<TaskFault>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Runs,
    Waits,
    Stopped,
}

impl Tasks {
    /// Adds a task that runs from now on. With `beats_within` it is reported as hung when it has not beaten for that
    /// long.
    pub fn register(
        &self,
        name: &'static str,
        importance: Importance,
        beats_within: Option<Duration>,
    ) -> Task {
        let now = Instant::now();
        let task = Task {
            entry: Arc::new(Entry {
                name,
                importance,
                beats_within,
                born: now,
                beat: AtomicU64::new(0),
                progress: Mutex::new(Progress {
                    phase: Phase::Runs,
                    changed: now,
                    failing_since: None,
                    restarts: 0,
                    last_fault: None,
                }),
            }),
        };
        self.entries.lock().push(task.clone());
        task
    }

    /// What every task is doing, in the order of registration.
    pub fn report(&self) -> Vec<TaskReport> {
        let now = Instant::now();
        let entries = self.entries.lock();
        entries.iter().map(|task| task.entry.report(now)).collect()
    }
}

impl Task {
    /// It made progress.
    pub fn beat(&self) {
        let elapsed = self.entry.born.elapsed().as_millis();
        let elapsed = u64::try_from(elapsed).unwrap_or(u64::MAX);
        self.entry.beat.store(elapsed, Ordering::Relaxed);
    }

    /// It was started, for the first time or once more.
    pub fn started(&self) {
        self.beat();
        let mut progress = self.entry.progress.lock();
        progress.phase = Phase::Runs;
        progress.changed = Instant::now();
    }

    /// It failed and will be restarted.
    pub fn failed(&self, fault: TaskFault) {
        let now = Instant::now();
        let mut progress = self.entry.progress.lock();
        let was_steady = now.duration_since(progress.changed) >= STEADY;
        if was_steady || progress.failing_since.is_none() {
            progress.failing_since = Some(now);
        }
        progress.phase = Phase::Waits;
        progress.changed = now;
        progress.restarts += 1;
        progress.last_fault = Some(fault);
        drop(progress);
        metrics::counter!("assay_task_restarts_total", "task" => self.entry.name).increment(1);
    }

    /// It ended because it was asked to.
    pub fn stopped(&self) {
        let mut progress = self.entry.progress.lock();
        progress.phase = Phase::Stopped;
        progress.changed = Instant::now();
    }
}

impl Entry {
    fn report(&self, now: Instant) -> TaskReport {
        let progress = self.progress.lock();
        let in_phase = now.duration_since(progress.changed);
        let failing = progress
            .failing_since
            .map(|since| now.duration_since(since))
            .filter(|_| progress.phase == Phase::Waits || in_phase < STEADY);
        let beat = Duration::from_millis(self.beat.load(Ordering::Relaxed));
        let still = now.duration_since(self.born).saturating_sub(beat);
        let is_hung = self.beats_within.is_some_and(|within| still > within);
        let (state, since) = match (progress.phase, failing) {
            (Phase::Stopped, _) => (TaskState::Stopped, in_phase),
            (Phase::Runs, _) if is_hung => (TaskState::Hung, still),
            (_, Some(failing)) => (TaskState::Restarting, failing),
            (Phase::Runs | Phase::Waits, None) => (TaskState::Running, in_phase),
        };
        TaskReport {
            name: self.name,
            importance: self.importance,
            state,
            restarts: progress.restarts,
            since,
            last_fault: progress.last_fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_failed_task_is_restarting_until_it_runs_steadily() {
        let tasks = Tasks::default();
        let task = tasks.register("one", Importance::Essential, None);
        task.started();
        assert_eq!(tasks.report()[0].state, TaskState::Running);
        task.failed(TaskFault::Panicked);
        assert_eq!(tasks.report()[0].state, TaskState::Restarting);
        task.started();
        let report = &tasks.report()[0];
        assert_eq!(report.state, TaskState::Restarting, "it may fail at once");
        assert_eq!(
            (report.restarts, report.last_fault),
            (1, Some(TaskFault::Panicked))
        );
        tokio::time::advance(STEADY).await;
        assert_eq!(tasks.report()[0].state, TaskState::Running);
        task.stopped();
        assert_eq!(tasks.report()[0].state, TaskState::Stopped);
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_does_not_move_is_hung() {
        let tasks = Tasks::default();
        let task = tasks.register("one", Importance::Essential, Some(Duration::from_secs(5)));
        task.started();
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(tasks.report()[0].state, TaskState::Running);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(tasks.report()[0].state, TaskState::Hung);
        task.beat();
        assert_eq!(tasks.report()[0].state, TaskState::Running);
    }
}
