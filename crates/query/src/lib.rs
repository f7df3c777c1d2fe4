//! From a question in plain English to what it asks for: intents, subjects and a time.
//!
//! [`read`] cuts a question into words, finds what it names (symbols, companies and coins by name, even misspelt,
//! currency pairs, commodities, indicators, sectors), what time it is about, and what it wants to know. No model is
//! asked and nothing is guessed: the same question always means the same thing, and anything that was not understood is
//! reported. Planning what to call, and calling it, is done elsewhere.

mod between;
mod cues;
mod currencies;
mod facts;
mod holdings;
mod horizon;
mod intent;
mod look_up;
mod measure;
mod names;
mod outcome;
mod ranking;
mod reading;
mod report;
mod statistic;
mod subjects;
mod sums;
mod terms;
#[cfg(test)]
mod tests;
mod time;
mod topic;
mod two_times;
mod unanswered;
mod words;

pub use between::{Between, Relation};
pub use currencies::currency_name;
pub use facts::Fact;
pub use holdings::Holding;
pub use horizon::days;
pub use intent::Intent;
pub use look_up::{Crossing, LookUp, Reach, Wanted};
pub use measure::Measure;
pub use names::{Kind, Listed, Names};
pub use outcome::{Deed, Expected, Figure, Outcome, expected};
pub use ranking::Bounds;
pub use reading::{Foremost, Observed, Reading, Side, observed, read, read_about};
pub use report::{Report, ReportPeriod};
pub use statistic::Statistic;
pub use subjects::{
    How, Instrument, Series, is_commodity, is_index, is_macro, is_pair, reads_back,
};
pub use sums::{CoinConversion, Conversion, GivenEnd, Position, Size};
pub use terms::Term;
pub use time::When;
pub use two_times::of_each_time;
