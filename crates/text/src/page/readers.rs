//! The two extractors that find the main text of a page.
//!
//! Neither is trusted alone (`docs/decisions/0008-readable-text.md`). If a page makes one of them panic, that extractor
//! yields no text, because we do not control the page. `body` decides what follows from their results.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rs_trafilatura::page_type::PageType;

use crate::markup;

/// The more complete text, which more often continues past the end of the article.
pub(super) fn complete(html: &str, url: Option<&str>) -> String {
    let options = rs_trafilatura::Options {
        url: url.map(str::to_owned),
        page_type: Some(PageType::Article),
        ..rs_trafilatura::Options::default()
    };
    guarded(html, || {
        rs_trafilatura::extract_with_options(html, &options)
            .ok()
            .map(|result| result.content_text)
    })
}

/// The stricter text, which more often misses a paragraph.
pub(super) fn strict(html: &str) -> String {
    let mut options = trafilatura::Options::default();
    options.exclude_comments = true;
    // Its plain text has no paragraphs.
    guarded(html, || {
        trafilatura::extract(html, &options)
            .ok()
            .map(|result| markup::strip(&result.content_html))
    })
}

/// A text longer than its page contains something several times over and is rejected.
fn guarded(html: &str, read: impl FnOnce() -> Option<String>) -> String {
    catch_unwind(AssertUnwindSafe(read))
        .ok()
        .flatten()
        .filter(|text| text.len() <= html.len())
        .unwrap_or_default()
}
