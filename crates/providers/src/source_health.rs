//! How an upstream did when this process last asked it.

use model::Timestamp;

/// What became of the requests to one upstream since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceHealth {
    /// When it last answered.
    pub last_success: Option<Timestamp>,
    /// When it last failed, and why, in a word.
    pub last_failure: Option<(Timestamp, &'static str)>,
    /// Failures since it last answered.
    pub failures: u32,
}

impl SourceHealth {
    /// Notes what became of a request.
    pub fn note(&mut self, outcome: Result<(), &'static str>, now: Timestamp) {
        match outcome {
            Ok(()) => {
                self.last_success = Some(now);
                self.failures = 0;
            }
            Err(word) => {
                self.last_failure = Some((now, word));
                self.failures = self.failures.saturating_add(1);
            }
        }
    }
}
