//! What a verdict rests on: public evidence with its source, private evidence by its hash alone.

use model::{PublicBriefId, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Disclosure, FourDecimals, Hash};
use crate::verdict::Position;

/// One piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Evidence {
    /// From a source that everyone may read.
    Public(PublicEvidence),
    /// From the documents or memories of one account.
    Private(PrivateEvidence),
}

impl Evidence {
    /// Private evidence: the receipt shows only the hash of what `disclosure` reveals to the owner.
    pub fn private(
        source: PrivateSource,
        position: Position,
        strength: FourDecimals,
        disclosure: &Disclosure,
    ) -> Self {
        Self::Private(PrivateEvidence {
            source,
            position,
            strength,
            content_hash: disclosure.content_hash(),
        })
    }

    /// The hash of its content.
    pub fn content_hash(&self) -> Hash {
        match self {
            Self::Public(evidence) => evidence.content_hash,
            Self::Private(evidence) => evidence.content_hash,
        }
    }
}

/// Evidence from a source that everyone may read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicEvidence {
    /// Where it was found.
    pub source: PublicSource,
    /// The outlet or the series.
    pub name: String,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The brief that reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brief_id: Option<PublicBriefId>,
    /// When it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Timestamp>,
    /// What it says about the claim.
    pub position: Position,
    /// How strongly it counts, from 0 to 1.
    pub strength: FourDecimals,
    /// SHA-256 of the quoted text, before it is shortened to the snippet.
    pub content_hash: Hash,
    /// The words or the figure that count as evidence.
    pub snippet: String,
}

/// Evidence from the documents or memories of one account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateEvidence {
    /// Where it was found.
    pub source: PrivateSource,
    /// What it says about the claim.
    pub position: Position,
    /// How strongly it counts, from 0 to 1.
    pub strength: FourDecimals,
    /// The salted hash of its [`Disclosure`].
    pub content_hash: Hash,
}

/// Where public evidence was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicSource {
    /// Briefs and articles of the store.
    Corpus,
    /// A web search.
    Live,
    /// Stored market data.
    Data,
}

/// Where private evidence was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrivateSource {
    /// A document of the account.
    Knowledge,
    /// A memory of one of the account's agents.
    Memory,
}
