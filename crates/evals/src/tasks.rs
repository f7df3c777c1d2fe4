//! The tasks, each a file of its own. A task finds its data by prefix and returns its tables; none where data is absent.

mod confidence;
mod copies;
mod stories;
mod tone;

use crate::data::Data;
use crate::table::Table;

/// What a task does.
pub(crate) type Task = fn(&Data) -> anyhow::Result<Vec<Table>>;

/// Every task by its name, in the order in which they run.
pub(crate) const ALL: &[(&str, Task)] = &[
    ("tone", tone::run),
    ("stories", stories::run),
    ("copies", copies::run),
    ("confidence", confidence::run),
];
