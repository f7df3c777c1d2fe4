//! Outlets and how far they are trusted.

use serde::{Deserialize, Serialize};

/// How much weight an outlet's word carries.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum TrustLevel {
    /// Not in the table.
    #[default]
    Unknown,
    /// Often wrong, or fabricates news.
    Low,
    /// Mixed record, or strongly partisan.
    Medium,
    /// News agencies, central banks, papers of record.
    High,
}

impl TrustLevel {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The weight in confidence scores, 0 to 1.
    pub const fn weight(self) -> f64 {
        match self {
            Self::High => 0.95,
            Self::Medium => 0.65,
            Self::Unknown => 0.5,
            Self::Low => 0.2,
        }
    }
}

/// One row of the editable source table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlet {
    /// Registrable domain, such as `reuters.com`.
    pub domain: String,
    /// The name that readers know it by.
    #[serde(default)]
    pub name: Option<String>,
    /// How far it is trusted.
    pub trust: TrustLevel,
}
