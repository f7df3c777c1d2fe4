//! From a service's description of a page to a result that can be shown and compared.

use model::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use text::date::{self, Order};
use text::{address, markup};
use url::Url;

use super::{MOST_RESULTS, Provider, WebResult};
use crate::guard::{self, Allow};

/// Characters of a title and of a snippet that are kept.
const LONGEST_TITLE: usize = 300;
const LONGEST_SNIPPET: usize = 1_000;
/// An address with more bytes than this is not one that anybody reads.
const LONGEST_URL: usize = 2_048;
/// Bytes of a text that are examined: more than what is kept, to allow for markup.
const READ_BYTES: usize = 16 << 10;

/// A page as a service describes it, not yet parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) title: Option<String>,
    pub(super) url: Option<String>,
    pub(super) snippet: Option<String>,
    pub(super) published: Option<String>,
}

/// The items that have the expected form, at most as many as are ever shown; a malformed one does not spoil the rest.
pub(super) fn items<T: DeserializeOwned>(items: Vec<Value>) -> impl Iterator<Item = T> {
    items
        .into_iter()
        .filter_map(|item| serde_json::from_value(item).ok())
        .take(MOST_RESULTS)
}

impl Draft {
    /// The result, unless it has no address that may be shown or no title.
    pub(super) fn finish(self, provider: Provider) -> Option<WebResult> {
        let url = shown_url(&self.url?)?;
        let canonical = address::canonical(&url)?;
        let title = plain(&self.title?, LONGEST_TITLE);
        if title.is_empty() {
            return None;
        }
        Some(WebResult {
            title,
            url,
            canonical_url: canonical.url,
            domain: canonical.domain,
            snippet: self
                .snippet
                .map(|snippet| plain(&snippet, LONGEST_SNIPPET))
                .unwrap_or_default(),
            published: self.published.and_then(|date| published(&date)),
            provider,
        })
    }
}

/// An http or https address without credentials whose host is not a private address.
fn shown_url(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > LONGEST_URL {
        return None;
    }
    let url = Url::parse(text).ok()?;
    guard::check_url(&url, &Allow::nothing()).ok()?;
    let shown = url.to_string();
    (shown.len() <= LONGEST_URL).then_some(shown)
}

/// Readable text on one line, cut at a word.
fn plain(text: &str, longest: usize) -> String {
    let start = &text[..text.floor_char_boundary(READ_BYTES)];
    let stripped = markup::strip(start);
    let visible: String = stripped
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= longest {
        return line;
    }
    let cut = line.char_indices().nth(longest - 1);
    let end = cut.map_or(line.len(), |(at, _)| at);
    let start = &line[..end];
    format!("{}…", &start[..start.rfind(' ').unwrap_or(end)])
}

/// Marks that change how the text around them is displayed, or display nothing.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The time of a written date. Relative dates, such as `2 days ago`, are left out: they give a day at best.
fn published(text: &str) -> Option<Timestamp> {
    date::parse(text, Order::MonthFirst)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(url: &str, title: &str, snippet: &str) -> Option<WebResult> {
        let draft = Draft {
            title: Some(title.to_owned()),
            url: Some(url.to_owned()),
            snippet: Some(snippet.to_owned()),
            published: None,
        };
        draft.finish(Provider::Searxng)
    }

    #[test]
    fn only_addresses_of_the_public_web_are_shown() {
        for url in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ftp://news.example/x",
            "https://user:word@news.example/",
            "http://127.0.0.1/admin",
            "http://2130706433/",
            "http://[::1]/",
            "http://169.254.169.254/latest/meta-data",
            "//news.example/x",
            "news",
            "",
        ] {
            assert_eq!(finished(url, "A title", "x"), None, "{url}");
        }
        let long = format!("https://news.example/{}", "x".repeat(3_000));
        assert_eq!(finished(&long, "A title", "x"), None);
        let found = finished("HTTPS://M.News.Example/a?utm_source=x#y", "A title", "").unwrap();
        assert_eq!(found.url, "https://m.news.example/a?utm_source=x#y");
        assert_eq!(found.canonical_url, "https://www.news.example/a");
        assert_eq!(found.domain, "news.example");
    }

    #[test]
    fn what_is_shown_is_plain_and_short() {
        let found = finished(
            "https://news.example/a",
            "<b>Rates</b>\u{0}\u{202e}\u{2067} ri\u{e0041}se\r\n &amp; fall<script>alert(1)</script>",
            &format!("<p>One\u{200b}two</p> {}", "word ".repeat(10_000)),
        )
        .unwrap();
        assert_eq!(found.title, "Rates rise & fall");
        assert!(
            found.snippet.starts_with("Onetwo word"),
            "{}",
            found.snippet
        );
        assert!(found.snippet.chars().count() <= 1_000);
        assert!(found.snippet.ends_with("word…"), "{}", found.snippet);
        assert_eq!(
            finished("https://news.example/a", "<i> </i>\u{200b}", "x"),
            None
        );
        // Without a space it is cut all the same.
        let found = finished("https://news.example/a", &"é".repeat(2_000), "").unwrap();
        assert_eq!(found.title.chars().count(), 300);
    }

    #[test]
    fn dates_of_all_services_are_read() {
        for (written, expected) in [
            ("2026-03-09T08:30:00", Some("2026-03-09T08:30:00Z")),
            ("2026-03-09T08:30:00.000Z", Some("2026-03-09T08:30:00Z")),
            (
                "Mon, 09 Mar 2026 08:30:00 GMT",
                Some("2026-03-09T08:30:00Z"),
            ),
            ("Mar 9, 2026", Some("2026-03-09T00:00:00Z")),
            ("2 days ago", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(
                published(written).map(|at| at.to_string()).as_deref(),
                expected,
                "{written}"
            );
        }
    }
}
