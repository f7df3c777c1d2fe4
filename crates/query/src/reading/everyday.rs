//! Whether a question is about everyday life rather than markets: cooking, the weather, homework.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::table;

use crate::words::Word;

const FILE: &str = include_str!("../../data/everyday.txt");

static WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    table::lines(FILE)
        .flat_map(|line| line.split(' '))
        .collect()
});

/// Openings of questions about general knowledge or everyday activities.
const OPENINGS: [&str; 22] = [
    "how old",
    "how tall",
    "how do i make",
    "how do i fix",
    "how do i get rid",
    "how do i clean",
    "how to make",
    "how to fix",
    "how to clean",
    "who invented",
    "who wrote",
    "who painted",
    "what is the capital of",
    "whats the capital of",
    "what year",
    "what time is it",
    "write me a",
    "write a",
    "can you write",
    "tell me a story",
    "sing",
    "translate",
];

/// Whether it contains a word of everyday life, or opens like that.
pub(super) fn is_everyday(words: &[Word]) -> bool {
    let said = || words.iter().map(|word| word.lower.as_str());
    let is_word = || said().any(|word| WORDS.contains(word));
    let opens = |opening: &&str| {
        let length = opening.split(' ').count();
        words.len() > length && opening.split(' ').eq(said().take(length))
    };
    is_word() || OPENINGS.iter().any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        assert_eq!(table::fault(FILE, 1, 1), None);
    }
}
