//! From a question in plain English to what it asks for: wishes, subjects, a time.
//!
//! [`read`] cuts a question into words, finds what it names (symbols, companies and coins by name, also misspelt ones,
//! currency pairs, commodities, indicators, sectors), when it is about, and what is to be known of it. No model is asked and
//! nothing is guessed at: the same question always means the same, and what was not understood is said. Planning what to
//! call, and calling it, is somebody else's work.

mod cues;
mod holdings;
mod intent;
mod names;
mod reading;
mod subjects;
#[cfg(test)]
mod tests;
mod time;
mod topic;
mod words;

pub use holdings::Holding;
pub use intent::Intent;
pub use names::{Kind, Listed, Names};
pub use reading::{Reading, Side, is_commodity, is_index, is_macro, is_pair, read, read_about};
pub use subjects::{How, Instrument, Series, reads_back};
pub use time::When;
