//! Canonical addresses: each story at an outlet has one address, whatever trackers were appended to it.
//!
//! The canonical form is both a key and a link. It remains an address that a browser can open, so the host is kept
//! unchanged apart from its AMP and mobile forms.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;
use url::{Host, Url};

/// Longer than the address of any article.
const LONGEST: usize = 8192;

/// An AMP cache of a mobile host behind a redirect makes three.
const MOST_FORMS: usize = 16;

/// An address that identifies an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The canonical form.
    pub url: String,
    /// Registrable domain, such as `bbc.co.uk`.
    pub domain: String,
}

/// The key of a feed's own version of an address. No canonical address has a fragment, so the key cannot clash with
/// one.
pub fn stand_in(link: &str, feed_domain: &str) -> String {
    format!("{link}#via={feed_domain}")
}

/// The registrable domain of a name as people write it in configuration: `www.bbc.co.uk`, `BBC.co.uk`,
/// `bücher.example`.
pub fn domain_of_name(name: &str) -> Option<String> {
    let name = name.trim();
    let is_bare = !name.is_empty() && !name.contains(['/', '@', '?', '#']);
    let url = is_bare
        .then(|| Url::parse(&format!("https://{name}/")).ok())
        .flatten()?;
    let host = url.host_str()?;
    Some(registrable_domain(host).to_owned())
}

/// The canonical form of an `http` or `https` address; `None` for anything else.
pub fn canonical(url: &str) -> Option<Address> {
    let mut address = simplified(url)?;
    // One form may hide another. An address that keeps changing is not the address of an article.
    for _ in 0..MOST_FORMS {
        let simpler = simplified(&address.url)?;
        if simpler == address {
            return Some(address);
        }
        address = simpler;
    }
    None
}

fn simplified(url: &str) -> Option<Address> {
    let mut address = parse(url)?;
    while let Some(inner) = wrapped_address(&address) {
        // The wrapped address is shorter than its wrapper, so this ends.
        address = inner;
    }
    let host = plain_host(address.host()?);
    let mut canonical = format!("https://{host}");
    if let Some(port) = address.port().filter(|port| *port != 443) {
        canonical.push(':');
        canonical.push_str(&port.to_string());
    }
    let path = plain_path(address.path());
    canonical.push_str(if path.is_empty() { "/" } else { &path });
    let query = address.query().map(plain_query).unwrap_or_default();
    if !query.is_empty() {
        canonical.push('?');
        canonical.push_str(&query);
    }
    Some(Address {
        domain: registrable_domain(&host).to_owned(),
        url: canonical,
    })
}

fn parse(text: &str) -> Option<Url> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let url = Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https")
        && url
            .host_str()
            .is_some_and(|host| !host.trim_matches('.').is_empty()))
    .then_some(url)
}

/// The publisher's address inside an AMP cache address or a search engine's redirect.
fn wrapped_address(address: &Url) -> Option<Url> {
    let host = address.host_str()?;
    let path = address.path();
    let inner = if host.ends_with(".cdn.ampproject.org") || host == "cdn.ampproject.org" {
        ["/c/s/", "/v/s/", "/c/", "/v/"]
            .iter()
            .find_map(|prefix| path.strip_prefix(prefix))?
    } else if is_google(host) && path.starts_with("/amp/") {
        path.strip_prefix("/amp/s/")
            .or_else(|| path.strip_prefix("/amp/"))?
    } else if is_google(host) && path == "/url" {
        let (_, target) = address
            .query_pairs()
            .find(|(key, _)| key == "url" || key == "q")?;
        return parse(&target).filter(|inner| inner.as_str().len() < address.as_str().len());
    } else {
        return None;
    };
    let first = inner.split('/').next()?;
    let query = address
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    first
        .contains('.')
        .then(|| parse(&format!("https://{inner}{query}")))?
}

/// `www.google.com` and its counterparts in other countries, but no host that merely starts the same way.
fn is_google(host: &str) -> bool {
    host.strip_prefix("www.")
        .is_some_and(|name| name.starts_with("google.") && registrable_domain(name) == name)
}

/// The registrable domain of the host that an address names, regardless of any address it wraps: the host that answers.
pub fn answering_domain(address: &str) -> Option<String> {
    let address = parse(address)?;
    Some(registrable_domain(address.host_str()?.trim_matches('.')).to_owned())
}

/// The host without its AMP or mobile label.
fn plain_host(host: Host<&str>) -> String {
    let Host::Domain(name) = host else {
        return host.to_string();
    };
    let mut name = name.trim_matches('.');
    let registrable = registrable_domain(name);
    let mut changed = false;
    while name.len() > registrable.len() {
        let Some((label, rest)) = name.split_once('.') else {
            break;
        };
        if !matches!(label, "amp" | "m" | "mobile") {
            break;
        }
        name = rest;
        changed = true;
    }
    // `m.example.com` is nearly always the mobile form of `www.example.com`, and the bare domain may not answer.
    if changed && name == registrable {
        format!("www.{name}")
    } else {
        drop_inner_mobile_label(name)
    }
}

/// `en.m.wikipedia.org` is `en.wikipedia.org`.
fn drop_inner_mobile_label(name: &str) -> String {
    name.strip_suffix(".m.wikipedia.org").map_or_else(
        || name.to_owned(),
        |edition| format!("{edition}.wikipedia.org"),
    )
}

/// The path without AMP marks and trailing slashes, with its escapes in upper case. Empty for the root.
fn plain_path(path: &str) -> String {
    let mut path = path.trim_end_matches('/');
    loop {
        let shorter = path
            .strip_suffix("/amp")
            .or_else(|| path.strip_suffix(".amp"))
            .unwrap_or(path);
        let shorter = shorter.trim_end_matches('/');
        if shorter == path || shorter.is_empty() {
            break;
        }
        path = shorter;
    }
    while let Some(rest) = path
        .strip_prefix("/amp/")
        .filter(|rest| !rest.trim_matches('/').is_empty())
    {
        path = &path[path.len() - rest.len() - 1..];
    }
    let upper = upper_case_escapes(path);
    upper.strip_suffix(".amp.html").map_or_else(
        || upper.clone(),
        |stem| format!("{}.html", stem.trim_end_matches(".amp")),
    )
}

fn upper_case_escapes(path: &str) -> String {
    let mut result = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        result.push_str(&rest[..at]);
        let escape = rest
            .get(at..at + 3)
            .filter(|escape| escape.bytes().skip(1).all(|byte| byte.is_ascii_hexdigit()));
        let length = escape.map_or(1, str::len);
        result.push_str(&rest[at..at + length].to_ascii_uppercase());
        rest = &rest[at + length..];
    }
    result.push_str(rest);
    result
}

/// The query without trackers, sorted by key.
fn plain_query(query: &str) -> String {
    let mut pairs: Vec<(&str, &str)> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| (pair.split('=').next().unwrap_or(pair), pair))
        .filter(|(key, pair)| !key.is_empty() && !is_tracker(key, pair))
        .collect();
    pairs.sort_by_key(|(key, _)| *key);
    pairs
        .iter()
        .map(|(_, pair)| *pair)
        .collect::<Vec<_>>()
        .join("&")
}

struct Trackers {
    names: FxHashSet<&'static str>,
    prefixes: Vec<&'static str>,
}

static TRACKERS: LazyLock<Trackers> = LazyLock::new(|| {
    let words = table::lines(include_str!("../data/trackers.txt")).flat_map(str::split_whitespace);
    let (prefixes, names): (Vec<_>, Vec<_>) = words.partition(|word| word.ends_with('*'));
    Trackers {
        names: names.into_iter().collect(),
        prefixes: prefixes
            .into_iter()
            .map(|prefix| prefix.trim_end_matches('*'))
            .collect(),
    }
});

fn is_tracker(key: &str, pair: &str) -> bool {
    let key = key.to_ascii_lowercase();
    if TRACKERS.names.contains(key.as_str())
        || TRACKERS
            .prefixes
            .iter()
            .any(|prefix| key.starts_with(prefix))
    {
        return true;
    }
    // If the value is a word, it gives a view of the article or the origin of the click. A number may identify the
    // article.
    let value = pair.split_once('=').map_or("", |(_, value)| value);
    let is_word = !value.bytes().any(|byte| byte.is_ascii_digit());
    match key.as_str() {
        "amp" => matches!(value, "" | "1" | "true"),
        "output" | "outputtype" | "view" => value == "amp" || value == "mobile",
        "cid" | "source" | "src" | "from" | "via" | "partner" | "campaign" => is_word,
        _ => false,
    }
}

static SHARED_HOSTS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../data/shared_hosts.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

static HOSTS_OF_MANY: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../data/hosts_of_many.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// Whether a registrable domain shows the articles of many outlets under its own name.
pub(crate) fn hosts_many(domain: &str) -> bool {
    HOSTS_OF_MANY.contains(domain)
}

/// The part of a host that somebody registered: `news.bbc.co.uk` → `bbc.co.uk`. Numeric addresses stay as they are.
///
/// Uses the public suffix list, including private suffixes such as `github.io`, plus a few hosts that give each
/// customer a name but never asked to be listed.
pub fn registrable_domain(host: &str) -> &str {
    let host = host.trim_matches('.');
    // No name has an empty label. A host that has one is unrelated to any other.
    if host.starts_with('[')
        || host.contains("..")
        || host
            .rsplit('.')
            .next()
            .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return host;
    }
    let Some(domain) = psl::domain_str(host) else {
        return host;
    };
    if !SHARED_HOSTS.contains(domain) || host.len() == domain.len() {
        return domain;
    }
    let customers = &host[..host.len() - domain.len() - 1];
    let customer = customers.rsplit('.').next().unwrap_or(customers);
    &host[host.len() - domain.len() - 1 - customer.len()..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(url: &str, expected: &str, domain: &str) {
        let address = canonical(url).unwrap();
        assert_eq!(
            (address.url.as_str(), address.domain.as_str()),
            (expected, domain),
            "{url}"
        );
    }

    #[test]
    fn trackers_go_and_meaning_stays() {
        check(
            "HTTP://News.BBC.co.uk:80/a/b/?b=2&utm_source=x&a=1&fbclid=y#top",
            "https://news.bbc.co.uk/a/b?a=1&b=2",
            "bbc.co.uk",
        );
        check("https://example.com", "https://example.com/", "example.com");
        check(
            "https://example.com/?at_medium=RSS",
            "https://example.com/",
            "example.com",
        );
        check(
            "https://example.com/story?id=7&cid=rss",
            "https://example.com/story?id=7",
            "example.com",
        );
        check(
            "https://example.com/story?cid=1234",
            "https://example.com/story?cid=1234",
            "example.com",
        );
        check(
            "https://www.abc.net.au/news/1?ref=feed",
            "https://www.abc.net.au/news/1",
            "abc.net.au",
        );
    }

    #[test]
    fn amp_and_mobile_forms_are_the_plain_form() {
        let plain = "https://www.example.com/news/slug";
        for url in [
            "https://www.example.com/news/slug/amp",
            "https://www.example.com/news/slug/amp/",
            "https://www.example.com/news/slug.amp",
            "https://www.example.com/amp/news/slug",
            "https://amp.example.com/news/slug?amp=1",
            "https://m.example.com/news/slug?outputType=amp",
            "https://www-example-com.cdn.ampproject.org/c/s/www.example.com/news/slug?usqp=mq331",
            "https://www.google.com/amp/s/www.example.com/news/slug",
            "https://www.google.com/url?q=https%3A%2F%2Fwww.example.com%2Fnews%2Fslug&sa=U",
        ] {
            check(url, plain, "example.com");
        }
        check(
            "https://en.m.wikipedia.org/wiki/Bond",
            "https://en.wikipedia.org/wiki/Bond",
            "wikipedia.org",
        );
    }

    #[test]
    fn hosts_without_a_registered_name_are_themselves() {
        check(
            "http://127.0.0.1:8080/a",
            "https://127.0.0.1:8080/a",
            "127.0.0.1",
        );
        check("http://[::1]/a", "https://[::1]/a", "[::1]");
        check("http://localhost/", "https://localhost/", "localhost");
        check(
            "https://someone.substack.com/p/x",
            "https://someone.substack.com/p/x",
            "someone.substack.com",
        );
        check("https://m.me/x", "https://m.me/x", "m.me");
    }

    #[test]
    fn domains_follow_the_public_suffix_list() {
        for (host, domain) in [
            ("feeds.bbci.co.uk", "bbci.co.uk"),
            ("www.bbc.co.uk", "bbc.co.uk"),
            ("co.uk", "co.uk"),
            ("someone.github.io", "someone.github.io"),
            ("blog.someone.github.io", "someone.github.io"),
            ("github.io", "github.io"),
            ("www.city.kawasaki.jp", "city.kawasaki.jp"),
            ("a.b.example.kawasaki.jp", "b.example.kawasaki.jp"),
            ("someone.medium.com", "someone.medium.com"),
            ("medium.com", "medium.com"),
            ("www.abcnews.go.com", "abcnews.go.com"),
            ("news.paper.example", "paper.example"),
            ("paper.example.", "paper.example"),
            ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("localhost", "localhost"),
            ("www.paper..example", "www.paper..example"),
            ("10.0.0.1", "10.0.0.1"),
            ("[2001:db8::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(registrable_domain(host), domain, "{host}");
        }
    }

    #[test]
    fn names_of_a_configuration_are_read_like_hosts() {
        for (name, domain) in [
            (" WWW.BBC.co.uk ", Some("bbc.co.uk")),
            ("bücher.example", Some("xn--bcher-kva.example")),
            ("paper.example:8080", Some("paper.example")),
            ("10.0.0.1", Some("10.0.0.1")),
            ("https://paper.example/", None),
            ("paper.example/world", None),
            ("me@paper.example", None),
            ("", None),
        ] {
            assert_eq!(domain_of_name(name).as_deref(), domain, "{name}");
        }
    }

    #[test]
    fn a_stand_in_occupies_no_address() {
        let link = "https://paper.example/port?id=1";
        let key = stand_in(link, "feed.example");
        assert_ne!(key, link);
        assert_eq!(canonical(&key).unwrap().url, link);
    }

    #[test]
    fn other_addresses_are_refused() {
        for url in [
            "",
            "ftp://example.com/",
            "mailto:a@example.com",
            "www.example.com",
            "https://",
            "javascript:1",
            "https://./",
        ] {
            assert_eq!(canonical(url), None, "{url}");
        }
    }

    proptest! {
        #[test]
        fn canonical_is_a_fixed_point(
            host in "((m|amp|www|mobile|a|1)\\.){0,3}(example\\.com|bbc\\.co\\.uk|co\\.uk|10\\.0\\.0\\.1|localhost|www-a\\.cdn\\.ampproject\\.org|www\\.google\\.com)\\.?(:80|:443|:8080)?",
            path in "(/|/amp|/c/s/|/amp/s/|\\.amp|\\.html|/url|%3a|%|[a-zA-Zé.]){0,12}",
            query in "([?&](amp=1|utm_a=b|url=http://a\\.b/c|q=1|[a-z]=?[^#]{0,3})){0,4}",
            scheme in "https?",
        ) {
            if let Some(once) = canonical(&format!("{scheme}://{host}{path}{query}")) {
                prop_assert_eq!(canonical(&once.url), Some(once));
            }
        }

        #[test]
        fn anything_may_be_asked(url in "(https?://)?\\PC{0,60}") {
            if let Some(once) = canonical(&url) {
                prop_assert_eq!(canonical(&once.url), Some(once));
            }
        }
    }
}
