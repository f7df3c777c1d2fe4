//! An answer as people read it: titles, facts, tables and text, one below the other.

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::error::Result;
use crate::markdown::Markdown;
use crate::plain;
use crate::table::{self, Column};
use crate::terminal::{DIM, Terminal};

/// Prints parts with a blank line between two of them.
pub(crate) struct Page<'a> {
    terminal: &'a mut Terminal,
    is_begun: bool,
}

impl<'a> Page<'a> {
    pub(crate) const fn new(terminal: &'a mut Terminal) -> Self {
        Self {
            terminal,
            is_begun: false,
        }
    }

    fn begin(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.terminal.say("")?;
        }
        Ok(())
    }

    /// A headline; the next part follows without a blank line.
    pub(crate) fn title(&mut self, text: &str) -> Result<()> {
        self.begin()?;
        self.is_begun = false;
        Ok(self.terminal.title(&plain::line(text))?)
    }

    /// Lines of text; nothing where there are none.
    pub(crate) fn lines<'t>(&mut self, lines: impl IntoIterator<Item = &'t str>) -> Result<()> {
        let mut lines = lines.into_iter().peekable();
        if lines.peek().is_none() {
            return Ok(());
        }
        self.begin()?;
        for line in lines {
            self.terminal.say(&plain::line(line))?;
        }
        Ok(())
    }

    /// Markdown.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        self.begin()?;
        let mut markdown = Markdown::new(self.terminal.width(), self.terminal.has_colours());
        let mut written = markdown.push(text);
        written.push_str(&markdown.finish());
        Ok(self.terminal.write(&written)?)
    }

    /// What an answer says of one thing, a line each; what it does not say is left out.
    pub(crate) fn facts(&mut self, answer: &Value, facts: &[Column]) -> Result<()> {
        let facts: Vec<&Column> = facts
            .iter()
            .filter(|fact| !fact.of(answer).is_null())
            .collect();
        let Some(widest) = facts.iter().map(|fact| fact.title.width()).max() else {
            return Ok(());
        };
        self.begin()?;
        for fact in facts {
            let label = format!("{:widest$}", fact.title);
            let label = self.terminal.painted(DIM, &label);
            let shown = wrapped(&fact.shown(answer), self.terminal.width(), widest + 2);
            let shown = match fact.style(answer) {
                Some(style) => self.terminal.painted(style, &shown),
                None => shown,
            };
            self.terminal.say(&format!("{label}  {shown}"))?;
        }
        Ok(())
    }

    /// A table, or a line that says that there is nothing.
    pub(crate) fn table(&mut self, columns: &[Column], rows: &[Value], empty: &str) -> Result<()> {
        self.begin()?;
        if rows.is_empty() {
            return Ok(self.terminal.say(empty)?);
        }
        let width = self.terminal.width();
        let printed = table::printed(columns, rows, width, self.terminal.has_colours());
        for line in printed.lines {
            self.terminal.say(&line)?;
        }
        if !printed.left_out.is_empty() {
            let named = printed.left_out.join(", ");
            self.remark(&format!(
                "no room for {named}: use a wider terminal, --csv or --json"
            ));
        }
        Ok(())
    }

    /// A remark beside the answer.
    pub(crate) fn remark(&mut self, text: &str) {
        self.terminal.remark(&plain::line(text));
    }

    /// What an answer lacks, and why.
    pub(crate) fn issues(&mut self, answer: &Value) {
        for issue in rows(answer, "data_status") {
            let reason = issue.get("reason").and_then(Value::as_str);
            let field = issue.get("field").and_then(Value::as_str);
            if let Some(reason) = reason {
                self.remark(&format!("{}: {reason}", field.unwrap_or("note")));
            }
        }
    }
}

/// A text whose first line begins after a label and whose others stand below it.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = indent;
    for word in text.split(' ') {
        let length = word.width();
        if column > indent && column + 1 + length > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// The array of that name; empty where there is none.
pub(crate) fn rows<'a>(answer: &'a Value, key: &str) -> &'a [Value] {
    answer
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The text of that name; empty where there is none.
pub(crate) fn text<'a>(answer: &'a Value, key: &str) -> &'a str {
    answer.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_facts_are_wrapped_below_their_beginning() {
        assert_eq!(wrapped("one two three", 10, 4), "one\n    two\n    three");
        assert_eq!(wrapped("one two three", 40, 4), "one two three");
        assert_eq!(wrapped("", 40, 4), "");
    }
}
