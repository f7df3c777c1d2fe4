//! Reports how a call is progressing, to clients that asked for it.
//!
//! Reports are sent when the call starts, as each step ends, for each further second in which none did, and at the end.
//! Once a call has been cancelled, nothing more is reported about it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use operations::StepTold;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_secs(1);

/// Does the work and reports on it.
pub(crate) async fn reported<T>(
    peer: &Peer<RoleServer>,
    token: ProgressToken,
    name: &str,
    mut steps: Receiver<StepTold>,
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> T {
    let reports = AtomicU32::new(0);
    let report = async |message: String| {
        // The protocol allows no notification about a request after it has been cancelled.
        if cancel.is_cancelled() {
            return;
        }
        let number = reports.fetch_add(1, Ordering::Relaxed);
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(number));
        // A client that is gone is noticed elsewhere.
        let _ = peer.notify_progress(progress.with_message(message)).await;
    };
    // Before or alongside the work, never between two of its steps: a client that reads slowly must not delay work that
    // has a place in a queue of the store.
    report(format!("{name}: taken up")).await;
    let told = async {
        let mut seconds = 0_u64;
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        ticks.tick().await;
        let mut is_open = true;
        loop {
            tokio::select! {
                biased;
                step = steps.recv(), if is_open => match step {
                    Some(step) => report(line(name, &step)).await,
                    None => is_open = false,
                },
                _ = ticks.tick() => {
                    seconds += 1;
                    report(format!("{name}: at work for {seconds} s")).await;
                }
            }
        }
    };
    let done = tokio::select! {
        biased;
        done = work => done,
        done = told => done,
    };
    // Steps that ended together with the work have not been received yet.
    while let Ok(step) = steps.try_recv() {
        report(line(name, &step)).await;
    }
    report(format!("{name}: done")).await;
    done
}

fn line(name: &str, step: &StepTold) -> String {
    let summary = step.summary.trim();
    if summary.is_empty() {
        format!("{name}: {} {}", step.name, step.status)
    } else {
        format!("{name}: {} {}: {summary}", step.name, step.status)
    }
}
