//! Whether a data directory holds the real world or the simulated one.

use serde::{Deserialize, Serialize};

/// What kind of data a store holds, permanently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataMode {
    /// The simulated world of `serve --demo`.
    Demo,
    /// Data that was fetched or imported.
    Real,
}

impl DataMode {
    /// The word used in headers and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Real => "real",
        }
    }

    /// The mode for that word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "demo" => Some(Self::Demo),
            "real" => Some(Self::Real),
            _ => None,
        }
    }
}
