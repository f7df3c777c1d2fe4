//! The text of an article.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rs_trafilatura::page_type::PageType;
use rs_trafilatura::{Options, extract_with_options};

use crate::clean::{is_furniture, without_tail};
use crate::{markup, token};

/// Readable paragraphs of a page, separated by a blank line; empty when there are none.
pub(super) fn read(html: &str, url: Option<&str>, title: &str, claimed: Option<&str>) -> String {
    let found = tidy(&main_text(html, url), title);
    let claimed = claimed.map(|text| tidy(&markup::strip(text), title)).unwrap_or_default();
    choose(found, claimed)
}

/// What the extractor takes for the main text. A page that makes it panic has none: the page is not ours.
fn main_text(html: &str, url: Option<&str>) -> String {
    let options = Options { url: url.map(str::to_owned), page_type: Some(PageType::Article), ..Options::default() };
    catch_unwind(AssertUnwindSafe(|| extract_with_options(html, &options)))
        .ok()
        .and_then(Result::ok)
        .map(|result| result.content_text)
        .unwrap_or_default()
}

/// The publisher's own text, where the extractor found little of it.
fn choose(found: String, claimed: String) -> String {
    let (found_words, claimed_words) = (token::words(&found).count(), token::words(&claimed).count());
    if claimed_words >= 60 && (claimed_words > 2 * found_words || found_words > 3 * claimed_words) {
        claimed
    } else {
        found
    }
}

/// Paragraphs without furniture, repetition and the headline.
fn tidy(text: &str, title: &str) -> String {
    let headline = squeeze(title);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut kept: Vec<&str> = Vec::new();
    for paragraph in text.split("\n\n").flat_map(|block| block.split('\n')) {
        let paragraph = without_tail(paragraph.trim());
        let key = squeeze(paragraph);
        if key.is_empty() || key == headline || is_furniture(paragraph) {
            continue;
        }
        if seen.insert(key) {
            kept.push(paragraph);
        }
    }
    kept.join("\n\n")
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
