//! The fifteen category slugs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The main topic of a brief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each slug names its subject")]
pub enum Category {
    AiMl,
    Tech,
    Markets,
    Crypto,
    Economy,
    Policy,
    World,
    Business,
    Science,
    Health,
    Energy,
    Climate,
    Security,
    Sports,
    Culture,
}

/// A word that is not a category slug.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a category")]
pub struct UnknownCategory(pub String);

impl Category {
    /// Every category, in the order used in the documentation.
    pub const ALL: [Self; 15] = [
        Self::AiMl,
        Self::Tech,
        Self::Markets,
        Self::Crypto,
        Self::Economy,
        Self::Policy,
        Self::World,
        Self::Business,
        Self::Science,
        Self::Health,
        Self::Energy,
        Self::Climate,
        Self::Security,
        Self::Sports,
        Self::Culture,
    ];

    /// The slug used in URLs and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AiMl => "ai_ml",
            Self::Tech => "tech",
            Self::Markets => "markets",
            Self::Crypto => "crypto",
            Self::Economy => "economy",
            Self::Policy => "policy",
            Self::World => "world",
            Self::Business => "business",
            Self::Science => "science",
            Self::Health => "health",
            Self::Energy => "energy",
            Self::Climate => "climate",
            Self::Security => "security",
            Self::Sports => "sports",
            Self::Culture => "culture",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Category {
    type Err = UnknownCategory;

    /// Case-insensitive.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|category| category.as_str() == lower)
            .ok_or_else(|| UnknownCategory(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_read_back_in_any_case() {
        for category in Category::ALL {
            assert_eq!(
                category
                    .as_str()
                    .to_uppercase()
                    .parse::<Category>()
                    .unwrap(),
                category
            );
            assert_eq!(
                serde_json::to_string(&category).unwrap(),
                format!("\"{category}\"")
            );
        }
    }
}
