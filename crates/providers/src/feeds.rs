//! RSS, Atom and JSON Feed.
//!
//! A feed is first read by a strict parser, which understands namespaces. If that gives up, a lenient one takes
//! whatever it can recognise: much of what publishers serve is not well-formed. The contents of an item are passed on
//! as they are; cleaning, languages and outlets are not decided here.

mod item;
mod json;
mod lenient;
mod markup;
mod strict;

use std::time::Duration;

use model::RawArticle;

use crate::charset;
use crate::error::ParseError;
use crate::transport::{Call, HttpBody, HttpRequest, sniff};
use item::Draft;

/// Largest feed that is read.
const SIZE_LIMIT: usize = 8 << 20;

/// Most items taken from one feed; some feeds publish their whole archive.
const MAX_ITEMS: usize = 1000;

/// The newest items of a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchFeed {
    /// Address of the feed.
    pub url: String,
    /// Validator from the last response.
    pub etag: Option<String>,
    /// Validator from the last response.
    pub last_modified: Option<String>,
}

/// The contents of a feed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FetchedFeed {
    /// Its title, which may contain markup.
    pub title: String,
    /// Its items in feed order. The outlet is absent: the caller that lists the feed knows its name better.
    pub items: Vec<RawArticle>,
    /// Validator for the next request.
    pub etag: Option<String>,
    /// Validator for the next request.
    pub last_modified: Option<String>,
    /// Why items were left out, one reason for each.
    pub skipped: Vec<String>,
    /// How long the publisher asks readers to wait.
    pub ttl: Option<Duration>,
}

impl FetchFeed {
    /// A feed that has never been read before.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            etag: None,
            last_modified: None,
        }
    }
}

impl Call for FetchFeed {
    type Output = FetchedFeed;

    fn request(&self) -> HttpRequest {
        HttpRequest {
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
            size_limit: SIZE_LIMIT,
            ..HttpRequest::get(&self.url).accepting(
                "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, \
                 application/json;q=0.8, text/xml;q=0.8, */*;q=0.1",
            )
        }
    }

    fn parse(&self, body: &HttpBody) -> Result<FetchedFeed, ParseError> {
        let base = if body.url.is_empty() {
            &self.url
        } else {
            &body.url
        };
        let feed = parse(&body.bytes, base, body.header("content-type"))?;
        Ok(FetchedFeed {
            etag: body.header("etag").map(str::to_owned),
            last_modified: body.header("last-modified").map(str::to_owned),
            ..feed
        })
    }
}

/// A feed as the parser found it, before its items are checked.
#[derive(Debug, Default)]
struct DraftFeed {
    title: String,
    language: Option<String>,
    ttl: Option<Duration>,
    items: Vec<Draft>,
}

/// Reads a feed served from `base`.
fn parse(bytes: &[u8], base: &str, content_type: Option<&str>) -> Result<FetchedFeed, ParseError> {
    let bytes = charset::inflate(bytes, SIZE_LIMIT)?;
    let text = charset::decode(&bytes, content_type);
    // Control characters are forbidden in XML and JSON and mean nothing in text.
    let text: String = text.chars().filter(|c| !is_forbidden(*c)).collect();
    let text = text.trim_start();
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    let draft = if text.starts_with('{') {
        json::parse(text)?
    } else {
        parse_xml(text, base)?
    };
    Ok(item::finish(draft, base))
}

fn parse_xml(text: &str, base: &str) -> Result<DraftFeed, ParseError> {
    // A page is recognised before a feed is: the lenient parser could find an `item` in one.
    if let Some(outage) = sniff::page_instead_of_data(text.as_bytes()) {
        return Err(outage.into());
    }
    match strict::parse(text, base) {
        Some(feed) if !feed.items.is_empty() => Ok(feed),
        // No items: either there are none, or the strict parser did not recognise them.
        Some(feed) => Ok(lenient::parse(text)
            .filter(|lenient| !lenient.items.is_empty())
            .unwrap_or(feed)),
        None => lenient::parse(text).ok_or(ParseError::NotAFeed),
    }
}

const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests;
