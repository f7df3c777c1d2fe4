//! Constant patterns: regular expressions in code or in a data file of this program.
//!
//! A pattern that does not compile is a programming error and ends the program at first use. A pattern that silently
//! finds nothing would only show up as worse answers. Whoever declares a pattern has a test that compiles it. Patterns
//! from outside do not belong here.

use regex::{Regex, RegexBuilder, RegexSet};

/// A case-sensitive pattern.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn exact(pattern: &str) -> Regex {
    Regex::new(pattern).expect("constant pattern")
}

/// A case-insensitive pattern.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn caseless(pattern: &str) -> Regex {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .expect("constant pattern")
}

/// Several case-insensitive patterns, numbered in order.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn caseless_set<'a>(patterns: impl IntoIterator<Item = &'a str>) -> RegexSet {
    // ASCII word boundaries only: the fast automaton gives up on others, and these words have none.
    let patterns = patterns
        .into_iter()
        .map(|pattern| format!("(?i){}", pattern.replace(r"\b", r"(?-u:\b)")));
    RegexSet::new(patterns).expect("constant pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_where_it_is_asked_for() {
        assert!(!exact("said").is_match("SAID"));
        assert!(caseless("said").is_match("SAID"));
        let set = caseless_set([r"\bread more\b", r"\bad\b"]);
        assert_eq!(set.matches("An AD").iter().collect::<Vec<_>>(), [1]);
    }

    #[test]
    #[should_panic(expected = "constant pattern")]
    fn a_broken_pattern_is_loud() {
        exact("(");
    }
}
