//! Receipts: what was answered, signed and entered in an append-only log.
//!
//! A [`Body`] states what was claimed, what the verdict is and on which evidence. Its [`canonical`] form (RFC 8785) is
//! hashed, signed (Ed25519, [`keys`]) and becomes a leaf of a Merkle [`tree`] (RFC 6962), whose root is stated in a
//! signed [`Checkpoint`]. [`check()`] needs only the served [`Receipt`] and a key that the reader trusts, and no
//! server.
//!
//! This module keeps no rows and makes no keys: the tree's nodes, the time and the random bytes come from the caller.

mod body;
pub mod canonical;
mod check;
mod checkpoint;
mod disclosure;
mod error;
mod evidence;
mod hash;
mod json;
pub mod keys;
mod report;
mod served;
mod signed;
pub mod tree;
mod trusted;

pub use body::{Body, Engine, FourDecimals, OutputText, ReceiptId, Subject, Version};
pub use check::{MAX_BYTES, check};
pub use checkpoint::{Checkpoint, SignedCheckpoint, verifier_key};
pub use disclosure::Disclosure;
pub use error::Error;
pub use evidence::{Evidence, PrivateEvidence, PrivateSource, PublicEvidence, PublicSource};
pub use hash::Hash;
pub use report::{Outcome, Report, Step, StepName};
pub use served::{LogEntry, Proof, Receipt};
pub use signed::Signed;
pub use trusted::TrustedKey;
