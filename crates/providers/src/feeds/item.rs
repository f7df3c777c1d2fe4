//! From what a parser found to an article: which of several links, texts and dates to use.

use std::panic::{AssertUnwindSafe, catch_unwind};

use model::{RawArticle, Timestamp};
use rustc_hash::FxHashSet;
use url::Url;

use super::{DraftFeed, FetchedFeed, MAX_ITEMS};
use crate::headline;

/// If an item's only text has at least this many visible characters, it is an article rather than a teaser.
const FULL_TEXT_CHARS: usize = 1200;

/// How much longer than the teaser a second text must be to count as more than a repetition of it.
const CONTENT_GAIN_CHARS: usize = 80;

/// Most reasons that are kept; a feed that loses every item loses them all for the same reason.
const MAX_REASONS: usize = 50;

/// Most authors kept per item.
const MAX_AUTHORS: usize = 10;

/// Most categories kept per item.
const MAX_CATEGORIES: usize = 30;

/// An item as the parser found it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Identifier within the feed.
    pub(super) id: Option<String>,
    /// Addresses, best first; they may be relative.
    pub(super) links: Vec<String>,
    /// The base of relative addresses, if the item gives one.
    pub(super) base: Option<String>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) content: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) published: Option<Timestamp>,
    pub(super) updated: Option<Timestamp>,
    pub(super) categories: Vec<String>,
}

/// Turns a feed's draft into articles, with each address only once.
pub(super) fn finish(draft: DraftFeed, base: &str) -> FetchedFeed {
    let base = Url::parse(base).ok();
    let mut feed = FetchedFeed {
        title: draft.title.trim().to_owned(),
        ttl: draft.ttl,
        ..FetchedFeed::default()
    };
    let mut seen = FxHashSet::default();
    let mut skip = |number: usize, title: &str, reason: &str| {
        if feed.skipped.len() < MAX_REASONS {
            let title: String = title.chars().take(80).collect();
            feed.skipped
                .push(format!("item {number} ({title:?}): {reason}"));
        }
    };
    for (index, item) in draft.items.into_iter().enumerate() {
        let number = index + 1;
        if number > MAX_ITEMS {
            skip(
                number,
                "",
                "feed is too long; this item and all after it are skipped",
            );
            break;
        }
        let id = item.id.clone();
        // A bug triggered by one item must not cost the others.
        let read = || article(item, base.as_ref(), draft.language.as_deref());
        let defect = |_| {
            Err((
                String::new(),
                "the item cannot be read: a bug in the reader",
            ))
        };
        let article = match catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(defect) {
            Ok(article) => article,
            Err((title, reason)) => {
                skip(number, &title, reason);
                continue;
            }
        };
        // Some feeds give their items identical numbers, so an identifier shows a repetition only together with the
        // title.
        let by_id = id.map(|id| format!("{id}\n{}", article.title));
        if !seen.insert(article.url.clone()) || by_id.is_some_and(|id| !seen.insert(id)) {
            skip(number, &article.title, "repeats an earlier item");
            continue;
        }
        feed.items.push(article);
    }
    feed
}

fn article(
    item: Draft,
    base: Option<&Url>,
    feed_language: Option<&str>,
) -> Result<RawArticle, (String, &'static str)> {
    let title = tidy(item.title);
    let Some(url) = address(&item.links, item.id.as_deref(), item.base.as_deref(), base) else {
        return Err((title.unwrap_or_default(), "no address"));
    };
    let (description, body) = divide(tidy(item.description), tidy(item.content));
    let texts = [&description, &body];
    let title = title.or_else(|| {
        texts
            .into_iter()
            .flatten()
            .find_map(|text| headline::from_text(text))
    });
    let Some(title) = title else {
        return Err((String::new(), "neither title nor text"));
    };
    Ok(RawArticle {
        url,
        title,
        description,
        body,
        outlet: None,
        author: joined(item.authors),
        language: tidy(item.language)
            .or_else(|| feed_language.map(|language| language.trim().to_owned())),
        published_at: item.published.or(item.updated),
        first_seen: None,
        categories: distinct(item.categories),
        simulated: false,
        via: None,
    })
}

/// The first address that a browser could open; an identifier that is itself an address is the last resort.
fn address(
    links: &[String],
    id: Option<&str>,
    item_base: Option<&str>,
    feed_base: Option<&Url>,
) -> Option<String> {
    let own_base = item_base.and_then(|own| {
        feed_base
            .map_or_else(|| Url::parse(own), |feed| feed.join(own))
            .ok()
    });
    let base = own_base.as_ref().or(feed_base);
    let resolve = |link: &str| {
        let link = link.trim();
        if link.is_empty() || link.starts_with('#') {
            return None;
        }
        let url = base
            .map_or_else(|| Url::parse(link), |base| base.join(link))
            .ok()?;
        (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| url.to_string())
    };
    let id = id
        .filter(|id| id.trim_start().starts_with("http"))
        .and_then(resolve);
    let link = links.iter().find_map(|link| resolve(link));
    match (link, id) {
        // Some feeds link every item to the front page and keep the real address in the identifier.
        (Some(link), Some(id)) if is_front_page(&link) && !is_front_page(&id) => Some(id),
        (link, id) => link.or(id),
    }
}

fn is_front_page(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.path() == "/" && url.query().is_none())
}

/// Teaser and body. Publishers put the article into either element, or the same text into both.
fn divide(
    description: Option<String>,
    content: Option<String>,
) -> (Option<String>, Option<String>) {
    match (description, content) {
        (Some(teaser), Some(text)) => {
            let (teaser_length, text_length) = (
                headline::visible_length(&teaser),
                headline::visible_length(&text),
            );
            if text_length >= teaser_length + CONTENT_GAIN_CHARS {
                // A teaser as long as an article adds nothing but bulk.
                (
                    (teaser_length < FULL_TEXT_CHARS).then_some(teaser),
                    Some(text),
                )
            } else if teaser_length >= FULL_TEXT_CHARS {
                (None, Some(teaser))
            } else {
                (Some(if teaser_length == 0 { text } else { teaser }), None)
            }
        }
        (Some(only), None) | (None, Some(only)) => {
            if headline::visible_length(&only) >= FULL_TEXT_CHARS {
                (None, Some(only))
            } else {
                (Some(only), None)
            }
        }
        (None, None) => (None, None),
    }
}

fn tidy(text: Option<String>) -> Option<String> {
    let text = text?;
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    Some(if trimmed.len() == text.len() {
        text
    } else {
        trimmed.to_owned()
    })
}

fn distinct(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in words.into_iter().filter_map(|word| tidy(Some(word))) {
        if kept.len() < MAX_CATEGORIES && !kept.contains(&word) {
            kept.push(word);
        }
    }
    kept
}

fn joined(names: Vec<String>) -> Option<String> {
    let mut names = distinct(
        names
            .iter()
            .map(|name| without_mail(name).to_owned())
            .collect(),
    );
    names.retain(|name| !name.eq_ignore_ascii_case("unknown"));
    names.truncate(MAX_AUTHORS);
    (!names.is_empty()).then(|| names.join(", "))
}

/// The name from `mail@host (Name)`, `Name (mail@host)` and `(Name)`.
fn without_mail(text: &str) -> &str {
    let text = text.trim();
    let Some((before, inside)) = text.strip_suffix(')').and_then(|rest| rest.split_once('('))
    else {
        return text;
    };
    let (before, inside) = (before.trim(), inside.trim());
    if inside.contains('@') && !before.is_empty() {
        before
    } else if before.is_empty() || before.contains('@') {
        inside
    } else {
        text
    }
}
