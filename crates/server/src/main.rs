//! `assay`: configuration, wiring and commands. The only crate that reads the environment and the clock, and that names
//! concrete providers.

mod chat;
mod clock;
mod commands;
mod config;
mod credentials;
mod data;
mod demo;
mod descriptors;
mod embedded;
mod exposure;
mod lock;
mod mcp;
mod newcomer;
mod opened;
mod output;
mod page_worker;
mod process;
mod pruning;
mod receipt_keys;
mod serve;
mod supervisor;
mod web_search;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long threads may carry on after everything has been said.
const LAST_WAIT: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    let command = match commands::Cli::parse().page_worker() {
        Ok(worker) => return page_worker::run(worker),
        Err(command) => command,
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            output::complain(&format!("cannot start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(command.run());
    // A computation that nobody is waiting for any more must not keep the process alive.
    runtime.shutdown_timeout(LAST_WAIT);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Explains why a command failed and what to do next.
fn failed(error: &anyhow::Error) -> ExitCode {
    let Some(of_client) = error.downcast_ref::<client::Error>() else {
        output::complain(&format!("{error:#}"));
        return ExitCode::FAILURE;
    };
    if !of_client.is_quiet() {
        output::complain(&format!("{error:#}"));
        if let Some(next_step) = of_client.next_step() {
            output::remark(&next_step);
        }
    }
    ExitCode::from(of_client.exit_code())
}
