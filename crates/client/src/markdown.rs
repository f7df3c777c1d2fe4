//! Markdown for a terminal, printed word by word while it arrives.
//!
//! Headings, lists, tables, emphasis, code, quotes and links; a line end stays a line end. A table waits for its last row.
//! What it does not know is printed as it stands.

mod emphasis;
mod rows;

use unicode_width::UnicodeWidthStr;

use crate::plain;
use emphasis::{Emphasis, linked};

/// What a line is, as far as its beginning says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks yet.
    Unknown,
    Text,
    Heading,
    /// Printed as it stands: code and rows of tables.
    Verbatim,
}

/// What stands before the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    /// Nothing at all yet.
    Unbegun,
    /// The beginning of a line.
    LineStart,
    /// A word or a mark: a blank is due.
    AfterWord,
}

/// The state between two pieces of text.
pub(crate) struct Markdown {
    width: usize,
    colours: bool,
    /// The word that may go on.
    word: String,
    line: Line,
    /// Where the cursor is.
    column: usize,
    /// Where a wrapped line begins.
    indent: usize,
    /// Blanks before the first word.
    blanks: usize,
    is_fenced: bool,
    emphasis: Emphasis,
    /// Line ends since the last word.
    ends: usize,
    cursor: Cursor,
    /// Rows of a table that may go on, and the line ends before it.
    rows: Vec<String>,
    ends_before_rows: usize,
}

impl Markdown {
    pub(crate) const fn new(width: usize, colours: bool) -> Self {
        Self {
            width,
            colours,
            word: String::new(),
            line: Line::Unknown,
            column: 0,
            indent: 0,
            blanks: 0,
            is_fenced: false,
            emphasis: Emphasis::NONE,
            ends: 0,
            cursor: Cursor::Unbegun,
            rows: Vec::new(),
            ends_before_rows: 0,
        }
    }

    /// What the next piece of text adds to the output.
    pub(crate) fn push(&mut self, text: &str) -> String {
        let mut out = String::new();
        for character in plain::lines(text).chars() {
            match character {
                '\n' => {
                    self.end_word(&mut out);
                    self.end_line();
                }
                ' ' if self.line == Line::Verbatim => self.word.push(' '),
                ' ' if self.line == Line::Unknown && self.word.is_empty() => self.blanks += 1,
                ' ' => self.end_word(&mut out),
                other => {
                    self.word.push(other);
                    if self.line == Line::Unknown && (self.is_fenced || self.word == "|") {
                        self.line = Line::Verbatim;
                    }
                }
            }
        }
        out
    }

    /// What is left, and the end of the last line.
    pub(crate) fn finish(&mut self) -> String {
        let mut out = String::new();
        self.end_word(&mut out);
        self.end_rows(&mut out);
        if self.cursor != Cursor::Unbegun {
            out.push('\n');
        }
        *self = Self::new(self.width, self.colours);
        out
    }

    fn end_line(&mut self) {
        self.line = Line::Unknown;
        self.blanks = 0;
        self.ends += 1;
        // Emphasis never reaches beyond its line here: a forgotten mark must not colour all that follows.
        self.emphasis = Emphasis::NONE;
    }

    fn end_word(&mut self, out: &mut String) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        if self.line == Line::Unknown || word.starts_with("```") {
            if word.starts_with("```") {
                self.is_fenced = !self.is_fenced;
                self.line = Line::Verbatim;
                // Its line is not shown.
                self.ends = self.ends.saturating_sub(1);
                return;
            }
            self.line = Line::Text;
            if self.marker(&word, out) {
                return;
            }
        }
        match self.line {
            Line::Verbatim if !self.is_fenced => {
                if self.rows.is_empty() {
                    self.ends_before_rows = self.ends;
                }
                self.rows.push(word);
                self.ends = 0;
            }
            Line::Verbatim => {
                self.begin_line(out, self.blanks);
                out.push_str(word.trim_end());
                self.column += word.width();
            }
            _ => self.write(&word, out),
        }
    }

    /// Whether the first word of a line is a mark, such as that of a list.
    fn marker(&mut self, word: &str, out: &mut String) -> bool {
        if word.len() <= 6 && word.bytes().all(|byte| byte == b'#') {
            self.line = Line::Heading;
            self.begin_line(out, 0);
            return true;
        }
        if word.len() >= 3 && word.bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_')) {
            self.begin_line(out, 0);
            out.push_str(&"─".repeat(self.width.min(20)));
            self.column = 20;
            return true;
        }
        let is_ordered = word
            .strip_suffix(['.', ')'])
            .is_some_and(|digits| digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit()))
            && word.len() > 1;
        let mark = match word {
            "-" | "*" | "+" => "•",
            ">" => "│",
            _ if is_ordered => word,
            _ => {
                self.begin_line(out, 0);
                return false;
            }
        };
        let blanks = self.blanks.min(12);
        self.begin_line(out, blanks);
        out.push_str(mark);
        self.column += mark.width();
        self.indent = self.column + 1;
        self.cursor = Cursor::AfterWord;
        true
    }

    /// Writes the table that is complete now.
    fn end_rows(&mut self, out: &mut String) {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        if self.cursor != Cursor::Unbegun {
            out.push_str(&"\n".repeat(self.ends_before_rows.min(2)));
        }
        out.push_str(&rows::aligned(&rows, self.width).join("\n"));
        self.cursor = Cursor::LineStart;
    }

    /// Writes the line ends that are due and the blanks before the first word.
    fn begin_line(&mut self, out: &mut String, blanks: usize) {
        self.end_rows(out);
        if self.cursor != Cursor::Unbegun && self.ends > 0 {
            // Any number of blank lines is one.
            out.push_str(&"\n".repeat(self.ends.min(2)));
        }
        if self.ends > 0 || self.column == 0 {
            out.push_str(&" ".repeat(blanks));
            self.column = blanks;
            self.indent = blanks;
        }
        self.ends = 0;
        self.cursor = Cursor::LineStart;
    }

    fn write(&mut self, word: &str, out: &mut String) {
        let (shown, width) =
            self.emphasis
                .styled(&linked(word), self.line == Line::Heading, self.colours);
        if width == 0 {
            return;
        }
        let is_after_word = self.cursor == Cursor::AfterWord;
        if is_after_word && self.column + 1 + width > self.width {
            out.push('\n');
            out.push_str(&" ".repeat(self.indent));
            self.column = self.indent;
        } else if is_after_word {
            out.push(' ');
            self.column += 1;
        }
        out.push_str(&shown);
        self.column += width;
        self.cursor = Cursor::AfterWord;
    }
}

#[cfg(test)]
mod tests;
