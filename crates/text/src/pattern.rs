//! Constant patterns: regular expressions that stand in code or in a data file of this program.
//!
//! One that does not compile is a programming error and ends the program at its first use; a pattern that silently
//! finds nothing would only show in worse answers. Whoever declares a pattern has a test that compiles it. Patterns
//! that come from outside do not belong here.

use regex::{Regex, RegexBuilder, RegexSet};

/// A pattern that heeds case.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn exact(pattern: &str) -> Regex {
    Regex::new(pattern).expect("constant pattern")
}

/// A pattern that is the same in capitals.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn caseless(pattern: &str) -> Regex {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .expect("constant pattern")
}

/// Several patterns that are the same in capitals, numbered in their order.
#[expect(clippy::expect_used, reason = "constant pattern, compiled by a test")]
pub(crate) fn caseless_set<'a>(patterns: impl IntoIterator<Item = &'a str>) -> RegexSet {
    // Edges of ASCII words only: the fast automaton gives up on others, and these words have none.
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
