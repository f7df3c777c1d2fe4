//! Plans, credits and money.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What an account pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    missing_docs,
    reason = "each plan names itself; its figures are configuration"
)]
pub enum Plan {
    Free,
    Payg,
    Builder,
    Startup,
    Growth,
    Scale,
    Unlimited,
}

/// A word that is not a plan.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not one of free, builder, startup, growth, scale, payg, unlimited")]
pub struct UnknownPlan(pub String);

impl Plan {
    /// Every plan.
    pub const ALL: [Self; 7] = [
        Self::Free,
        Self::Builder,
        Self::Startup,
        Self::Growth,
        Self::Scale,
        Self::Payg,
        Self::Unlimited,
    ];

    /// The word used in the wire contract and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Builder => "builder",
            Self::Startup => "startup",
            Self::Growth => "growth",
            Self::Scale => "scale",
            Self::Payg => "payg",
            Self::Unlimited => "unlimited",
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Plan {
    type Err = UnknownPlan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|plan| plan.as_str() == lower)
            .ok_or_else(|| UnknownPlan(text.chars().take(40).collect()))
    }
}

/// Whole credits: what a call costs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Credits(pub u64);

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Millionths of a US dollar, so that sums are exact.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct MicroUsd(pub i64);

impl MicroUsd {
    /// The amount nearest to a figure in dollars; `None` if that is negative, not finite or too large.
    pub fn from_usd(usd: f64) -> Option<Self> {
        (0.0..=1e9)
            .contains(&usd)
            .then(|| Self((usd * 1e6).round() as i64))
    }

    /// Dollars.
    pub fn usd(self) -> f64 {
        self.0 as f64 / 1e6
    }
}
