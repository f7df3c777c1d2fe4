//! Sentences.

/// The sentences of a text, trimmed, in order. A paragraph break ends a sentence.
pub fn split(text: &str) -> Vec<&str> {
    text.split(". ").collect()
}
