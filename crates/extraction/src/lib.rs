//! Foreign pages are read where a crash costs nothing: in worker processes with budgets of time and memory.
//!
//! Whatever a page makes of its reader (a stack overflow, a loop without end, all the memory there is), a worker process
//! dies of it and is replaced; the server and the pages beside it go on. [`Extraction`] is the only way by which a server
//! reads a page. What is found in a page is decided in [`text::page`]; what a page may be asked for, by whom and what it
//! costs is decided elsewhere.

mod error;
mod extraction;
mod frame;
mod limits;
mod pool;
pub mod worker;

pub use error::Error;
pub use extraction::{Extraction, Origin, WebPage};
pub use limits::Limits;
pub use pool::WorkerCommand;
