//! Who makes a call, and what a key may do.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Category;

/// The identity of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AccountId(pub Uuid);

/// The identity of an API key; not the key itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(pub Uuid);

/// What a key is restricted to. An empty list restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyScope {
    /// Whole path segments after `/api/v1/`, with an optional method in front: `ticker`, `GET alerts`.
    pub allowed_endpoints: Vec<String>,
    /// The only categories of briefs that such a key can see.
    pub allowed_categories: Vec<Category>,
}

impl KeyScope {
    /// Whether calling `method` on `path` (such as `/api/v1/ticker/NVDA`) is within the scope.
    pub fn allows(&self, method: &str, path: &str) -> bool {
        if self.allowed_endpoints.is_empty() {
            return true;
        }
        let path = path
            .strip_prefix("/api/v1/")
            .unwrap_or_else(|| path.trim_start_matches('/'));
        let path = &one_spelling(path);
        self.allowed_endpoints.iter().any(|entry| {
            let (wanted_method, prefix) = match entry.trim().split_once(char::is_whitespace) {
                Some((method, rest)) => (Some(method), rest.trim()),
                None => (None, entry.trim()),
            };
            let prefix = &one_spelling(prefix.trim_start_matches("/api/v1/").trim_matches('/'));
            let method_fits =
                wanted_method.is_none_or(|wanted| wanted.eq_ignore_ascii_case(method));
            let path_fits = path.strip_prefix(prefix.as_str()).is_some_and(|rest| {
                !prefix.is_empty() && (rest.is_empty() || rest.starts_with('/'))
            });
            method_fits && path_fits
        })
    }
}

/// Watchlists have two spellings, which give access to the same thing.
fn one_spelling(path: &str) -> String {
    match path.strip_prefix("watchlists") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("watchlist{rest}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_match_whole_segments() {
        let scope = KeyScope {
            allowed_endpoints: vec!["agent".into(), "GET alerts".into(), "ticker".into()],
            ..KeyScope::default()
        };
        assert!(scope.allows("GET", "/api/v1/ticker/NVDA/price"));
        assert!(scope.allows("POST", "/api/v1/agent/health-check"));
        assert!(!scope.allows("GET", "/api/v1/agents"));
        assert!(scope.allows("GET", "/api/v1/alerts"));
        assert!(!scope.allows("POST", "/api/v1/alerts"));
        assert!(KeyScope::default().allows("DELETE", "/api/v1/anything"));
        for (entry, path) in [
            ("watchlists", "/api/v1/watchlist/wl_1/technicals"),
            ("GET watchlist", "/api/v1/watchlists/wl_1"),
        ] {
            let scope = KeyScope {
                allowed_endpoints: vec![entry.into()],
                ..KeyScope::default()
            };
            assert!(scope.allows("GET", path), "{entry}");
            assert!(!scope.allows("GET", "/api/v1/watchlistings"), "{entry}");
        }
    }
}
