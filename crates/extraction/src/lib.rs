//! External pages and PDFs are read where a crash costs nothing: in worker processes with time and memory budgets.
//!
//! Whatever a document does to its reader (a stack overflow, an endless loop, using up all the memory), only a worker
//! process dies, and it is replaced. The server and the other documents carry on. [`Extraction`] is the only way a
//! server reads one. What is found in a page is decided in [`text::page`], and in a PDF here. What may be requested, by
//! whom and at what cost is decided elsewhere.

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
