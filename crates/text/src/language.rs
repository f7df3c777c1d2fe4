//! Which language a text is written in.

/// ISO 639-1 code, `und` where it cannot be told.
pub fn detect(text: &str) -> &'static str {
    let _ = text;
    "und"
}
