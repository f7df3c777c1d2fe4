//! What outlets print around articles, and pages that hold nothing else.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use crate::address::Address;

/// A paragraph longer than this says more than an invitation to subscribe.
const LONGEST_LINE: usize = 320;

static LINES: LazyLock<RegexSet> = LazyLock::new(|| patterns(include_str!("../../data/boilerplate_lines.txt")));
static TITLES: LazyLock<RegexSet> = LazyLock::new(|| patterns(include_str!("../../data/no_article_titles.txt")));
static WALLS: LazyLock<RegexSet> = LazyLock::new(|| patterns(include_str!("../../data/wall_phrases.txt")));

static TAILS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\s*(
            \bthe\ (post|article|story|entry)\ .{1,300}?\ (appeared\ first|first\ appeared|was\ first\ published)\ (on|in|at)\ .{1,120}$
          | \bl[’']article\ .{1,300}?\ est\ apparu\ en\ premier\ sur\ .{1,120}$
          | \bder\ beitrag\ .{1,300}?\ erschien\ zuerst\ (auf|bei)\ .{1,120}$
          | \bla\ entrada\ .{1,300}?\ (se\ public[oó]\ primero|aparece\ primero)\ en\ .{1,120}$
          | \bthis\ (article|story|post)\ (was\ )?(originally|first)\ (appeared|published|posted)\b.{0,160}$
          | [\[(]?(continue\ reading|read\ (the\ )?(more|full\ (story|article))|click\ here\ to\ (read|continue)|keep\ reading)
            (\ (here|on|at|about|»|→|›)\b.{0,80})?\s*[.…»→›\])]*$
          | (↩|→|»)+$
        )",
    )
    .ok()
});

/// A file of regular expressions, one a line, all without regard to case. A line that is none is left out.
fn patterns(file: &str) -> RegexSet {
    let lines: Vec<String> = file
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| format!("(?i){line}"))
        .filter(|line| Regex::new(line).is_ok())
        .collect();
    RegexSet::new(&lines).unwrap_or_else(|_| RegexSet::empty())
}

/// What kind of page such a headline stands on, when that is no article.
pub(crate) fn no_article_title(title: &str) -> Option<&'static str> {
    TITLES.is_match(title).then_some("a page with such a headline")
}

/// The same, with its address.
pub(super) fn no_article(title: &str, address: &Address) -> Option<&'static str> {
    let host = address.url.split('/').nth(2).unwrap_or_default();
    if host.starts_with("consent.") || address.domain == "removed.com" {
        return Some("a consent or removal page");
    }
    no_article_title(title)
}

/// Whether a text is that of a consent, captcha or subscription wall instead of an article's.
pub(crate) fn is_wall(text: &str) -> bool {
    let end = text.char_indices().nth(600).map_or(text.len(), |(at, _)| at);
    WALLS.is_match(&text[..end])
}

/// Whether a paragraph is furniture: subscribe, share, advertisement, credits.
pub(crate) fn is_furniture(paragraph: &str) -> bool {
    paragraph.len() <= LONGEST_LINE && LINES.is_match(paragraph)
}

/// The text without `The post … appeared first on …`, `Continue reading` and the like at its end.
pub(crate) fn without_tail(text: &str) -> &str {
    let mut text = text;
    while let Some(found) = TAILS.as_ref().and_then(|tails| tails.find(text)) {
        if found.is_empty() {
            break;
        }
        text = text[..found.start()].trim_end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for (file, set) in [
            (include_str!("../../data/boilerplate_lines.txt"), &LINES),
            (include_str!("../../data/no_article_titles.txt"), &TITLES),
            (include_str!("../../data/wall_phrases.txt"), &WALLS),
        ] {
            let lines = file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
            assert_eq!(lines.count(), set.len());
        }
        assert!(TAILS.is_some());
    }

    #[test]
    fn furniture_is_told_from_text() {
        for line in [
            "Advertisement",
            "READ MORE: Something else happened",
            "Sign up for our newsletter today",
            "Photo: Jane Doe/Getty Images",
            "Follow us on Twitter",
            "This article was originally published on Example.",
            "* * *",
            "(Reporting by Jane Doe; Editing by John Roe)",
        ] {
            assert!(is_furniture(line), "{line}");
        }
        for line in [
            "Readers were told to share the news with others.",
            "The company said its newsletter business grew by a third.",
            "Photography has changed since then, he said.",
            "Follow the money, she told the court on Monday.",
            "Subscribers left in droves after the price rise.",
        ] {
            assert!(!is_furniture(line), "{line}");
        }
        assert!(is_wall("Before you go on: we value your privacy and so on"));
        assert!(!is_wall("The court ruled that cookies were sold without consent."));
    }
}
