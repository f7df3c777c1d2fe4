//! Events go out: live streams of briefs, and messages to the addresses of callers.
//!
//! One task tails the outbox by position and hands every event, with the brief it is about, to whoever listens. A
//! listener that falls behind is cut off, never buffered without end; it resumes by position from the store.
//!
//! Messages are rows of the store: [`signature`] signs one, [`delivery`] attempts it once and says when the next attempt is
//! due, [`DeliveryWorker`] does so for whatever is due; [`chat`] writes a brief as chat services want it.

pub mod chat;
pub mod delivery;
mod delivery_worker;
mod hub;
mod live;
pub mod signature;

pub use delivery_worker::DeliveryWorker;
pub use hub::{Hub, Published, read_after};
pub use live::{
    Cursor, Heads, Interest, Live, LiveEvent, LiveKind, NoCursor, Order, Place, Subscription,
};
