//! Labelled articles and real streams as the pipeline reads them: cleaned, then annotated.

use model::{Annotations, Article, Features, RawArticle, Timestamp};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use text::annotate::annotate;
use text::clean::{Arrival, clean};
use text::stories::Compared;

use crate::data::{self, Data, Set};
use crate::seen;

/// An article whose story is known.
pub(crate) struct Labelled {
    pub(crate) story: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) features: Features,
    pub(crate) time: Option<Timestamp>,
}

/// A set of labelled articles.
pub(crate) struct LabelledSet {
    pub(crate) name: String,
    /// Whether rules were written while it was read.
    pub(crate) seen: &'static str,
    pub(crate) articles: Vec<Labelled>,
    /// In the order of time, or in an order that is drawn.
    pub(crate) in_order: bool,
}

#[derive(Deserialize)]
struct Row {
    #[serde(alias = "event_id", alias = "story_id")]
    story: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    paragraphs: Option<Vec<String>>,
    #[serde(default)]
    published: Option<String>,
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    published_ms: Option<i64>,
}

impl Row {
    /// What names it, as in [`seen::items`].
    fn item(&self) -> Option<&str> {
        let parts = [&self.url, &self.text, &self.title];
        parts
            .into_iter()
            .flatten()
            .map(String::as_str)
            .find(|text| !text.is_empty())
    }

    fn time(&self) -> Option<Timestamp> {
        if let Some(ms) = self.published_ms {
            return Some(Timestamp::from_ms(ms));
        }
        let text = self.published.as_ref().or(self.date.as_ref())?;
        let text = text.replace(' ', "T");
        text.parse().or_else(|_| format!("{text}Z").parse()).ok()
    }

    fn labelled(self) -> Labelled {
        let time = self.time();
        let body = self
            .text
            .or_else(|| Some(self.paragraphs?.join("\n\n")))
            .unwrap_or_default();
        let raw = RawArticle {
            url: "https://labelled.example/".to_owned(),
            title: self.title.unwrap_or_default(),
            body: Some(body),
            published_at: time,
            ..RawArticle::default()
        };
        // An item without a headline is no article to the pipeline; here it has a label and is compared by its text.
        let cleaned = clean(&raw, Timestamp::END, Arrival::Backfill);
        let (title, body, features) = if let Ok(article) = cleaned {
            let features = annotate(&article, &[]).features;
            (article.title, article.body, features)
        } else {
            let body = raw.body.unwrap_or_default();
            let features = text::features::features(&raw.title, "", &body, &[]);
            (raw.title, body, features)
        };
        Labelled {
            story: self.story,
            title,
            body,
            features,
            time,
        }
    }
}

/// The labelled sets that are there, marked for a task.
pub(crate) fn labelled(data: &Data, task: &str) -> anyhow::Result<Vec<LabelledSet>> {
    let sets = data.sets(&data::STORIES);
    sets.into_iter().map(|set| one(set, task)).collect()
}

fn one(set: Set, task: &str) -> anyhow::Result<LabelledSet> {
    let rows: Vec<Row> = set.rows()?;
    let seen = seen::mark(task, rows.iter().filter_map(Row::item));
    // Times that are exact to the millisecond are those of a stream; days and times of capture give no order.
    let in_order = rows.iter().all(|row| row.published_ms.is_some());
    let mut articles: Vec<Labelled> = rows.into_iter().map(Row::labelled).collect();
    if in_order {
        articles.sort_by_key(|article| article.time);
    }
    Ok(LabelledSet {
        name: set.name,
        seen,
        articles,
        in_order,
    })
}

/// An article of a real stream.
pub(crate) struct Streamed {
    /// The first digits of the hash of its address, by which labels name it.
    pub(crate) hash: String,
    pub(crate) article: Article,
    pub(crate) annotations: Annotations,
}

#[derive(Deserialize)]
struct Line {
    url: String,
    title: Option<String>,
    #[serde(alias = "summary")]
    description: Option<String>,
    #[serde(alias = "content", alias = "text")]
    body: Option<String>,
    #[serde(alias = "outlet")]
    source: Option<serde_json::Value>,
    #[serde(alias = "lang")]
    language: Option<String>,
    #[serde(alias = "date", alias = "published")]
    published_at: Option<String>,
    first_seen: Option<String>,
}

impl Streamed {
    pub(crate) fn compared(&self) -> Compared<'_> {
        Compared {
            features: &self.annotations.features,
            domain: &self.article.domain,
            time: Some(self.article.published_at),
        }
    }
}

impl Labelled {
    pub(crate) fn compared(&self) -> Compared<'_> {
        Compared {
            features: &self.features,
            // The labelled sets do not all say who speaks.
            domain: "",
            time: self.time,
        }
    }
}

impl Line {
    fn read(self) -> Option<Streamed> {
        let time = |text: Option<String>| text?.parse().ok();
        let hash = hex::encode(Sha256::digest(self.url.as_bytes()))[..12].to_owned();
        let raw = RawArticle {
            url: self.url,
            title: self.title.unwrap_or_default(),
            description: self.description,
            body: self.body,
            outlet: self.source.and_then(|name| Some(name.as_str()?.to_owned())),
            language: self.language,
            published_at: time(self.published_at),
            first_seen: time(self.first_seen),
            ..RawArticle::default()
        };
        let article = clean(&raw, Timestamp::END, Arrival::Backfill).ok()?;
        let annotations = annotate(&article, &[]);
        Some(Streamed {
            hash,
            article,
            annotations,
        })
    }
}

/// One real stream in the order in which its articles became known.
pub(crate) struct Stream {
    /// Its year, by which labels name it.
    pub(crate) year: String,
    /// Whether rules were written while it was read.
    pub(crate) seen: &'static str,
    pub(crate) articles: Vec<Streamed>,
}

/// The real streams that are there, each by itself, marked for a task.
pub(crate) fn streams(data: &Data, task: &str) -> anyhow::Result<Vec<Stream>> {
    let sets = data.sets(&data::STREAMS);
    sets.iter().map(|set| stream(set, task)).collect()
}

fn stream(set: &Set, task: &str) -> anyhow::Result<Stream> {
    let lines: Vec<Line> = set.rows()?;
    let seen = seen::mark(task, lines.iter().map(|line| &line.url));
    let mut articles: Vec<Streamed> = lines.into_iter().filter_map(Line::read).collect();
    articles.sort_by_key(|streamed| streamed.article.known_at);
    let year = set
        .name
        .trim_start_matches("stream_")
        .chars()
        .take(4)
        .collect();
    Ok(Stream {
        year,
        seen,
        articles,
    })
}
