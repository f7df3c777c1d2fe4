//! A brief: one story, written from all its sources, each sentence tied to where it came from.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    ArticleId, Category, Contradiction, DataPoint, EntityMention, Event, Score, Timestamp,
    TrustLevel, Via,
};

/// The machine identity of a brief: a version 7 UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BriefId(pub Uuid);

impl BriefId {
    /// The identity of the brief that an article founds. It is derived from the article's identity, so the same input
    /// gives the same brief.
    pub fn founded_by(article: ArticleId) -> Self {
        let mut bytes = *article.0.as_bytes();
        for byte in &mut bytes[9..] {
            *byte ^= 0xb5;
        }
        Self(Uuid::from_bytes(bytes))
    }
}

impl fmt::Display for BriefId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// The human-readable identity of a brief: `PR-2026-0301-042`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PublicBriefId(String);

impl PublicBriefId {
    /// The brief with this `number` (from 1) among those that became known on the day of `known_at`.
    pub fn new(known_at: Timestamp, number: u64) -> Self {
        let date = known_at.date();
        let (year, rest) = date.split_at(date.len() - 6);
        Self(format!("PR-{year}-{}-{number:03}", rest.replace('-', "")))
    }

    /// Text that looks like such an identity, converted to upper case.
    pub fn parse(text: &str) -> Option<Self> {
        let upper = text.trim().to_ascii_uppercase();
        let well_formed = upper.starts_with("PR-")
            && upper.len() <= 40
            && upper
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
        well_formed.then_some(Self(upper))
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PublicBriefId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One revision of a brief, complete in itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// Machine identity.
    pub id: BriefId,
    /// Human-readable identity.
    pub public_id: PublicBriefId,
    /// 1 for the first publication.
    pub revision: u32,
    /// One line.
    pub headline: String,
    /// Two or three sentences.
    pub summary: String,
    /// The full text: paragraphs separated by a blank line.
    pub body: String,
    /// Every sentence of the summary and body, with the indices into `sources` of those that state it.
    pub sentences: Vec<SourcedSentence>,
    /// Its main topic.
    pub category: Category,
    /// When its first source was published.
    pub published_at: Timestamp,
    /// When its newest source became known.
    pub updated_at: Timestamp,
    /// How well supported it is, with the component scores.
    pub confidence: BriefConfidence,
    /// How biased it is, with the component scores.
    pub bias: BriefBias,
    /// The dissenting source, or else the strongest caveat about this particular brief. Always a sentence.
    pub counter_argument: String,
    /// Its sources, in the order in which they became known, including syndicated copies, which are marked.
    pub sources: Vec<BriefSource>,
    /// The number of independent sources: copies count once.
    pub source_count: u32,
    /// How many times new sources were added.
    pub update_count: u32,
    /// Sentiment of the story; 0.5 is neutral.
    pub sentiment: Score,
    /// Topic keywords.
    pub tags: Vec<String>,
    /// The people and things it is about, most important first.
    pub entities: Vec<EntityMention>,
    /// What happened, most certain first; each event appears once, no matter how many sources report it.
    #[serde(default)]
    pub events: Vec<Event>,
    /// The figures that the sources give, each listed once.
    #[serde(default)]
    pub data_points: Vec<DataPoint>,
    /// Where independent sources cannot all be right.
    #[serde(default)]
    pub contradictions: Vec<Contradiction>,
    /// ISO 639-1 code of the text.
    pub language: String,
    /// Whether it was made from the simulated newswire.
    pub simulated: bool,
    /// The briefs it formed a single brief with, until it emerged that there were two events.
    #[serde(default, skip_serializing_if = "Split::is_empty")]
    pub split: Split,
    /// The briefs that were merged with it, because they all reported one event.
    #[serde(default, skip_serializing_if = "Merged::is_empty")]
    pub merged: Merged,
}

/// The other parts of what used to be one brief.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The brief that these sources belonged to before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PublicBriefId>,
    /// The briefs that now hold sources this one used to have; the most recent split comes last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<PublicBriefId>,
}

impl Split {
    /// Whether the brief was never split.
    pub fn is_empty(&self) -> bool {
        self.from.is_none() && self.into.is_empty()
    }
}

/// Briefs that were merged into one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// The brief that has held the sources since; set only in the last revision of a brief that no longer exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<PublicBriefId>,
    /// The briefs whose sources this one took over, the most recent last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<PublicBriefId>,
}

impl Merged {
    /// Whether the brief was never merged.
    pub fn is_empty(&self) -> bool {
        self.into.is_none() && self.from.is_empty()
    }
}

/// A sentence and the sources that say so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourcedSentence {
    /// The part of the brief it appears in.
    pub section: Section,
    /// The sentence as printed.
    pub text: String,
    /// Indices into the sources of the brief.
    pub sources: Vec<u32>,
}

/// The part of a brief in which a sentence appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each part names itself")]
pub enum Section {
    Headline,
    Summary,
    Body,
}

/// A source of a brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefSource {
    /// The stored article.
    pub article_id: ArticleId,
    /// Outlet name.
    pub name: String,
    /// Address of the article.
    pub url: String,
    /// Registrable domain.
    pub domain: String,
    /// How far the outlet is trusted.
    pub trust_level: TrustLevel,
    /// Headline of the article.
    pub title: String,
    /// When it was published.
    pub published_at: Timestamp,
    /// When it could first be known.
    pub known_at: Timestamp,
    /// Index of the source that this is a copy of.
    pub copy_of: Option<u32>,
    /// The feed that delivered it, if that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

/// A documented score built from components; not a probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefConfidence {
    /// The overall score.
    pub score: Score,
    /// How many independent sources there are, saturating.
    pub corroboration: Score,
    /// Mean trust in the independent sources.
    pub source_trust: Score,
    /// How far the sources agree on the numbers and the outcome.
    pub agreement: Score,
    /// How fresh the newest source was when it became known.
    pub freshness: Score,
}

/// A documented bias score built from components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefBias {
    /// The overall score.
    pub score: Score,
    /// Which way it leans.
    pub direction: BiasDirection,
    /// What the reading is based on, quoting the loaded words. Always a sentence.
    pub framing_notes: String,
    /// Share of loaded words.
    pub loaded_wording: Score,
    /// Framing that prejudges.
    pub framing: Score,
    /// How far only one side is quoted.
    pub one_sidedness: Score,
}

impl Section {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Summary => "summary",
            Self::Body => "body",
        }
    }
}

/// Which way a text leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each direction names itself")]
pub enum BiasDirection {
    Left,
    Right,
    Center,
    Sensational,
    Promotional,
    None,
}

impl BiasDirection {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Center => "center",
            Self::Sensational => "sensational",
            Self::Promotional => "promotional",
            Self::None => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_ids_carry_the_day() {
        let day: Timestamp = "2026-03-01T23:59:59Z".parse().unwrap();
        let id = PublicBriefId::new(day, 7);
        assert_eq!(id.as_str(), "PR-2026-0301-007");
        assert_eq!(PublicBriefId::parse("pr-2026-0301-007").unwrap(), id);
        assert!(PublicBriefId::parse("PR-2026/0301").is_none());
    }
}
