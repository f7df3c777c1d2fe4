//! One page by its address.

use model::{RawArticle, Timestamp};
use providers::pages::Pages;
use text::clean::Arrival;

use crate::desk::Outcome;
use crate::error::{Error, Result};
use crate::newsroom::{Newsroom, prepare};

/// Fetches a page, reads its article and publishes it.
pub async fn publish_page(
    newsroom: &Newsroom,
    pages: &Pages,
    url: &str,
    now: Timestamp,
) -> Result<Outcome> {
    let item = full_text(pages, url).await?;
    let prepared = tokio::task::spawn_blocking(move || prepare(&[item], now, Arrival::Live))
        .await
        .map_err(|_| Error::Closed)?;
    let mut articles = Vec::new();
    for read in prepared {
        let article = read.map_err(|rejection| Error::NoArticle {
            url: url.to_owned(),
            reason: rejection.to_string(),
        })?;
        articles.push(article);
    }
    let outcome = newsroom.publish(articles, now).await?;
    if outcome.failed > 0 {
        return Err(Error::Panicked);
    }
    Ok(outcome)
}

/// The article of a page, where robots.txt allows to read it.
pub(crate) async fn full_text(pages: &Pages, url: &str) -> Result<RawArticle> {
    let raw = pages.fetch(url).await?;
    let read = tokio::task::spawn_blocking(move || {
        text::page::extract(&raw.html, Some(&raw.url)).map(|page| (page, raw.url))
    });
    let Some((page, final_url)) = read.await.map_err(|_| Error::Closed)? else {
        return Err(Error::NoArticle {
            url: url.to_owned(),
            reason: "no article text was found".to_owned(),
        });
    };
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
    })
}

/// A page may name another address of its own outlet, not pass itself off as another's.
fn same_outlet(claimed: &str, fetched: &str) -> bool {
    let domain = |url: &str| text::address::canonical(url).map(|address| address.domain);
    domain(claimed).is_some_and(|claimed| Some(claimed) == domain(fetched))
}
