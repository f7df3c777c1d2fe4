//! The article in a web page.

use model::Timestamp;

/// What a page holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Headline of the article.
    pub title: String,
    /// Readable text, paragraphs separated by a blank line.
    pub text: String,
    /// Byline.
    pub author: Option<String>,
    /// Publication, as the page claims it.
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

/// Reads the article of a page; `None` where there is none (an error page, a consent wall, an empty shell).
pub fn extract(html: &str, url: Option<&str>) -> Option<Page> {
    let _ = (html, url);
    None
}

/// The moment a date as written on the web means.
pub fn parse_date(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
