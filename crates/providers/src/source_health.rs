//! How an upstream performed when this process last called it.

use model::Timestamp;

/// The outcome of requests to one upstream since start-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceHealth {
    /// When it last responded.
    pub last_success: Option<Timestamp>,
    /// When it last failed, and why, in a word.
    pub last_failure: Option<(Timestamp, &'static str)>,
    /// Failures since it last responded.
    pub failures: u32,
}

impl SourceHealth {
    /// Records the outcome of a request.
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
