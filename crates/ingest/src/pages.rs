//! Pages linked from feeds and files: fetched if robots.txt allows, read in a worker process.
//!
//! Before a page is read, the attempt is recorded. A page that brought down a worker, or the whole server, is still in
//! that table afterwards. After two such attempts it is not read for a week, so that no page can crash a server again
//! and again.

use std::sync::Arc;

use extraction::{Extraction, Origin, WebPage};
use model::{RawArticle, Timestamp, redact};
use providers::pages::{FetchedPage, Pages};
use sha2::{Digest, Sha256};
use store::{Attempt, Store};
use url::Url;

use crate::error::{Error, Result};

/// Reads pages.
#[derive(Clone, Debug)]
pub struct PageReader {
    store: Store,
    pages: Arc<Pages>,
    extraction: Extraction,
}

impl PageReader {
    /// A reader that fetches through `pages`.
    pub const fn new(store: Store, pages: Arc<Pages>, extraction: Extraction) -> Self {
        Self {
            store,
            pages,
            extraction,
        }
    }

    /// The article of a page.
    pub async fn load(&self, url: &str, now: Timestamp) -> Result<RawArticle> {
        let page = key(url);
        let attempts = self.store.page_attempts();
        let left_alone = || Error::LeftAlone { url: redact(url) };
        if attempts.is_left_alone(&page, now).await? {
            return Err(left_alone());
        }
        let fetched = self.pages.fetch(url).await?;
        // Immediately before it is read: a slow or failed fetch is not a crash.
        if attempts.begin(&page, now).await? == Attempt::LeftAlone {
            return Err(left_alone());
        }
        let read = self.extract_fetched(url, fetched).await;
        let blamed = matches!(&read, Err(Error::Page { source, .. }) if source.blames_page());
        if !blamed {
            attempts.end(&page).await?;
        }
        read
    }

    async fn extract_fetched(&self, url: &str, fetched: FetchedPage) -> Result<RawArticle> {
        let final_url = fetched.url.clone();
        let page = WebPage {
            url: fetched.url,
            html: fetched.html,
        };
        let read = self.extraction.extract(page, Origin::Feed, ()).await;
        let found = read.map_err(|source| Error::Page {
            url: redact(url),
            source,
        })?;
        let page = found.ok_or_else(|| Error::NoArticle {
            url: redact(url),
            reason: "no article text was found".to_owned(),
        })?;
        Ok(RawArticle {
            url: page
                .canonical_url
                .filter(|claimed| same_outlet(claimed, &final_url))
                .unwrap_or(final_url),
            title: page.title,
            description: page.description,
            body: Some(page.text),
            outlet: page.site_name,
            author: page.author,
            language: page.language,
            published_at: page.published_at,
            first_seen: None,
            categories: Vec::new(),
            simulated: false,
            via: None,
        })
    }
}

/// The key under which a page is remembered: the address that is requested, never one that it wraps, which somebody
/// else answers.
fn key(url: &str) -> [u8; 32] {
    let asked = Url::parse(url).map(|mut address| {
        address.set_fragment(None);
        address.to_string()
    });
    Sha256::digest(asked.as_deref().unwrap_or(url)).into()
}

/// A page may name another address at its own outlet, but not pass itself off as another outlet's page.
fn same_outlet(claimed: &str, fetched: &str) -> bool {
    let claimed = text::address::canonical(claimed).map(|address| address.domain);
    claimed.is_some() && claimed == text::address::answering_domain(fetched)
}
