//! From untrusted text to checked values.
//!
//! Every fault is named: which parameter, and what it must be. Unknown parameters and fields are ignored.

mod as_of;
mod json;
mod query;

pub use as_of::AsOf;
pub use json::{Checked, Faults, ValidJson};
pub(crate) use json::{parse, read_body, require_json};
pub use query::{FromQuery, Params, ValidQuery};
