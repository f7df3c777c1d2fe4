//! What an operation costs and who may call it.

use std::fmt;
use std::sync::Arc;

use model::Plan;

use crate::caller::{Caller, Credential};
use crate::error::{Error, ErrorCode, Offer, Payment, Result};

/// Price in US dollars of a credit beyond those included in a plan.
const USD_PER_CREDIT: f64 = 0.008;
/// Plans with a monthly price.
const PAID: [Plan; 4] = [Plan::Builder, Plan::Startup, Plan::Growth, Plan::Scale];

/// What a successful call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The most that one call can cost. It is reserved before the work begins and charged unless the operation claims
    /// less.
    pub most: u64,
    /// The amount reserved before the input is read. It is less than `most` only if the operation raises it to the cost
    /// of the input, so that a caller who cannot afford the most expensive call is not refused a cheap one.
    pub least: u64,
    /// How the price list states it if a number is not enough.
    pub words: Option<&'static str>,
}

impl Price {
    /// Free of charge.
    pub const FREE: Self = Self::fixed(0);

    /// The same price for every call.
    pub const fn fixed(credits: u64) -> Self {
        Self {
            most: credits,
            least: credits,
            words: None,
        }
    }

    /// A price up to a maximum; the operation sets the amount with [`Charge::claim`](crate::Charge::claim).
    pub const fn up_to(most: u64, words: &'static str) -> Self {
        Self {
            most,
            least: most,
            words: Some(words),
        }
    }

    /// A price between a minimum and a maximum, depending on the input. The operation reserves the rest with
    /// [`Charge::raise`](crate::Charge::raise) before it does anything.
    pub const fn between(least: u64, most: u64, words: &'static str) -> Self {
        Self {
            most,
            least,
            words: Some(words),
        }
    }
}

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Everyone. No credential is checked, and nothing is counted or charged.
    None,
    /// The demo key, and therefore everyone within its limits.
    Read,
    /// Personal keys and tokens.
    Key,
    /// Tokens from a login.
    Jwt,
    /// Personal keys and tokens of that plan or a higher one.
    Plan(Plan),
    /// Personal keys and tokens of every plan with a monthly price; other callers are shown the price.
    Paid,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Read => f.write_str("read"),
            Self::Key => f.write_str("key"),
            Self::Jwt => f.write_str("jwt"),
            Self::Plan(plan) => write!(f, "{plan}+"),
            Self::Paid => f.write_str("paid plan"),
        }
    }
}

/// Whether `plan` includes everything that `minimum` includes. Pay-as-you-go has the same access as builder.
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

/// The price and gate of one operation, under its name in the ledger.
#[derive(Debug)]
pub struct Tariff {
    /// Position in the table of operations; operations available only over HTTP follow.
    pub index: usize,
    /// What it costs.
    pub price: Price,
    /// Who may call it.
    pub gate: Gate,
    /// Method and path, such as `GET /api/v1/brief/{id}`: its name in the ledger.
    pub endpoint: Arc<str>,
}

impl Tariff {
    /// The tariff of an operation with this method and path.
    pub fn new(index: usize, price: Price, gate: Gate, method: &str, path: &str) -> Self {
        Self {
            index,
            price,
            gate,
            endpoint: format!("{method} {path}").into(),
        }
    }

    /// Whether the caller may call this at all. Key scopes apply to method and path, whichever interface is used.
    pub fn admit(&self, caller: &Caller, method: &str, path: &str) -> Result<()> {
        let Some(member) = &caller.member else {
            return match self.gate {
                Gate::None | Gate::Read => Ok(()),
                Gate::Key | Gate::Jwt | Gate::Plan(_) => Err(Error::refused(
                    ErrorCode::DemoKeyRefused,
                    "the demo key is read-only; this operation needs a personal API key",
                )),
                Gate::Paid => Err(self.challenge()),
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
            (_, Gate::Paid) if matches!(member.plan, Plan::Free | Plan::Payg) => {
                Err(self.challenge())
            }
            (Credential::Key { scope, .. }, _) if !scope.allows(method, path) => {
                Err(Error::refused(
                    ErrorCode::EndpointNotAllowed,
                    format!("this key is not allowed to call {method} {path}"),
                ))
            }
            _ => Ok(()),
        }
    }

    /// The price of the operation, for callers whose plan does not include it.
    fn challenge(&self) -> Error {
        let credits = self.price.most;
        let path = self.endpoint.split(' ').next_back().unwrap_or_default();
        let words = self.price.words.map_or_else(
            || format!("{credits} credits a call"),
            |words| format!("{words} credits a call"),
        );
        Error::Payment(Box::new(Payment {
            scheme: "plan_key",
            accepts: vec![Offer {
                description: format!("the key of a paid plan; {words}"),
                amount_usd: credits as f64 * USD_PER_CREDIT,
                credits,
                resource: path.to_owned(),
            }],
            plans: PAID.map(Plan::as_str).to_vec(),
        }))
    }
}
