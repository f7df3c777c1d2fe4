//! The processes: started when needed, kept for the next page, replaced when they die or have read enough.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::BufReader;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use text::page::Page;

use crate::error::Error;
use crate::extraction::WebPage;
use crate::frame;
use crate::limits::Limits;
use crate::worker::Answer;

/// Time for a worker to start and to say that it is ready.
const START: Duration = Duration::from_secs(30);

/// How a worker is started: the program must call [`crate::worker::run`].
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its whole environment: a worker inherits none, so that no secret of the server is in it.
    pub environment: Vec<(OsString, OsString)>,
}

/// The workers that wait for a page.
#[derive(Debug)]
pub(crate) struct Pool {
    command: WorkerCommand,
    limits: Limits,
    idle: Mutex<Vec<Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pages: u32,
}

impl Pool {
    pub(crate) fn new(command: WorkerCommand, limits: Limits) -> Self {
        Self {
            command,
            limits,
            idle: Mutex::default(),
        }
    }

    /// Reads a page in a worker. One that fails is not used again: dropping it kills it.
    pub(crate) async fn read(&self, page: &WebPage) -> Result<Option<Page>, Error> {
        let mut worker = match self.idle() {
            Some(worker) => worker,
            None => Worker::start(&self.command).await?,
        };
        let answer = match timeout(self.limits.page_time, worker.read(page)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::debug!(%error, "a worker died of a page");
                return Err(Error::Crashed);
            }
            Err(_) => return Err(Error::TooSlow(self.limits.page_time)),
        };
        worker.pages += 1;
        if worker.pages < self.limits.pages_per_worker {
            self.idle.lock().push(worker);
        }
        match answer {
            Answer::Read(article) => Ok(article),
            Answer::Panicked => Err(Error::Crashed),
        }
    }

    /// A worker that waits. One that ended while it waited (someone killed it) must not be blamed on the next page.
    fn idle(&self) -> Option<Worker> {
        let mut idle = self.idle.lock();
        while let Some(mut worker) = idle.pop() {
            if matches!(worker.child.try_wait(), Ok(None)) {
                return Some(worker);
            }
        }
        None
    }
}

impl Worker {
    async fn start(command: &WorkerCommand) -> Result<Self, Error> {
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
        // An interrupt from the terminal is for the server, which lets its pages finish.
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
        };
        timeout(START, frame::receive(&mut worker.output))
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
            .map_err(Error::Worker)?;
        Ok(worker)
    }

    async fn read(&mut self, page: &WebPage) -> io::Result<Answer> {
        frame::send(&mut self.input, page.url.as_bytes()).await?;
        frame::send(
            &mut self.input,
            text::page::shortened(&page.html).as_bytes(),
        )
        .await?;
        let answer = frame::receive(&mut self.output).await?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
