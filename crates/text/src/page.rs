//! The article on a web page.

mod body;
mod metadata;
mod published;
mod readers;
mod scan;
mod tree;

use model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{address, clean, token};

/// Text beyond this is comments and code.
const LONGEST: usize = 6_000_000;

/// More than the nodes in any tree that is read. Tags are counted first, as that costs next to nothing.
const MOST_TAGS: usize = 100_000;

/// A page with fewer words is an empty shell: a video page, a gallery or a notice.
const FEWEST_WORDS: usize = 40;

/// An article has at least one paragraph with this many words.
const SHORTEST_PARAGRAPH: usize = 12;

/// Walls contain little text. Longer texts that mention cookies are about cookies.
const WALL_WORDS: usize = 250;

/// The contents of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Headline of the article.
    pub title: String,
    /// Readable text, paragraphs separated by a blank line.
    pub text: String,
    /// Byline.
    pub author: Option<String>,
    /// Publication time, as the page claims it.
    pub published_at: Option<Timestamp>,
    /// Language as the page claims it.
    pub language: Option<String>,
    /// The page's own canonical address.
    pub canonical_url: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Teaser.
    pub description: Option<String>,
}

/// Reads the article on a page. `None` if there is none (an error page, a consent wall, an empty shell), or if the tree
/// of the page is larger or deeper than that of any article.
///
/// The extractors are libraries whose time and memory use is not bounded here. A service calls this in a process that
/// it can afford to lose (the crate `extraction`).
pub fn extract(html: &str, url: Option<&str>) -> Option<Page> {
    let html = shortened(html);
    if html.matches('<').count() > MOST_TAGS || !tree::is_bounded(html) {
        return None;
    }
    let found = metadata::parse(html, url);
    let written = found.title.unwrap_or_default();
    if clean::no_article_title(&written).is_some() {
        return None;
    }
    let domain = url
        .or(found.canonical_url.as_deref())
        .and_then(address::canonical)
        .map(|address| address.domain);
    let site = found.site_name.as_deref().unwrap_or_default();
    let title = clean::headline(&written, site, domain.as_deref().unwrap_or_default());
    let text = body::parse(html, url, &title, found.article_body.as_deref());
    if title.is_empty() || !is_article(&text) || clean::no_article_title(&title).is_some() {
        return None;
    }
    Some(Page {
        title,
        text,
        author: found.author,
        published_at: found.published_at,
        language: found.language,
        canonical_url: found.canonical_url,
        site_name: found.site_name,
        description: found.description,
    })
}

/// The part of a page that is read.
pub fn shortened(html: &str) -> &str {
    &html[..html.floor_char_boundary(LONGEST)]
}

/// Whether a text has at least one real paragraph and does not come from a wall.
fn is_article(text: &str) -> bool {
    let words = token::words(text).count();
    let longest = text
        .split("\n\n")
        .map(|paragraph| token::words(paragraph).count())
        .max()
        .unwrap_or(0);
    words >= FEWEST_WORDS
        && longest >= SHORTEST_PARAGRAPH
        && !(words < WALL_WORDS && clean::is_wall(text))
}

#[cfg(test)]
mod tests;
