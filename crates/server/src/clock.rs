//! The real clock.

use model::Timestamp;

/// The current time, by the machine's clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The clock used by the API.
#[derive(Debug)]
pub(crate) struct SystemClock;

impl operations::Clock for SystemClock {
    fn now(&self) -> Timestamp {
        now()
    }
}
