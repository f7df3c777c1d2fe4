//! The lenient reading: whatever can be recognised of a malformed feed.
//!
//! Knows the elements of RSS and Atom by the names and prefixes used in practice. An element without an end tag ends
//! where the next element of the feed begins; a feed that breaks off keeps what came before.

use std::time::Duration;

use text::date::{self, Order};
use text::references;
use url::Url;

use super::item::Draft;
use super::markup::{Tag, Token, Tokens};
use super::strict::link_rank;
use super::{DraftFeed, MAX_ITEMS};

/// Elements that no web page has: in the middle of a text they mean that its end tag is missing.
const FEED_ONLY: [&str; 18] = [
    "item",
    "entry",
    "guid",
    "pubdate",
    "published",
    "updated",
    "description",
    "content:encoded",
    "dc:date",
    "dc:creator",
    "dc:subject",
    "category",
    "comments",
    "enclosure",
    "slash:comments",
    "wfw:commentrss",
    "media:content",
    "channel",
];

/// Elements whose titles and links are their own, not those of the item or feed around them.
const FOREIGN: [&str; 8] = [
    "image",
    "textinput",
    "source",
    "media:content",
    "media:thumbnail",
    "enclosure",
    "generator",
    "cloud",
];

/// Reads a feed; `None` if nothing in the text belongs to one.
pub(super) fn parse(text: &str) -> Option<DraftFeed> {
    let mut reader = Reader {
        tokens: Tokens::new(text),
        feed: DraftFeed::default(),
        base: None,
        item: None,
        is_feed: false,
    };
    while let Some(token) = reader.tokens.next() {
        match token {
            Token::Start(tag) => reader.open(&tag),
            Token::End(name) if is_item(&plain_name(name)) => reader.finish_item(),
            Token::End(_) | Token::Text(_) | Token::Literal(_) => {}
        }
        // One more than are kept, so that the caller can see that there were more.
        if reader.feed.items.len() > MAX_ITEMS {
            break;
        }
    }
    reader.finish_item();
    let recognised = reader.is_feed || !reader.feed.items.is_empty();
    recognised.then_some(reader.feed)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    feed: DraftFeed,
    /// The base for relative addresses in the whole feed.
    base: Option<String>,
    item: Option<Open>,
    is_feed: bool,
}

/// An item in progress.
#[derive(Default)]
struct Open {
    draft: Draft,
    links: Vec<(u8, String)>,
}

impl Reader<'_> {
    fn open(&mut self, tag: &Tag<'_>) {
        let name = plain_name(tag.name);
        if is_item(&name) {
            self.finish_item();
            if !tag.is_empty {
                let draft = Draft {
                    base: self.item_base(tag.attribute("xml:base")),
                    language: tag.attribute("xml:lang"),
                    // RSS 1.0 gives the address on the element itself.
                    id: tag.attribute("rdf:about"),
                    ..Draft::default()
                };
                self.item = Some(Open {
                    draft,
                    links: Vec::new(),
                });
            }
        } else if FOREIGN.contains(&name.as_str()) {
            self.collect(tag, &name, false);
        } else if self.item.is_some() {
            self.item_field(tag, &name);
        } else {
            self.feed_field(tag, &name);
        }
    }

    fn finish_item(&mut self) {
        if let Some(mut open) = self.item.take() {
            open.links.sort_by_key(|(rank, _)| *rank);
            open.draft.links = open.links.into_iter().map(|(_, link)| link).collect();
            self.feed.items.push(open.draft);
        }
    }

    /// The base of an item may be relative to that of the feed; otherwise it replaces it.
    fn item_base(&self, own: Option<String>) -> Option<String> {
        match (&self.base, own) {
            (Some(feed), Some(own)) => Some(
                Url::parse(feed)
                    .and_then(|feed| feed.join(&own))
                    .map_or(own, Into::into),
            ),
            (feed, own) => own.or_else(|| feed.clone()),
        }
    }

    fn feed_field(&mut self, tag: &Tag<'_>, name: &str) {
        match name {
            "rss" | "feed" | "rdf" | "channel" => {
                self.is_feed = true;
                self.base = tag.attribute("xml:base").or(self.base.take());
                if let Some(language) = tag.attribute("xml:lang") {
                    self.feed.language.get_or_insert(language);
                }
            }
            "title" => {
                let title = self.collect(tag, name, false);
                if self.feed.title.is_empty() {
                    self.feed.title = title;
                }
            }
            "language" | "dc:language" => {
                let language = self.collect(tag, name, false);
                self.feed.language.get_or_insert(language);
            }
            "ttl" => {
                let minutes = self.collect(tag, name, false).trim().parse::<u64>().ok();
                self.feed.ttl = minutes
                    .filter(|minutes| (1..100_000).contains(minutes))
                    .map(|m| Duration::from_secs(m * 60));
            }
            _ => {}
        }
    }

    fn item_field(&mut self, tag: &Tag<'_>, name: &str) {
        if name == "link" {
            return self.link(tag);
        }
        if name == "category" && tag.attribute("term").is_some() {
            let words = tag.attribute("label").or_else(|| tag.attribute("term"));
            self.draft().categories.extend(words);
            return;
        }
        let is_text = matches!(
            name,
            "description" | "summary" | "content" | "content:encoded" | "media:description"
        );
        let known = is_text
            || matches!(
                name,
                "title"
                    | "guid"
                    | "id"
                    | "pubdate"
                    | "published"
                    | "issued"
                    | "created"
                    | "date"
                    | "dc:date"
                    | "dcterms:issued"
                    | "updated"
                    | "modified"
                    | "dcterms:modified"
                    | "author"
                    | "creator"
                    | "dc:creator"
                    | "category"
                    | "dc:subject"
                    | "dc:language"
                    | "language"
                    | "itunes:summary"
            );
        if !known {
            return;
        }
        let text = self.collect(tag, name, is_text);
        if text.trim().is_empty() {
            return;
        }
        let draft = self.draft();
        match name {
            "title" => drop(draft.title.get_or_insert(text)),
            // The address on an RSS 1.0 item is only a fallback for these.
            "guid" | "id" => draft.id = Some(text.trim().to_owned()),
            "description" | "summary" => drop(draft.description.get_or_insert(text)),
            "media:description" | "itunes:summary" if draft.description.is_none() => {
                draft.description = Some(text);
            }
            "content" | "content:encoded" => drop(draft.content.get_or_insert(text)),
            "pubdate" | "published" | "issued" | "created" | "date" | "dc:date"
            | "dcterms:issued" => {
                draft.published = draft
                    .published
                    .or_else(|| date::parse(&text, Order::Undeclared));
            }
            "updated" | "modified" | "dcterms:modified" => {
                draft.updated = draft
                    .updated
                    .or_else(|| date::parse(&text, Order::Undeclared));
            }
            "author" | "creator" | "dc:creator" => draft.authors.push(person(&text)),
            "category" | "dc:subject" => draft.categories.push(text),
            "language" | "dc:language" => drop(draft.language.get_or_insert(text)),
            _ => {}
        }
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.item.get_or_insert_default().draft
    }

    /// Atom keeps the address in an attribute, RSS between the tags.
    fn link(&mut self, tag: &Tag<'_>) {
        let href = tag.attribute("href").filter(|href| !href.trim().is_empty());
        let rank = link_rank(
            tag.attribute("rel").as_deref(),
            tag.attribute("type").as_deref(),
        );
        let address = match href {
            Some(href) => href,
            None => self.collect(tag, "link", false),
        };
        if let Some(rank) = rank
            && !address.trim().is_empty()
        {
            self.item
                .get_or_insert_default()
                .links
                .push((rank, address));
        }
    }

    /// The contents of an element as text. If they contain tags of their own, they are kept as markup; otherwise
    /// references are decoded.
    fn collect(&mut self, tag: &Tag<'_>, name: &str, is_text: bool) -> String {
        let (mut decoded, mut markup) = (String::new(), String::new());
        let mut has_tags = false;
        let mut depth = 0;
        if tag.is_empty {
            return decoded;
        }
        loop {
            let before = self.tokens.position();
            let Some(token) = self.tokens.next() else {
                break;
            };
            match token {
                Token::Text(text) => {
                    decoded.push_str(&references::decode(text));
                    markup.push_str(text);
                }
                Token::Literal(text) => {
                    decoded.push_str(text);
                    markup.push_str(text);
                }
                Token::Start(inner) => {
                    let inner_name = plain_name(inner.name);
                    if inner_name == name {
                        depth += usize::from(!inner.is_empty);
                    } else if ends_unclosed(&inner_name, name, is_text) {
                        self.tokens.rewind(before);
                        break;
                    }
                    has_tags = true;
                    markup.push_str(inner.source);
                }
                Token::End(inner) => {
                    let inner_name = plain_name(inner);
                    if inner_name == name && depth == 0 {
                        break;
                    }
                    if is_item(&inner_name)
                        || matches!(inner_name.as_str(), "channel" | "feed" | "rss" | "rdf")
                    {
                        self.tokens.rewind(before);
                        break;
                    }
                    depth -= usize::from(inner_name == name);
                    markup.push_str("</");
                    markup.push_str(inner);
                    markup.push('>');
                }
            }
        }
        if has_tags { markup } else { decoded }
    }
}

/// Whether an element that opens inside another means that the outer one's end tag is missing.
fn ends_unclosed(inner: &str, outer: &str, is_text: bool) -> bool {
    let foreign = FOREIGN.contains(&outer);
    if is_item(inner) {
        return true;
    }
    // Foreign elements and authors legitimately contain elements with the names of fields.
    if foreign || matches!(outer, "author" | "creator") {
        return false;
    }
    FEED_ONLY.contains(&inner)
        || (!is_text
            && matches!(
                inner,
                "link" | "title" | "author" | "id" | "summary" | "content"
            ))
}

fn is_item(name: &str) -> bool {
    matches!(name, "item" | "entry")
}

/// In lower case, without the prefixes that stand for RSS and Atom themselves.
fn plain_name(name: &str) -> String {
    let lower = name.to_lowercase();
    match lower.split_once(':') {
        Some(("rss" | "rss10" | "rdf" | "atom" | "atom10" | "atom03" | "a10" | "a", local)) => {
            local.to_owned()
        }
        Some(("content", "body")) => "content".to_owned(),
        _ => lower,
    }
}

/// The name in the `<name>` of an Atom author, or the text unchanged.
fn person(text: &str) -> String {
    let name = text
        .split_once("<name>")
        .and_then(|(_, rest)| rest.split_once("</name>"));
    name.map_or_else(
        || text.to_owned(),
        |(name, _)| references::decode(name).into_owned(),
    )
}
