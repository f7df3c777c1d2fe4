//! One article of one outlet, before and after reading it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Category, DataPoint, EntityMention, Event, Score, Timestamp};

/// The identity of a stored article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArticleId(pub Uuid);

/// An article as a feed, page or file delivered it: strings of unknown quality.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawArticle {
    /// Address as delivered.
    pub url: String,
    /// Headline, may hold markup or an outlet suffix.
    pub title: String,
    /// Teaser or feed description, may hold markup.
    pub description: Option<String>,
    /// Body, plain text or markup; absent for headline-only items.
    pub body: Option<String>,
    /// Outlet as named by the source.
    pub outlet: Option<String>,
    /// Byline.
    pub author: Option<String>,
    /// BCP 47 language as claimed.
    pub language: Option<String>,
    /// When the outlet says that it was published; not trusted.
    pub published_at: Option<Timestamp>,
    /// When it was first seen in public, where the source recorded that.
    pub first_seen: Option<Timestamp>,
    /// Category words as delivered.
    pub categories: Vec<String>,
    /// Made by the simulated newswire.
    pub simulated: bool,
}

/// A cleaned article, ready to be annotated and stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// Identity.
    pub id: ArticleId,
    /// Canonical address: the key that finds duplicates.
    pub url: String,
    /// Registrable domain of the address, such as `bbc.co.uk`.
    pub domain: String,
    /// Outlet name for readers.
    pub outlet: String,
    /// Headline without outlet suffix and markup.
    pub title: String,
    /// Teaser without markup; empty where there is none.
    pub description: String,
    /// Readable text, paragraphs separated by one blank line; empty for headline-only items.
    pub body: String,
    /// Byline.
    pub author: Option<String>,
    /// When it was published, corrected where the claim is impossible.
    pub published_at: Timestamp,
    /// When it was publicly knowable: first seen, else published.
    pub known_at: Timestamp,
    /// Made by the simulated newswire.
    pub simulated: bool,
}

/// What reading an article found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annotations {
    /// ISO 639-1 code, `und` where it cannot be told.
    pub language: String,
    /// What it is mainly about.
    pub category: Category,
    /// Tone of the whole, 0.5 neutral.
    pub sentiment: Score,
    /// Who and what it names, most important first.
    pub entities: Vec<EntityMention>,
    /// Lower-case topic words, most telling first, at most eight.
    pub tags: Vec<String>,
    /// Loaded wording and one-sidedness.
    pub bias: BiasReading,
    /// What happened, surest first.
    #[serde(default)]
    pub events: Vec<Event>,
    /// The figures it gives, in the order of the text.
    #[serde(default)]
    pub data_points: Vec<DataPoint>,
    /// What clustering compares.
    pub features: Features,
}

/// Why a text reads as biased.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BiasReading {
    /// Share of loaded words, scaled to 0 to 1.
    pub loaded_wording: f64,
    /// Framing that prejudges: unattributed assertion, rhetorical questions, superlatives; 0 to 1.
    pub framing: f64,
    /// 0 where several sides are quoted, 1 where only one is.
    pub one_sidedness: f64,
    /// The loaded words and phrases as they stand in the text, at most ten.
    pub loaded_terms: Vec<String>,
    /// Positive leans right, negative leans left, -1 to 1.
    pub lean: f64,
    /// Praise of a product or company beyond news, 0 to 1.
    pub promotional: f64,
    /// Alarm and drama beyond news, 0 to 1.
    pub sensational: f64,
}

/// A text as clustering sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Hashed terms and their weights, sorted by term; the weights have Euclidean length one.
    pub terms: Vec<(u32, f32)>,
    /// The smallest hashes of its word shingles, ascending: an estimate of textual overlap.
    pub sketch: Vec<u32>,
}
