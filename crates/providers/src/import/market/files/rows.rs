//! Rows of delimited text, one in memory at a time.
//!
//! A bad line does not affect any other: a line that is too long is skipped, and a quote that is not closed within a
//! few lines is an error in its own line instead of swallowing the rest of the file.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use csv::StringRecord;
use encoding_rs::WINDOWS_1252;

/// Longest line that is read; a table with four thousand columns has shorter ones.
pub(super) const LONGEST_LINE: usize = 256 << 10;

/// Lines over which a quoted cell may extend.
const QUOTED_LINES: usize = 16;

/// Most cells of a line that are kept.
const CELLS_MAX: usize = 4096;

/// The next item read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A row, which begins on this line.
    Row(u64),
    /// A line that is longer than [`LONGEST_LINE`].
    TooLong(u64),
    /// Nothing.
    End,
}

/// A line without its end; none if it is too long.
type Line = (u64, Option<Vec<u8>>);

/// Reads rows.
pub(super) struct Rows<Reader> {
    reader: Reader,
    delimiter: u8,
    /// Lines read so far.
    line: u64,
    /// Lines that were read ahead.
    ahead: VecDeque<Line>,
}

impl<Reader: BufRead> Rows<Reader> {
    /// Reads from the beginning.
    pub(super) fn new(reader: Reader, delimiter: u8) -> Self {
        Self {
            reader,
            delimiter,
            line: 0,
            ahead: VecDeque::new(),
        }
    }

    /// Reads the next row into a record. Empty lines are not rows.
    pub(super) fn next(&mut self, record: &mut StringRecord) -> io::Result<Next> {
        loop {
            let Some((line, bytes)) = self.next_line()? else {
                return Ok(Next::End);
            };
            let Some(bytes) = bytes else {
                return Ok(Next::TooLong(line));
            };
            if bytes.is_empty() {
                continue;
            }
            let bytes = self.with_quoted_lines(bytes)?;
            let text = text(&bytes);
            record.clear();
            split(&text, self.delimiter, record);
            return Ok(Next::Row(line));
        }
    }

    /// The next line as text, not split; one that is too long is empty.
    pub(super) fn next_text(&mut self) -> io::Result<Option<String>> {
        let line = self.next_line()?;
        Ok(line.map(|(_, bytes)| text(&bytes.unwrap_or_default()).into_owned()))
    }

    /// A line and those over which one of its quoted cells extends, if it ends there.
    fn with_quoted_lines(&mut self, first: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut place = Place::default();
        place.pass(&first, self.delimiter);
        if !place.is_quoted() {
            return Ok(first);
        }
        let mut whole = first.clone();
        let mut taken = Vec::new();
        while taken.len() < QUOTED_LINES && whole.len() <= LONGEST_LINE {
            let Some((line, bytes)) = self.next_line()? else {
                break;
            };
            if let Some(bytes) = &bytes {
                whole.push(b'\n');
                whole.extend_from_slice(bytes);
                place.pass(bytes, self.delimiter);
            }
            let is_too_long = bytes.is_none();
            taken.push((line, bytes));
            if is_too_long {
                break;
            }
            if !place.is_quoted() {
                return Ok(whole);
            }
        }
        // Never closed: the lines after it are rows of their own.
        for line in taken.into_iter().rev() {
            self.ahead.push_front(line);
        }
        Ok(first)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let mut is_too_long = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                if bytes.is_empty() && !is_too_long {
                    return Ok(None);
                }
                break;
            }
            let end = memchr::memchr2(b'\n', b'\r', buffer);
            let length = end.unwrap_or(buffer.len());
            is_too_long |= bytes.len() + length > LONGEST_LINE;
            if is_too_long {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(&buffer[..length]);
            }
            let is_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.reader.consume(length + usize::from(end.is_some()));
            if end.is_some() {
                if is_return && self.reader.fill_buf()?.first() == Some(&b'\n') {
                    self.reader.consume(1);
                }
                break;
            }
        }
        self.line += 1;
        if self.line == 1
            && let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf")
        {
            bytes = rest.to_vec();
        }
        Ok(Some((self.line, (!is_too_long).then_some(bytes))))
    }
}

/// Bytes that are not UTF-8 are taken for Windows-1252, which contains ISO-8859-1.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// The part of a row to which a byte belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Start,
    Plain,
    Quoted,
    /// After a quote within quotes: the quotes end, unless another follows.
    AfterQuote,
}

impl Place {
    fn next(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::AfterQuote,
            (Self::Start | Self::AfterQuote, b'"') | (Self::Quoted, _) => Self::Quoted,
            (_, byte) if byte == delimiter => Self::Start,
            _ => Self::Plain,
        }
    }

    fn pass(&mut self, bytes: &[u8], delimiter: u8) {
        *self = bytes
            .iter()
            .fold(*self, |place, byte| place.next(*byte, delimiter));
    }

    const fn is_quoted(self) -> bool {
        matches!(self, Self::Quoted)
    }
}

/// Splits the text of a row into its cells.
pub(super) fn split(text: &str, delimiter: u8, record: &mut StringRecord) {
    if !text.contains('"') {
        let cells = text.split(char::from(delimiter)).take(CELLS_MAX);
        cells.for_each(|cell| record.push_field(cell));
        return;
    }
    let mut cell = String::new();
    let mut place = Place::default();
    for sign in text.chars() {
        // Only ASCII characters matter here.
        let byte = u8::try_from(sign).unwrap_or(b'x');
        let next = place.next(byte, delimiter);
        match (place, next) {
            (_, Place::Start) => {
                if record.len() >= CELLS_MAX {
                    return;
                }
                record.push_field(&cell);
                cell.clear();
            }
            // Quotes around a cell are not part of it, and two within it stand for one.
            (Place::Start, Place::Quoted) | (Place::Quoted, Place::AfterQuote) => {}
            _ => cell.push(sign),
        }
        place = next;
    }
    record.push_field(&cell);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<(u64, Vec<String>)> {
        let mut rows = Rows::new(text, b',');
        let mut record = StringRecord::new();
        let mut found = Vec::new();
        loop {
            match rows.next(&mut record).unwrap() {
                Next::End => return found,
                Next::TooLong(line) => found.push((line, vec!["too long".to_owned()])),
                Next::Row(line) => {
                    found.push((line, record.iter().map(str::to_owned).collect()));
                }
            }
        }
    }

    fn check(text: &str, expected: &[(u64, &[&str])]) {
        let found = read(text.as_bytes());
        let found: Vec<(u64, Vec<&str>)> = found
            .iter()
            .map(|(line, cells)| (*line, cells.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(u64, Vec<&str>)> = expected
            .iter()
            .map(|(line, cells)| (*line, cells.to_vec()))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn rows_are_cut_as_tables_write_them() {
        check("", &[]);
        check("\u{feff}a,b\r\n\r\nc\n", &[(1, &["a", "b"]), (3, &["c"])]);
        check("a\rb\r\n", &[(1, &["a"]), (2, &["b"])]);
        check("\"a,b\",c", &[(1, &["a,b", "c"])]);
        check("\"a \"\"b\"\"\",\"\"", &[(1, &["a \"b\"", ""])]);
        check("5\" rod,\"x\"y", &[(1, &["5\" rod", "xy"])]);
        check("a,\n", &[(1, &["a", ""])]);
        check("\"a\nb\",c\nd", &[(1, &["a\nb", "c"]), (3, &["d"])]);
        assert_eq!(read(b"caf\xe9\n")[0].1, ["café"]);
    }

    #[test]
    fn rows_are_cut_as_the_library_cuts_them() {
        for text in [
            "a,b,c\n1,\"2\",3\n",
            "\"a\"\"\",b\n,,\n",
            "a\"b,\"c\"d\"e,f\n",
            "ä,\"ö, ü\",\"\"\"\"\n",
        ] {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(text.as_bytes());
            let expected: Vec<Vec<String>> = reader
                .records()
                .map(|record| record.unwrap().iter().map(str::to_owned).collect())
                .collect();
            let found: Vec<Vec<String>> =
                read(text.as_bytes()).into_iter().map(|row| row.1).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_bad_line_costs_no_other() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let text = format!("a,b\n{long}\n\"open,1\nc,d\n{}e,f\n", "g,h\n".repeat(40));
        let found = read(text.as_bytes());
        assert_eq!(found[1], (2, vec!["too long".to_owned()]));
        assert_eq!(found[2].0, 3);
        assert_eq!(found[3], (4, vec!["c".to_owned(), "d".to_owned()]));
        assert_eq!(found.len(), 45);
    }

    #[test]
    fn a_line_without_end_takes_no_more_than_its_limit() {
        use std::io::Read;

        let endless = io::BufReader::new(io::repeat(b',').take(64 << 20));
        let mut rows = Rows::new(endless, b',');
        let mut record = StringRecord::new();
        assert_eq!(rows.next(&mut record).unwrap(), Next::TooLong(1));
        assert_eq!(rows.next(&mut record).unwrap(), Next::End);
        assert!(record.as_slice().len() <= LONGEST_LINE);
    }
}
