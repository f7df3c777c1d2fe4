//! One article from one outlet, before and after it is read.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Category, DataPoint, EntityMention, Event, Score, Timestamp};

/// The identity of a stored article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArticleId(pub Uuid);

/// Why an article joined its story, as decided at the time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    /// The article in the story that it most resembles.
    pub alike: ArticleId,
    /// The probability that both report the same event, 0 to 1.
    pub probability: f32,
    /// How well the article fits the story as a whole, 0 to 1.
    pub score: f32,
    /// The score it had to reach.
    pub threshold: f32,
    /// What the two have in common: the numbers that `text::stories` computes for a pair of articles, in its order.
    pub measured: Vec<f32>,
}

/// An article as delivered by a feed, page or file: strings of unknown quality.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawArticle {
    /// Address as delivered.
    pub url: String,
    /// Headline; may contain markup or an outlet suffix.
    pub title: String,
    /// Teaser or feed description; may contain markup.
    pub description: Option<String>,
    /// Body, as plain text or markup; absent for headline-only items.
    pub body: Option<String>,
    /// Outlet as named by the source.
    pub outlet: Option<String>,
    /// Byline.
    pub author: Option<String>,
    /// BCP 47 language tag, as claimed.
    pub language: Option<String>,
    /// When the outlet says it was published; not trusted.
    pub published_at: Option<Timestamp>,
    /// When it was first seen in public, if the source recorded that.
    pub first_seen: Option<Timestamp>,
    /// Category labels as delivered.
    pub categories: Vec<String>,
    /// Whether it was made by the simulated newswire.
    pub simulated: bool,
    /// The feed that delivered it, if that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

/// The feed that delivered an item whose address belongs to somebody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Via {
    /// Name of the feed.
    pub name: String,
    /// Registrable domain that the feed speaks for.
    pub domain: String,
    /// Where the title and text come from.
    pub text: TextOrigin,
}

/// Where the words of an article come from, if a feed delivered it from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextOrigin {
    /// From the feed: nobody read the page, so the feed answers for them.
    Feed,
    /// From the page, fetched from the domain of the address.
    Page,
}

impl TextOrigin {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Page => "page",
        }
    }
}

/// A cleaned article, ready to be annotated and stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// Identity.
    pub id: ArticleId,
    /// The key for finding duplicates: the canonical address. A feed's stand-in carries the feed as a fragment. No
    /// canonical address has one, so a stand-in never occupies the address of the outlet's own article.
    pub url: String,
    /// Registrable domain of the publisher, such as `bbc.co.uk`: that of the address, or of the feed if it stands in.
    pub domain: String,
    /// Outlet name for readers.
    pub outlet: String,
    /// Headline without the outlet suffix or markup.
    pub title: String,
    /// Teaser without markup; empty if there is none.
    pub description: String,
    /// Readable text, with paragraphs separated by one blank line; empty for headline-only items.
    pub body: String,
    /// Byline.
    pub author: Option<String>,
    /// When it was published, corrected if the claimed time is impossible.
    pub published_at: Timestamp,
    /// When it could first be known publicly: first seen, or else published.
    pub known_at: Timestamp,
    /// Whether it was made by the simulated newswire.
    pub simulated: bool,
    /// The feed that delivered it, if that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

impl Article {
    /// The canonical address of what it reports. If a feed stands in for the outlet's own article, this is still that
    /// article's address.
    pub fn link(&self) -> &str {
        self.url
            .split_once('#')
            .map_or(self.url.as_str(), |(link, _)| link)
    }

    /// Whether this is a feed's own report of something published at somebody else's address.
    pub fn is_stand_in(&self) -> bool {
        self.via
            .as_ref()
            .is_some_and(|via| via.text == TextOrigin::Feed)
    }

    /// Whether it gives way: a feed's stand-in does so as soon as the article at its address has arrived.
    pub fn is_replaced_by(&self, other: &Self) -> bool {
        self.is_stand_in() && !other.is_stand_in() && self.link() == other.url
    }
}

/// What reading an article found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annotations {
    /// ISO 639-1 code, or `und` if it cannot be determined.
    pub language: String,
    /// Its main topic.
    pub category: Category,
    /// Sentiment of the whole text; 0.5 is neutral.
    pub sentiment: Score,
    /// The people and things it names, most important first.
    pub entities: Vec<EntityMention>,
    /// Lower-case topic keywords, most distinctive first, at most eight.
    pub tags: Vec<String>,
    /// Loaded wording and one-sidedness.
    pub bias: BiasReading,
    /// What happened, most certain first.
    #[serde(default)]
    pub events: Vec<Event>,
    /// The figures it gives, in the order in which they appear in the text.
    #[serde(default)]
    pub data_points: Vec<DataPoint>,
    /// What clustering compares.
    pub features: Features,
}

/// Why a text reads as biased.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BiasReading {
    /// Share of loaded words, scaled to the range 0 to 1.
    pub loaded_wording: f64,
    /// Framing that prejudges: unattributed assertion, rhetorical questions, superlatives; 0 to 1.
    pub framing: f64,
    /// 0 if several sides are quoted, 1 if only one is.
    pub one_sidedness: f64,
    /// The loaded words and phrases as they appear in the text, at most ten.
    pub loaded_terms: Vec<String>,
    /// Positive leans right, negative leans left; -1 to 1.
    pub lean: f64,
    /// Praise of a product or company that goes beyond news, 0 to 1.
    pub promotional: f64,
    /// Alarm and drama that go beyond news, 0 to 1.
    pub sensational: f64,
}

/// A text as clustering sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Hashed terms and their weights, sorted by term; the weights have Euclidean length one.
    pub terms: Vec<(u32, f32)>,
    /// The smallest hashes of its word shingles, ascending: an estimate of textual overlap.
    pub sketch: Vec<u32>,
    /// The terms of the headline, in order.
    #[serde(default)]
    pub headline: Vec<u32>,
    /// The headline without numbers, names and rare words, hashed: what the items of a series have in common. 0 if too
    /// little is left.
    #[serde(default)]
    pub pattern: u32,
    /// The meaning of the headline and teaser, as a vector of bytes; empty if unknown.
    #[serde(default)]
    pub meaning: Vec<u8>,
    /// The people and things it names, as hashes, starting with those it is about; empty if unknown.
    #[serde(default)]
    pub names: Vec<u32>,
    /// How likely it is to be the report of an event, in steps of 1/255; 0 if unknown.
    #[serde(default)]
    pub report: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article(url: &str, text: Option<TextOrigin>) -> Article {
        Article {
            id: ArticleId(Uuid::nil()),
            url: url.into(),
            domain: "feed.example".into(),
            outlet: "Feed".into(),
            title: "Port reopens".into(),
            description: String::new(),
            body: String::new(),
            author: None,
            published_at: Timestamp::default(),
            known_at: Timestamp::default(),
            simulated: false,
            via: text.map(|text| Via {
                name: "Feed".into(),
                domain: "feed.example".into(),
                text,
            }),
        }
    }

    #[test]
    fn only_the_own_article_replaces_a_stand_in() {
        let address = "https://outlet.example/port";
        let stand_in = article(
            "https://outlet.example/port#via=feed.example",
            Some(TextOrigin::Feed),
        );
        let own = article(address, None);
        let read = article(address, Some(TextOrigin::Page));
        assert_eq!((stand_in.link(), own.link()), (address, address));
        assert!(stand_in.is_replaced_by(&own) && stand_in.is_replaced_by(&read));
        assert!(!own.is_replaced_by(&stand_in) && !stand_in.is_replaced_by(&stand_in));
        let other = article("https://outlet.example/ferry", None);
        assert!(!stand_in.is_replaced_by(&other) && !read.is_replaced_by(&own));
    }

    #[test]
    fn articles_stored_before_are_readable() {
        let mut stored =
            serde_json::to_value(article("https://outlet.example/port", None)).unwrap();
        assert!(stored.as_object_mut().unwrap().remove("via").is_none());
        assert_eq!(serde_json::from_value::<Article>(stored).unwrap().via, None);
    }
}
