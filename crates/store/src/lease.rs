//! Leases: work that one process holds for a while, and what applies to them when clocks jump.
//!
//! A lease is an end time in a row. A worker that needs longer renews it, so a lease can be short: when it ends,
//! another process takes over what a killed one held. A clock that is set back leaves end times in rows that it reaches
//! only hours later, so an end further away than the length of any lease is not believed.

use std::time::Duration;

use model::Timestamp;
use tokio::sync::Notify;

use crate::Result;

/// How long work is held without a sign of life: what a killed process leaves behind is taken over within half a
/// minute.
pub const LEASE_MS: i64 = 25_000;
/// How often a worker renews its lease.
const RENEWED_EVERY: Duration = Duration::from_secs(8);
/// By how much the clocks of two processes working on one store may differ.
const SKEW_MS: i64 = Timestamp::MINUTE_MS;

/// The latest end of a lease of `lease_ms` that is believed.
pub(crate) fn latest_end(now: Timestamp, lease_ms: i64) -> Timestamp {
    now.plus_ms(lease_ms + SKEW_MS)
}

/// Anything later than this was written under a clock that has since been set back.
pub(crate) fn future(now: Timestamp) -> Timestamp {
    now.plus_ms(SKEW_MS)
}

/// Does work that is leased for [`LEASE_MS`], and renews the lease until the work ends. `renew` returns whether the
/// lease was still held. `None` if it was not and the work was interrupted: somebody else is doing it now.
pub async fn hold<Work, Renewal>(
    work: Work,
    mut renew: impl FnMut() -> Renewal,
) -> Option<Work::Output>
where
    Work: Future,
    Renewal: Future<Output = Result<bool>>,
{
    let (lost, done) = (Notify::new(), Notify::new());
    // Side by side, never one inside the other: the work may hold a place among the writers that the renewal is waiting
    // for.
    let working = async {
        let outcome = tokio::select! {
            outcome = work => Some(outcome),
            () = lost.notified() => None,
        };
        done.notify_one();
        outcome
    };
    let renewing = async {
        loop {
            tokio::select! {
                () = done.notified() => return,
                () = tokio::time::sleep(RENEWED_EVERY) => {}
            }
            match renew().await {
                Ok(true) => {}
                Ok(false) => {
                    lost.notify_one();
                    return;
                }
                // The next one may succeed before the lease ends.
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a lease could not be renewed: {error}"
                ),
            }
        }
    };
    tokio::join!(working, renewing).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_renewed_for_as_long_as_the_work_takes() {
        let mut renewed = 0;
        let work = async {
            tokio::time::sleep(Duration::from_mins(1)).await;
            "done"
        };
        let outcome = hold(work, || {
            renewed += 1;
            std::future::ready(Ok(true))
        });
        assert_eq!(outcome.await, Some("done"));
        assert_eq!(renewed, 7);
        let pause = i64::try_from(RENEWED_EVERY.as_millis()).unwrap();
        assert!(3 * pause < LEASE_MS, "two renewals may fail");
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_was_taken_over_is_broken_off() {
        let started = tokio::time::Instant::now();
        let held = hold(std::future::pending::<()>(), || {
            std::future::ready(Ok(false))
        });
        assert_eq!(held.await, None);
        assert_eq!(started.elapsed(), RENEWED_EVERY);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_does_not_answer_once_loses_no_lease() {
        let mut asked = 0;
        let work = tokio::time::sleep(Duration::from_secs(20));
        let held = hold(work, || {
            asked += 1;
            let is_busy = asked == 1;
            std::future::ready(if is_busy {
                Err(crate::Error::Busy)
            } else {
                Ok(true)
            })
        });
        assert_eq!(held.await, Some(()));
        assert_eq!(asked, 2);
    }
}
