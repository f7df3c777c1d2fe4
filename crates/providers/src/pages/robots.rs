//! `robots.txt`, as RFC 9309 reads it.

use std::fmt::Write;

use url::Url;

use crate::charset;
use crate::error::{Outage, ParseError};
use crate::transport::{Call, HttpBody, HttpRequest, sniff};

/// The name by which sites may address this program.
const AGENT: &str = "assay";

/// Largest file that is read; RFC 9309 asks for at least 500 KiB.
const SIZE_LIMIT: usize = 1 << 20;

/// Rules that are kept of one file.
const MAX_RULES: usize = 5000;

/// The rules of the site of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRobots {
    /// Any address of the site.
    pub url: Url,
}

/// What a site allows to this program. Without rules: everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    pattern: String,
}

impl Call for FetchRobots {
    type Output = Robots;

    fn request(&self) -> HttpRequest {
        let mut url = self.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        HttpRequest {
            size_limit: SIZE_LIMIT,
            ..HttpRequest::get(url).accepting("text/plain, */*;q=0.1")
        }
    }

    fn parse(&self, body: &HttpBody) -> Result<Robots, ParseError> {
        match sniff::page_instead_of_data(&body.bytes) {
            // A site that answers its front page for every address has no rules.
            Some(Outage::Page) => return Ok(Robots::default()),
            Some(challenge) => return Err(challenge.into()),
            None => {}
        }
        Ok(Robots::parse(&charset::decode(&body.bytes, None)))
    }
}

impl Robots {
    /// Reads a file: the group of this program's name, or else the one for everybody.
    pub fn parse(text: &str) -> Self {
        let (mut own, mut everybody) = (None, None);
        let mut agents: Vec<String> = Vec::new();
        let mut in_rules = false;
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
            match name.as_str() {
                "user-agent" => {
                    if in_rules {
                        agents.clear();
                        in_rules = false;
                    }
                    let agent = value
                        .split(['/', ' '])
                        .next()
                        .unwrap_or_default()
                        .to_ascii_lowercase();
                    // A group without rules is still a group: it allows everything to those it names.
                    match agent.as_str() {
                        AGENT => drop(own.get_or_insert_with(Vec::new)),
                        "*" => drop(everybody.get_or_insert_with(Vec::new)),
                        _ => {}
                    }
                    agents.push(agent);
                }
                "allow" | "disallow" => {
                    in_rules = true;
                    let rule = Rule {
                        allow: name == "allow",
                        pattern: normalise(value),
                    };
                    // `Disallow:` with nothing behind it disallows nothing.
                    if rule.pattern.is_empty() {
                        continue;
                    }
                    for (agent, rules) in [(AGENT, &mut own), ("*", &mut everybody)] {
                        if let Some(rules) = rules
                            && rules.len() < MAX_RULES
                            && agents.iter().any(|named| named == agent)
                        {
                            rules.push(rule.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        Self {
            rules: own.or(everybody).unwrap_or_default(),
        }
    }

    /// Whether this program may read an address. The longest matching rule decides; of two equally long ones the one
    /// that allows.
    pub fn allows(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let path = normalise(&path);
        self.rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allow))
            .is_none_or(|rule| rule.allow)
    }
}

/// Percent signs in upper case and other than ASCII encoded, so that both sides are spelled alike.
fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut escaped = 0;
    for c in text.chars() {
        match c {
            '%' => escaped = 2,
            _ if escaped > 0 => {
                escaped -= 1;
                normal.push(c.to_ascii_uppercase());
                continue;
            }
            _ => {}
        }
        if c.is_ascii() {
            normal.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                normal.push('%');
                // Writing to a string cannot fail.
                let _ = write!(normal, "{byte:02X}");
            }
        }
    }
    normal
}

/// Whether a pattern with `*` and a final `$` matches the beginning of a path. Greedy from the left: each piece takes the
/// first place that fits, which is right because only the last one may be anchored.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return !anchored || rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if anchored && pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, path: &str, expected: bool) {
        let url = Url::parse(&format!("https://site.test{path}")).unwrap();
        assert_eq!(
            Robots::parse(text).allows(&url),
            expected,
            "{path} under {text:?}"
        );
    }

    #[test]
    fn rules_are_read_as_the_standard_says() {
        check("", "/a", true);
        check("User-agent: *\nDisallow: /", "/a", false);
        check("User-agent: *\nDisallow:", "/a", true);
        check(
            "User-agent: *\nDisallow: /\n\nUser-agent: Assay\nDisallow: /private",
            "/news",
            true,
        );
        check(
            "User-agent: other\nUser-agent: assay/1.0\nDisallow: /private # why",
            "/private/x",
            false,
        );
        check(
            "User-agent: assay\n\nUser-agent: *\nDisallow: /x",
            "/x",
            false,
        );
        check(
            "User-agent: assay\nAllow:\n\nUser-agent: *\nDisallow: /x",
            "/x",
            true,
        );
        check("User-agent: other\nDisallow: /", "/a", true);
        check("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true);
        check("User-agent: *\nDisallow: /a/b\nAllow: /a/b", "/a/b", true);
        check("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", false);
        check("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", true);
        check("User-agent: *\nDisallow: /*?print=", "/x?print=1", false);
        check("User-agent: *\nDisallow: /caf%c3%a9", "/café", false);
        check("\u{feff}user-agent:*\r\ndisallow:/x\r\n", "/x", false);
        check("Disallow: /x", "/x", true);
        check(
            "Sitemap: https://site.test/map.xml\nUser-agent: *\nCrawl-delay: 5\nDisallow: /x",
            "/x",
            false,
        );
    }
}
