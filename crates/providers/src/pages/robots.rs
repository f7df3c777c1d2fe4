//! `robots.txt`, as specified in RFC 9309.
//!
//! What is kept of a file is never larger than the file: only the group that addresses this program, in one buffer,
//! with percent-encoding resolved instead of added. A file is read up to [`SIZE_LIMIT`] and the rest is ignored, as
//! the standard allows.

use memchr::memmem;
use url::Url;

use crate::charset;
use crate::error::{Outage, ParseError};
use crate::transport::{Call, HttpBody, HttpRequest, Overflow, sniff};

/// The name by which sites may address this program.
const AGENT: &str = "assay";

/// How much of a file is read; RFC 9309 requires at least 500 KiB.
const SIZE_LIMIT: usize = 512 << 10;

/// Most rules that are kept from one file, which bounds the work per query; their text is kept up to [`SIZE_LIMIT`],
/// which a file in an old encoding could otherwise exceed.
const MAX_RULES: usize = 5000;

/// The rules for the site of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRobots {
    /// Any address on the site.
    pub url: Url,
}

/// What a site allows this program to do. Without rules: everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// All patterns, one after another.
    patterns: Box<[u8]>,
    rules: Box<[Rule]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    /// Where its pattern ends; it begins where the previous one ends.
    end: u32,
    allow: bool,
}

/// The rules of one group while a file is being read.
#[derive(Debug, Default)]
struct Group {
    patterns: Vec<u8>,
    rules: Vec<Rule>,
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
            overflow: Overflow::Cut,
            ..HttpRequest::get(url).accepting("text/plain, */*;q=0.1")
        }
    }

    fn parse(&self, body: &HttpBody) -> Result<Robots, ParseError> {
        match sniff::page_instead_of_data(&body.bytes) {
            // A site that serves its front page for every address has no rules.
            Some(Outage::Page) => return Ok(Robots::default()),
            Some(challenge) => return Err(challenge.into()),
            None => {}
        }
        Ok(Robots::parse(&charset::decode(&body.bytes, None)))
    }
}

impl Robots {
    /// Reads a file: the group with this program's name, otherwise the one for everybody.
    pub fn parse(text: &str) -> Self {
        let (mut own, mut everybody): (Option<Group>, Option<Group>) = (None, None);
        // Whether the group being read addresses this program, and whether it addresses everybody.
        let (mut is_own, mut is_everybody) = (false, false);
        let mut in_rules = false;
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            if name.eq_ignore_ascii_case("user-agent") {
                if in_rules {
                    (is_own, is_everybody, in_rules) = (false, false, false);
                }
                let agent = value.split(['/', ' ']).next().unwrap_or_default();
                // A group without rules is still a group: it allows everything to those it names.
                if agent.eq_ignore_ascii_case(AGENT) {
                    is_own = true;
                    own.get_or_insert_default();
                } else if agent == "*" {
                    is_everybody = true;
                    everybody.get_or_insert_default();
                }
                continue;
            }
            let allow = name.eq_ignore_ascii_case("allow");
            if !allow && !name.eq_ignore_ascii_case("disallow") {
                continue;
            }
            in_rules = true;
            for (group, is_addressed) in [(&mut own, is_own), (&mut everybody, is_everybody)] {
                if let Some(group) = group
                    && is_addressed
                {
                    group.push(allow, value);
                }
            }
        }
        own.or(everybody).map(Group::finish).unwrap_or_default()
    }

    /// Whether this program may read an address. The longest matching rule decides; if two are equally long, the one
    /// that allows.
    pub fn allows(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let mut normal = Vec::with_capacity(path.len());
        normalise(&path, &mut normal);
        self.rules()
            .filter(|(_, pattern)| matches(pattern, &normal))
            .max_by_key(|(allow, pattern)| (pattern.len(), *allow))
            .is_none_or(|(allow, _)| allow)
    }

    /// The number of bytes that it occupies.
    pub fn weight(&self) -> usize {
        self.patterns.len() + size_of_val(&*self.rules)
    }

    fn rules(&self) -> impl Iterator<Item = (bool, &[u8])> {
        let mut start = 0;
        self.rules.iter().map(move |rule| {
            let end = rule.end as usize;
            let pattern = self.patterns.get(start..end).unwrap_or_default();
            start = end;
            (rule.allow, pattern)
        })
    }
}

impl Group {
    fn push(&mut self, allow: bool, pattern: &str) {
        // `Disallow:` with nothing after it disallows nothing.
        if pattern.is_empty()
            || self.rules.len() >= MAX_RULES
            || self.patterns.len() + pattern.len() > SIZE_LIMIT
        {
            return;
        }
        normalise(pattern, &mut self.patterns);
        self.rules.push(Rule {
            // No more than `SIZE_LIMIT`.
            end: self.patterns.len() as u32,
            allow,
        });
    }

    fn finish(self) -> Robots {
        Robots {
            patterns: self.patterns.into_boxed_slice(),
            rules: self.rules.into_boxed_slice(),
        }
    }
}

/// Adds a text in the single spelling in which both sides are compared, which is never longer than the text:
/// percent-encoding is resolved if that changes no meaning (characters other than ASCII, and unreserved ones),
/// otherwise written in upper case. `%2A` and `%24` stay distinct from the special characters in a pattern.
fn normalise(text: &str, normal: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = match after {
            [high, low, ..] if byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        let Some((high, low)) = escaped else {
            normal.push(byte);
            continue;
        };
        let value = (high << 4) | low;
        let is_unreserved =
            value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
        if is_unreserved || !value.is_ascii() {
            normal.push(value);
        } else {
            normal.push(b'%');
            normal.extend(after[..2].iter().map(u8::to_ascii_uppercase));
        }
        rest = &after[2..];
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Whether a pattern with `*` and a final `$` matches the beginning of a path. Greedy from the left: each piece takes
/// the first place that fits, which is right because only the last one may be anchored. A piece that is not found
/// ends the search, so the time grows with the sum of both lengths, whatever the pattern.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split(|byte| *byte == b'*');
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
        match memmem::find(rest, piece) {
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

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        check("User-agent: *\nDisallow: /café", "/caf%C3%A9", false);
        check("User-agent: *\nDisallow: /%61b", "/ab", false);
        check("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false);
        check("User-agent: *\nDisallow: /a%2fb", "/a/b", true);
        check("User-agent: *\nDisallow: /a%2ab", "/axb", true);
        check("User-agent: *\nDisallow: /a%2ab", "/a%2Ab", false);
        check("User-agent: *\nDisallow: /100%", "/100%", false);
    }

    #[test]
    fn what_is_kept_is_never_larger_than_the_file() {
        let signs = format!("User-agent: *\nDisallow: /{}\n", "é".repeat(200_000));
        let short = format!("User-agent: *\n{}", "Disallow:/\n".repeat(60_000));
        let others = format!(
            "{}User-agent: *\nDisallow: /x\n",
            "User-agent: other\nDisallow: /a\n".repeat(20_000)
        );
        for text in [&signs, &short, &others] {
            let robots = Robots::parse(text);
            assert!(robots.weight() <= text.len(), "{}", robots.weight());
            assert!(robots.patterns.len() <= SIZE_LIMIT);
            assert!(robots.rules.len() <= MAX_RULES);
        }
        assert!(Robots::parse(&others).weight() < 100);
    }

    #[test]
    fn a_pattern_of_stars_costs_no_more_than_its_length() {
        let text = format!(
            "User-agent: *\n{}",
            format!("Disallow: /{}b\n", "*a".repeat(1_000)).repeat(100)
        );
        let robots = Robots::parse(&text);
        let url = Url::parse(&format!("https://site.test/{}", "a".repeat(5_000))).unwrap();
        // Backtracking would not finish within the lifetime of this test.
        assert!(robots.allows(&url));
    }
}
