//! Single web pages, respecting the wishes of their sites.
//!
//! The result is the page; finding the article in it is the job of the text crate.

mod robots;

use std::sync::Arc;
use std::time::Duration;

use model::redact;
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use tokio::time::Instant;
use url::Url;

use crate::charset;
use crate::error::{AddressFault, Error, ParseError};
use crate::transport::{Call, Fetched, HttpBody, HttpRequest, Transport, sniff};

pub use robots::{FetchRobots, Robots};

/// Largest page that is read.
const SIZE_LIMIT: usize = 8 << 20;

/// How long a site's rules remain valid.
const ROBOTS_AGE: Duration = Duration::from_hours(24);

/// Bytes of rules that are remembered, for all sites together: half a million sites without rules, or 32 with the
/// largest.
const REMEMBERED_BYTES: u64 = 16 << 20;

/// The memory that a site takes in addition to its name and its rules.
const SITE_BYTES: usize = 128;

/// Longest address that is requested; a site's rules are compared with all of it.
const LONGEST_ADDRESS: usize = 8 << 10;

/// One web page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchPage {
    /// Its address.
    pub url: String,
}

/// A web page as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchedPage {
    /// The address that responded, after redirects.
    pub url: String,
    /// The page, decoded, including markup.
    pub html: String,
}

impl Call for FetchPage {
    type Output = FetchedPage;

    fn request(&self) -> HttpRequest {
        HttpRequest {
            size_limit: SIZE_LIMIT,
            ..HttpRequest::get(&self.url)
                .accepting("text/html, application/xhtml+xml;q=0.9, text/plain;q=0.5")
        }
    }

    fn parse(&self, body: &HttpBody) -> Result<FetchedPage, ParseError> {
        let content_type = body.header("content-type");
        if let Some(kind) = content_type.and_then(unreadable_kind) {
            return Err(ParseError::Unsupported(kind));
        }
        let bytes = charset::inflate(&body.bytes, SIZE_LIMIT)?;
        if bytes.trim_ascii().is_empty() {
            return Err(ParseError::Empty);
        }
        if bytes.starts_with(b"%PDF-") {
            return Err(ParseError::Unsupported("application/pdf".to_owned()));
        }
        if let Some(outage) = sniff::challenge_instead_of_page(&bytes) {
            return Err(outage.into());
        }
        Ok(FetchedPage {
            url: body.url.clone(),
            html: charset::decode(&bytes, content_type),
        })
    }
}

/// The media type, if a page of that type cannot be read.
fn unreadable_kind(content_type: &str) -> Option<String> {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let readable = kind.is_empty()
        || kind.starts_with("text/")
        || kind.contains("html")
        || kind.contains("xml")
        || kind == "application/octet-stream";
    (!readable).then(|| kind.chars().take(60).collect())
}

/// Reads pages, checking each site's `robots.txt` first.
#[derive(Debug)]
pub struct Pages {
    transport: Arc<Transport>,
    sites: Cache<String, Site, ByBytes>,
}

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<String, Site> for ByBytes {
    fn weight(&self, origin: &String, site: &Site) -> u64 {
        (SITE_BYTES + origin.len() + site.robots.weight()) as u64
    }
}

#[derive(Clone, Debug)]
struct Site {
    read_at: Instant,
    robots: Arc<Robots>,
}

impl Pages {
    /// Reads through this transport.
    pub fn new(transport: Arc<Transport>) -> Self {
        Self {
            transport,
            sites: remembered_sites(),
        }
    }

    /// Reads a page, unless its site asks programs to stay away: at the requested address or at the one that responds
    /// in its place.
    pub async fn fetch(&self, url: &str) -> Result<FetchedPage, Error> {
        let asked = self.permitted(url).await?;
        let fetched = self
            .transport
            .call(FetchPage {
                url: asked.to_string(),
            })
            .await?;
        // No validators were sent, so there is always a page.
        let page = fetched.new_answer().unwrap_or_default();
        if Url::parse(&page.url).is_ok_and(|answered| answered != asked) {
            self.permitted(&page.url).await?;
        }
        Ok(page)
    }

    /// Whether programs may read this address.
    pub async fn is_permitted(&self, url: &str) -> Result<bool, Error> {
        match self.permitted(url).await {
            Ok(_) => Ok(true),
            Err(Error::Disallowed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn permitted(&self, url: &str) -> Result<Url, Error> {
        let malformed = || Error::Address {
            url: redact(url),
            fault: AddressFault::Malformed,
        };
        if url.len() > LONGEST_ADDRESS {
            return Err(malformed());
        }
        let parsed = Url::parse(url.trim()).map_err(|_| malformed())?;
        let robots = self.robots(&parsed).await?;
        if robots.allows(&parsed) {
            Ok(parsed)
        } else {
            Err(Error::Disallowed { url: redact(url) })
        }
    }

    /// The rules of a site. Without any, it is open. If it cannot be reached, the error says so, because a site in
    /// trouble should not be read against rules that it could not state.
    async fn robots(&self, url: &Url) -> Result<Arc<Robots>, Error> {
        let origin = url.origin().ascii_serialization();
        if let Some(robots) = self.remembered(&origin) {
            return Ok(robots);
        }
        let robots = match self.transport.call(FetchRobots { url: url.clone() }).await {
            Ok(Fetched::New(robots)) => robots,
            Ok(Fetched::NotModified)
            | Err(
                Error::Status {
                    status: 400..=428 | 430..=499,
                    ..
                }
                | Error::TooLarge { .. }
                | Error::Redirect { .. },
            ) => Robots::default(),
            Err(error) => return Err(error),
        };
        Ok(self.remember(origin, robots))
    }

    fn remembered(&self, origin: &str) -> Option<Arc<Robots>> {
        let site = self.sites.get(origin)?;
        (site.read_at.elapsed() < ROBOTS_AGE).then_some(site.robots)
    }

    fn remember(&self, origin: String, robots: Robots) -> Arc<Robots> {
        let robots = Arc::new(robots);
        let site = Site {
            read_at: Instant::now(),
            robots: Arc::clone(&robots),
        };
        self.sites.insert(origin, site);
        robots
    }
}

/// Room for [`REMEMBERED_BYTES`]; the least recently used rules make room, and are requested again when needed.
fn remembered_sites() -> Cache<String, Site, ByBytes> {
    let options = OptionsBuilder::new()
        .estimated_items_capacity(4_096)
        .weight_capacity(REMEMBERED_BYTES)
        // In one piece, so that the largest site fits.
        .shards(1)
        .build();
    match options {
        Ok(options) => Cache::with_options(
            options,
            ByBytes,
            quick_cache::DefaultHashBuilder::default(),
            quick_cache::sync::DefaultLifecycle::default(),
        ),
        Err(_) => Cache::with_weighter(4_096, REMEMBERED_BYTES, ByBytes),
    }
}

#[cfg(test)]
mod tests;
