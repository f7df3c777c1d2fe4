//! From what a source delivered to an article that can be read: markup, suffixes, truncation marks and impossible dates
//! removed.
//!
//! Nothing is invented here: a field that holds nothing readable becomes empty, and an item without a headline or an
//! address is refused.

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

/// 1990-01-01: earlier claims are parsing accidents, not publications.
const EARLIEST: Timestamp = Timestamp::from_ms(631_152_000_000);

/// Longer headlines, in characters, are bodies in the wrong field.
const LONGEST_HEADLINE: usize = 300;

/// Why an item is no article.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The address is missing or no `http(s)` address.
    #[error("address {0:?} is not an http or https address")]
    Address(String),
    /// No headline, also not after cleaning.
    #[error("headline is empty")]
    Headline,
    /// A page of the outlet that is no article: consent wall, removed notice, error page.
    #[error("{0} is not an article")]
    NotAnArticle(&'static str),
}

/// How an item arrived, which decides when it became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Just now: known at `now`.
    Live,
    /// From an archive: known when it was first seen, else published.
    Backfill,
}

/// Cleans one item. `now` is the time of reading; no date of the result lies after it.
pub fn clean(raw: &RawArticle, now: Timestamp, arrival: Arrival) -> Result<Article, Rejection> {
    let address = address::canonical(&raw.url)
        .ok_or_else(|| Rejection::Address(raw.url.chars().take(200).collect()))?;
    let written = passage::line(&raw.title);
    let given = raw
        .outlet
        .as_deref()
        .map(passage::line)
        .filter(|name| !name.is_empty());
    // What a feed says of somebody else's page is the feed's word, under the feed's name.
    let stand_in = raw.via.as_ref().filter(|via| via.text == TextOrigin::Feed);
    let outlet = match (stand_in, given) {
        (Some(via), _) => via.name.clone(),
        // The aggregator is not who says so.
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

/// A headline of bearable length, cut between words.
fn shortened(mut title: String) -> String {
    let Some((end, _)) = title.char_indices().nth(LONGEST_HEADLINE) else {
        return title;
    };
    let end = title[..end].rfind(' ').unwrap_or(end);
    title.truncate(end);
    title.push('…');
    title
}

/// When it was published and when it was known; never after `now`, and never known before it was published.
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
