//! Outgoing events: live streams of briefs, and messages to callers' addresses.
//!
//! One task tails the outbox by position and hands every event, with the brief it is about, to every listener. A
//! listener that falls behind is cut off rather than buffered without limit; it resumes by position from the store.
//!
//! Messages are rows in the store: [`signature`] signs one, [`delivery`] attempts it once and says when the next
//! attempt is due, [`DeliveryWorker`] does this for everything that is due, and [`chat`] writes a brief in the format
//! of a chat service.

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
