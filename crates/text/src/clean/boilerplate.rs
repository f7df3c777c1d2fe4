//! Text that outlets print around articles, and pages that contain nothing else.

use std::sync::LazyLock;

use model::table;
use regex::{Regex, RegexSet};

use super::credit;
use crate::address::Address;
use crate::pattern;

/// Text appended to the end of a teaser is not longer than this.
const LONGEST_TAIL: usize = 400;

/// Every such ending contains one of these.
const TAIL_WORDS: [&str; 10] = [
    "appeared",
    "published",
    "posted",
    "reading",
    "read ",
    "click here",
    "apparu",
    "erschien",
    "publicó",
    "aparece",
];

/// Patterns of paragraphs, and how long each may be. Unbounded repetition keeps the automaton small, and the length of
/// the paragraph is the bound.
struct Lines {
    patterns: RegexSet,
    longest: Vec<usize>,
}

static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let (longest, patterns): (Vec<usize>, Vec<&str>) =
        table::lines(include_str!("../../data/boilerplate_lines.txt"))
            .filter_map(|line| line.split_once(' '))
            .filter_map(|(longest, pattern)| Some((longest.parse::<usize>().ok()?, pattern)))
            .unzip();
    Lines {
        patterns: pattern::caseless_set(patterns),
        longest,
    }
});

static TITLES: LazyLock<RegexSet> = LazyLock::new(|| {
    pattern::caseless_set(table::lines(include_str!(
        "../../data/no_article_titles.txt"
    )))
});
static WALLS: LazyLock<RegexSet> = LazyLock::new(|| {
    pattern::caseless_set(table::lines(include_str!("../../data/wall_phrases.txt")))
});

static TAILS: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?ix)\s*(
            (?-u:\b)(the\ (post|article|story|entry)|this\ post)\ .+?\ (appeared\ first|first\ appeared|was\ first\ published)\ (on|in|at)\ .{1,120}$
          | (?-u:\b)l[’']article\ .+?\ est\ apparu\ en\ premier\ sur\ .{1,120}$
          | (?-u:\b)der\ beitrag\ .+?\ erschien\ zuerst\ (auf|bei)\ .{1,120}$
          | (?-u:\b)la\ entrada\ .+?\ (se\ public[oó]\ primero|aparece\ primero)\ en\ .{1,120}$
          | (?-u:\b)this\ (article|story|post)\ (was\ )?(originally|first)\ (appeared|published|posted)(?-u:\b).{0,160}$
          | [\[(]?(continue\ reading|read\ (the\ )?(more|full\ (story|article))|click\ here\ to\ (read|continue)|keep\ reading)
            (\ (here|on|at|about|»|→|›)(?-u:\b).{0,80})?\s*[.…»→›\])]*$
        )",
    )
});

/// The kind of page that such a headline belongs to, if that page is not an article.
pub(crate) fn no_article_title(title: &str) -> Option<&'static str> {
    TITLES
        .is_match(title)
        .then_some("a page with such a headline")
}

/// The same, also using the address.
pub(super) fn no_article(title: &str, address: &Address) -> Option<&'static str> {
    let host = address.url.split('/').nth(2).unwrap_or_default();
    if host.starts_with("consent.") || address.domain == "removed.com" {
        return Some("a consent or removal page");
    }
    no_article_title(title)
}

/// Whether a text comes from a consent, captcha or subscription wall instead of an article.
pub(crate) fn is_wall(text: &str) -> bool {
    let end = text
        .char_indices()
        .nth(600)
        .map_or(text.len(), |(at, _)| at);
    WALLS.is_match(&text[..end])
}

/// Whether a paragraph is page furniture: subscribe, share, advertisement, credits.
pub(crate) fn is_furniture(paragraph: &str) -> bool {
    credit::is_line(paragraph) || is_listed(paragraph)
}

/// Whether the paragraph matches one of the patterns in the table.
fn is_listed(paragraph: &str) -> bool {
    let longest = LINES.longest.iter().copied().max().unwrap_or(0);
    paragraph.len() <= longest
        && LINES.patterns.matches(paragraph).iter().any(|line| {
            LINES
                .longest
                .get(line)
                .is_some_and(|longest| paragraph.len() <= *longest)
        })
}

/// Maximum number of such endings in a row. Anything longer is a list.
const MOST_TAILS: usize = 6;

/// The text without `The post … appeared first on …`, `Continue reading`, credits and the like at its end.
pub(crate) fn without_tail(text: &str) -> &str {
    let mut text = text;
    for _ in 0..MOST_TAILS {
        let Some(start) = tail(text).or_else(|| credit::closing(text)) else {
            break;
        };
        text = text[..start].trim_end();
    }
    text
}

/// Where such an ending begins. Only the end of a long text is examined: earlier in the text these words are part of a
/// sentence.
fn tail(text: &str) -> Option<usize> {
    let mut from = text.len().saturating_sub(LONGEST_TAIL);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let end = &text[from..];
    let lower = end.to_lowercase();
    if !TAIL_WORDS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let found = TAILS.find(end)?;
    (!found.is_empty()).then_some(from + found.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for (file, set) in [
            (
                include_str!("../../data/boilerplate_lines.txt"),
                &LINES.patterns,
            ),
            (include_str!("../../data/no_article_titles.txt"), &*TITLES),
            (include_str!("../../data/wall_phrases.txt"), &*WALLS),
        ] {
            assert_eq!(table::lines(file).count(), set.len());
        }
        LazyLock::force(&TAILS);
    }

    #[test]
    fn boilerplate_is_distinguished_from_text() {
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
            "The report published on Monday showed that prices rose by 3 percent in March.",
            "Published reports suggest that the two sides will meet again in 14 days.",
            "Photographers and editors left the paper in 2019.",
            "Tag Heuer sold 12 percent more watches than a year before.",
            "Updated models of the car sell for $30,000 in the United States, where demand has grown since the tax was cut.",
        ] {
            assert!(!is_furniture(line), "{line}");
        }
        assert!(is_wall("Before you go on: we value your privacy and so on"));
        assert!(!is_wall(
            "The court ruled that cookies were sold without consent."
        ));
    }
}
