//! The market half: what is known of a symbol, of many, and of the economy around them, at a moment.
//!
//! The [`Book`] holds instruments, candles and newest prices in memory, in step with the store; everything else is read
//! from the store when it is asked for. Nothing goes upstream from here. A figure without a source is absent, and
//! [`Gap`] says why.

mod book;
mod gap;
mod listing;
mod moment;
mod names;
mod opinions;
mod press;
mod resolve;

pub use book::Book;
pub use gap::Gap;
pub use listing::{HistoryView, Listing, PricePoint};
pub use moment::Moment;
pub use names::{NameMatch, match_names};
pub use opinions::{SENTIMENT_DAYS, SentimentBoard, Tone};
pub use press::{DayOfPress, Press, Turn, events_of};
pub use resolve::{Unknown, resolve};
