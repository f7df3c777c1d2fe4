//! Articles that report no single event because of their form: live blogs that are updated for hours, and opinion
//! pieces.
//!
//! A form is recognised by how the outlet labels it: the section in the address, or the label in the headline.
//! Round-ups and bulletins are recognised by their headlines ([`super::template`]), series by what recurs at their
//! outlet.

use std::sync::LazyLock;

use model::Article;
use regex::Regex;

use crate::pattern;

/// Opinion sections, in addresses and in outlet names.
const OPINION: [&str; 7] = [
    "opinion",
    "editorial",
    "commentisfree",
    "/blogs/",
    "columnist",
    "commentary",
    "/voices/",
];

/// A section for live reports, as a whole part of an address. A live blog entry with an address of its own is a report.
static LIVE_SECTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"^(?:live|live-?(?:blogs?|news|updates|coverage|reporting|ticker|text)|en-direct|en-vivo)$",
    )
});

/// A headline that announces live updates.
static LIVE_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"\bLIVE\b|^(?:EN DIRECT|En direct|DIRECT|EN VIVO|Live)\b\s*[,:|–—-]|\b(?i:live (?:updates|blog|coverage|news))\b",
    )
});

/// Whether an article is an opinion piece, judged by its address and outlet.
pub(crate) fn is_opinion(article: &Article) -> bool {
    let outlet = article.outlet.to_lowercase();
    OPINION
        .iter()
        .any(|mark| article.url.contains(mark) || outlet.contains(mark))
}

/// Whether the form of an article means that it reports no single event.
pub(crate) fn stands_alone(article: &Article) -> bool {
    let address = article.url.split(['?', '#']).next().unwrap_or_default();
    let mut parts = address.split('/').skip(3).collect::<Vec<&str>>();
    // The last part names the article: it contains the words of its headline.
    parts.pop();
    let is_opinion = parts
        .iter()
        .any(|part| OPINION.iter().any(|mark| part.starts_with(mark)));
    let is_entry = parts.iter().any(|part| part.ends_with("-update"));
    let is_live = !is_entry && parts.iter().any(|part| LIVE_SECTION.is_match(part));
    let is_upper = !article.title.chars().any(char::is_lowercase);
    is_opinion || is_live || !is_upper && LIVE_LABEL.is_match(&article.title)
}

#[cfg(test)]
mod tests {
    use model::{RawArticle, Timestamp};

    use super::*;
    use crate::clean::{Arrival, clean};

    fn alone(url: &str, title: &str) -> bool {
        let raw = RawArticle {
            url: url.to_owned(),
            title: title.to_owned(),
            ..RawArticle::default()
        };
        let article = clean(
            &raw,
            Timestamp::from_ms(1_700_000_000_000),
            Arrival::Backfill,
        );
        stands_alone(&article.unwrap())
    }

    #[test]
    fn live_blogs_and_opinion_pieces_are_known_by_section_and_label() {
        let title = "Ministers meet in Oslo to talk about fishing rights";
        assert!(alone(
            "https://paper.example/world/live/2026/ministers-meet",
            title
        ));
        assert!(alone(
            "https://paper.example/live-news/ministers-meet/index",
            title
        ));
        assert!(alone(
            "https://paper.example/opinions/2026/ministers-meet",
            title
        ));
        assert!(alone(
            "https://paper.example/a",
            "Oslo summit LIVE: ministers arrive"
        ));
        assert!(alone(
            "https://paper.example/a",
            "EN DIRECT, sommet d'Oslo : les ministres arrivent"
        ));
        assert!(alone(
            "https://paper.example/a",
            "Oslo summit live updates: ministers arrive"
        ));
        assert!(!alone(
            "https://paper.example/world/live-concert-ends",
            title
        ));
        assert!(!alone(
            "https://paper.example/live-blog/live-blog-update/ministers-meet",
            title
        ));
        assert!(!alone(
            "https://paper.example/world/opinion-of-the-court",
            title
        ));
        assert!(!alone(
            "https://paper.example/world/a",
            "Where ministers live and work in Oslo"
        ));
        assert!(!alone("https://paper.example/world/a", title));
    }

    #[test]
    fn every_pattern_compiles() {
        LazyLock::force(&LIVE_SECTION);
        LazyLock::force(&LIVE_LABEL);
    }
}
