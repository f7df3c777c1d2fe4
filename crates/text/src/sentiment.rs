//! The tone of a text.

use model::Score;

/// Tone of a headline and its body, 0.5 neutral.
pub fn document(title: &str, body: &str) -> Score {
    let _ = (title, body);
    Score::NEUTRAL
}

/// Tone of one sentence, 0.5 neutral.
pub fn sentence(text: &str) -> Score {
    let _ = text;
    Score::NEUTRAL
}
