//! Emphasis, code and links within words.

use unicode_width::UnicodeWidthStr;

use crate::terminal::{BOLD, DIM, paint};

/// Emphasis that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emphasis {
    is_bold: bool,
    is_code: bool,
}

impl Emphasis {
    pub(super) const NONE: Self = Self {
        is_bold: false,
        is_code: false,
    };

    /// The word without its marks of emphasis, painted; and how wide it is.
    pub(super) fn styled(
        &mut self,
        word: &str,
        is_heading: bool,
        colours: bool,
    ) -> (String, usize) {
        let (mut shown, mut width) = (String::new(), 0);
        let mut piece = String::new();
        let mut rest = word.chars().peekable();
        let mut flush = |piece: &mut String, is_strong: bool, is_code: bool| {
            width += piece.width();
            let text = std::mem::take(piece);
            shown.push_str(&match (colours && !text.is_empty(), is_strong, is_code) {
                (true, true, _) => paint(BOLD, &text),
                (true, false, true) => paint(DIM, &text),
                _ => text,
            });
        };
        while let Some(character) = rest.next() {
            match character {
                '\\' if !self.is_code && rest.peek().is_some_and(char::is_ascii_punctuation) => {
                    piece.extend(rest.next());
                }
                '`' => {
                    flush(&mut piece, self.is_bold || is_heading, self.is_code);
                    self.is_code = !self.is_code;
                }
                mark @ ('*' | '_') if !self.is_code && rest.peek() == Some(&mark) => {
                    rest.next();
                    flush(&mut piece, self.is_bold || is_heading, self.is_code);
                    self.is_bold = !self.is_bold;
                }
                // Alone and within a word it is a sign, as in 3*4 or snake_case.
                '*' | '_'
                    if !self.is_code
                        && word.len() > 1
                        && (piece.is_empty() || ends(rest.peek())) => {}
                other => piece.push(other),
            }
        }
        flush(&mut piece, self.is_bold || is_heading, self.is_code);
        (shown, width)
    }
}

/// Whether a word ends before this character.
fn ends(next: Option<&char>) -> bool {
    next.is_none_or(|next| matches!(next, '.' | ',' | ';' | ':' | '!' | '?' | ')' | '*' | '_'))
}

/// `[text](address)` as `text (address)`.
pub(super) fn linked(word: &str) -> String {
    let Some((before, rest)) = word.split_once("](") else {
        return word.to_owned();
    };
    match before.split_once('[') {
        Some((first, text)) => format!("{first}{text} ({rest}"),
        None => format!("{before}] ({rest}"),
    }
}
