//! Articles of the real streams and story sets, in the shape in which they would come in.

use std::collections::BTreeMap;

use model::{Annotations, Article, OutletTable, RawArticle, Timestamp};
use serde_json::Value;
use sha2::{Digest, Sha256};
use text::clean::{Arrival, clean};
use text::compose::{Composition, Member, compose};
use text::stories::{Compared, StoryIndex};

/// An article that was read.
pub(crate) struct Read {
    pub(crate) article: Article,
    pub(crate) annotations: Annotations,
    copy_of: Option<usize>,
}

/// A hash that names an item without repeating it.
pub(crate) fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

/// The table of outlets that the service ships and has where its operator configures nothing.
pub(crate) fn shipped_outlets() -> OutletTable {
    OutletTable::new(providers::outlets())
}

/// The fields of the sets under one roof.
pub(crate) fn raw(record: &Value) -> RawArticle {
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| record[*name].as_str())
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let time = |names: &[&str]| {
        names.iter().find_map(|name| {
            let text = record[*name].as_str()?;
            text.parse().ok().or_else(|| text.get(..10)?.parse().ok())
        })
    };
    let paragraphs = record["paragraphs"].as_array().map(|paragraphs| {
        paragraphs
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n\n")
    });
    RawArticle {
        url: text(&["url"]).unwrap_or_default(),
        title: text(&["title"]).unwrap_or_default(),
        description: text(&["description", "summary"]),
        body: text(&["text", "content", "body"]).or(paragraphs),
        outlet: text(&["outlet", "source"]),
        author: None,
        language: text(&["lang", "language"]),
        published_at: time(&["published_at", "date", "published"])
            .or_else(|| record["published_ms"].as_i64().map(Timestamp::from_ms)),
        first_seen: time(&["first_seen"]),
        categories: Vec::new(),
        simulated: false,
        via: None,
    }
}

/// Cleans and reads an article; `None` where it is refused.
pub(crate) fn annotate(raw: &RawArticle) -> Option<Read> {
    let article = clean(raw, Timestamp::END, Arrival::Backfill).ok()?;
    let annotations = text::annotate::annotate(&article, &raw.categories);
    Some(Read {
        article,
        annotations,
        copy_of: None,
    })
}

/// The briefs of a set: stories by their gold label where the set has one, else as the story search finds them. Only
/// stories of several articles.
pub(crate) fn briefs(rows: &[Value], outlets: &OutletTable) -> Vec<Composition> {
    let mut labels: Vec<Option<String>> = Vec::new();
    let mut articles: Vec<Read> = Vec::new();
    let mut order: Vec<(Option<Timestamp>, usize)> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let raw = raw(row);
            (raw.first_seen.or(raw.published_at), at)
        })
        .collect();
    order.sort();
    for (_, at) in order {
        if let Some(read) = annotate(&raw(&rows[at])) {
            let label = rows[at]["event_id"]
                .as_str()
                .or(rows[at]["story_id"].as_str());
            labels.push(label.map(str::to_owned));
            articles.push(read);
        }
    }
    let mut index = StoryIndex::new();
    let mut stories: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, (read, label)) in articles.iter_mut().zip(&labels).enumerate() {
        let compared = Compared {
            features: &read.annotations.features,
            domain: &read.article.domain,
            time: Some(read.article.published_at),
        };
        let placement = index.place(compared);
        let story = placement.story.unwrap_or(number as u64);
        index.insert(number as u64, story, compared);
        read.copy_of = placement.copy_of.map(|original| original as usize);
        let story = label.clone().unwrap_or_else(|| format!("{story:09}"));
        stories.entry(story).or_default().push(number);
    }
    stories
        .values()
        .filter(|members| members.len() > 1)
        .map(|members| {
            let given: Vec<Member<'_>> = members
                .iter()
                .map(|number| Member {
                    article: &articles[*number].article,
                    annotations: &articles[*number].annotations,
                    outlet: outlets
                        .name(&articles[*number].article.domain)
                        .unwrap_or(&articles[*number].article.outlet),
                    trust: outlets.trust(&articles[*number].article.domain),
                    copy_of: articles[*number]
                        .copy_of
                        .and_then(|original| members.iter().position(|member| *member == original)),
                })
                .collect();
            compose(&given, None)
        })
        .collect()
}
