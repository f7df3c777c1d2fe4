//! Examining a body before believing its status.
//!
//! A source that is down, or shuts programs out, often returns a web page with status 200. If data is due, a page
//! means an outage; if a page is due, one that checks for humans means an outage.

use crate::error::Outage;

/// How far into a body to look.
const SNIFFED_BYTES: usize = 4096;

/// Phrases in pages that check for humans. Matched in lower case, and only in pages with little else in them.
const CHALLENGES: [&str; 16] = [
    "g-recaptcha",
    "h-captcha",
    "hcaptcha.com",
    "cf-challenge",
    "cf-browser-verification",
    "challenge-platform",
    "challenges.cloudflare.com",
    "<title>just a moment",
    "<title>attention required",
    "<title>access denied",
    "px-captcha",
    "captcha-delivery.com",
    "_incapsula_resource",
    "anubis_challenge",
    "proof-of-work",
    "are you a robot",
];

/// What came instead of the XML or JSON that is due, if it is a web page.
pub fn page_instead_of_data(body: &[u8]) -> Option<Outage> {
    let head = head(body);
    if !looks_like_html(&head) {
        return None;
    }
    Some(if is_challenge(&head) {
        Outage::Challenge
    } else {
        Outage::Page
    })
}

/// Whether a web page checks for humans instead of showing its text. Long pages are not judged: they may embed a
/// CAPTCHA next to the text.
pub fn challenge_instead_of_page(body: &[u8]) -> Option<Outage> {
    const LONGEST_CHALLENGE: usize = 60 << 10;
    (body.len() < LONGEST_CHALLENGE && is_challenge(&head(body))).then_some(Outage::Challenge)
}

/// The first bytes in lower-case ASCII; NUL bytes from UTF-16 are left out.
fn head(body: &[u8]) -> String {
    let head = &body[..body.len().min(SNIFFED_BYTES)];
    head.iter()
        .filter(|byte| **byte != 0)
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

fn looks_like_html(head: &str) -> bool {
    let mut rest = head.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, 'ï' | '»' | '¿' | 'þ' | 'ÿ')
    });
    // Comments and the XML declaration may come before the root of either.
    loop {
        rest = rest.trim_start();
        let skipped = if rest.starts_with("<!--") {
            rest.split_once("-->").map(|(_, after)| after)
        } else if rest.starts_with("<?") {
            rest.split_once("?>").map(|(_, after)| after)
        } else {
            None
        };
        match skipped {
            Some(after) => rest = after,
            None => break,
        }
    }
    if let Some(doctype) = rest.strip_prefix("<!doctype") {
        return doctype.trim_start().starts_with("html");
    }
    [
        "<html", "<head", "<body", "<title>", "<script", "<meta ", "<center", "<h1", "<div", "<p>",
    ]
    .iter()
    .any(|start| rest.starts_with(start))
}

fn is_challenge(head: &str) -> bool {
    CHALLENGES.iter().any(|phrase| head.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_distinguished_from_data() {
        for (body, expected) in [
            (
                "<!DOCTYPE html><html><title>Moved</title>",
                Some(Outage::Page),
            ),
            ("\u{feff}  <HTML><body>down</body>", Some(Outage::Page)),
            (
                "<?xml version='1.0'?><!DOCTYPE HTML PUBLIC \"-\"><html>",
                Some(Outage::Page),
            ),
            (
                "<!-- x --><html><script src='https://challenges.cloudflare.com/x'>",
                Some(Outage::Challenge),
            ),
            (
                "<head><title>Just a moment...</title>",
                Some(Outage::Challenge),
            ),
            (
                "<?xml version='1.0'?><rss><channel><title>x</title></channel></rss>",
                None,
            ),
            ("<feed xmlns='http://www.w3.org/2005/Atom'/>", None),
            ("{\"version\": \"https://jsonfeed.org/version/1.1\"}", None),
            ("", None),
            ("<!--", None),
        ] {
            assert_eq!(page_instead_of_data(body.as_bytes()), expected, "{body}");
        }
    }
}
