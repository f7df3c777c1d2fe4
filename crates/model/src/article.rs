//! One article of one outlet, before and after reading it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Category, DataPoint, EntityMention, Event, Score, Timestamp};

/// The identity of a stored article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArticleId(pub Uuid);

/// Why an article joined its story, as it was decided then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    /// The article of the story that resembles it most.
    pub alike: ArticleId,
    /// How probable it is that both report one event, 0 to 1.
    pub probability: f32,
    /// How well the article fits the story as a whole, 0 to 1.
    pub score: f32,
    /// What the score had to reach.
    pub threshold: f32,
    /// What both have in common: the numbers that `text::stories` measures of two articles, in its order.
    pub measured: Vec<f32>,
}

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
    /// The feed that brought it, where that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

/// The feed that brought an item whose address belongs to somebody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Via {
    /// Name of the feed.
    pub name: String,
    /// Registrable domain for which the feed speaks.
    pub domain: String,
    /// Whose words title and text are.
    pub text: TextOrigin,
}

/// Whose words an article is that a feed brought from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextOrigin {
    /// The feed's: nobody read the page, so the feed answers for them.
    Feed,
    /// The page's, fetched from the domain of the address.
    Page,
}

impl TextOrigin {
    /// The word of the wire contract.
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
    /// The key that finds duplicates: the canonical address. A feed's stand-in carries the feed as a fragment, which no
    /// canonical address has, so that it never occupies the address of the outlet's own article.
    pub url: String,
    /// Registrable domain of who speaks, such as `bbc.co.uk`: that of the address, or of the feed where it stands in.
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
    /// The feed that brought it, where that feed does not speak for the domain of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

impl Article {
    /// The canonical address of what it reports: of the outlet's own article also where a feed stands in for that.
    pub fn link(&self) -> &str {
        self.url
            .split_once('#')
            .map_or(self.url.as_str(), |(link, _)| link)
    }

    /// Whether a feed reports in its own words what stands under somebody else's address.
    pub fn is_stand_in(&self) -> bool {
        self.via
            .as_ref()
            .is_some_and(|via| via.text == TextOrigin::Feed)
    }

    /// Whether it gives way: a feed's stand-in does as soon as the article under its address is there.
    pub fn is_replaced_by(&self, other: &Self) -> bool {
        self.is_stand_in() && !other.is_stand_in() && self.link() == other.url
    }
}

/// What reading an article found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annotations {
    /// ISO 639-1 code, `und` where it cannot be determined.
    pub language: String,
    /// What it is mainly about.
    pub category: Category,
    /// Sentiment of the whole, 0.5 neutral.
    pub sentiment: Score,
    /// Who and what it names, most important first.
    pub entities: Vec<EntityMention>,
    /// Lower-case topic words, most distinctive first, at most eight.
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
    /// The terms of the headline in its order.
    #[serde(default)]
    pub headline: Vec<u32>,
    /// The headline with numbers, names and rare words left out, hashed: what the items of a series have in common. 0 where
    /// too little is left.
    #[serde(default)]
    pub pattern: u32,
    /// The meaning of headline and teaser, as a vector of bytes; empty where it is not known.
    #[serde(default)]
    pub meaning: Vec<u8>,
    /// Whom and what it names as hashes, whom it is about first; empty where that is not known.
    #[serde(default)]
    pub names: Vec<u32>,
    /// How probably it is the report of an event, in steps of 1/255; 0 where that is not known.
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
