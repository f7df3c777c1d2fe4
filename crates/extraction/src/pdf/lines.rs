//! Builds lines of text from pieces placed anywhere on a page.
//!
//! A PDF says where letters stand, not where a word or a line ends. A piece off the line of the previous one starts a
//! new line, and one at some distance on the same line starts a new word. Columns come out right if they were drawn one
//! after the other, which is usual; nothing is sorted.

use crate::pdf::matrix::Vector;

/// A gap of this fraction of the letter height is a space. A space has a quarter, kerning a tenth at most.
const SPACE: f32 = 0.17;
/// A piece that is off the line by this fraction of the height is on another line. Superscripts are off by a third.
const OFF_LINE: f32 = 0.5;

/// A piece of text that is drawn in one operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) start: Vector,
    pub(super) end: Vector,
    /// From the foot of letters of one em to their head.
    pub(super) height: f32,
    /// Any distance along the line.
    pub(super) along: Vector,
}

/// The text of a page as it is built up.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    last: Option<(Vector, f32)>,
}

impl Lines {
    pub(super) fn push(&mut self, piece: Piece) {
        if let Some((end, height)) = self.last {
            let gap = piece.start.minus(end);
            let unit = piece.along.length();
            let (along, off) = (
                gap.dot(piece.along) / unit,
                gap.cross(piece.along).abs() / unit,
            );
            if off > OFF_LINE * height.max(piece.height) || along < -piece.height {
                self.text.push('\n');
            } else if along > SPACE * piece.height {
                self.text.push(' ');
            }
        }
        self.text.push_str(piece.text);
        self.last = Some((piece.end, piece.height));
    }

    /// Length of the text so far, in bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text: one space between words, no empty lines, and words hyphenated at the end of a line in one piece.
    pub(super) fn finish(self) -> String {
        let mut text = String::with_capacity(self.text.len());
        for line in self.text.lines() {
            let line = plain(line);
            if line.is_empty() {
                continue;
            }
            if is_hyphenated(&text, &line) {
                text.pop();
            } else if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
        }
        text
    }
}

/// A line with one space between words, ligatures spelled out, and no invisible characters.
fn plain(line: &str) -> String {
    let line = line.trim_end();
    // At the end of a line it is the hyphen, anywhere else it is invisible.
    let (line, hyphen) = match line.strip_suffix('\u{ad}') {
        Some(before) => (before, "-"),
        None => (line, ""),
    };
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            '\u{ad}' | '\u{fffd}' | '\u{feff}' | '\u{200b}' => {}
            '\u{fb00}' => plain.push_str("ff"),
            '\u{fb01}' => plain.push_str("fi"),
            '\u{fb02}' => plain.push_str("fl"),
            '\u{fb03}' => plain.push_str("ffi"),
            '\u{fb04}' => plain.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => plain.push_str("st"),
            space if space.is_whitespace() => {
                if !plain.is_empty() && !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            control if control.is_control() => {}
            other => plain.push(other),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain.push_str(hyphen);
    plain
}

/// Whether the last word of a text continues on this line. A compound that is split at its own hyphen loses it.
fn is_hyphenated(text: &str, next: &str) -> bool {
    let mut before = text.chars().rev();
    matches!(before.next(), Some('-' | '\u{2010}'))
        && before.next().is_some_and(char::is_alphabetic)
        && next.chars().next().is_some_and(char::is_lowercase)
}
