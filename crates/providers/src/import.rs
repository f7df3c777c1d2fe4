//! Files supplied by an operator.

pub mod articles;
mod file;
pub mod market;

pub use file::{Input, OpenError, Progress, RATIO_MAX, UNPACKED_MAX, UnpackError, open};
