//! Foreign pages and PDFs are read where a crash costs nothing: in worker processes with budgets of time and memory.
//!
//! Whatever a document makes of its reader (a stack overflow, a loop without end, all the memory there is), a worker process
//! dies of it and is replaced; the server and the documents beside it go on. [`Extraction`] is the only way by which a
//! server reads one. What is found in a page is decided in [`text::page`], and in a PDF here; what may be asked for, by whom
//! and what it costs is decided elsewhere.

mod error;
mod extraction;
mod frame;
mod limits;
mod pdf;
mod pool;
mod request;
pub mod worker;

pub use error::Error;
pub use extraction::{Extraction, Origin};
pub use limits::Limits;
pub use pdf::{Excess, PdfText, Unreadable};
pub use pool::WorkerCommand;
pub use request::WebPage;
