//! The worker processes: started when needed, kept for the next document of the same origin, and replaced when they die
//! or have read enough.
//!
//! What a worker has read accumulates in it, so a used worker may fail at a document that is innocent. Only a worker
//! that has read nothing before can blame one.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::BufReader;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::error::Error;
use crate::extraction::Origin;
use crate::frame;
use crate::limits::Limits;
use crate::request::{Answer, Request};

/// Time for a worker to start and report that it is ready.
const START: Duration = Duration::from_secs(30);

/// How a worker is started: the program must call [`crate::worker::run`].
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its whole environment. A worker inherits none, so that no secret of the server is in it.
    pub environment: Vec<(OsString, OsString)>,
}

/// The workers, with those for callers kept apart from those for feeds.
#[derive(Debug)]
pub(crate) struct Pool {
    command: WorkerCommand,
    limits: Limits,
    idle: Mutex<Idle>,
    /// Each worker holds a clone, so that the clones count the processes.
    processes: Arc<()>,
}

/// Idle workers waiting for a page. Each list is at most as long as its origin has permits.
#[derive(Debug, Default)]
struct Idle {
    of_callers: Vec<Worker>,
    of_feeds: Vec<Worker>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pages: u32,
    _place: Arc<()>,
}

impl Pool {
    pub(crate) fn new(command: WorkerCommand, limits: Limits) -> Self {
        Self {
            command,
            limits,
            idle: Mutex::default(),
            processes: Arc::default(),
        }
    }

    /// Reads a document in a worker. If a used worker fails at one, it is read once again in a fresh one, and only the
    /// result from there counts.
    pub(crate) async fn read(&self, request: &Request, origin: Origin) -> Result<Answer, Error> {
        if let Some(used) = self.idle(origin) {
            let pages = used.pages;
            match self.read_in(used, request, origin).await {
                Err(error) if error.blames_page() => {
                    tracing::debug!(%error, pages, "a used worker failed, reading again in a fresh one");
                }
                read => return read,
            }
        }
        let fresh = Worker::start(&self.command, self.place()).await?;
        self.read_in(fresh, request, origin).await
    }

    /// Reads a document in this worker. A worker that fails is not used again: dropping it kills it.
    async fn read_in(
        &self,
        mut worker: Worker,
        request: &Request,
        origin: Origin,
    ) -> Result<Answer, Error> {
        let answer = match timeout(self.limits.page_time, worker.read(request)).await {
            // The next document must not meet what a panic left behind in the worker.
            Ok(Ok(Answer::Panicked)) => return Err(Error::Crashed),
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::debug!(%error, "a document killed its worker");
                return Err(Error::Crashed);
            }
            Err(_) => return Err(Error::TooSlow(self.limits.page_time)),
        };
        worker.pages += 1;
        if worker.pages < self.limits.pages_per_worker {
            self.idle.lock().of(origin).push(worker);
        }
        Ok(answer)
    }

    /// An idle worker. One that ended while it waited (someone killed it) must not be blamed on the next document.
    fn idle(&self, origin: Origin) -> Option<Worker> {
        let mut idle = self.idle.lock();
        while let Some(mut worker) = idle.of(origin).pop() {
            if matches!(worker.child.try_wait(), Ok(None)) {
                return Some(worker);
            }
        }
        None
    }

    /// Room for one more process. If the maximum is running, one that waits for documents of another origin is ended.
    /// There always is one, because the requester has a permit and no worker.
    fn place(&self) -> Arc<()> {
        let mut idle = self.idle.lock();
        while Arc::strong_count(&self.processes) > self.limits.workers.max(1) {
            let longest = if idle.of_callers.len() > idle.of_feeds.len() {
                &mut idle.of_callers
            } else {
                &mut idle.of_feeds
            };
            if longest.pop().is_none() {
                break;
            }
        }
        Arc::clone(&self.processes)
    }
}

impl Idle {
    const fn of(&mut self, origin: Origin) -> &mut Vec<Worker> {
        match origin {
            Origin::Caller => &mut self.of_callers,
            Origin::Feed => &mut self.of_feeds,
        }
    }
}

impl Worker {
    async fn start(command: &WorkerCommand, place: Arc<()>) -> Result<Self, Error> {
        metrics::counter!("assay_page_workers_started_total").increment(1);
        let mut process = Command::new(&command.program);
        process
            .args(&command.arguments)
            .env_clear()
            .envs(command.environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        // An interrupt from the terminal is meant for the server, which lets its pages finish.
        #[cfg(unix)]
        process.process_group(0);
        let mut child = process.spawn().map_err(Error::Worker)?;
        let missing = || Error::Worker(io::Error::other("a worker has no pipes"));
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let mut worker = Self {
            child,
            input,
            output: BufReader::new(output),
            pages: 0,
            _place: place,
        };
        timeout(START, frame::receive(&mut worker.output))
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
            .map_err(Error::Worker)?;
        Ok(worker)
    }

    async fn read(&mut self, request: &Request) -> io::Result<Answer> {
        request.send(&mut self.input).await?;
        let answer = frame::receive(&mut self.output).await?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
