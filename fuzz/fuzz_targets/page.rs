//! Web pages: an answer is no longer than what it was read from.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| {
    if let Some(page) = text::page::extract(html, Some("https://www.example.com/2026/03/01/story")) {
        assert!(!page.title.is_empty() && page.text.len() <= 2 * html.len() + 64);
    }
});
