//! Kills the real binary at random moments and checks that nothing is lost and nothing is there twice.
//!
//! `ASSAY_CHAOS_KILLS` says how often (10), `ASSAY_CHAOS_SEED` repeats a run, `ASSAY_CHAOS_BINARY` names another `assay`,
//! such as a release build. PostgreSQL takes part where `TEST_DATABASE_URL` names one. Everything listens on loopback and
//! ends with the test.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]
#![expect(clippy::print_stdout, reason = "seed and figures of a run")]

mod alerts;
mod charges;
mod clients;
mod files;
mod importer;
mod place;
mod random;
mod receiver;
mod roles;
mod rows;
mod service;
mod upstream;
mod webhooks;
mod whole;

use tokio::sync::Mutex;

/// One at a time: each of them wants the whole machine.
static TURN: Mutex<()> = Mutex::const_new(());
