//! Tasks that panic, fail, end and hang.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use api::{TaskReport, TaskState};
use model::DataMode;
use search::Index;
use store::{Location, Store};
use tokio::sync::{Notify, Semaphore};

use super::*;

const QUICK: BackOff = BackOff {
    first: Duration::from_millis(1),
    longest: Duration::from_millis(20),
    healthy: Duration::from_mins(1),
};
/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);

struct Bench {
    tasks: Tasks,
    supervisor: Supervisor,
    cancel: CancellationToken,
}

impl Bench {
    fn new() -> Self {
        let tasks = Tasks::default();
        Self {
            supervisor: Supervisor::new(tasks.clone(), QUICK),
            tasks,
            cancel: CancellationToken::new(),
        }
    }

    fn report(&self) -> TaskReport {
        self.tasks.report().remove(0)
    }

    async fn end(mut self) -> TaskReport {
        self.cancel.cancel();
        tokio::time::timeout(PATIENCE, self.supervisor.ended())
            .await
            .unwrap();
        self.tasks.report().remove(0)
    }
}

#[test]
fn the_pause_doubles_up_to_its_end_and_a_healthy_minute_forgets() {
    let pauses: Vec<u64> = (1..=11)
        .map(|failures| BackOff::STANDARD.pause(failures).as_millis() as u64)
        .collect();
    assert_eq!(
        pauses,
        [
            100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000
        ]
    );
    assert_eq!(BackOff::STANDARD.pause(u32::MAX), Duration::from_secs(30));
    let count = |ran| BackOff::STANDARD.count(7, Duration::from_secs(ran));
    assert_eq!((count(59), count(60)), (8, 1));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_panics_a_few_times_works_in_the_end() {
    let mut bench = Bench::new();
    let (runs, works) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
    let (counted, signal) = (runs.clone(), works.clone());
    let cancel = bench.cancel.clone();
    bench
        .supervisor
        .start("fragile", Promise::ESSENTIAL, &cancel, move |cancel| {
            let (run, signal) = (counted.fetch_add(1, Ordering::SeqCst), signal.clone());
            async move {
                assert!(run >= 3, "on purpose");
                signal.notify_one();
                cancel.cancelled().await;
                Ok(())
            }
        });
    tokio::time::timeout(PATIENCE, works.notified())
        .await
        .unwrap();
    let report = bench.report();
    assert_eq!(
        (report.restarts, report.last_fault),
        (3, Some(TaskFault::Panicked))
    );
    assert_eq!(runs.load(Ordering::SeqCst), 4);
    assert_eq!(bench.end().await.state, TaskState::Stopped);
}

#[tokio::test(start_paused = true)]
async fn ends_and_errors_are_failures_too_and_neighbours_go_on() {
    let mut bench = Bench::new();
    let cancel = bench.cancel.clone();
    let twice = Arc::new(Notify::new());
    let (signal, runs) = (twice.clone(), AtomicU32::new(0));
    bench
        .supervisor
        .start("ending", Promise::ESSENTIAL, &cancel, move |_| {
            if runs.fetch_add(1, Ordering::SeqCst) == 2 {
                signal.notify_one();
            }
            async { Ok(()) }
        });
    bench
        .supervisor
        .start("failing", Promise::OPTIONAL, &cancel, |_| async {
            Err(store::Error::Busy.into())
        });
    bench
        .supervisor
        .start("steady", Promise::ESSENTIAL, &cancel, |cancel| async move {
            cancel.cancelled().await;
            Ok(())
        });
    tokio::time::timeout(PATIENCE, twice.notified())
        .await
        .unwrap();
    let reports = bench.tasks.report();
    assert_eq!(reports[0].state, TaskState::Restarting);
    assert_eq!(reports[0].last_fault, Some(TaskFault::Ended));
    assert_eq!(reports[1].last_fault, Some(TaskFault::Store));
    assert_eq!(reports[2].state, TaskState::Running);
    assert_eq!(reports[2].restarts, 0);
    bench.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_does_not_move_is_noticed() {
    let mut bench = Bench::new();
    let cancel = bench.cancel.clone();
    let promise = Promise {
        beats_within: Some(Duration::from_mins(1)),
        ..Promise::ESSENTIAL
    };
    bench
        .supervisor
        .start("hanging", promise, &cancel, |_| std::future::pending());
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(bench.report().state, TaskState::Running);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(bench.report().state, TaskState::Hung);
    assert_eq!(bench.report().restarts, 0);
}

#[tokio::test(start_paused = true)]
async fn a_tick_is_a_beat() {
    let mut bench = Bench::new();
    let cancel = bench.cancel.clone();
    let promise = Promise::ESSENTIAL.beating_within(5);
    bench
        .supervisor
        .start("ticking", promise, &cancel, |cancel| async move {
            let mut ticks = tokio::time::interval(Duration::from_secs(4));
            while !cancel.is_cancelled() {
                ticks.tick().await;
            }
            Ok(())
        });
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(bench.report().state, TaskState::Running);
    }
    assert_eq!(bench.end().await.state, TaskState::Stopped);
}

/// Found by hand: `assay reindex` next to a starting server left search frozen for ever.
#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_was_locked_at_the_start_is_followed_later() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&Location::Memory, DataMode::Real)
        .await
        .unwrap();
    let index = Index::open(&directory.path().join("index")).unwrap();
    let elsewhere = Index::open(&directory.path().join("index")).unwrap();
    let writer = elsewhere.writer().unwrap();

    let mut bench = Bench::new();
    let cancel = bench.cancel.clone();
    let moved = Arc::new(Notify::new());
    let started = Arc::new(Semaphore::new(0));
    bench
        .supervisor
        .start("index", Promise::ESSENTIAL, &cancel, {
            let (moved, started) = (moved.clone(), started.clone());
            move |cancel| {
                started.add_permits(1);
                let (store, index, moved) = (store.clone(), index.clone(), moved.clone());
                async move {
                    let signal = move |_| moved.notify_one();
                    ingest::follow::follow(store, index, cancel, signal).await?;
                    Ok(())
                }
            }
        });
    // The loop itself has tried several times before it gives up and is restarted.
    let again = tokio::time::timeout(PATIENCE, started.acquire_many(2))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(bench.report().last_fault, Some(TaskFault::IndexLocked));
    drop((again, writer));
    tokio::time::timeout(PATIENCE, moved.notified())
        .await
        .unwrap();
    bench.end().await;
}
