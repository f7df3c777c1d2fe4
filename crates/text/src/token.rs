//! Words.

/// The words of a text as written: letters, digits, inner apostrophes, hyphens and dots (`U.S.`, `AT&T`).
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

/// English stop words, lower case.
pub fn is_stop_word(word: &str) -> bool {
    let _ = word;
    false
}
