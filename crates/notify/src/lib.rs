//! Events go out: live streams of briefs, and messages to the addresses of callers.
//!
//! One task tails the outbox by position and hands every event, with the brief it is about, to whoever listens. A
//! listener that falls behind is cut off, never buffered without end; it resumes by position from the store.
//!
//! Messages are rows of the store: [`signature`] signs one, [`delivery`] attempts it once and says when the next attempt is
//! due, [`AlertDelivery`] does so for the alerts of monitors.

mod alert_delivery;
pub mod delivery;
mod hub;
pub mod signature;

pub use alert_delivery::AlertDelivery;
pub use hub::{Hub, Published, read_after};
