//! Addresses as they may appear in logs and errors.

use url::Url;

/// What a secret is replaced by.
const MASK: &str = "***";

/// Longest address that is shown.
const SHOWN_CHARS: usize = 300;

/// Parts of parameter names that announce a secret.
const SECRET_NAMES: [&str; 12] = [
    "key",
    "token",
    "secret",
    "pass",
    "pwd",
    "auth",
    "sig",
    "credential",
    "session",
    "code",
    "jwt",
    "hash",
];

/// The address without user, password and the values of query parameters that sound like secrets. Text that is no
/// address loses its whole query.
pub fn redact(address: &str) -> String {
    let shown = match Url::parse(address.trim()) {
        Ok(url) => redact_url(url),
        Err(_) => address
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    shorten(&shown)
}

fn redact_url(mut url: Url) -> String {
    if !url.username().is_empty() || url.password().is_some() {
        // Fails for addresses that cannot have a user, which then have none to hide.
        let _ = url.set_password(None);
        let _ = url.set_username(MASK);
    }
    url.set_fragment(None);
    let Some(query) = url.query() else {
        return url.to_string();
    };
    let masked: Vec<String> = query.split('&').map(mask_pair).collect();
    let masked = masked.join("&");
    url.set_query(Some(&masked));
    url.to_string()
}

fn mask_pair(pair: &str) -> String {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let lower = name.to_ascii_lowercase();
    if !value.is_empty() && SECRET_NAMES.iter().any(|secret| lower.contains(secret)) {
        format!("{name}={MASK}")
    } else {
        pair.to_owned()
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_the_rest_is_kept() {
        for (address, expected) in [
            (
                "https://a.test/x?api_key=abc&page=2",
                "https://a.test/x?api_key=***&page=2",
            ),
            (
                "https://a.test/x?Token=abc#part",
                "https://a.test/x?Token=***",
            ),
            ("https://me:word@a.test/x", "https://***@a.test/x"),
            ("https://a.test/?key=", "https://a.test/?key="),
            ("not an address?key=abc", "not an address"),
        ] {
            assert_eq!(redact(address), expected);
        }
        assert!(
            redact(&format!("https://a.test/{}", "ü".repeat(2000)))
                .chars()
                .count()
                < 310
        );
    }
}
