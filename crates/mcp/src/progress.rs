//! Says how a call is getting on, to clients that asked for it.
//!
//! Operations do not say how far they are, so what is reported is that the call was taken up, each further second, and its end.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};

const EVERY: Duration = Duration::from_secs(1);

/// Does the work and reports on it.
pub(crate) async fn reported<T>(
    peer: &Peer<RoleServer>,
    token: ProgressToken,
    name: &str,
    work: impl Future<Output = T>,
) -> T {
    let steps = AtomicU32::new(0);
    let report = async |message: String| {
        let step = steps.fetch_add(1, Ordering::Relaxed);
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(step));
        // A client that is gone is noticed elsewhere.
        let _ = peer.notify_progress(progress.with_message(message)).await;
    };
    // Before the work or beside it, never between two steps of it: a client that reads slowly must not keep work waiting that
    // has its place in a queue of the store.
    report(format!("{name}: taken up")).await;
    let told = async {
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        ticks.tick().await;
        for seconds in 1_u64.. {
            ticks.tick().await;
            report(format!("{name}: at work for {seconds} s")).await;
        }
        std::future::pending().await
    };
    let done = tokio::select! {
        biased;
        done = work => done,
        done = told => done,
    };
    report(format!("{name}: done")).await;
    done
}
