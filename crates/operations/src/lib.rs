//! What can be asked: every operation as a value, and the registry that applies gate, key scope, limits and price to it.
//!
//! An [`Operation`] has a typed input that reads, checks and describes itself, a typed output and `run`. Operations are
//! arranged by subject, one file each; [`Registry`] lists them and calls them by name. Interfaces only translate:
//! nothing here knows of HTTP beyond the method and path under which key scopes and the ledger know an operation.

mod access;
mod account;
mod admission;
mod arguments;
mod as_of;
mod attempt;
mod caller;
mod checked;
mod client;
mod clock;
mod context;
mod data_status;
mod error;
mod extensions;
mod extractions;
mod field;
mod heavy;
mod input;
mod kept;
mod limiter;
mod live_web;
mod logins;
mod markets;
mod meter;
mod money;
mod news;
mod operation;
mod password;
mod portfolio;
mod price;
mod receipt_log;
mod registry;
mod repeat;
mod revision;
mod services;
mod settings;
mod suggestions;
mod table;
mod ticker;
mod token;
mod topics;
mod verified;

pub use access::{Access, DEMO_KEY, digest, fresh_key, visible_prefix};
pub use account::done::Done;
pub use account::session::{
    Login, Registration, Session, admit_registration, is_address as is_email_address, log_in,
    log_out, open_account,
};
pub use admission::{Admission, Reserving, admit, admit_anonymous, in_time};
pub use arguments::Arguments;
pub use as_of::AsOf;
pub use attempt::{Attempt, Repeatable};
pub use caller::{Caller, Credential, Member, Owner, Payer};
pub use checked::{Checked, Faults, parse_body, whole};
pub use client::ClientAddress;
pub use clock::Clock;
pub use context::Context;
pub use error::{Error, ErrorCode, Offer, Payment, Result};
pub use extensions::Extensions;
pub use field::{Field, Place, Textual};
pub use input::{Description, Input, Parameters, Posted, Shape};
pub use limiter::{Allowance, Limiter, Subject};
pub use meter::{Charge, Meter, MeterHealth};
pub use news::brief_body::{BriefBody, StreamBriefBody};
pub use operation::{About, Address, Effect, Keeping, Operation, Verb};
pub use password::hash as hash_password;
pub use price::{Gate, Price, Tariff};
pub use receipt_log::{ReceiptKeys, ReceiptLog};
pub use registry::{Answered, Asking, Entry, Limits, Line, Question, Registry, Work, operation};
pub use repeat::RepeatKey;
pub use revision::DataRevision;
pub use services::{Parts, Services, Shared};
pub use settings::{PlanTerms, Plans, Settings};
