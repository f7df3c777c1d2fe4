//! The lists with which a new installation starts: feeds to poll, and how far outlets are trusted.
//!
//! Both are files for people to edit; the embedded ones are a starting point, not the law.

use model::{FeedSource, Outlet};
use serde::Deserialize;

/// Feeds, as shipped.
const FEEDS: &str = include_str!("../data/starter_feeds.toml");

/// Outlets, as shipped.
const OUTLETS: &str = include_str!("../data/outlets.toml");

/// A list that does not have the expected form.
#[derive(Debug, thiserror::Error)]
#[error("list cannot be read")]
pub struct ListError(#[from] toml::de::Error);

#[derive(Deserialize)]
struct FeedList {
    #[serde(default)]
    feeds: Vec<FeedSource>,
}

#[derive(Deserialize)]
struct OutletList {
    #[serde(default)]
    outlets: Vec<Outlet>,
}

/// The feeds as shipped.
pub fn starter_feeds() -> Vec<FeedSource> {
    // A test of this module reads the embedded file; a build that passed it cannot fail here.
    parse_starter_feeds(FEEDS).unwrap_or_default()
}

/// The outlets as shipped.
pub fn outlets() -> Vec<Outlet> {
    parse_outlets(OUTLETS).unwrap_or_default()
}

/// Reads a list of feeds: tables `[[feeds]]` with `url`, `name` and optionally `category` and `enabled`.
pub fn parse_starter_feeds(text: &str) -> Result<Vec<FeedSource>, ListError> {
    Ok(toml::from_str::<FeedList>(text)?.feeds)
}

/// Reads a list of outlets: tables `[[outlets]]`, or an array of inline tables `outlets = [...]`, with `domain`,
/// `trust` and optionally `name`.
pub fn parse_outlets(text: &str) -> Result<Vec<Outlet>, ListError> {
    Ok(toml::from_str::<OutletList>(text)?.outlets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::TrustLevel;
    use std::collections::BTreeSet;

    #[test]
    fn the_shipped_feeds_are_readable_and_distinct() {
        let feeds = parse_starter_feeds(FEEDS).unwrap();
        assert!((55..=90).contains(&feeds.len()), "{} feeds", feeds.len());
        let addresses: BTreeSet<_> = feeds
            .iter()
            .map(|feed| feed.url.expose().trim_end_matches('/'))
            .collect();
        let names: BTreeSet<_> = feeds.iter().map(|feed| &feed.name).collect();
        assert_eq!(addresses.len(), feeds.len());
        assert_eq!(names.len(), feeds.len());
        for feed in &feeds {
            assert!(
                crate::guard::check(feed.url.expose(), &crate::guard::Allow::nothing()).is_ok(),
                "{}",
                feed.url
            );
            assert!(!feed.name.is_empty() && feed.enabled);
        }
        for category in model::Category::ALL {
            assert!(
                feeds.iter().any(|feed| feed.category == Some(category)),
                "no feed for {category}"
            );
        }
    }

    #[test]
    fn the_shipped_outlets_are_readable_and_distinct() {
        let outlets = parse_outlets(OUTLETS).unwrap();
        assert!(outlets.len() >= 240, "{} outlets", outlets.len());
        let domains: BTreeSet<_> = outlets.iter().map(|outlet| &outlet.domain).collect();
        assert_eq!(domains.len(), outlets.len());
        for outlet in &outlets {
            assert!(
                outlet.domain.contains('.') && outlet.domain == outlet.domain.to_lowercase(),
                "{}",
                outlet.domain
            );
            assert!(!outlet.domain.starts_with("www."), "{}", outlet.domain);
            assert!(
                outlet.trust != TrustLevel::Unknown && outlet.name.is_some(),
                "{}",
                outlet.domain
            );
        }
        for level in [TrustLevel::High, TrustLevel::Medium, TrustLevel::Low] {
            assert!(
                outlets
                    .iter()
                    .filter(|outlet| outlet.trust == level)
                    .count()
                    >= 40,
                "{level:?}"
            );
        }
    }

    #[test]
    fn a_mistake_in_a_list_is_an_error() {
        assert!(parse_outlets("[[outlets]]\ndomain = 'a.test'\ntrust = 'total'").is_err());
        assert!(parse_starter_feeds("[[feeds]]\nname = 'no address'").is_err());
        assert!(parse_starter_feeds("").unwrap().is_empty());
    }
}
