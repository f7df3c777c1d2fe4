//! `assay page-worker`: the process that reads a page from another site, and how the server starts it.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use extraction::worker::{self, WorkerLimits};
use extraction::{Extraction, Limits, WorkerCommand};

use crate::config::Config;
use crate::output::complain;

#[derive(Debug, Args)]
pub(crate) struct PageWorker {
    /// Longest time for one page
    #[arg(long)]
    page_ms: u64,
    /// Memory beyond what the process starts with
    #[arg(long)]
    memory_bytes: u64,
}

/// Reads pages until standard input is closed.
pub(crate) fn run(worker: PageWorker) -> ExitCode {
    let limits = WorkerLimits {
        page_time: Duration::from_millis(worker.page_ms),
        memory_bytes: worker.memory_bytes,
    };
    match worker::run(limits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("page worker: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// How this process reads pages from other sites.
pub(crate) fn extraction(config: &Config) -> anyhow::Result<Extraction> {
    let page_time = Duration::from_secs(config.extraction.page_seconds.max(1));
    let limits = Limits {
        workers: config.extraction.workers.max(1),
        page_time,
        // Long enough for two slow pages ahead, or one that is read twice; short enough for the caller of `/extract`
        // to get an answer.
        wait: page_time * 2,
        memory_bytes: config.extraction.memory_mb.saturating_mul(1 << 20),
        ..Limits::default()
    };
    let command = WorkerCommand {
        program: crate::process::own_program()?,
        arguments: [
            "page-worker".into(),
            "--page-ms".into(),
            limits.page_time.as_millis().to_string().into(),
            "--memory-bytes".into(),
            limits.memory_bytes.to_string().into(),
        ]
        .into(),
        // The allocator takes a gigabyte of address space at once, which would count as the worker's memory.
        environment: vec![("MIMALLOC_ARENA_RESERVE".into(), "0".into())],
    };
    Ok(Extraction::in_workers(command, limits))
}
