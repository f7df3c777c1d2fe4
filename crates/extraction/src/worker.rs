//! The worker's side: reads documents from standard input until it is closed, and answers on standard output.
//!
//! The worker limits itself before it reads the first document, and ends itself if one takes far too long, so that it
//! never outlives a server that was killed.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::frame;
use crate::request::{Answer, Request, WebPage};

/// Extractors recurse as deep as a document is nested.
const STACK_BYTES: usize = 64 << 20;

/// Time that a worker gives the server to kill it before it ends itself.
const GRACE: Duration = Duration::from_secs(5);

/// The exit status of a worker that ended itself.
const TOO_SLOW: i32 = 70;

/// A page that is read once at the start, so that tables are built before the clock starts for an external page.
const FIRST_PAGE: &str = "<!doctype html><html lang=en><head><title>Ferry service resumes</title></head><body><article>\
    <h1>Ferry service resumes</h1><p>The ferry between the town and the islands will sail again from Monday morning, the \
    harbour authority said on Sunday after two weeks of repairs to the pier that the January storm had damaged.</p>\
    <p>Tickets that were bought before the storm stay valid until the end of the month, the authority said.</p></article>";

/// The limits that a worker sets itself.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// Longest time for one document; the server kills at this point, the worker itself a little later.
    pub page_time: Duration,
    /// Memory beyond what the process has at its start, in bytes.
    pub memory_bytes: u64,
}

/// Runs a worker on standard input and output until the input ends.
pub fn run(limits: WorkerLimits) -> io::Result<()> {
    let (requests, inbox) = mpsc::channel::<Request>();
    let (outbox, answers) = mpsc::channel();
    let (started, starting) = mpsc::channel();
    // Before the limit, because its stack and what its allocator reserves count as memory from the start.
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            if started.send(()).is_err() {
                return;
            }
            for request in inbox {
                if outbox.send(answer(request)).is_err() {
                    return;
                }
            }
        })?;
    starting.recv().map_err(io::Error::other)?;
    limit_resources(limits.memory_bytes)?;
    let first = Request::Page(WebPage {
        url: String::new(),
        html: FIRST_PAGE.to_owned(),
    });
    requests.send(first).map_err(io::Error::other)?;
    answers.recv().map_err(io::Error::other)?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    frame::write(&mut output, b"")?;
    while let Some(request) = Request::read(&mut input)? {
        requests.send(request).map_err(io::Error::other)?;
        match answers.recv_timeout(limits.page_time + GRACE) {
            Ok(answer) => reply(&mut output, &answer)?,
            Err(_) => std::process::exit(TOO_SLOW),
        }
    }
    Ok(())
}

fn reply(output: &mut impl Write, answer: &Answer) -> io::Result<()> {
    frame::write(output, &serde_json::to_vec(answer)?)
}

fn answer(request: Request) -> Answer {
    catch_unwind(AssertUnwindSafe(|| request.answer())).unwrap_or(Answer::Panicked)
}

/// Limits what the process may take from the machine, whatever a document does to it.
#[cfg(unix)]
fn limit_resources(memory_bytes: u64) -> io::Result<()> {
    use rlimit::Resource;

    // A crash is expected here, and its core dump would fill disks. No files are written at all.
    Resource::CORE.set(0, 0)?;
    Resource::FSIZE.set(0, 0)?;
    if let Some(size) = virtual_bytes() {
        let limit = size.saturating_add(memory_bytes);
        Resource::AS.set(limit, limit)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn limit_resources(_: u64) -> io::Result<()> {
    Ok(())
}

/// Size of the address space, if the system reports it (Linux); elsewhere the limit does not work anyway.
#[cfg(unix)]
fn virtual_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
