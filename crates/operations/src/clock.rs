//! What time it is, as an argument.
//!
//! The binary gives the real clock, tests give one that stands still. Nothing below asks the system itself, except for
//! durations, which are measured with the monotonic clock.

use model::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}
