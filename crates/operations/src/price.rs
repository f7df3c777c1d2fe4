//! What an operation costs and whom it admits.

use std::fmt;
use std::sync::Arc;

use model::Plan;

use crate::caller::{Caller, Credential};
use crate::error::{Error, ErrorCode, Result};

/// What a successful call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The most that one call can cost: reserved before the work. Charged, unless the operation claims less.
    pub most: u64,
    /// How the price list says it, where a number does not do.
    pub words: Option<&'static str>,
}

impl Price {
    /// Nothing.
    pub const FREE: Self = Self::fixed(0);

    /// The same for every call.
    pub const fn fixed(credits: u64) -> Self {
        Self {
            most: credits,
            words: None,
        }
    }

    /// Up to so much; the operation says how much with [`Charge::claim`](crate::Charge::claim).
    pub const fn up_to(most: u64, words: &'static str) -> Self {
        Self {
            most,
            words: Some(words),
        }
    }
}

/// Whom an operation admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Everybody; no credential is looked at, nothing is counted or charged.
    None,
    /// The demo key, and so everybody within its limits.
    Read,
    /// Personal keys and tokens.
    Key,
    /// Tokens of a log-in.
    Jwt,
    /// Personal keys and tokens of that plan or a larger one.
    Plan(Plan),
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Read => f.write_str("read"),
            Self::Key => f.write_str("key"),
            Self::Jwt => f.write_str("jwt"),
            Self::Plan(plan) => write!(f, "{plan}+"),
        }
    }
}

/// Whether `plan` opens what `minimum` opens. Pay-as-you-go has the gates of builder.
pub(crate) fn reaches(plan: Plan, minimum: Plan) -> bool {
    let rank = |plan| match plan {
        Plan::Free => 0,
        Plan::Payg | Plan::Builder => 1,
        Plan::Startup => 2,
        Plan::Growth => 3,
        Plan::Scale => 4,
        Plan::Unlimited => 5,
    };
    rank(plan) >= rank(minimum)
}

/// Price and gate of one operation, under its name in the ledger.
#[derive(Debug)]
pub struct Tariff {
    /// Its place in the table of operations; those that only HTTP has follow.
    pub index: usize,
    /// What it costs.
    pub price: Price,
    /// Whom it admits.
    pub gate: Gate,
    /// Method and path, such as `GET /api/v1/brief/{id}`: its name in the ledger.
    pub endpoint: Arc<str>,
}

impl Tariff {
    /// Of an operation with that method and path.
    pub fn new(index: usize, price: Price, gate: Gate, method: &str, path: &str) -> Self {
        Self {
            index,
            price,
            gate,
            endpoint: format!("{method} {path}").into(),
        }
    }

    /// Whether the caller may call this at all. Key scopes are about method and path, whichever interface is used.
    pub fn admit(&self, caller: &Caller, method: &str, path: &str) -> Result<()> {
        let Some(member) = &caller.member else {
            return match self.gate {
                Gate::None | Gate::Read => Ok(()),
                Gate::Key | Gate::Jwt | Gate::Plan(_) => Err(Error::refused(
                    ErrorCode::DemoKeyRefused,
                    "the demo key is read-only; this operation needs a personal API key",
                )),
            };
        };
        match (&member.credential, self.gate) {
            (Credential::Key { .. }, Gate::Jwt) => Err(Error::refused(
                ErrorCode::TokenRequired,
                "this operation needs a token from POST /auth/login, not an API key",
            )),
            (_, Gate::Plan(minimum)) if !reaches(member.plan, minimum) => Err(Error::refused(
                ErrorCode::PlanRequired,
                format!("this operation needs the {minimum} plan or above"),
            )),
            (Credential::Key { scope, .. }, _) if !scope.allows(method, path) => {
                Err(Error::refused(
                    ErrorCode::EndpointNotAllowed,
                    format!("this key is not allowed to call {method} {path}"),
                ))
            }
            _ => Ok(()),
        }
    }
}
