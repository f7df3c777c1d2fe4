//! Headlines that are used for different content every day.

use std::sync::LazyLock;

use model::table;
use regex::Regex;

use crate::pattern;

static PHRASES: LazyLock<Regex> = LazyLock::new(|| {
    let mut phrases: Vec<String> = table::lines(include_str!("../../data/features/templates.txt"))
        .map(|phrase| regex::escape(phrase).replace('\'', "['’]"))
        .collect();
    // The longest come first, so that "what we know so far" is not only partly removed.
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    pattern::caseless(&format!(r"\b(?:{})\b", phrases.join("|")))
});

/// Whether a headline is made from a template that heads unrelated texts.
pub fn is_template(title: &str) -> bool {
    PHRASES.is_match(title)
}

/// Whether the headline is made from a template, and the headline without the words of the template.
pub(super) fn informative_part(title: &str) -> (bool, String) {
    if PHRASES.is_match(title) {
        (true, PHRASES.replace_all(title, " ").into_owned())
    } else {
        (false, title.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        LazyLock::force(&PHRASES);
    }
}
