//! What an operator decides: plans, limits and what is open to whom.
//!
//! Read from the configuration by the binary; here are only the values and their defaults.

use std::path::PathBuf;
use std::time::Duration;

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

/// What is configured about operations, whoever asks.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Ingested data is answered as it was known then.
    pub as_of: Option<Timestamp>,
    /// The price list.
    pub plans: Plans,
    /// Whether anybody may open an account.
    pub registration: bool,
    /// Whether the demo key answers: whoever has no credential reads.
    pub anonymous: bool,
    /// How long an answer may take.
    pub request_timeout: Duration,
    /// How long a page of others may take, from the question for its robots.txt to its last byte.
    pub page_timeout: Duration,
    /// Pages of one account that are read at the same time.
    pub pages_per_account: usize,
    /// Live web searches of one account in a minute, those for its claims included.
    pub web_searches_per_minute: u32,
    /// Failed log-ins a minute from a client address; also how many accounts it may open.
    pub logins_per_minute: u32,
    /// Unknown keys and tokens a minute from a client address.
    pub failed_credentials_per_minute: u32,
    /// Where outsiders reach this server, such as `https://assay.example.org`; without it, addresses in answers are paths.
    pub public_url: Option<String>,
    /// Symbols whose quick reports are free and kept fresh.
    pub cached_reports: Vec<String>,
    /// Directory of the journal of charges; without one, the end of the process loses the small charges of 100 ms.
    pub journal: Option<PathBuf>,
}

/// The free reports, unless the operator names others: what most people look up first.
const CACHED_REPORTS: [&str; 20] = [
    "AAPL", "MSFT", "NVDA", "GOOGL", "AMZN", "META", "TSLA", "JPM", "V", "JNJ", "WMT", "XOM",
    "UNH", "KO", "DIS", "AMD", "SPY", "QQQ", "BTC", "ETH",
];

impl Settings {
    /// A path of this server as an address for others, as far as one is known.
    pub fn address_of(&self, path: &str) -> String {
        let base = self.public_url.as_deref().unwrap_or_default();
        format!("{}{path}", base.trim_end_matches('/'))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            as_of: None,
            plans: Plans::default(),
            registration: false,
            anonymous: false,
            request_timeout: Duration::from_secs(30),
            page_timeout: Duration::from_secs(15),
            pages_per_account: 2,
            web_searches_per_minute: 20,
            logins_per_minute: 10,
            failed_credentials_per_minute: 60,
            public_url: None,
            cached_reports: CACHED_REPORTS.map(str::to_owned).to_vec(),
            journal: None,
        }
    }
}
