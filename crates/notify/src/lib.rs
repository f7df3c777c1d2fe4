//! Events go out: live streams of briefs.
//!
//! One task tails the outbox by position and hands every event, with the brief it is about, to whoever listens. A
//! listener that falls behind is cut off, never buffered without end; it resumes by position from the store.

mod hub;

pub use hub::{Hub, Published, read_after};
