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
    /// The identity of the brief that an article founds: derived from the article's, so the same input gives the same
    /// brief.
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

/// The identity of a brief for people: `PR-2026-0301-042`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PublicBriefId(String);

impl PublicBriefId {
    /// The `number`th brief (from 1) that became known on the day of `known_at`.
    pub fn new(known_at: Timestamp, number: u64) -> Self {
        let date = known_at.date();
        let (year, rest) = date.split_at(date.len() - 6);
        Self(format!("PR-{year}-{}-{number:03}", rest.replace('-', "")))
    }

    /// Text that looks like such an identity, in upper case.
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
    /// Identity for people.
    pub public_id: PublicBriefId,
    /// 1 for the first publication.
    pub revision: u32,
    /// One line.
    pub headline: String,
    /// Two or three sentences.
    pub summary: String,
    /// The full text: paragraphs separated by a blank line.
    pub body: String,
    /// Every sentence of summary and body with the indices into `sources` that say it.
    pub sentences: Vec<SourcedSentence>,
    /// What it is mainly about.
    pub category: Category,
    /// Publication of its first source.
    pub published_at: Timestamp,
    /// When its newest source became known.
    pub updated_at: Timestamp,
    /// How well supported it is, with the parts.
    pub confidence: BriefConfidence,
    /// How coloured it is, with the parts.
    pub bias: BriefBias,
    /// The dissenting source, else the strongest caveat about this very brief. Always a sentence.
    pub counter_argument: String,
    /// Its sources in the order in which they became known, syndicated copies included and marked.
    pub sources: Vec<BriefSource>,
    /// Independent sources: copies count once.
    pub source_count: u32,
    /// How often new sources were added.
    pub update_count: u32,
    /// Sentiment of the story, 0.5 neutral.
    pub sentiment: Score,
    /// Topic words.
    pub tags: Vec<String>,
    /// Who and what it is about, most important first.
    pub entities: Vec<EntityMention>,
    /// What happened, surest first, each event once, whoever reports it.
    #[serde(default)]
    pub events: Vec<Event>,
    /// The figures that the sources give, each once.
    #[serde(default)]
    pub data_points: Vec<DataPoint>,
    /// Where independent sources cannot all be right.
    #[serde(default)]
    pub contradictions: Vec<Contradiction>,
    /// ISO 639-1 code of the text.
    pub language: String,
    /// Made from the simulated newswire.
    pub simulated: bool,
    /// The briefs with which it was one, until two events showed.
    #[serde(default, skip_serializing_if = "Split::is_empty")]
    pub split: Split,
    /// The briefs with which it became one, because all reported one event.
    #[serde(default, skip_serializing_if = "Merged::is_empty")]
    pub merged: Merged,
}

/// The other parts of what was one brief.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The brief whose sources these were before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PublicBriefId>,
    /// The briefs that have sources which this one had, the last divided last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub into: Vec<PublicBriefId>,
}

impl Split {
    /// Whether the brief was never divided.
    pub fn is_empty(&self) -> bool {
        self.from.is_none() && self.into.is_empty()
    }
}

/// What became one brief.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// The brief that has the sources since; only in the last revision of one that is no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<PublicBriefId>,
    /// The briefs whose sources this one took in, the last one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<PublicBriefId>,
}

impl Merged {
    /// Whether the brief was always one.
    pub fn is_empty(&self) -> bool {
        self.into.is_none() && self.from.is_empty()
    }
}

/// A sentence and who says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourcedSentence {
    /// The part of the brief it stands in.
    pub section: Section,
    /// The sentence as printed.
    pub text: String,
    /// Indices into the sources of the brief.
    pub sources: Vec<u32>,
}

/// The part of a brief in which a sentence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each part names itself")]
pub enum Section {
    Headline,
    Summary,
    Body,
}

/// Where a brief got something from.
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
    /// When it was knowable.
    pub known_at: Timestamp,
    /// Index of the source of which this is a copy.
    pub copy_of: Option<u32>,
    /// The feed that brought it, where that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

/// A documented score from its parts; not a probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefConfidence {
    /// The whole.
    pub score: Score,
    /// How many independent sources there are, saturating.
    pub corroboration: Score,
    /// Mean trust of the independent sources.
    pub source_trust: Score,
    /// How far the sources agree on numbers and outcome.
    pub agreement: Score,
    /// How fresh the newest source was when it became known.
    pub freshness: Score,
}

/// A documented score of colouring, from its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefBias {
    /// The whole.
    pub score: Score,
    /// Where it leans.
    pub direction: BiasDirection,
    /// What the reading rests on, quoting the loaded words. Always a sentence.
    pub framing_notes: String,
    /// Share of loaded words.
    pub loaded_wording: Score,
    /// Framing that prejudges.
    pub framing: Score,
    /// Only one side is quoted.
    pub one_sidedness: Score,
}

impl Section {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Summary => "summary",
            Self::Body => "body",
        }
    }
}

/// Where a text leans.
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
    /// The word of the wire contract.
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
