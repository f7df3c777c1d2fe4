//! Headlines without the outlet name appended to them.

use crate::caseless;

const SEPARATORS: [&str; 11] = [
    " - ", " – ", " — ", " | ", " :: ", " » ", " · ", " • ", " ― ", " ‒ ", " ¦ ",
];

/// Longer suffixes are part of the headline, whatever they name.
const LONGEST_SUFFIX_WORDS: usize = 7;

/// The headline without the outlet, if something that resembles its name follows the last separator.
pub(crate) fn without_outlet(title: &str, outlet: &str, domain: &str) -> String {
    let mut title = without_wire_mark(title.trim());
    let mut removed = false;
    // Names that contain a separator themselves.
    if let Some(rest) = title.strip_suffix(outlet).filter(|_| {
        SEPARATORS
            .iter()
            .any(|separator| outlet.contains(separator))
    }) && let Some(rest) = SEPARATORS
        .iter()
        .find_map(|separator| rest.strip_suffix(separator))
        .filter(|rest| is_headline(rest))
    {
        title = rest;
        removed = true;
    }
    for _ in 0..3 {
        let Some((rest, separator, suffix)) = last_part(title) else {
            break;
        };
        // On platforms where anyone can publish, the last part names the publisher.
        let channel = !removed
            && separator == " - "
            && matches!(domain, "google.com" | "youtube.com")
            && suffix.split_whitespace().count() <= 6;
        let section = removed && separator == " | " && suffix.split_whitespace().count() <= 3;
        if !(section || channel || resembles(suffix, outlet, domain)) || !is_headline(rest) {
            break;
        }
        title = rest.trim_end();
        removed = true;
    }
    if let Some((prefix, rest)) = SEPARATORS
        .iter()
        .find_map(|separator| title.split_once(separator))
        && is_headline(rest)
        && squeeze(prefix) == squeeze(outlet)
    {
        title = rest.trim_start();
    }
    if let Some(rest) = caseless::strip_suffix(title, &format!(" by {outlet}"))
        && is_headline(rest)
    {
        title = rest.trim_end();
    }
    title.trim_end_matches(['|', '•']).trim().to_owned()
}

/// The publisher of an item listed by an aggregator: the part after the last separator of the headline.
pub(super) fn publisher(title: &str) -> Option<&str> {
    let (rest, separator, name) = last_part(title)?;
    (separator == " - "
        && is_headline(rest)
        && !name.is_empty()
        && name.split_whitespace().count() <= 6)
        .then_some(name)
}

/// Agencies mark the versions of a report: `UPDATE 2-`, `WRAPUP 1-`.
fn without_wire_mark(title: &str) -> &str {
    let Some((mark, rest)) = title.split_once('-') else {
        return title;
    };
    let word =
        mark.trim_end_matches(|character: char| character.is_ascii_digit() || character == ' ');
    let known = matches!(
        word,
        "UPDATE" | "WRAPUP" | "CORRECTED" | "REFILE" | "RPT" | "EXCLUSIVE" | "CORRECTED-UPDATE"
    );
    if known && !rest.trim().is_empty() && mark.len() <= 20 {
        rest.trim_start()
    } else {
        title
    }
}

fn last_part(title: &str) -> Option<(&str, &'static str, &str)> {
    SEPARATORS
        .iter()
        .filter_map(|separator| title.rfind(separator).map(|at| (at, *separator)))
        .max()
        .map(|(at, separator)| (&title[..at], separator, &title[at + separator.len()..]))
}

fn is_headline(text: &str) -> bool {
    text.split_whitespace().count() >= 2 || text.chars().count() >= 12
}

/// Whether a suffix names this outlet: by name, by domain, by initials, or by a word that both share.
fn resembles(suffix: &str, outlet: &str, domain: &str) -> bool {
    let words: Vec<String> = suffix
        .split_whitespace()
        .map(squeeze)
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() || words.len() > LONGEST_SUFFIX_WORDS {
        return false;
    }
    let suffix = words.concat();
    let label = squeeze(domain.split('.').next().unwrap_or(domain));
    let outlet = squeeze(outlet);
    let core = |name: &str| {
        name.strip_prefix("the")
            .unwrap_or(name)
            .trim_end_matches("com")
            .to_owned()
    };
    let (core_suffix, core_outlet, core_label) = (core(&suffix), core(&outlet), core(&label));
    if core_suffix.is_empty() {
        return false;
    }
    if core_suffix == core_outlet || core_suffix == core_label || suffix == squeeze(domain) {
        return true;
    }
    let initials: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    if words.len() >= 2 && (initials == label || initials == core_outlet) {
        return true;
    }
    let shares = |name: &str| {
        name.chars().count() >= 3
            && (core_suffix.starts_with(name)
                || name.starts_with(&core_suffix) && core_suffix.len() >= 4)
    };
    if shares(&core_outlet)
        || shares(&core_label)
        || (core_suffix.len() >= 4 && core_label.ends_with(&core_suffix))
    {
        return true;
    }
    if let [name, news] = words.as_slice()
        && news == "news"
        && core_label.starts_with(name)
    {
        return true;
    }
    // `BBC Sport` of `bbc.co.uk`, `FOX 5 Atlanta` of `fox5atlanta.com`.
    words
        .iter()
        .any(|word| word.len() >= 3 && *word == core_label)
        || (words[0].len() >= 3
            && words[0] != "the"
            && core_label.starts_with(&words[0])
            && words.len() <= 4)
}

/// Letters and digits in lower case: what is left once spelling habits are removed.
fn squeeze(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, outlet: &str, domain: &str, expected: &str) {
        assert_eq!(without_outlet(title, outlet, domain), expected, "{title}");
    }

    #[test]
    fn outlets_go() {
        check(
            "A good day - Best Life",
            "Best Life",
            "bestlifeonline.com",
            "A good day",
        );
        check("Oil rises | Reuters", "Reuters", "reuters.com", "Oil rises");
        check(
            "Show cancelled - Entertainment Weekly News",
            "Entertainment Weekly",
            "ew.com",
            "Show cancelled",
        );
        check(
            "Stocks fall - Wall Street Journal",
            "wsj",
            "wsj.com",
            "Stocks fall",
        );
        check(
            "Cup final live - BBC Sport",
            "BBC News",
            "bbc.co.uk",
            "Cup final live",
        );
        check(
            "Vote nears | Politics | The Guardian",
            "Guardian",
            "theguardian.com",
            "Vote nears",
        );
        check(
            "Fire downtown - FOX 5 Atlanta",
            "fox5atlanta",
            "fox5atlanta.com",
            "Fire downtown",
        );
        check(
            "Gold slips By Investing.com",
            "Investing.com",
            "investing.com",
            "Gold slips",
        );
        check(
            "Trailer out now - Example Films",
            "YouTube",
            "youtube.com",
            "Trailer out now",
        );
        check(
            "Cup tie tonight - A - B, C",
            "A - B, C",
            "example.com",
            "Cup tie tonight",
        );
        check(
            "Rates rise - Mint",
            "Livemint",
            "livemint.com",
            "Rates rise",
        );
        check(
            "UPDATE 2-Oil climbs again",
            "Reuters",
            "reuters.com",
            "Oil climbs again",
        );
    }

    #[test]
    fn letters_whose_lower_case_has_another_length_are_cut_whole() {
        check(
            "Council widens the bridge ẞ by İx",
            "İx",
            "example.com",
            "Council widens the bridge ẞ",
        );
        check(
            "İstanbul opens a bridge by STRAẞE",
            "Straße",
            "example.com",
            "İstanbul opens a bridge",
        );
    }

    #[test]
    fn what_is_no_outlet_stays() {
        check(
            "Mission possible - the long way home",
            "Example",
            "example.com",
            "Mission possible - the long way home",
        );
        check("Lakers - Celtics", "ESPN", "espn.com", "Lakers - Celtics");
        check("- Reuters", "Reuters", "reuters.com", "- Reuters");
        check("", "Reuters", "reuters.com", "");
    }
}
