//! Articles: what came in, and what was found by reading it.

use std::collections::HashSet;

use model::{
    Annotations, Article, ArticleId, BiasReading, BriefId, Category, DataPoint, EntityMention,
    Event, Features, Joined, Score, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::database::{Database, Row, Value, parameters, values};
use crate::{Error, Result, document, features};

/// The columns that [`article_features`] reads.
macro_rules! feature_columns {
    () => {
        "seq, story, features, published_at, domain"
    };
}

/// The columns that [`stored_article`] reads, with their tables.
macro_rules! article_source {
    () => {
        "SELECT a.seq, a.document, a.annotations, f.features, a.brief, a.story, a.copy_of, a.recorded_at, a.packed \
         FROM article a JOIN article_feature f ON f.seq = a.seq"
    };
}

/// Features after a `seq`, up to this many.
pub(crate) const SINCE: &str = concat!(
    "SELECT ",
    feature_columns!(),
    " FROM article_feature WHERE seq > $1 ORDER BY seq LIMIT $2"
);

/// The articles of a story that were known at a given time.
pub(crate) const BY_STORY: &str = concat!(
    article_source!(),
    " WHERE a.story = $1 AND a.known_at <= $2 ORDER BY a.seq"
);

/// The articles that were in a brief's story at a given time: excludes articles in it now that came later, and includes
/// ones that left it later.
pub(crate) const BY_BRIEF: &str = concat!(
    "WITH wanted AS (SELECT story FROM brief WHERE id = $1) ",
    article_source!(),
    " WHERE a.known_at <= $2 AND a.seq IN (SELECT seq FROM article WHERE story = (SELECT story FROM wanted) \
     UNION SELECT article FROM article_move WHERE story = (SELECT story FROM wanted)) \
     AND COALESCE((SELECT m.story FROM article_move m WHERE m.article = a.seq AND m.left_at > $2 \
     ORDER BY m.left_at, m.cause LIMIT 1), a.story) = (SELECT story FROM wanted) ORDER BY a.seq"
);

/// The articles that left their story because an article arrived after `seq`.
pub(crate) const MOVED_SINCE: &str = "SELECT f.seq, m.story, f.story, f.published_at FROM article_move m \
     JOIN article_feature f ON f.seq = m.article WHERE m.cause > $1 ORDER BY m.cause, m.article";

/// An article as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredArticle {
    /// Order of arrival: strictly increasing in the order of commits.
    pub seq: i64,
    /// The article.
    pub article: Article,
    /// What was found by reading it.
    pub annotations: Annotations,
    /// The brief of its story.
    pub brief: BriefId,
    /// Its story: the `seq` of the article that founded it; a negative number if it was split off from another.
    pub story: i64,
    /// The article it is a copy of.
    pub copy_of: Option<ArticleId>,
    /// Why it joined its story; `None` for the one that founded it, and if it was stored before this was recorded.
    pub joined: Option<Joined>,
    /// When this store wrote it.
    pub recorded_at: Timestamp,
}

/// An article as clustering sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticleFeatures {
    /// Order of arrival.
    pub seq: i64,
    /// Its story.
    pub story: i64,
    /// What clustering compares.
    pub features: Features,
    /// When it was published; that day is the clustering day.
    pub published_at: Timestamp,
    /// Registrable domain.
    pub domain: String,
}

/// An article that left its story because the story was split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedArticle {
    /// The article.
    pub seq: i64,
    /// The story it left.
    pub left: i64,
    /// The story it is in now.
    pub story: i64,
    /// When it was published.
    pub published_at: Timestamp,
}

pub(crate) fn moved_article(row: &Row) -> Result<MovedArticle> {
    Ok(MovedArticle {
        seq: row.int(0)?,
        left: row.int(1)?,
        story: row.int(2)?,
        published_at: row.time(3)?,
    })
}

/// The articles.
#[derive(Clone, Copy, Debug)]
pub struct Articles<'a> {
    pub(crate) database: &'a Database,
}

impl Articles<'_> {
    /// The features of all articles published between two days, inclusive (days since the epoch), in order of arrival.
    pub async fn of_days(&self, from_day: i64, to_day: i64) -> Result<Vec<ArticleFeatures>> {
        let sql = concat!(
            "SELECT ",
            feature_columns!(),
            " FROM article_feature WHERE day BETWEEN $1 AND $2 ORDER BY seq"
        );
        self.database
            .rows(sql, values![from_day, to_day])
            .await?
            .iter()
            .map(article_features)
            .collect()
    }

    /// The features of the articles after `seq`, in order of arrival.
    pub async fn since(&self, seq: i64, limit: u64) -> Result<Vec<ArticleFeatures>> {
        self.database
            .rows(SINCE, values![seq, limit])
            .await?
            .iter()
            .map(article_features)
            .collect()
    }

    /// The articles of a story, in order of arrival.
    pub async fn by_story(&self, story: i64) -> Result<Vec<StoredArticle>> {
        self.database
            .rows(BY_STORY, values![story, Timestamp::END])
            .await?
            .iter()
            .map(stored_article)
            .collect()
    }

    /// Which of these canonical addresses are stored.
    pub async fn exists(&self, urls: &[&str]) -> Result<HashSet<String>> {
        let mut found = HashSet::new();
        for (sql, values) in known_urls(urls) {
            for row in self.database.rows(sql, values).await? {
                found.insert(row.text(0)?);
            }
        }
        Ok(found)
    }
}

/// Annotations as stored: without the features, which are in their own table.
#[derive(Serialize, Deserialize)]
struct StoredAnnotations<Entities, Words, Bias, Events, Points, Why> {
    language: Words,
    category: Category,
    sentiment: Score,
    entities: Entities,
    tags: Vec<Words>,
    bias: Bias,
    #[serde(default)]
    events: Events,
    #[serde(default)]
    data_points: Points,
    /// Why the article joined its story.
    #[serde(skip_serializing_if = "Option::is_none")]
    joined: Option<Why>,
}

type Read =
    StoredAnnotations<Vec<EntityMention>, String, BiasReading, Vec<Event>, Vec<DataPoint>, Joined>;

/// An article and its annotations, packed together: JSON contains no line breaks, so they take one line each.
pub(crate) fn packed(
    article: &Article,
    annotations: &Annotations,
    joined: Option<&Joined>,
) -> Result<Vec<u8>> {
    let encode = |source| Error::Encode {
        table: "article",
        source,
    };
    let slim = StoredAnnotations {
        language: annotations.language.as_str(),
        category: annotations.category,
        sentiment: annotations.sentiment,
        entities: annotations.entities.as_slice(),
        tags: annotations.tags.iter().map(String::as_str).collect(),
        bias: &annotations.bias,
        events: annotations.events.as_slice(),
        data_points: annotations.data_points.as_slice(),
        joined,
    };
    let article = serde_json::to_string(article).map_err(encode)?;
    let annotations = serde_json::to_string(&slim).map_err(encode)?;
    document::pack(&format!("{article}\n{annotations}")).map_err(|source| Error::Pack {
        table: "article",
        source,
    })
}

pub(crate) fn article_features(row: &Row) -> Result<ArticleFeatures> {
    let seq = row.int(0)?;
    Ok(ArticleFeatures {
        seq,
        story: row.int(1)?,
        features: features::decode(&row.blob(2)?, seq)?,
        published_at: row.time(3)?,
        domain: row.text(4)?,
    })
}

pub(crate) fn stored_article(row: &Row) -> Result<StoredArticle> {
    let seq = row.int(0)?;
    let corrupt = || Error::corrupt("article", seq.to_string());
    let (article, annotations) = match row.blob_option(8)? {
        None => (row.text(1)?, row.text(2)?),
        Some(bytes) => {
            let both = document::unpack(&bytes).ok_or_else(corrupt)?;
            let (article, annotations) = both.split_once('\n').ok_or_else(corrupt)?;
            (article.to_owned(), annotations.to_owned())
        }
    };
    let read: Read = serde_json::from_str(&annotations).map_err(|_| corrupt())?;
    let copy_of = match row.text_option(6)? {
        Some(_) => Some(ArticleId(row.id(6, "article")?)),
        None => None,
    };
    Ok(StoredArticle {
        seq,
        article: serde_json::from_str(&article).map_err(|_| corrupt())?,
        annotations: Annotations {
            language: read.language,
            category: read.category,
            sentiment: read.sentiment,
            entities: read.entities,
            tags: read.tags,
            bias: read.bias,
            events: read.events,
            data_points: read.data_points,
            features: features::decode(&row.blob(3)?, seq)?,
        },
        brief: BriefId(row.id(4, "article")?),
        story: row.int(5)?,
        copy_of,
        joined: read.joined,
        recorded_at: row.time(7)?,
    })
}

/// The statements that find which of these addresses are stored. Their sizes are powers of two, padded with the last
/// address, so that a few statements serve every number.
pub(crate) fn known_urls(urls: &[&str]) -> Vec<(String, Vec<Value>)> {
    urls.chunks(256)
        .map(|chunk| {
            let size = chunk.len().next_power_of_two();
            let last = chunk.last().copied().unwrap_or_default();
            let filled = chunk
                .iter()
                .copied()
                .chain(std::iter::repeat(last))
                .take(size);
            (
                format!(
                    "SELECT url FROM article WHERE url IN ({})",
                    parameters(1, size)
                ),
                filled.map(Value::from).collect(),
            )
        })
        .collect()
}
