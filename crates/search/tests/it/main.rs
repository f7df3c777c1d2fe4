//! The index as its callers see it.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod completing;
mod damage;
mod failing;
mod faulty;
mod finding;
mod lifecycle;
mod meaning;
mod oracle;
mod sample;
