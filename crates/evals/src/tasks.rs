//! The tasks, each a file of its own. A task finds its data by prefix and returns its tables; none where data is absent.

mod answers;
mod bias;
mod confidence;
mod contradictions;
mod copies;
mod embedding;
mod entities;
mod entity_tone;
mod events;
mod pages;
mod stories;
mod tickers;
mod tone;
mod trust;

use crate::data::Data;
use crate::table::Table;

/// What a task does.
pub(crate) type Task = fn(&Data) -> anyhow::Result<Vec<Table>>;

/// Every task by its name, in the order in which they run.
pub(crate) const ALL: &[(&str, Task)] = &[
    ("tone", tone::run),
    ("answers", answers::run),
    ("embedding", embedding::run),
    ("entities", entities::run),
    ("tickers", tickers::run),
    ("sentivent", tone::run_implicit),
    ("entity_tone", entity_tone::run),
    ("bias", bias::run),
    ("trust", trust::run),
    ("events", events::run),
    ("contradictions", contradictions::run),
    ("stories", stories::run),
    ("copies", copies::run),
    ("confidence", confidence::run),
    ("pages", pages::run),
];
