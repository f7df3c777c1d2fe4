//! Secrets in the path of an address: private feeds are published at a path that nobody can guess.
//!
//! What gets masked is anything that was drawn at random: UUIDs, long hexadecimal numbers and tokens in the base64url
//! alphabet, even before a file suffix or at the end of a headline. The words around them stay readable. Random text
//! with fewer than sixteen characters, or without a digit, cannot be distinguished from words and is shown.

use std::borrow::Cow;

use super::{MASK, decode};

/// At this length or above, letters in both cases with digits among them are a secret.
const MIXED_CHARS: usize = 16;

/// At this length or above, letters in one case with digits among them are a secret.
const ONE_CASE_CHARS: usize = 20;

/// At this length or above, a hexadecimal number is a secret.
const HEX_CHARS: usize = 16;

/// The number of digits in each group of a UUID.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// The path with [`MASK`] for each secret.
pub(super) fn mask_path(path: &str) -> String {
    let masked: Vec<Cow<'_, str>> = path.split('/').map(mask_part).collect();
    masked.join("/")
}

fn mask_part(part: &str) -> Cow<'_, str> {
    if !part.contains('%') {
        return Cow::Owned(mask_text(part));
    }
    // Judged in decoded form; where exactly the secret lies in the encoded text then does not matter.
    let decoded = decode(part);
    Cow::Borrowed(if mask_text(&decoded) == decoded {
        part
    } else {
        MASK
    })
}

fn mask_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c: char| !is_of_token(c)) {
        let token = piece.trim_end_matches(|c: char| !is_of_token(c));
        shown.push_str(&mask_piece(token));
        shown.push_str(&piece[token.len()..]);
    }
    shown
}

/// The base64url alphabet, and what replaces its last two characters elsewhere.
fn is_of_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_separator(c)
}

const fn is_separator(c: char) -> bool {
    matches!(c, '-' | '_' | '+' | '~')
}

/// Masks from the first to the last word that is part of a secret, so that plain words before and after stay.
fn mask_piece(piece: &str) -> Cow<'_, str> {
    let words: Vec<&str> = piece.split(is_separator).collect();
    let is_secret = words.iter().any(|word| is_mixed(word) || is_hex(word))
        || is_mixed(piece) && !words.iter().all(|word| is_ordinary(word));
    let mut hidden: Vec<bool> = words
        .iter()
        .map(|word| is_secret && !is_plain(word))
        .collect();
    for (start, groups) in words.windows(UUID.len()).enumerate() {
        if is_uuid(groups) {
            hidden[start..start + UUID.len()].fill(true);
        }
    }
    let first = hidden.iter().position(|hidden| *hidden);
    let last = hidden.iter().rposition(|hidden| *hidden);
    let (Some(first), Some(last)) = (first, last) else {
        return Cow::Borrowed(piece);
    };
    // A separator is one byte.
    let bytes_to = |end: usize| {
        words[..end]
            .iter()
            .map(|word| word.len() + 1)
            .sum::<usize>()
    };
    let (before, after) = (&piece[..bytes_to(first)], &piece[bytes_to(last + 1) - 1..]);
    Cow::Owned(format!("{before}{MASK}{after}"))
}

/// Long, and letters and digits mixed.
fn is_mixed(text: &str) -> bool {
    let has = |class: fn(&u8) -> bool| text.as_bytes().iter().any(class);
    let (lower, upper) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    let chars = if lower && upper {
        MIXED_CHARS
    } else {
        ONE_CASE_CHARS
    };
    text.len() >= chars && (lower || upper) && has(u8::is_ascii_digit)
}

/// A long hexadecimal number; one with digits only may be a date or a count.
fn is_hex(word: &str) -> bool {
    word.len() >= HEX_CHARS
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_uuid(groups: &[&str]) -> bool {
    groups.iter().zip(UUID).all(|(group, digits)| {
        group.len() == digits && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Whether a word could appear in a headline: `rates`, `2026`, `YouTube`, `q3`, `covid19`, `gpt4o`.
fn is_ordinary(word: &str) -> bool {
    if is_plain(word) || is_name(word) {
        return true;
    }
    let letters: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    if letters.len() == word.len() {
        return false;
    }
    if !is_plain(&letters) {
        return word.len() <= 3;
    }
    let is_digit = u8::is_ascii_digit;
    let switches = word
        .as_bytes()
        .windows(2)
        .filter(|pair| is_digit(&pair[0]) != is_digit(&pair[1]))
        .count();
    match word.len() {
        0..=5 => true,
        6..=8 => switches <= 2,
        9..=12 => switches <= 1,
        _ => false,
    }
}

/// Digits only, or letters in ordinary case: `rates`, `Rates`, `RATES`.
fn is_plain(word: &str) -> bool {
    let rest = word.get(1..).unwrap_or_default();
    word.bytes().all(|byte| byte.is_ascii_digit())
        || word.bytes().all(|byte| byte.is_ascii_uppercase())
        || word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && rest.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Plain words run together, either two of any length or more of at least three letters each: `iPhone`,
/// `TheWallStreetJournal`.
fn is_name(word: &str) -> bool {
    let mut parts = 0;
    let mut shortest = usize::MAX;
    let mut start = 0;
    let bytes = word.as_bytes();
    for end in 1..=bytes.len() {
        let ends = end == bytes.len()
            || bytes[end - 1].is_ascii_lowercase() && bytes[end].is_ascii_uppercase();
        if !ends {
            continue;
        }
        let part = &word[start..end];
        if !is_plain(part) || part.bytes().any(|byte| byte.is_ascii_digit()) {
            return false;
        }
        parts += 1;
        shortest = shortest.min(part.len());
        start = end;
    }
    parts <= 2 || shortest >= 3
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn secrets_are_masked_and_what_stands_around_them_stays() {
        for (path, expected) in [
            // Tokens, alone and before a suffix.
            ("/feeds/3fA9kQ7LmN2pXyZ0.xml", "/feeds/***.xml"),
            ("/feeds/3fA9kQ7LmN2pXyZ0.rss.gz", "/feeds/***.rss.gz"),
            ("/private/3f9a77c01be24d5588aa/rss", "/private/***/rss"),
            ("/u/k2j4h5g6f7d8s9a0q1w2.atom", "/u/***.atom"),
            ("/u/JBSWY3DPEHPK3PXPJBSWY3DP", "/u/***"),
            (
                "/services/T00000000/B00000000/aB3dE5gH7jK9mN1pQ3sT5vW7",
                "/services/T00000000/B00000000/***",
            ),
            // UUIDs.
            ("/f/123e4567-e89b-12d3-a456-426614174000", "/f/***"),
            ("/f/123E4567-E89B-12D3-A456-426614174000.xml", "/f/***.xml"),
            (
                "/f/feed-123e4567-e89b-12d3-a456-426614174000-all",
                "/f/feed-***-all",
            ),
            ("/f/12345678-1234-1234-1234-123456789012", "/f/***"),
            ("/f/123e4567e89b12d3a456426614174000/rss", "/f/***/rss"),
            // Hexadecimal numbers.
            ("/h/3f9a77c01be24d55.json", "/h/***.json"),
            ("/h/3F9A77C01BE24D55", "/h/***"),
            (
                "/ical/me%40example.org/private-3f9a77c01be24d5588aa3f9a77c01be2/basic.ics",
                "/ical/me%40example.org/private-***/basic.ics",
            ),
            // Base64url, with its last two letters.
            ("/t/aB3-kQ7_LmN2pXyZ", "/t/***"),
            ("/t/Zk9Q2_xYz0LmNqRs-VuWx1A.xml", "/t/***.xml"),
            ("/t/UCBJycsmduvYEL83R_Z4JriQ/all", "/t/***/all"),
            ("/t/2b7q9x4m-8kz3v6w1-p5.rss", "/t/***.rss"),
            (
                "/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
                "/t/***.***.***",
            ),
            (
                "/bot123456789:AAF3kd9sLkq_8sjdkGHsa93kd",
                "/bot123456789:***",
            ),
            // Encoded, so wholly masked.
            ("/t/aB3%2DkQ7%5FLmN2pXyZ", "/t/***"),
            ("/t/%33fA9kQ7LmN2pXyZ0.xml", "/t/***"),
            // After a headline.
            (
                "/article/fed-holds-rates-3f9a77c01be24d5588aa3f9a77c01be2",
                "/article/fed-holds-rates-***",
            ),
        ] {
            assert_eq!(mask_path(path), expected);
        }
    }

    #[test]
    fn ordinary_paths_are_readable() {
        for path in [
            "",
            "/",
            "/2026/11/21/the-fed-holds-rates-steady-at-its-meeting",
            "/2026/03/apple-beats-estimates-in-q3-2026",
            "/rss/technology-news.xml",
            "/id-12345678",
            "/news/world-europe-66012345",
            "/world/us-canada-12345678.html",
            "/wiki/2026_FIFA_World_Cup_qualification",
            "/wiki/COVID-19_pandemic_in_Europe_2020",
            "/review/iPhone-17-Pro-Review-November-2026",
            "/review/YouTube-Premium-vs-McDonalds-App-2026",
            "/rss/TheWallStreetJournal-Markets-2026.rss",
            "/news/h5n1-outbreak-in-20-states",
            "/business/b737max-and-a320neo-orders-2026",
            "/tech/gpt4o-and-covid19-in-2026q1",
            "/archive/20261121093000123456",
            "/2026-11-21/2026-11-21T09-30-00Z-market-wrap",
            "/feed/v2beta1/top_stories_2026.atom",
            "/arc/outboundfeeds/rss/category/business/?outputType=xml",
            "/articles/c4gpz1xq9v5o",
            "/internationalizationandlocalization",
            "/ÜBERSICHT/наука-и-жизнь-2026/日本経済新聞",
            "/%C3%BCbersicht/m%C3%A4rkte-2026",
        ] {
            assert_eq!(mask_path(path), path);
        }
    }

    proptest! {
        #[test]
        fn masking_again_changes_nothing(
            path in prop_oneof![
                any::<String>(),
                "[a-zA-Z0-9_~+./%*-]{0,80}",
                "([a-f0-9]{4}|[a-f0-9]{8}|[a-f0-9]{12}|[A-Z][a-z]{1,6}|[0-9]{1,8}|[-_./%*]){0,24}",
            ],
        ) {
            let masked = mask_path(&path);
            prop_assert_eq!(mask_path(&masked), masked);
        }

        #[test]
        fn a_token_in_one_piece_never_shows(
            before in "([a-z]{1,8}-){0,3}",
            token in "[a-z][A-Z][0-9][a-zA-Z0-9]{13,40}",
            after in "(\\.[a-z]{2,4}|/[a-z]{1,8})?",
        ) {
            let masked = mask_path(&format!("/{before}{token}{after}"));
            prop_assert_eq!(masked, format!("/{before}{MASK}{after}"));
        }

        #[test]
        fn a_uuid_never_shows(groups in "[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}", suffix in "(\\.xml)?") {
            prop_assert_eq!(mask_path(&format!("/{groups}{suffix}")), format!("/{MASK}{suffix}"));
        }
    }
}
