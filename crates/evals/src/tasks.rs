//! The tasks, each a file of its own. A task finds its data by prefix and returns its tables; none where data is absent.

mod pages;
mod tone;

use crate::data::Data;
use crate::table::Table;

/// What a task does.
pub(crate) type Task = fn(&Data) -> anyhow::Result<Vec<Table>>;

/// Every task by its name, in the order in which they run.
pub(crate) const ALL: &[(&str, Task)] = &[("pages", pages::run), ("tone", tone::run)];
