//! The people and things that a text is about.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Score;

/// The five kinds of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum EntityKind {
    Person,
    Organization,
    Location,
    Product,
    Event,
}

/// A word that is not an entity kind.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not one of person, organization, location, product, event")]
pub struct UnknownEntityKind(pub String);

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Person,
        Self::Organization,
        Self::Location,
        Self::Product,
        Self::Event,
    ];

    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Organization => "organization",
            Self::Location => "location",
            Self::Product => "product",
            Self::Event => "event",
        }
    }
}

impl fmt::Display for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EntityKind {
    type Err = UnknownEntityKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == lower)
            .ok_or_else(|| UnknownEntityKind(text.chars().take(40).collect()))
    }
}

/// The role an entity plays in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntityRole {
    /// The text is about it: it is in the headline, or is mentioned most.
    Subject,
    /// It takes part in what happens.
    Related,
    /// It is named in passing.
    Mentioned,
}

/// A word that is not an entity role.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not one of subject, related, mentioned")]
pub struct UnknownEntityRole(pub String);

impl EntityRole {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Related => "related",
            Self::Mentioned => "mentioned",
        }
    }
}

impl FromStr for EntityRole {
    type Err = UnknownEntityRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "subject" => Ok(Self::Subject),
            "related" => Ok(Self::Related),
            "mentioned" => Ok(Self::Mentioned),
            _ => Err(UnknownEntityRole(text.chars().take(40).collect())),
        }
    }
}

/// One entity in one text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntityMention {
    /// Canonical name, such as `Apple Inc.` or `Jerome Powell`.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// The exchange symbol, for listed companies and coins.
    pub ticker: Option<String>,
    /// The role it plays.
    pub role: EntityRole,
    /// How often it is named.
    pub mentions: u32,
    /// The sentiment of the sentences that name it; 0.5 is neutral.
    pub sentiment: Score,
}
