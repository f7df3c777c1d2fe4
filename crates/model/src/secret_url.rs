//! Addresses that may contain a secret, and how they are shown.
//!
//! Feeds are often protected by a token in their address, databases by a password. [`SecretUrl`] appears masked
//! wherever it is printed, logged or serialised, so nobody has to remember to mask it. Code that dials the address asks
//! for [`SecretUrl::expose`].

mod path;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use url::Url;

use path::mask_path;

/// What replaces a secret.
const MASK: &str = "***";

/// The longest address that is shown.
const SHOWN_CHARS: usize = 300;

/// At this length or above, a value without a revealing name is a secret if it looks like one.
const TOKEN_CHARS: usize = 20;

/// Parts of parameter names that indicate a secret.
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

/// An address as it was configured. Deserialises from plain text; displays, prints and serialises masked.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct SecretUrl(String);

impl SecretUrl {
    /// The whole address, for code that dials or stores it. Never for a reader.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for SecretUrl {
    fn from(address: String) -> Self {
        Self(address)
    }
}

impl From<&str> for SecretUrl {
    fn from(address: &str) -> Self {
        Self(address.to_owned())
    }
}

impl fmt::Display for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redact(&self.0))
    }
}

impl fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretUrl({:?})", redact(&self.0))
    }
}

impl Serialize for SecretUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&redact(&self.0))
    }
}

/// The address without its user, password, fragment, the values of query parameters that sound or look like secrets,
/// and the parts of the path that look like one. For text that is not an address, only what comes before its query is
/// shown, and nothing if that may contain a password.
pub fn redact(address: &str) -> String {
    let shown = if let Ok(url) = Url::parse(address.trim()) {
        redact_url(url)
    } else if address.contains('@') {
        MASK.to_owned()
    } else {
        mask_path(address.split(['?', '#']).next().unwrap_or_default())
    };
    shorten(&shown)
}

fn redact_url(mut url: Url) -> String {
    if url.cannot_be_a_base() {
        // For example `mailto:`, or a user and password without `//`: nothing that can be dialled.
        return format!("{}:{MASK}", url.scheme());
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Fails for addresses that cannot have a user, and which therefore have none to hide.
        let _ = url.set_password(None);
        let _ = url.set_username(MASK);
    }
    url.set_fragment(None);
    let path = mask_path(url.path());
    url.set_path(&path);
    if let Some(query) = url.query() {
        let masked: Vec<String> = query.split(['&', ';']).map(mask_pair).collect();
        url.set_query(Some(&masked.join("&")));
    }
    url.to_string()
}

fn mask_pair(pair: &str) -> String {
    let Some((name, value)) = pair.split_once('=') else {
        // A name alone, or a token alone.
        return if looks_secret(pair) {
            MASK.to_owned()
        } else {
            pair.to_owned()
        };
    };
    if !value.is_empty() && (sounds_secret(name) || looks_secret(value)) {
        format!("{name}={MASK}")
    } else {
        pair.to_owned()
    }
}

fn sounds_secret(name: &str) -> bool {
    let lower = decode(name).to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| lower.contains(secret))
}

/// Long, in one piece, with letters and digits mixed.
fn looks_secret(value: &str) -> bool {
    let value = decode(value);
    value.len() >= TOKEN_CHARS
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~+/=:".contains(&byte))
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Undoes percent-encoding, so that `%6bey` is `key`.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = (byte == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        if let Some(decoded) = digits {
            bytes.push(decoded);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            (
                "https://a.test/x?%74oken=abc",
                "https://a.test/x?%74oken=***",
            ),
            (
                "https://a.test/x?a=1;pwd=abc",
                "https://a.test/x?a=1&pwd=***",
            ),
            ("https://me:word@a.test/x", "https://***@a.test/x"),
            ("https://a.test/?key=", "https://a.test/?key="),
            (
                "https://a.test/?u=3f9a77c01be24d5588",
                "https://a.test/?u=3f9a77c01be24d5588",
            ),
            (
                "https://a.test/?u=3f9a77c01be24d5588aa",
                "https://a.test/?u=***",
            ),
            (
                "https://a.test/private/3f9a77c01be24d5588aa/rss",
                "https://a.test/private/***/rss",
            ),
            (
                "https://a.test/2026/03/apple-beats-estimates-in-q3-2026",
                "https://a.test/2026/03/apple-beats-estimates-in-q3-2026",
            ),
            ("postgres://me:word@db.test/a", "postgres://***@db.test/a"),
            ("https://me:word@a.test:99999999/x", "***"),
            ("me:word@a.test/x", "me:***"),
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

    #[test]
    fn the_type_shows_itself_masked_everywhere() {
        let url = SecretUrl::from("https://me:word@a.test/x?token=abc");
        let json = serde_json::to_string(&url).unwrap();
        for shown in [url.to_string(), format!("{url:?}"), json] {
            assert!(!shown.contains("word") && !shown.contains("abc"), "{shown}");
            assert!(shown.contains("a.test"), "{shown}");
        }
        assert_eq!(url.expose(), "https://me:word@a.test/x?token=abc");
        let read: SecretUrl = serde_json::from_str("\"https://a.test/?token=abc\"").unwrap();
        assert_eq!(read.expose(), "https://a.test/?token=abc");
    }

    proptest! {
        #[test]
        fn no_secret_leaves(
            secret in "Q[a-zA-Z0-9]{7,40}Z",
            user in "[a-z]{0,8}",
            host in "[a-z]{1,12}\\.test",
            port in prop::option::of(0_u32..200_000),
            name in prop::sample::select(vec![
                "key", "api_key", "apikey", "X-Token", "access_token", "password", "PASSWD", "pwd", "auth", "sig",
                "signature", "client_secret", "session_id", "%6bey", "toke%6E", "a[token]",
            ]),
            before in "[ -~]{0,12}",
            place in 0..4_u8,
        ) {
            let port = port.map_or(String::new(), |port| format!(":{port}"));
            let before: String = before.chars().filter(|c| !"#?&;=@/\\".contains(*c)).collect();
            let address = match place {
                0 => format!("https://{user}:{secret}@{host}{port}/feed"),
                1 => format!("https://{host}{port}/feed?{before}&{name}={secret}"),
                2 => format!("https://{host}{port}/feed?{name}={secret}#{secret}"),
                _ => format!("postgres://{user}:{secret}@{host}{port}/base?sslmode=require&password={secret}"),
            };
            let shown = redact(&address);
            prop_assert!(!shown.contains(&secret), "{} shows {}", address, shown);
            let url = SecretUrl::from(address);
            let printed = format!("{url} {url:?}");
            prop_assert!(!printed.contains(&secret), "{}", printed);
        }

        #[test]
        fn any_text_is_shown_somehow(text in ".{0,400}") {
            prop_assert!(redact(&text).chars().count() <= SHOWN_CHARS + 1);
        }
    }
}
