//! Which host names this server answers under, and which origins' pages may read its answers.
//!
//! A browser sends requests to any address that a page names, this machine included. Two things keep the page from
//! reading the answer: no `Access-Control-Allow-Origin` for its origin, and no answer under a name that the page's
//! owner could let point here (DNS rebinding). An address written in digits cannot be pointed elsewhere, so it needs no
//! list.

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue, Uri, header};

/// The names under which the server answers.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// `None` admits every name.
    only: Option<Vec<String>>,
}

impl Hosts {
    /// Answers under every name.
    pub const fn any() -> Self {
        Self { only: None }
    }

    /// Answers under these names, under `localhost` and under numeric addresses.
    pub fn only(names: impl IntoIterator<Item = String>) -> Self {
        let names = names.into_iter().map(|name| plain(&name)).collect();
        Self { only: Some(names) }
    }

    /// Whether a request that names these hosts is meant for this server. One that names none was not sent by a
    /// browser.
    pub(crate) fn admits(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let Some(only) = &self.only else { return true };
        named(headers, uri).all(|name| {
            name.is_some_and(|name| {
                is_localhost(&name) || address(&name).is_some() || only.contains(&name)
            })
        })
    }
}

/// The origins whose pages may read answers.
#[derive(Clone, Debug)]
pub enum Origins {
    /// Every page.
    Any,
    /// Pages of these origins, such as `https://app.example.org`.
    Only(Vec<HeaderValue>),
}

impl Default for Origins {
    /// No page.
    fn default() -> Self {
        Self::Only(Vec::new())
    }
}

impl Origins {
    /// What `Access-Control-Allow-Origin` says for a request; `None` if nothing is allowed.
    pub(crate) fn allowed(&self, sent: Option<&HeaderValue>) -> Option<HeaderValue> {
        match self {
            Self::Any => Some(HeaderValue::from_static("*")),
            Self::Only(origins) => sent.filter(|sent| origins.contains(sent)).cloned(),
        }
    }

    /// Whether the answer's headers depend on who asks.
    pub(crate) fn vary(&self) -> bool {
        matches!(self, Self::Only(origins) if !origins.is_empty())
    }
}

/// Whether every host that a request names is this machine, under a name that cannot be pointed elsewhere.
pub(crate) fn names_loopback(headers: &HeaderMap, uri: &Uri) -> bool {
    named(headers, uri).all(|name| {
        name.is_some_and(|name| {
            is_localhost(&name) || address(&name).is_some_and(|address| address.is_loopback())
        })
    })
}

/// The hosts that a request names, without port, in lower case; `None` for a name that cannot be read.
fn named<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> impl Iterator<Item = Option<String>> + 'a {
    let sent = headers.get_all(header::HOST).iter().map(|value| {
        let authority: http::uri::Authority = value.to_str().ok()?.trim().parse().ok()?;
        // No client sends a user before the host.
        (!authority.as_str().contains('@')).then(|| plain(authority.host()))
    });
    sent.chain(uri.host().map(|host| Some(plain(host))))
}

fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    name.strip_suffix('.').map_or(name.clone(), str::to_owned)
}

fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

fn address(name: &str) -> Option<IpAddr> {
    let name = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(name);
    name.parse::<IpAddr>()
        .ok()
        .map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, host.parse().unwrap());
        headers
    }

    #[test]
    fn a_name_that_others_can_point_here_is_not_ours() {
        let hosts = Hosts::only(["Assay.Example.ORG".to_owned()]);
        let path: Uri = "/x".parse().unwrap();
        for good in [
            "localhost",
            "localhost:8080",
            "LOCALHOST.",
            "app.localhost:1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.1.7",
            "assay.example.org:443",
        ] {
            assert!(hosts.admits(&headers(good), &path), "{good}");
        }
        for bad in [
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost@evil.example",
            "evil.example@localhost",
            "",
            "a b",
        ] {
            assert!(!hosts.admits(&headers(bad), &path), "{bad:?}");
            assert!(Hosts::any().admits(&headers(bad), &path), "{bad:?}");
        }
        assert!(hosts.admits(&HeaderMap::new(), &path));
        let whole: Uri = "http://evil.example/x".parse().unwrap();
        assert!(!hosts.admits(&headers("localhost"), &whole));
        let mut two = headers("localhost");
        two.append(header::HOST, "evil.example".parse().unwrap());
        assert!(!hosts.admits(&two, &path));
    }

    #[test]
    fn loopback_is_named_by_its_own_names_only() {
        let path: Uri = "/metrics".parse().unwrap();
        for (host, expected) in [
            ("localhost:8080", true),
            ("127.0.0.1:8080", true),
            ("[::1]", true),
            ("[::ffff:127.0.0.1]", true),
            ("192.168.1.7", false),
            ("assay.example.org", false),
        ] {
            assert_eq!(names_loopback(&headers(host), &path), expected, "{host}");
        }
    }

    #[test]
    fn origins_are_compared_whole() {
        let own: HeaderValue = "https://app.example.org".parse().unwrap();
        let other: HeaderValue = "https://app.example.org.evil.example".parse().unwrap();
        let origins = Origins::Only(vec![own.clone()]);
        assert_eq!(origins.allowed(Some(&own)), Some(own.clone()));
        assert_eq!(origins.allowed(Some(&other)), None);
        assert_eq!(origins.allowed(None), None);
        assert_eq!(Origins::default().allowed(Some(&own)), None);
        assert_eq!(
            Origins::Any.allowed(Some(&other)),
            Some(HeaderValue::from_static("*"))
        );
    }
}
