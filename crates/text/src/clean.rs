//! Turns what a source delivered into a readable article: markup, suffixes, truncation marks and impossible dates are
//! removed.
//!
//! Nothing is invented here. A field with no readable content becomes empty, and an item without a headline or an
//! address is rejected.

mod boilerplate;
mod byline;
mod credit;
mod headline;
mod identity;
mod passage;

use model::{Article, RawArticle, TextOrigin, Timestamp};

use crate::address;

pub(crate) use boilerplate::{is_furniture, is_wall, no_article_title, without_tail};
pub(crate) use byline::parse as parse_byline;
pub(crate) use headline::without_outlet as headline;

/// 1990-01-01: earlier dates are parsing errors, not publication dates.
const EARLIEST: Timestamp = Timestamp::from_ms(631_152_000_000);

/// Headlines longer than this, in characters, are bodies in the wrong field.
const LONGEST_HEADLINE: usize = 300;

/// Why an item is not an article.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The address is missing or is not an `http(s)` address.
    #[error("address {0:?} is not an http or https address")]
    Address(String),
    /// No headline, even after cleaning.
    #[error("headline is empty")]
    Headline,
    /// A page of the outlet that is not an article: a consent wall, a removal notice or an error page.
    #[error("{0} is not an article")]
    NotAnArticle(&'static str),
}

/// How an item arrived, which decides when it became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Just now: known at `now`.
    Live,
    /// From an archive: known when it was first seen, or else when it was published.
    Backfill,
}

/// Cleans one item. `now` is the time of reading, and no date in the result is later.
pub fn clean(raw: &RawArticle, now: Timestamp, arrival: Arrival) -> Result<Article, Rejection> {
    let address = address::canonical(&raw.url)
        .ok_or_else(|| Rejection::Address(raw.url.chars().take(200).collect()))?;
    let written = passage::line(&raw.title);
    let given = raw
        .outlet
        .as_deref()
        .map(passage::line)
        .filter(|name| !name.is_empty());
    // If a feed describes somebody else's page, the text is the feed's and carries the feed's name.
    let stand_in = raw.via.as_ref().filter(|via| via.text == TextOrigin::Feed);
    let outlet = match (stand_in, given) {
        (Some(via), _) => via.name.clone(),
        // The aggregator is not the source.
        (None, Some(name)) if name == "Google News" => {
            headline::publisher(&written).map_or(name, str::to_owned)
        }
        (None, Some(name)) => name,
        (None, None) => byline::outlet_name(&address.domain),
    };
    if let Some(kind) = boilerplate::no_article(&written, &address) {
        return Err(Rejection::NotAnArticle(kind));
    }
    let title = shortened(headline(&written, &outlet, &address.domain));
    if !title.chars().any(char::is_alphanumeric) {
        return Err(Rejection::Headline);
    }
    if let Some(kind) = boilerplate::no_article(&title, &address) {
        return Err(Rejection::NotAnArticle(kind));
    }
    let text = passage::parse(raw, &title, &outlet, &address.domain);
    let (published_at, known_at) = dates(raw, now, arrival);
    let (url, domain) = match stand_in {
        Some(via) => (
            address::stand_in(&address.url, &via.domain),
            via.domain.clone(),
        ),
        None => (address.url, address.domain),
    };
    Ok(Article {
        id: identity::of(&url, known_at),
        url,
        domain,
        author: raw
            .author
            .as_deref()
            .and_then(|author| byline::parse(author, &outlet)),
        outlet,
        title,
        description: text.description,
        body: text.body,
        published_at,
        known_at,
        simulated: raw.simulated,
        via: raw.via.clone(),
    })
}

/// A headline of reasonable length, cut between words.
fn shortened(mut title: String) -> String {
    let Some((end, _)) = title.char_indices().nth(LONGEST_HEADLINE) else {
        return title;
    };
    let end = title[..end].rfind(' ').unwrap_or(end);
    title.truncate(end);
    title.push('…');
    title
}

/// When it was published and when it became known. Neither is after `now`, and it is never known before it was
/// published.
fn dates(raw: &RawArticle, now: Timestamp, arrival: Arrival) -> (Timestamp, Timestamp) {
    let plausible = |time: &Timestamp| *time >= EARLIEST && *time <= now;
    let first_seen = raw.first_seen.filter(plausible);
    let latest = first_seen.unwrap_or(now);
    let published = raw
        .published_at
        .filter(|claim| *claim >= EARLIEST)
        .map_or(latest, |claim| claim.min(latest));
    let known = match arrival {
        Arrival::Live => now,
        Arrival::Backfill => first_seen.unwrap_or(published),
    };
    (published, known)
}

#[cfg(test)]
mod tests;
