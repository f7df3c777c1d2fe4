//! The HTTP interface: routes, wire shapes, authentication, limits, metering and OpenAPI.
//!
//! [`router`] is the whole of it, [`AppState`] what it works on, [`document`] what it says about itself. Nothing here
//! ingests or ranks: handlers ask the store and the index and convert what they say. Only `/extract` fetches, through the
//! transport that it is given.

mod access;
mod caller;
mod client;
mod clock;
mod error;
mod exchange;
mod extract;
mod extractions;
mod frame;
mod gate;
mod health;
mod heavy;
mod hosts;
mod idempotency;
mod kept;
mod limiter;
mod logins;
mod meter;
mod metrics;
mod openapi;
mod operation;
mod operations;
mod pages;
mod password;
mod revision;
mod router;
mod routes;
mod serve;
mod settings;
mod state;
mod streams;
mod suggestions;
mod token;

pub use access::{Access, DEMO_KEY, KEY_PREFIX, digest, fresh_key, visible_prefix};
pub use caller::{Caller, Client, Credential, Member, Owner, Payer};
pub use client::ClientAddress;
pub use clock::Clock;
pub use error::{Error, ErrorCode, Offer, Payment, Result};
pub use extract::{AsOf, Checked, Faults, ValidJson, ValidQuery};
pub use health::{Importance, Task, TaskFault, TaskReport, TaskState, Tasks};
pub use hosts::{Hosts, Origins};
pub use idempotency::{Answer, Attempt, Idempotent, Scope};
pub use limiter::{Allowance, Limiter, WINDOW_MS};
pub use meter::{Booked, Charge, Charged, Meter, MeterHealth};
pub use metrics::exposition;
pub use openapi::document;
pub use operation::{Gate, Price};
pub use operations::{
    About, Address, Answered, Arguments, BodyDescription, Context, Description, Entry, Field,
    Input, Keeping, Limits, Operation, Parameters, Place, Posted, Registry, Textual, Verb, Work,
    operation,
};
pub use pages::{Cacheable, Pages};
pub use password::hash as hash_password;
pub use router::{Line, line, router, router_with};
pub use routes::auth::is_address as is_email_address;
pub use serve::{Connections, serve};
pub use settings::{MetricsAccess, PlanTerms, Plans, Readiness, Settings};
pub use state::{AppState, Shared, Wiring};
