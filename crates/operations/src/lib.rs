//! What can be asked: every operation as a value with typed input and output ([`Operation`]), and the [`Registry`] that lists and calls
//! them under gate, key scope, limits and price. Nothing here knows of HTTP beyond the method and path that key scopes and the ledger use.

mod access;
mod account;
mod admission;
mod alerts;
mod arguments;
mod as_of;
mod attempt;
mod caller;
mod checked;
mod client;
mod clock;
mod context;
mod counted;
mod data_status;
mod error;
mod extensions;
mod extractions;
mod field;
mod heavy;
mod input;
mod kept;
mod limiter;
mod live;
mod live_web;
mod markets;
mod meter;
mod money;
mod news;
mod operation;
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
mod topics;
mod verified;

pub use access::password::hash as hash_password;
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
pub use checked::{Checked, Faults, category_of, parse_body, whole};
pub use client::ClientAddress;
pub use clock::Clock;
pub use context::{Context, Naming, StepListener, StepTold};
pub use error::{Error, ErrorCode, Offer, Payment, Result};
pub use extensions::Extensions;
pub use field::{Field, Place, Textual, category_word, optional_word};
pub use input::{Description, Input, Parameters, Posted, Shape};
pub use kept::KeptResults;
pub use limiter::{Allowance, Limiter, Subject};
pub use meter::{Charge, Meter, MeterHealth};
pub use news::brief_body::{BriefBody, StreamBriefBody};
pub use operation::{About, Address, Effect, Keeping, Operation, Verb};
pub use price::{Gate, Price, Tariff};
pub use receipt_log::{ReceiptKeys, ReceiptLog};
pub use registry::{
    Answered, Asking, Entry, Limits, Line, Question, Registry, Work, operation, say_simulated,
};
pub use repeat::RepeatKey;
pub use revision::DataRevision;
pub use services::{Parts, Services, Shared};
pub use settings::{PlanTerms, Plans, Settings};
