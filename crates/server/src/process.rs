//! What concerns the process as a whole: its program, its log, and how it is asked to stop.

use std::path::PathBuf;

use anyhow::Context;

use crate::config::{Config, LogFormat};

/// Writes the log to standard error, as configured.
pub(crate) fn init_log(config: &Config) -> anyhow::Result<()> {
    let mut filter = tracing_subscriber::EnvFilter::try_new(&config.log.filter)
        .context("log.filter cannot be read")?;
    // It logs three lines for every request, and one for every client error.
    if !config.log.filter.contains("rmcp") {
        filter = filter.add_directive("rmcp=error".parse()?);
    }
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match config.log.format {
        LogFormat::Text => builder.with_target(false).init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

/// Waits until the process is asked to stop.
pub(crate) async fn wait_for_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

/// This program. On Linux, by the name that stays valid when an upgrade replaces the file.
pub(crate) fn own_program() -> anyhow::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() {
        Ok(running)
    } else {
        std::env::current_exe().context("this program cannot be found")
    }
}
