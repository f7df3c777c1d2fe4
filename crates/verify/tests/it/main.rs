//! Receipts from signing to checking, by this crate and by the verifier in Python.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![expect(clippy::print_stdout, reason = "a test says that it is left out")]

mod changes;
mod checking;
mod python;
mod signer;
