//! What an operator decides: plans, limits and what is open to whom.
//!
//! Read from the configuration by the binary; here are only the values and their defaults.

use std::time::Duration;

use ipnet::IpNet;
use model::{MicroUsd, Plan, Timestamp};

/// What one plan includes and costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTerms {
    /// Price of a month.
    pub price: MicroUsd,
    /// Requests in a window of a minute.
    pub requests_per_minute: u32,
    /// Credits that the price includes; `None` is no limit at all.
    pub credits: Option<u64>,
    /// Price of a credit beyond those; `None` stops instead.
    pub overage: Option<MicroUsd>,
    /// How much a month may cost beyond the price, unless the account says otherwise.
    pub default_cap: MicroUsd,
}

/// The terms of every plan, and of the demo key.
#[derive(Clone, Debug)]
pub struct Plans {
    terms: [PlanTerms; Plan::ALL.len()],
    demo: PlanTerms,
}

const USD: i64 = 1_000_000;

impl Default for Plans {
    fn default() -> Self {
        Self {
            terms: Plan::ALL.map(standard_terms),
            demo: standard_terms(Plan::Free),
        }
    }
}

impl Plans {
    /// The terms of a plan.
    pub fn terms(&self, plan: Plan) -> &PlanTerms {
        &self.terms[position(plan)]
    }

    /// The terms under which the demo key works, for each client address.
    pub fn demo(&self) -> &PlanTerms {
        &self.demo
    }

    /// Replaces the terms of a plan.
    pub fn set(&mut self, plan: Plan, terms: PlanTerms) {
        self.terms[position(plan)] = terms;
    }

    /// Replaces the terms of the demo key.
    pub fn set_demo(&mut self, terms: PlanTerms) {
        self.demo = terms;
    }
}

/// Place of a plan in [`Plan::ALL`].
pub(crate) fn position(plan: Plan) -> usize {
    Plan::ALL
        .iter()
        .position(|other| *other == plan)
        .unwrap_or(0)
}

/// What the published price list says.
fn standard_terms(plan: Plan) -> PlanTerms {
    let monthly = |dollars: i64, requests_per_minute, credits| PlanTerms {
        price: MicroUsd(dollars * USD),
        requests_per_minute,
        credits: Some(credits),
        overage: Some(MicroUsd(8_000)),
        default_cap: MicroUsd(2 * dollars * USD),
    };
    match plan {
        Plan::Free => PlanTerms {
            overage: None,
            ..monthly(0, 10, 1_000)
        },
        Plan::Builder => monthly(24, 120, 5_000),
        Plan::Startup => monthly(79, 300, 15_000),
        Plan::Growth => monthly(179, 600, 40_000),
        Plan::Scale => monthly(399, 1_200, 100_000),
        Plan::Payg => PlanTerms {
            overage: Some(MicroUsd(10_000)),
            default_cap: MicroUsd(10 * USD),
            ..monthly(0, 120, 0)
        },
        Plan::Unlimited => PlanTerms {
            credits: None,
            overage: None,
            ..monthly(0, 1_000_000, 0)
        },
    }
}

/// Everything that is configured about the HTTP interface.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Version of the program, as `/health` says it.
    pub version: String,
    /// Ingested data is answered as it was known then.
    pub as_of: Option<Timestamp>,
    /// The price list.
    pub plans: Plans,
    /// Whether anybody may open an account.
    pub registration: bool,
    /// Networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether `/metrics` answers others than this machine.
    pub metrics_exposed: bool,
    /// Whether pages of other origins may call.
    pub cors: bool,
    /// Longest request body in bytes.
    pub body_limit: usize,
    /// Longest sum of request headers in bytes.
    pub header_limit: usize,
    /// Longest path and query in bytes.
    pub address_limit: usize,
    /// How long an answer may take to begin.
    pub request_timeout: Duration,
    /// How long a page of others may take, from the question for its robots.txt to its last byte.
    pub page_timeout: Duration,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// Log-ins a minute, for each client address and for each account.
    pub logins_per_minute: u32,
    /// Bytes of answers kept for at most a second.
    pub cached_bytes: u64,
    /// Live streams that one account may have open.
    pub streams_per_account: usize,
    /// Live streams that may be open from one client address.
    pub streams_per_address: usize,
    /// From when on the service does not count as ready.
    pub readiness: Readiness,
}

/// How long something may be wrong before `/ready` says so with its status.
#[derive(Clone, Copy, Debug)]
pub struct Readiness {
    /// The search index lies behind the store.
    pub index_lag: Duration,
    /// Settled charges wait to be written to the ledger.
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
            as_of: None,
            plans: Plans::default(),
            registration: false,
            trusted_proxies: Vec::new(),
            metrics_exposed: false,
            cors: true,
            body_limit: 2 << 20,
            header_limit: 32 << 10,
            address_limit: 8 << 10,
            request_timeout: Duration::from_secs(30),
            page_timeout: Duration::from_secs(15),
            body_timeout: Duration::from_secs(15),
            logins_per_minute: 10,
            cached_bytes: 64 << 20,
            streams_per_account: 20,
            streams_per_address: 100,
            readiness: Readiness::default(),
        }
    }
}
