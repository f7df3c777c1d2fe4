//! The HTTP interface: it translates requests to operations and their answers back.
//!
//! [`router`] is the whole of it, [`AppState`] is the state it works on, and [`document`] is its own description. The
//! content of answers is decided in `operations`; this crate has headers, statuses, entity tags, streams and what
//! operators look at.

mod binding;
mod csv;
mod error;
mod event_stream;
mod extract;
mod forwarded;
mod frame;
mod front;
mod gate;
mod guest;
mod health;
mod hosts;
mod idempotency;
mod metrics;
mod next_step;
mod openapi;
mod pages;
mod presented;
mod request_context;
mod router;
mod routes;
mod serve;
mod settings;
mod state;
mod streams;

pub use binding::bind;
pub use error::Failure;
pub use extract::{AsOfQuery, CallerOf, ChargeOf, ClientOf, OwnerOf, ValidJson, ValidQuery};
pub use forwarded::client_of;
pub use guest::with_guest;
pub use health::{Importance, Task, TaskFault, TaskReport, TaskState, Tasks};
pub use hosts::{Hosts, Origins};
pub use metrics::exposition;
pub use openapi::document;
pub use pages::{Cacheable, Pages};
pub use router::{Line, line, probes, router, router_with};
pub use serve::{Connections, serve};
pub use settings::{MetricsAccess, Readiness, Settings};
pub use state::{AppState, Shared, Wiring};
