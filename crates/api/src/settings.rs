//! What an operator decides about the HTTP interface.
//!
//! Read from the configuration by the binary; here are only the values and their defaults.

use std::time::Duration;

use ipnet::IpNet;

use crate::hosts::{Hosts, Origins};

/// Who may read `/metrics`.
#[derive(Clone)]
pub enum MetricsAccess {
    /// Requests from this machine itself.
    ThisMachine,
    /// Anybody who sends this token as `Authorization: Bearer`, from anywhere. Stored as its SHA-256.
    Token([u8; 32]),
    /// Everybody.
    Everyone,
}

impl std::fmt::Debug for MetricsAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ThisMachine => "ThisMachine",
            Self::Token(_) => "Token",
            Self::Everyone => "Everyone",
        })
    }
}

/// Everything that is configured about the HTTP interface and what it serves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Version of the program, as `/health` reports it.
    pub version: String,
    /// Networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Who may read `/metrics`.
    pub metrics: MetricsAccess,
    /// Names under which the server answers.
    pub hosts: Hosts,
    /// Origins whose pages may read answers.
    pub origins: Origins,
    /// Longest request body in bytes.
    pub body_limit: usize,
    /// Longest sum of request headers in bytes.
    pub header_limit: usize,
    /// Longest path and query in bytes.
    pub address_limit: usize,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// Bytes of answers that are cached for at most a second.
    pub cached_bytes: u64,
    /// Live streams that one account may have open.
    pub streams_per_account: usize,
    /// Live streams that may be open from one client address.
    pub streams_per_address: usize,
    /// When the service stops counting as ready.
    pub readiness: Readiness,
    /// The configuration of the operations.
    pub service: operations::Settings,
}

/// How long something may be wrong before the status of `/ready` says so.
#[derive(Clone, Copy, Debug)]
pub struct Readiness {
    /// The search index lags behind the store.
    pub index_lag: Duration,
    /// Settled charges are waiting to be written to the ledger.
    pub ledger_lag: Duration,
    /// An essential task does not run.
    pub task_failing: Duration,
}

impl Default for Readiness {
    fn default() -> Self {
        Self {
            index_lag: Duration::from_mins(1),
            ledger_lag: Duration::from_secs(15),
            task_failing: Duration::from_secs(15),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            trusted_proxies: Vec::new(),
            metrics: MetricsAccess::ThisMachine,
            hosts: Hosts::any(),
            origins: Origins::default(),
            body_limit: 2 << 20,
            header_limit: 32 << 10,
            address_limit: 8 << 10,
            body_timeout: Duration::from_secs(15),
            cached_bytes: 64 << 20,
            streams_per_account: 20,
            streams_per_address: 100,
            readiness: Readiness::default(),
            service: operations::Settings::default(),
        }
    }
}
