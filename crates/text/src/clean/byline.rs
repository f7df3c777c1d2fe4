//! Names of people and outlets.

use crate::caseless;
use crate::clean::passage;

/// Longer than the names of any group of authors that readers would want to see.
const LONGEST: usize = 120;

/// The byline as a name: `By Jane Doe, Example News` → `Jane Doe`; `None` for addresses, links and the outlet itself.
pub(crate) fn parse(author: &str, outlet: &str) -> Option<String> {
    let mut name = passage::line(author);
    // The RSS 2.0 form: `editor@example.com (Jane Doe)`.
    if let Some((address, rest)) = name.split_once('(')
        && address.contains('@')
    {
        name = rest.trim_end_matches(')').trim().to_owned();
    }
    let lower = name.to_ascii_lowercase();
    let start = [
        "by ",
        "opinion by ",
        "analysis by ",
        "written by ",
        "words by ",
        "author: ",
        "von ",
        "par ",
        "por ",
    ]
    .iter()
    .find(|prefix| lower.starts_with(**prefix))
    .map_or(0, |prefix| prefix.len());
    let mut name = name[start..].trim();
    if let Some(before) = caseless::find(name, &format!(", {outlet}")) {
        name = &name[..before];
    }
    let name = name.split('|').next().unwrap_or(name);
    let name = ["Published", "Updated", "Posted", "Last updated"]
        .iter()
        .find_map(|label| name.split_once(label))
        .map_or(name, |(before, _)| before);
    let name = name
        .strip_suffix(outlet)
        .filter(|before| before.split_whitespace().count() >= 2)
        .unwrap_or(name);
    let name = name
        .trim_matches([',', ';', '|', '-', ' ', '"', '\''])
        .trim();
    let unusable = name.is_empty()
        || name.contains("://")
        || name.contains('@')
        || name.contains(['{', '[', '<'])
        || name.starts_with("www.")
        || name.eq_ignore_ascii_case(outlet)
        || name.chars().count() > LONGEST
        || !name.chars().any(char::is_alphabetic)
        || [
            "null",
            "none",
            "undefined",
            "unknown",
            "admin",
            "nan",
            "n/a",
        ]
        .contains(&name.to_ascii_lowercase().as_str());
    (!unusable).then(|| name.to_owned())
}

/// A reader-friendly name from a registrable domain: `market-daily.co.uk` → `Market Daily`, `bbc.com` → `BBC`.
pub(super) fn outlet_name(domain: &str) -> String {
    if domain.starts_with('[')
        || domain
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return domain.to_owned();
    }
    let label = domain.split('.').next().unwrap_or(domain);
    let words: Vec<String> = label
        .split(['-', '_'])
        .filter(|word| !word.is_empty())
        .map(capitalised)
        .collect();
    if words.is_empty() {
        domain.to_owned()
    } else {
        words.join(" ")
    }
}

fn capitalised(word: &str) -> String {
    let is_acronym = word.len() <= 3 || !word.bytes().any(|byte| b"aeiouy".contains(&byte));
    if is_acronym {
        return word.to_uppercase();
    }
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_are_names() {
        let check = |author, expected: Option<&str>| {
            assert_eq!(
                parse(author, "Example News").as_deref(),
                expected,
                "{author}"
            );
        };
        check("By Jane Doe, Example News", Some("Jane Doe"));
        check("desk@example.com (Jane Doe)", Some("Jane Doe"));
        check("Example News", None);
        check("https://www.facebook.com/example", None);
        check("desk@example.com", None);
        check(" ", None);
    }

    #[test]
    fn domains_become_names() {
        assert_eq!(outlet_name("market-daily.co.uk"), "Market Daily");
        assert_eq!(outlet_name("bbc.com"), "BBC");
        assert_eq!(outlet_name("cnbc.com"), "CNBC");
        assert_eq!(outlet_name("127.0.0.1"), "127.0.0.1");
    }
}
