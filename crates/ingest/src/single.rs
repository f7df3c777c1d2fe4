//! Publishing one page by its address.

use model::Timestamp;
use text::clean::Arrival;

use crate::error::{Error, Result};
use crate::pages::PageReader;
use crate::publisher::{Publisher, prepare};
use crate::story_writer::Outcome;

/// Fetches a page, reads its article and publishes it.
pub async fn publish_page(
    publisher: &Publisher,
    reader: &PageReader,
    url: &str,
    now: Timestamp,
) -> Result<Outcome> {
    let item = reader.load(url, now).await?;
    let prepared = tokio::task::spawn_blocking(move || prepare(&[item], now, Arrival::Live))
        .await
        .map_err(|_| Error::Closed)?;
    let mut articles = Vec::new();
    for read in prepared {
        let article = read.map_err(|refusal| Error::NoArticle {
            url: model::redact(url),
            reason: refusal.to_string(),
        })?;
        articles.push(article);
    }
    let outcome = publisher.publish(articles, now).await?;
    if outcome.failed > 0 {
        return Err(Error::Panicked);
    }
    Ok(outcome)
}
