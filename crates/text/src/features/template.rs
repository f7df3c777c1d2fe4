//! Headlines that stand above something else every day.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

static PHRASES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let mut phrases: Vec<String> = include_str!("../../data/features/templates.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|phrase| regex::escape(phrase).replace('\'', "['’]"))
        .collect();
    // The longest first, so that "what we know so far" is not left half standing.
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    RegexBuilder::new(&format!(r"\b(?:{})\b", phrases.join("|")))
        .case_insensitive(true)
        .build()
        .ok()
});

/// Whether a headline is made from a template that heads unrelated texts.
pub fn is_template(title: &str) -> bool {
    PHRASES
        .as_ref()
        .is_some_and(|phrases| phrases.is_match(title))
}

/// Whether the headline is made from a template, and the headline without the words of the template.
pub(super) fn informative_part(title: &str) -> (bool, String) {
    match PHRASES.as_ref() {
        Some(phrases) if phrases.is_match(title) => {
            (true, phrases.replace_all(title, " ").into_owned())
        }
        _ => (false, title.to_owned()),
    }
}
