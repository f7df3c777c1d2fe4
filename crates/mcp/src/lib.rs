//! The Model Context Protocol: operations as tools, for models that choose what to ask.
//!
//! A [`Server`] lists the tools of its table and answers calls through the registry of operations, so that gate, key
//! scope, limit and price are the same as for every interface. It also offers three prompts, and briefs, tickers and
//! receipts as resources. It communicates over standard input and output ([`stdio`]) or over HTTP ([`http`]); a
//! [`Remote`] passes calls on to another Assay. What HTTP requires of every request, such as host names, origins, sizes
//! and credentials, is checked by whoever serves [`http`]; the content of answers is decided in `operations`.

mod arguments;
mod backend;
mod caller;
mod error;
mod http;
mod in_flight;
mod lines;
mod malformed;
mod progress;
mod prompts;
mod refusal;
mod remote;
mod resources;
mod result;
mod schema;
mod server;
mod small;
mod stdio;
mod tool;
mod tools;

pub use backend::{Backend, Embedded};
pub use caller::CallerSource;
pub use error::{Error, Result};
pub use http::{PATH, http};
pub use lines::Lines;
pub use remote::Remote;
pub use server::Server;
pub use stdio::stdio;
pub use tool::{Effects, ToolSummary, summaries};
