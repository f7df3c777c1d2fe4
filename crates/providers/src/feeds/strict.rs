//! The strict reading, by the feed-rs crate.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, UNIX_EPOCH};

use feed_rs::model::{Entry, Feed, Link, Person};
use feed_rs::parser::Builder;
use model::Timestamp;
use text::date::{self, Order};
use url::Url;

use super::DraftFeed;
use super::item::Draft;

/// Reads well-formed RSS and Atom; `None` for anything else.
pub(super) fn parse(text: &str, base: &str) -> Option<DraftFeed> {
    let base = Url::parse(base).ok();
    let text = without_declaration(text);
    if has_late_declaration(text) {
        return None;
    }
    // A defect in the library costs only this attempt, not the feed: the lenient parser is next.
    let feed = catch_unwind(AssertUnwindSafe(|| {
        let parser = Builder::new()
            .base_uri(base.as_ref().map(Url::as_str))
            .timestamp_parser(|text| {
                let ms = date::parse(text, Order::Undeclared)?.ms();
                let distance = Duration::from_millis(ms.unsigned_abs());
                let time = if ms < 0 {
                    UNIX_EPOCH.checked_sub(distance)
                } else {
                    UNIX_EPOCH.checked_add(distance)
                };
                time.map(Into::into)
            })
            .build();
        parser.parse(text.as_bytes()).ok()
    }));
    feed.ok().flatten().map(draft_feed)
}

/// The text is already decoded; a declaration that still names the old encoding would cause it to be decoded again.
fn without_declaration(text: &str) -> &str {
    match text
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
    {
        Some((_, rest)) => rest.trim_start(),
        None => text,
    }
}

/// Whether an encoding is declared within the document. That is not well-formed, and the library panics when it has
/// to change the encoding of a document that it has begun to read.
fn has_late_declaration(text: &str) -> bool {
    /// Longer than any declaration.
    const REACH: usize = 200;
    text.match_indices("<?xml").any(|(at, mark)| {
        let rest = &text.as_bytes()[at + mark.len()..];
        let rest = &rest[..rest.len().min(REACH)];
        rest.first().is_some_and(u8::is_ascii_whitespace)
            && rest.windows(8).any(|word| word == b"encoding")
    })
}

fn draft_feed(feed: Feed) -> DraftFeed {
    DraftFeed {
        title: feed.title.map(|title| title.content).unwrap_or_default(),
        language: feed.language,
        ttl: feed
            .ttl
            .filter(|minutes| *minutes > 0)
            .map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
        items: feed.entries.into_iter().map(draft).collect(),
    }
}

fn draft(entry: Entry) -> Draft {
    let media_text = entry
        .media
        .iter()
        .find_map(|media| media.description.as_ref())
        .map(|text| text.content.clone());
    let from_ms = |ms: i64| Timestamp::from_ms(ms);
    Draft {
        id: Some(entry.id).filter(|id| !id.is_empty()),
        links: best_links(&entry.links),
        base: entry.base,
        title: entry.title.map(|title| title.content),
        description: entry.summary.map(|summary| summary.content).or(media_text),
        content: entry.content.and_then(|content| content.body),
        authors: entry.authors.into_iter().filter_map(name).collect(),
        language: entry.language,
        published: entry.published.map(|time| from_ms(time.timestamp_millis())),
        updated: entry.updated.map(|time| from_ms(time.timestamp_millis())),
        categories: entry
            .categories
            .into_iter()
            .map(|category| category.label.unwrap_or(category.term))
            .collect(),
    }
}

/// Links to the article itself, with pages before other formats; links to comments, media and the like are left out.
fn best_links(links: &[Link]) -> Vec<String> {
    let mut ranked: Vec<(u8, &str)> = links
        .iter()
        .filter(|link| link.target.is_none())
        .filter_map(|link| {
            Some((
                link_rank(link.rel.as_deref(), link.media_type.as_deref())?,
                link.href.as_str(),
            ))
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .into_iter()
        .map(|(_, href)| href.to_owned())
        .collect()
}

/// How likely a link of an item is to lead to its article, 0 being most likely; `None` if it leads elsewhere.
pub(super) fn link_rank(rel: Option<&str>, media_type: Option<&str>) -> Option<u8> {
    let is_page = media_type.is_none_or(|kind| kind.contains("html"));
    match rel.map(str::to_ascii_lowercase).as_deref() {
        None | Some("" | "alternate") => Some(u8::from(!is_page)),
        Some("canonical" | "bookmark") => Some(2),
        Some("self" | "via") => Some(3),
        Some(_) => None,
    }
}

fn name(person: Person) -> Option<String> {
    person
        .name
        .filter(|name| !name.trim().is_empty())
        .or(person.email)
}
