//! Says how a call is getting on, to clients that asked for it.
//!
//! Operations do not say how far they are, so what is reported is that the call was taken up, each further second, and its end.

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
    let mut steps = 0_u32;
    let mut report = async |message: String| {
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(steps));
        steps += 1;
        // A client that is gone is noticed elsewhere.
        let _ = peer.notify_progress(progress.with_message(message)).await;
    };
    report(format!("{name}: taken up")).await;
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut seconds = 0_u32;
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                report(format!("{name}: done")).await;
                return done;
            }
            _ = ticks.tick() => {
                seconds += 1;
                report(format!("{name}: at work for {seconds} s")).await;
            }
        }
    }
}
