//! The pool with workers that misbehave: small shell scripts, so that every kind of failure can be produced.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::ffi::OsString;
use std::sync::mpsc;
use std::time::Duration;

use extraction::{Error, Extraction, Limits, Origin, WebPage, WorkerCommand};
use futures::poll;
use tempfile::NamedTempFile;
use tokio::sync::oneshot;

/// Says that it is ready, then does what the script says.
fn worker(script: &str) -> WorkerCommand {
    let script = format!("printf '\\000\\000\\000\\000'; {script}");
    WorkerCommand {
        program: "/bin/sh".into(),
        arguments: ["-c".into(), OsString::from(script)].into(),
        environment: vec![("PATH".into(), "/bin:/usr/bin".into())],
    }
}

/// Answers `{"Read":null}` to whatever it reads.
const GOOD: &str = "printf '\\015\\000\\000\\000{\"Read\":null}'; exec cat >/dev/null";

fn extraction(script: &str, limits: Limits) -> Extraction {
    Extraction::in_workers(worker(script), limits)
}

fn quick() -> Limits {
    Limits {
        workers: 2,
        page_time: Duration::from_millis(300),
        wait: Duration::from_millis(100),
        ..Limits::default()
    }
}

fn page() -> WebPage {
    WebPage {
        url: "https://example.org/".into(),
        html: "<p>x".repeat(100_000),
    }
}

/// Longer than anything takes here; only a fault waits so long.
const PATIENCE: Duration = Duration::from_mins(2);

/// Time that passes only where a worker hangs, so that no budget is over because the machine is slow.
struct StillTime {
    /// A line for each worker that hung.
    hangs: NamedTempFile,
    seen: usize,
    /// Tokio does not turn its clock ahead as long as a blocking task is at work.
    _hold: mpsc::Sender<()>,
}

impl StillTime {
    fn begin() -> Self {
        tokio::time::pause();
        let (hold, held) = mpsc::channel();
        // After that time the clock turns ahead by itself, so that whoever waits in vain hears of it.
        tokio::task::spawn_blocking(move || held.recv_timeout(Duration::from_mins(2)));
        Self {
            hangs: NamedTempFile::new().unwrap(),
            seen: 0,
            _hold: hold,
        }
    }

    /// What a worker does that takes the first byte of a page and then hangs.
    fn hang(&self) -> String {
        let path = self.hangs.path().display();
        format!("head -c 1 >/dev/null; echo hangs >>'{path}'; exec sleep 60")
    }

    /// Whether one more worker hangs.
    fn is_one_more(&mut self) -> bool {
        let hung = std::fs::read_to_string(self.hangs.path()).unwrap();
        let is_one_more = hung.lines().count() > self.seen;
        self.seen += usize::from(is_one_more);
        is_one_more
    }

    async fn until_one_hangs(&mut self) {
        let begun = std::time::Instant::now();
        while !self.is_one_more() {
            assert!(begun.elapsed() < PATIENCE, "no worker hangs");
            tokio::task::yield_now().await;
        }
    }

    /// Does something; the budget of each worker that hangs meanwhile is over at once.
    async fn passing<T>(&mut self, budget: Duration, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let begun = std::time::Instant::now();
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = tokio::task::yield_now() => {}
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            if self.is_one_more() {
                // Timers are rounded up to a millisecond.
                tokio::time::advance(budget + Duration::from_millis(1)).await;
            }
        }
    }
}

/// A page with an address of four characters, which takes the bytes of [`REQUEST`] on the way to a worker: two lengths, the
/// letter for pages, and both texts.
fn small(url: &str) -> WebPage {
    WebPage {
        url: url.into(),
        html: "<p>x".into(),
    }
}

const REQUEST: usize = 4 + 1 + 4 + 4 + 4;

/// Workers that read small pages and answer with their process number as title, except that the address `oops` makes them
/// panic and `kill` die; and how many were started.
fn tame(workers: usize) -> (Extraction, impl Fn() -> usize) {
    let starts = NamedTempFile::new().unwrap();
    let script = format!(
        "echo started >>'{}'; \
         while url=$(head -c 9 | tail -c 4) && [ -n \"$url\" ]; do \
           [ \"$url\" != kill ] || kill -9 $$; \
           head -c {} >/dev/null; \
           [ \"$url\" = oops ] && printf '\\012\\000\\000\\000\"Panicked\"' || \
           printf '\\046\\000\\000\\000{{\"Read\":{{\"title\":\"%07d\",\"text\":\"\"}}}}' $$; \
         done",
        starts.path().display(),
        REQUEST - 9
    );
    let limits = Limits {
        workers,
        page_time: Duration::from_secs(20),
        ..quick()
    };
    let count = move || std::fs::read_to_string(&starts).unwrap().lines().count();
    (extraction(&script, limits), count)
}

/// The process number of the worker that reads.
async fn name(extraction: &Extraction, origin: Origin) -> String {
    let read = extraction.extract(small("good"), origin, ()).await;
    read.unwrap().unwrap().title
}

async fn extract(extraction: &Extraction, origin: Origin) -> Result<(), Error> {
    extraction.extract(page(), origin, ()).await.map(drop)
}

#[tokio::test]
async fn a_worker_answers_and_is_replaced_after_its_pages() {
    let limits = Limits {
        page_time: Duration::from_secs(20),
        pages_per_worker: 1,
        ..quick()
    };
    let extraction = extraction(GOOD, limits);
    for _ in 0..3 {
        extract(&extraction, Origin::Feed).await.unwrap();
    }
}

#[tokio::test]
async fn a_worker_that_dies_or_hangs_costs_one_page() {
    let mut time = StillTime::begin();
    let limits = quick();
    for script in ["exit 1", "kill -9 $$", "head -c 5 >/dev/null; kill -9 $$"] {
        let extraction = extraction(script, limits);
        for _ in 0..3 {
            let error = extract(&extraction, Origin::Feed).await.unwrap_err();
            assert!(matches!(error, Error::Crashed) && error.blames_page());
        }
    }
    let hanging = extraction(&time.hang(), limits);
    for _ in 0..3 {
        let reading = extract(&hanging, Origin::Caller);
        let error = time.passing(limits.page_time, reading).await.unwrap_err();
        assert!(matches!(error, Error::TooSlow(_)) && error.blames_page());
    }
}

#[tokio::test]
async fn what_a_used_worker_suffers_from_is_not_blamed_on_the_page() {
    let mut time = StillTime::begin();
    let hang = time.hang();
    for end in [
        "exit 1",
        "printf '\\012\\000\\000\\000\"Panicked\"'; exec cat >/dev/null",
        &hang,
    ] {
        // Answers the first page, and fails as soon as a second one arrives.
        let script = format!(
            "printf '\\015\\000\\000\\000{{\"Read\":null}}'; head -c {} >/dev/null; {end}",
            REQUEST + 1
        );
        let limits = quick();
        let extraction = extraction(&script, limits);
        for _ in 0..3 {
            let reading = extraction.extract(small("good"), Origin::Feed, ());
            let read = time.passing(limits.page_time, reading).await;
            assert!(matches!(read, Ok(None)), "{end}: {read:?}");
        }
    }
}

#[tokio::test]
async fn a_page_that_fails_in_a_fresh_worker_is_blamed_and_not_tried_a_third_time() {
    let (extraction, starts) = tame(2);
    for (url, expected) in [
        ("kill", 1),
        ("good", 2),
        // The used worker, then a fresh one.
        ("kill", 3),
        ("kill", 4),
        ("good", 5),
        ("good", 5),
        // A worker that panicked is alive, but not used again.
        ("oops", 6),
        ("good", 7),
    ] {
        let read = extraction.extract(small(url), Origin::Feed, ()).await;
        match url {
            "good" => assert!(matches!(read, Ok(Some(_))), "{read:?}"),
            _ => assert!(matches!(read, Err(Error::Crashed)), "{read:?}"),
        }
        assert_eq!(starts(), expected, "{url}");
    }
}

#[tokio::test]
async fn callers_and_feeds_have_workers_of_their_own() {
    let (extraction, starts) = tame(2);
    let feed = name(&extraction, Origin::Feed).await;
    let caller = name(&extraction, Origin::Caller).await;
    assert_ne!(feed, caller);
    for _ in 0..2 {
        assert_eq!(name(&extraction, Origin::Feed).await, feed);
        assert_eq!(name(&extraction, Origin::Caller).await, caller);
    }
    assert_eq!(starts(), 2);
}

#[tokio::test]
async fn no_more_workers_run_than_may_whoever_they_wait_for() {
    let (extraction, starts) = tame(1);
    let feed = name(&extraction, Origin::Feed).await;
    name(&extraction, Origin::Caller).await;
    assert_ne!(
        name(&extraction, Origin::Feed).await,
        feed,
        "it made room for the worker of the caller"
    );
    assert_eq!(starts(), 3);
}

#[tokio::test]
async fn what_a_worker_says_is_not_believed() {
    let limits = Limits {
        page_time: Duration::from_secs(20),
        ..quick()
    };
    for script in [
        "printf '\\377\\377\\377\\377'",
        "printf '\\002\\000\\000\\000xx'",
    ] {
        let extraction = extraction(&format!("{script}; exec cat >/dev/null"), limits);
        assert!(matches!(
            extract(&extraction, Origin::Feed).await,
            Err(Error::Crashed)
        ));
    }
}

#[tokio::test]
async fn a_worker_that_cannot_start_is_not_the_fault_of_the_page() {
    let missing = WorkerCommand {
        program: "/nowhere/assay".into(),
        ..worker("")
    };
    let broken = WorkerCommand {
        arguments: ["-c".into(), "exit 3".into()].into(),
        ..worker("")
    };
    for command in [missing, broken] {
        let extraction = Extraction::in_workers(command, quick());
        let error = extract(&extraction, Origin::Feed).await.unwrap_err();
        assert!(matches!(error, Error::Worker(_)) && !error.blames_page());
    }
}

#[tokio::test]
async fn callers_wait_briefly_and_leave_a_worker_to_feeds() {
    let mut time = StillTime::begin();
    let limits = quick();
    let extraction = extraction(&time.hang(), limits);
    let first = tokio::spawn({
        let extraction = extraction.clone();
        async move { extract(&extraction, Origin::Caller).await }
    });
    time.until_one_hangs().await;
    let mut second = Box::pin(extract(&extraction, Origin::Caller));
    assert!(poll!(&mut second).is_pending(), "it waits for a permit");
    let almost = limits.wait * 9 / 10;
    tokio::time::advance(almost).await;
    assert!(poll!(&mut second).is_pending());
    tokio::time::advance(limits.wait / 5).await;
    assert!(matches!(second.await, Err(Error::Busy)));
    assert!(!first.is_finished(), "its page is still read");
    let of_a_feed = extract(&extraction, Origin::Feed);
    let read = time.passing(limits.page_time, of_a_feed).await;
    assert!(matches!(read, Err(Error::TooSlow(_))));
    assert!(matches!(first.await.unwrap(), Err(Error::TooSlow(_))));
}

#[tokio::test]
async fn hanging_up_frees_nothing_before_the_page_is_done() {
    let mut time = StillTime::begin();
    let limits = quick();
    let extraction = extraction(&time.hang(), limits);
    let (held, mut freed) = oneshot::channel::<()>();
    tokio::select! {
        biased;
        _ = extraction.extract(page(), Origin::Caller, held) => panic!("a worker that hangs has answered"),
        () = time.until_one_hangs() => {}
    }
    assert!(poll!(&mut freed).is_pending(), "the page is still read");
    let mut second = Box::pin(extract(&extraction, Origin::Caller));
    assert!(poll!(&mut second).is_pending(), "no permit is free");
    tokio::time::advance(limits.wait + Duration::from_millis(1)).await;
    assert!(matches!(second.await, Err(Error::Busy)));
    assert!(poll!(&mut freed).is_pending(), "nor is it by then");
    tokio::time::advance(limits.page_time).await;
    assert!(freed.await.is_err(), "dropped with the end of the page");
}

#[tokio::test]
async fn pages_are_read_in_process_for_tests() {
    let extraction = Extraction::in_process(Limits::default());
    assert_eq!(
        extraction.extract(page(), Origin::Feed, ()).await.unwrap(),
        None
    );
}
